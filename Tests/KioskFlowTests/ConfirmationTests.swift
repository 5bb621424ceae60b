import KioskFlow
import Reservations
import TestSupport
import Testing

@Suite(
    "Confirm: no second reservation, no lost one (rules: holds, unanswered-confirmation, start-up)")
struct ConfirmationTests {
    @Test("Confirm on an expired hold never confirms another place: it shows a new offer")
    func expired() {
        var machine = FlowMachine.confirming()
        let key = machine.key!
        machine.answersConfirmation(.failure(.refusal(.holdExpired)))
        machine.expectEffects(
            .journal(.record(.resolved(key))),
            .backend(.takePlace(.ticket, AttemptKey("test-3"))))
    }

    @Test(
        "A lost answer is neither yes nor no: the same key is sent again until it is answered",
        arguments: [FlowMachine.confirming(), .arriving()],
        [
            BackendFailure.unanswered, .notUnderstood, .refusal(.unavailable),
            .refusal(.tooManyRequests), .refusal(.notAuthentic),
        ])
    func unresolved(start: FlowMachine, failure: BackendFailure) throws {
        let (key, what) = (try #require(start.key), try #require(start.requested))
        var machine = start.waiting(.seconds(9)).after { $0.isAnswered(failure) }
        try requireCase(KioskState.unresolved, of: machine.flow.state)
        machine.waits(.seconds(2), expecting: [.backend(.confirm(what, key))])
        machine.waits(.seconds(5), expecting: [])
        machine.isAnswered()
        try requireCase(KioskState.issued, of: machine.flow.state)
        // The answer to the first attempt comes late: it is the same one.
        machine.answersConfirmation(.success(Facts.reservation(at: machine.now)))
        machine.answersArrival(.success(Facts.arrived(at: machine.now)))
        #expect(machine.effects.isEmpty)
    }

    @Test(
        "Leaving, or two minutes, journals \"delete when known\" and resolves it in the background",
        arguments: [BackendFailure.unanswered, .refusal(.notAuthentic)])
    func leaving(_ failure: BackendFailure) throws {
        var machine = FlowMachine.confirming()
        let key = machine.key!
        // A key that is refused is no answer either: the machine keeps asking.
        machine.answersConfirmation(.failure(failure))
        #expect(machine.effects.isEmpty)
        try requireCase(KioskState.unresolved, of: machine.flow.state)
        var patient = machine
        machine.touchesLater(.leave)
        let expected: [KioskEffect] = [
            .journal(.record(.deleteWhenKnown(key))),
            .backend(.resolve(request(key, deleteWhenKnown: true))), .refresh,
        ]
        #expect(machine.effects == expected)
        #expect(machine.flow.state == .home)
        // An answer that comes after the customer has left changes nothing on the screen.
        machine.does(.backend(.confirmed(key, .success(Facts.reservation(at: machine.now)))))
        #expect(machine.effects.isEmpty)
        #expect(machine.flow.state == .home)

        patient.waits(.seconds(120))
        #expect(Array(patient.effects.suffix(3)) == expected)
        try requireCase(KioskState.requestFailed, of: patient.flow.state)
        patient.goesHome(after: .seconds(20))
    }

    private func request(
        _ key: AttemptKey = AttemptKey("old-1"), deleteWhenKnown: Bool = false
    ) -> OpenRequest {
        OpenRequest(key: key, what: .place(Facts.hold), deleteWhenKnown: deleteWhenKnown)
    }

    @Test("An answer to another request shows and prints no ticket")
    func answerToAnother() {
        var machine = FlowMachine.confirming()
        let state = machine.flow.state
        let reservation = Facts.reservation(at: machine.now)
        machine.does(.backend(.confirmed(AttemptKey("other-1"), .success(reservation))))
        #expect(machine.effects.isEmpty)
        #expect(machine.flow.state == state)
    }

    @Test("Without a journal entry no confirmation is sent, and the place is given back")
    func journalFails() {
        var machine = FlowMachine.confirming().doing(.journal(.failed(unsent: true)))
        #expect(machine.effects == [.backend(.release(Facts.hold))])
        machine.queueReported()
        #expect(machine.effects == [.journal(.check)])
        machine.waits(.seconds(20))
        #expect(machine.flow.state == .outOfService(.journal))
        machine.does(.journal(.recovered))
        #expect(machine.flow.state == .home)
    }

    @Test("A disk that fails after the confirmation was sent does not cost the customer the place")
    func journalFailsForSomethingElse() throws {
        var machine = FlowMachine.confirming().doing(.journal(.failed(unsent: false)))
        #expect(machine.effects.isEmpty)
        machine.answersConfirmation(.success(Facts.reservation(at: machine.now)))
        let issued = try requireCase(KioskState.issued, of: machine.flow.state)
        #expect(issued.slip == .reservation(Facts.reservation(at: machine.now)))
    }

    @Test("Only the intention must be on the disk before the next step")
    func precedence() {
        let key = AttemptKey("k")
        #expect(JournalRecord.intended(key, .place(Facts.hold)).mustPrecede)
        #expect(!JournalRecord.shown(key).mustPrecede)
        #expect(!JournalRecord.issued(key, .reservation(Facts.reservation(at: .zero))).mustPrecede)
    }

    @Test(
        "After a power cut the same key is sent again and the number is shown and printed",
        arguments: [Requested.place(Facts.hold), Facts.arrival])
    func resumed(what: Requested) throws {
        let key = AttemptKey("old-1")
        var machine = FlowMachine.started(
            with: OpenRequest(key: key, what: what, deleteWhenKnown: false, age: .seconds(20)))
        machine.does(.backend(.profile(Facts.shopWithDesk)))
        machine.queueReported()
        #expect(machine.effectsWithoutHelp == [.backend(.confirm(what, key))])
        try requireCase(KioskState.unresolved, of: machine.flow.state)
        machine.waits(.seconds(1))
        machine.isAnswered(at: machine.now - .seconds(30))
        let issued = try machine.shown(KioskState.issued)
        #expect(issued.key == key && machine.effects.last == .printer(.print(key, issued.slip)))
    }

    @Test("An open confirmation older than two minutes is deleted: no customer waits for it")
    func abandoned() {
        var machine = FlowMachine.started(with: request(), at: .seconds(1_000))
        machine.queueReported()
        let key = AttemptKey("old-1")
        let reservation = Facts.reservation(at: machine.now - .seconds(121))
        machine.answersConfirmation(.success(reservation))
        machine.expectEffects(
            .journal(.record(.issued(key, .reservation(reservation)))),
            .journal(.record(.deleteWhenKnown(key))),
            .backend(.resolve(request(deleteWhenKnown: true))), .refresh)
        #expect(machine.flow.state == .home)
    }

    @Test("A resumed confirmation whose hold has expired takes no new place")
    func resumedExpired() {
        var machine = FlowMachine.started(with: request()).after { $0.queueReported() }
        machine.answersConfirmation(.failure(.refusal(.holdExpired)))
        #expect(
            machine.effects == [.journal(.record(.resolved(AttemptKey("old-1")))), .refresh])
        #expect(machine.flow.state == .home)
    }

    @Test("A confirmation that a customer gave up before the stop is resolved at every start")
    func resolvesAtStart() {
        let machine = FlowMachine.started(with: request(deleteWhenKnown: true))
        #expect(
            machine.effects == [.backend(.resolve(request(deleteWhenKnown: true))), .refresh])
    }
}
