import TestSupport
import Testing

@testable import KioskFlow

/// A customer's own settings end when the customer leaves.
struct AccessFlowTests {
    private func isAsFound(_ machine: FlowMachine) -> Bool {
        machine.flow.access.appearance == .normal && machine.flow.access.voice == .off
            && machine.flow.access.language == "it" && !machine.flow.access.isChoosingLanguage
    }

    @Test("A+ cycles through large, inverted, normal, the speech button through on, louder, off")
    func cycles() {
        var machine = FlowMachine.atHome(canSpeak: true)
        var seen: [String] = []
        for _ in 0..<3 {
            machine.touchesInTurn(.changeAppearance, .changeVoice)
            seen.append("\(machine.flow.access.appearance) \(machine.flow.access.voice)")
        }
        #expect(seen == ["large on", "inverted louder", "normal off"])
        #expect(machine.flow.state == .home && machine.effects.isEmpty)
    }

    @Test("A finger that bounces changes the letters once")
    func bounce() {
        var machine = FlowMachine.atHome(canSpeak: true).touching(.changeAppearance)
        machine.waits(.milliseconds(100))
        machine.touches(.changeAppearance)
        #expect(machine.flow.access.appearance == .large)
    }

    @Test("A touch on A+ keeps an offer alive as any other touch does")
    func stays() throws {
        var machine = FlowMachine.atHome(canSpeak: true).touched(.getTicket)
        machine.answersPlace(.success(Facts.place()))
        machine.waits(.seconds(100))
        machine.touches(.changeAppearance, expecting: [.backend(.extend(Facts.hold))])
        machine.answersExtension()
        machine.waits(.seconds(100))
        try requireCase(KioskState.offer, of: machine.flow.state)
    }

    @Test("Home restores the shop's settings: after Done, after three minutes, at Home itself")
    func forgotten() {
        var machine = FlowMachine.atHome(canSpeak: true)
        machine.touchesInTurn(
            .openLanguages, .choose(language: "en"), .changeAppearance, .changeVoice, .getTicket)
        machine.answersPlace(.success(Facts.place()))
        machine.waits(.seconds(1))
        machine.touchesInTurn(.confirm)
        machine.answersConfirmation(.success(Facts.reservation(at: machine.now)))
        machine.waits(.seconds(1))
        #expect(machine.flow.access.appearance == .large && machine.flow.access.voice == .on)
        #expect(machine.flow.access.language == "en")
        machine.touchesInTurn(.done)
        #expect(machine.flow.state == .home && isAsFound(machine))

        machine.touchesInTurn(.choose(language: "en"), .getTicket, .cancel)
        #expect(machine.flow.state == .home && isAsFound(machine))

        machine.touchesInTurn(.changeVoice, .findReservation)
        machine.waits(.seconds(400))
        #expect(machine.flow.state == .home && isAsFound(machine))

        machine.touchesInTurn(.changeAppearance, .choose(language: "en"))
        machine.waits(.seconds(50))
        #expect(machine.flow.access.appearance == .large && machine.flow.access.language == "en")
        machine.waits(.seconds(11))
        #expect(isAsFound(machine))
    }

    @Test("A voice that fails is not offered to this customer any more; without one there is none")
    func failed() {
        var machine = FlowMachine.atHome(canSpeak: true).touched(.changeVoice).doing(.speechFailed)
        #expect(machine.flow.access.voice == .off && !machine.flow.access.isSpeechThere)
        machine.touchesInTurn(.changeVoice)
        #expect(machine.flow.access.voice == .off)
        machine.waits(.seconds(61))
        #expect(machine.flow.access.isSpeechThere)
        let silent = FlowMachine.atHome().touching(.changeVoice)
        #expect(silent.flow.access.voice == .off && !silent.flow.access.isSpeechThere)
    }
}
