import KioskFlow
import Reservations
import TestSupport
import Testing

@testable import KioskRuntime

@Suite("Help at the running machine (rules: help-screen, help-answers)", .timeLimit(.minutes(10)))
@MainActor
struct RunningHelpTests {
    /// A voice that remembers what it was asked to say.
    private final class FakeVoice: SpeechPort {
        let said = Locked<[(text: String, isLoud: Bool)]>([])
        let stops = Locked(0)

        func say(_ text: String, language: String, isLoud: Bool, volume: Int) async -> SpeechEnd {
            said.change { $0.append((text, isLoud)) }
            return .said
        }

        func stop() { stops.change { $0 += 1 } }
    }

    private let machine: FakeMachine
    private let voice = FakeVoice()

    init() throws { machine = try FakeMachine() }

    private func kiosk(
        _ help: FakeHelp, remembered: ShopHelp? = nil, isAway: Bool = false
    ) -> Kiosk {
        let kiosk = machine.kiosk(isAway ? FakeBackend() : .openShop()) {
            $0.help = help
            $0.rememberedHelp = remembered
            $0.speech = voice
        }
        kiosk.begin()
        return kiosk
    }

    private func call(going: Bool = false) -> HelpCall {
        HelpCall(
            id: HelpCallID("help-1"), machine: MachineID("door"), since: BackendFacts.now,
            going: going ? BackendFacts.now : nil)
    }

    private func listing(_ calls: @escaping @Sendable () -> [HelpCall]) -> FakeHelp {
        FakeHelp(onCalls: { .success(HelpCalls(now: BackendFacts.now, calls: calls())) })
    }

    private func isAsking(_ flow: KioskFlow) -> Bool {
        if case .asking = flow.help { true } else { false }
    }

    private func isSaid(_ words: String) -> Bool {
        voice.said.value.contains { $0.isLoud && $0.text.contains(words) }
    }

    @Test("A call is followed on the connection for help, and it is said that somebody comes")
    func called() async {
        let isGoing = Locked(false)
        let kiosk = kiosk(
            listing { [call = call(), going = call(going: true)] in
                [isGoing.value ? going : call]
            })
        // The call of an earlier start is found, as a band; its screen is opened by the key.
        #expect(await eventually { kiosk.flow.help.openCall != nil })
        #expect(!kiosk.flow.isHelpShown)
        #expect(await machine.press(.function(1), on: kiosk) { kiosk.flow.isHelpShown })
        #expect(await eventually { isSaid("Somebody is being called.") })
        isGoing.change { $0 = true }
        #expect(await eventually { isSaid("Somebody is coming to you.") })
    }

    @Test("News of a call in the band is said too, once, whatever the customer has chosen")
    func announced() async {
        let kiosk = kiosk(listing { [going = call(going: true)] in [going] })
        #expect(await eventually { isSaid("Somebody is coming to you.") })
        kiosk.redraw()
        kiosk.redraw()
        #expect(voice.said.value.count == 1)
    }

    @Test("The question is read aloud loudly although the customer has not turned the voice on")
    func spoken() async {
        let kiosk = kiosk(listing { [] })
        #expect(await eventually { kiosk.flow.state == .home })
        #expect(voice.said.value.isEmpty)
        #expect(await machine.press(.function(1), on: kiosk) { isAsking(kiosk.flow) })
        #expect(await eventually { isSaid("Do you need someone to help you?") })
        #expect(await machine.press(.back, on: kiosk) { kiosk.flow.help == .none })
        #expect(voice.stops.value == 1)
        #expect(voice.said.value.count == 1)
    }

    @Test("Without a backend the machine shows 112 and the shop's number that it remembers")
    func unreachable() async {
        let kiosk = kiosk(FakeHelp(), remembered: ShopHelp(phone: "02 1234 567"), isAway: true)
        #expect(await machine.press(.function(1), on: kiosk) { isAsking(kiosk.flow) })
        // *No* has the focus; the next key leads to *Yes*.
        machine.press(.next, on: kiosk)
        let isAnswered = await machine.press(.choose, on: kiosk) {
            if case .unreachable = kiosk.flow.help { true } else { false }
        }
        #expect(isAnswered && kiosk.flow.helpPhone == "02 1234 567")
        #expect(await eventually { isSaid("1 1 2") })
    }

    @Test("What a staff member does about a call goes to the connection for help, with the name")
    func staff() async {
        let done = Locked<[String]>([])
        let help = FakeHelp(onChange: { [call = call()] what, _, person in
            done.change { $0.append("\(what) \(person ?? "-")") }
            return .success(call)
        })
        let kiosk = kiosk(help)
        for action in StaffHelp.Action.allCases {
            kiosk.answerHelp(
                StaffHelp(action, HelpCallID("help-1")), by: "Giulia", AttemptKey("a"))
        }
        #expect(await eventually { done.value.count == 4 })
        let wanted = ["going Giulia", "mute Giulia", "helped Giulia", "mistake Giulia"]
        #expect(Set(done.value) == Set(wanted))
    }
}
