import KioskFlow
import KioskScreens
import Reservations
import StaffStore
import Synchronization
import TerminalSurface
import TestSupport
import Testing

@testable import KioskRuntime

@Suite("Help at the running machine (rules 31)", .timeLimit(.minutes(10)))
@MainActor
struct RunningHelpTests {
    /// A voice that remembers what it was asked to say.
    private final class FakeVoice: SpeechPort {
        let said = Mutex<[(text: String, isLoud: Bool)]>([])
        let stops = Mutex(0)

        func say(_ text: String, language: String, isLoud: Bool, volume: Int) async -> SpeechEnd {
            said.withLock { $0.append((text, isLoud)) }
            return .said
        }

        func stop() { stops.withLock { $0 += 1 } }
    }

    private let terminal = FakeTerminal()
    private let folder: TemporaryFolder
    private let store: StaffStore
    private let voice = FakeVoice()
    private let now = LocalMoment(Moment(milliseconds: 1_795_179_600_000), offsetMinutes: 60)

    init() throws {
        folder = try TemporaryFolder()
        store = try StaffStore(path: folder.file("staff.sqlite"))
    }

    private func kiosk(_ help: FakeHelp, remembered: ShopHelp? = nil, isAway: Bool = false) -> Kiosk
    {
        var parts = FakeParts(
            terminal: terminal, customers: isAway ? FakeBackend() : FakeBackend.openShop(at: now),
            printer: PrinterPair([FakePrinter()]) { _ in }, staff: store)
        parts.help = help
        parts.rememberedHelp = remembered
        parts.speech = voice
        return Kiosk(parts, languages: ["en"], keyPrefix: "start")
    }

    private func call(going: Bool = false, ended: HelpCall.End? = nil) -> HelpCall {
        HelpCall(
            id: HelpCallID("help-1"), machine: MachineID("door"), since: now,
            going: going ? now : nil, ended: ended == nil ? nil : now, end: ended)
    }

    /// Presses a key until the machine is where it leads to.
    private func press(
        _ key: TerminalEvent.Key, on kiosk: Kiosk, until isThere: (KioskFlow) -> Bool
    ) async -> Bool {
        await eventually {
            if isThere(kiosk.flow) { return true }
            terminal.typed = [.key(key)]
            _ = kiosk.inputReady()
            return isThere(kiosk.flow)
        }
    }

    private func isAsking(_ flow: KioskFlow) -> Bool {
        if case .asking = flow.help { true } else { false }
    }

    private func isSaid(_ words: String) -> Bool {
        voice.said.withLock { $0.contains { $0.isLoud && $0.text.contains(words) } }
    }

    @Test("A call is followed on the connection for help, and it is said that somebody comes")
    func called() async {
        let isGoing = Mutex(false)
        let help = FakeHelp(onCalls: { [now, call = call(), going = call(going: true)] in
            .success(HelpCalls(now: now, calls: [isGoing.withLock { $0 } ? going : call]))
        })
        let kiosk = kiosk(help)
        kiosk.begin()
        // The call of an earlier start is found, as a band; its screen is opened by the key.
        #expect(await eventually { kiosk.flow.help.openCall != nil })
        #expect(!kiosk.flow.isHelpShown)
        #expect(await press(.function(1), on: kiosk) { $0.isHelpShown })
        #expect(await eventually { isSaid("Somebody is being called.") })
        isGoing.withLock { $0 = true }
        #expect(await eventually { isSaid("Somebody is coming to you.") })
    }

    @Test("News of a call in the band is said too, once, whatever the customer has chosen")
    func announced() async {
        let help = FakeHelp(onCalls: { [now, going = call(going: true)] in
            .success(HelpCalls(now: now, calls: [going]))
        })
        let kiosk = kiosk(help)
        kiosk.begin()
        #expect(await eventually { isSaid("Somebody is coming to you.") })
        kiosk.redraw()
        kiosk.redraw()
        #expect(voice.said.withLock { $0.count } == 1)
    }

    @Test("The question is read aloud loudly although the customer has not turned the voice on")
    func spoken() async {
        let kiosk = kiosk(FakeHelp(onCalls: { [now] in .success(HelpCalls(now: now, calls: [])) }))
        kiosk.begin()
        #expect(await eventually { kiosk.flow.state == .home })
        #expect(voice.said.withLock { $0.isEmpty })
        #expect(await press(.function(1), on: kiosk) { isAsking($0) })
        #expect(await eventually { isSaid("Shall somebody come to you?") })
        #expect(await press(.back, on: kiosk) { $0.help == .none })
        #expect(voice.stops.withLock { $0 } == 1)
        #expect(voice.said.withLock { $0.count } == 1)
    }

    @Test("Without a backend the machine shows 112 and the shop's number that it remembers")
    func unreachable() async {
        let kiosk = kiosk(FakeHelp(), remembered: ShopHelp(phone: "02 1234 567"), isAway: true)
        kiosk.begin()
        #expect(await press(.function(1), on: kiosk) { isAsking($0) })
        // *No* has the focus; the next key leads to *Yes*.
        terminal.typed = [.key(.next)]
        _ = kiosk.inputReady()
        let isAnswered = await press(.choose, on: kiosk) {
            if case .unreachable = $0.help { true } else { false }
        }
        #expect(isAnswered && kiosk.flow.helpPhone == "02 1234 567")
        #expect(await eventually { isSaid("1 1 2") })
    }

    @Test("What a staff member does about a call goes to the connection for help, with the name")
    func staff() async {
        let done = Mutex<[String]>([])
        let help = FakeHelp(onChange: { [call = call()] what, _, person in
            done.withLock { $0.append("\(what) \(person ?? "-")") }
            return .success(call)
        })
        let kiosk = kiosk(help)
        kiosk.begin()
        for action in StaffHelp.Action.allCases {
            kiosk.answerHelp(
                StaffHelp(action, HelpCallID("help-1")), by: "Giulia", AttemptKey("a"))
        }
        #expect(await eventually { done.withLock { $0.count } == 4 })
        #expect(
            Set(done.withLock { $0 }) == [
                "going Giulia", "mute Giulia", "helped Giulia", "mistake Giulia",
            ])
    }
}
