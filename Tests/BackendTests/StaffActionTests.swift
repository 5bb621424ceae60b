import BackendAPI
import Foundation
import Reservations
import Testing

@Suite("Corrections by the staff, over HTTP")
struct StaffActionTests {
    private let backend: TestBackend
    private let machine: TestMachine
    private let entrance: TestMachine

    init() throws {
        backend = try TestBackend()
        machine = try backend.enrol()
        entrance = try backend.enrol("door", role: .entrance)
    }

    private func act(_ action: StaffActionRequest) throws -> WireResponse {
        let body = String(decoding: try JSONEncoder().encode(action), as: UTF8.self)
        return try machine.call(.staffActions, body)
    }

    private func view() throws -> StaffQueue {
        try machine.call(.staffQueue).decoded(StaffQueue.self)
    }

    @Test("A name that hides the text beside it, or has nothing visible, is refused")
    func unreadableName() throws {
        let backend = try TestBackend()
        let machine = try backend.enrol()
        func act(_ name: String) throws -> WireResponse {
            try machine.call(
                .staffActions, "{\"action\":\"occupancy\",\"people\":1,\"by\":\"\(name)\"}")
        }
        for name in ["An\u{202E}na", "An\u{2066}na", "  ", "\u{200D}", "\\u202e", "a\\u0007"] {
            #expect(try act(name).problem == .malformed, "\(name.unicodeScalars.map(\.value))")
        }
        // An older machine may have such a name.
        for name in ["-x", "Anna "] { #expect(try act(name).status == 200) }
        var actors: [String] = []
        try backend.administration.audit(of: TestBackend.shop) { actors.append($0.actor) }
        #expect(actors.suffix(2) == ["machine north, -x", "machine north, Anna"])
    }

    @Test(
        "A number is called again, let in, marked missed, restored, and deleted without its ticket")
    func numbers() throws {
        // The shop has four places: the fifth and the sixth customer wait.
        let tickets = try (1...6).map { _ in try machine.reservation() }
        let again = try act(StaffActionRequest(.callAgain, number: tickets[0].number))
        #expect(again.status == 200)
        #expect(try again.decoded(Passage.self).enterBy != nil)
        #expect(
            try act(StaffActionRequest(.callAgain, number: tickets[4].number)).problem
                == .notYetCalled)
        #expect(try act(StaffActionRequest(.letIn, number: tickets[4].number)).problem == .full)
        #expect(try act(StaffActionRequest(.letIn, number: tickets[1].number)).status == 200)
        #expect(try entrance.enter(tickets[1].code.rawValue).problem == .inside)
        #expect(try act(StaffActionRequest(.delete, number: tickets[5].number)).status == 204)
        let deleted = try machine.lookUp(tickets[5].code.rawValue).decoded(FoundReservation.self)
        #expect(deleted.status == .deleted)
        #expect(
            try act(StaffActionRequest(.restore, number: tickets[2].number)).problem == .stillValid)
        backend.time.advance(by: .minutes(10))
        #expect(try act(StaffActionRequest(.restore, number: tickets[2].number)).status == 200)
        let unknown = try #require(QueueNumber(rawValue: 99))
        #expect(try act(StaffActionRequest(.restore, number: unknown)).problem == .notFound)
    }

    @Test("The number of people inside is corrected, and the day closes early")
    func shop() throws {
        let corrected = try act(StaffActionRequest(.occupancy, people: 4))
        #expect(try corrected.decoded(StaffActionResult.self).people == 4)
        #expect(try machine.reservation().enterBy == nil)
        #expect(try act(StaffActionRequest(.occupancy, people: -1)).problem == .implausible)
        let now = try machine.lookUp(machine.reservation().code.rawValue).decoded(
            FoundReservation.self
        ).now
        let soon = now.at(now.moment + .minutes(5))
        let closed = try act(StaffActionRequest(.closeEarly, at: soon))
        #expect(try closed.decoded(StaffActionResult.self).closes == soon)
        #expect(try machine.call(.holds, #"{"kind":"ticket"}"#).problem == .noTicketToday)
        let opened = try act(StaffActionRequest(.closeEarly))
        #expect(
            try opened.decoded(StaffActionResult.self).restored == 0,
            "no customer was sent home yet")
        #expect(try machine.call(.holds, #"{"kind":"ticket"}"#).status == 201)
    }

    @Test(
        "All customers are sent home at once, and counted; after reopening they have their places back"
    )
    func sendingHome() throws {
        let tickets = try (1...7).map { _ in try machine.reservation() }
        let sent = try act(StaffActionRequest(.sendHome, by: "Giulia"))
        #expect(try sent.decoded(StaffActionResult.self).sentHome == 3)
        #expect(try view().closesEarly && !view().isOpen)
        #expect(try entrance.enter(tickets[5].code.rawValue).problem == .closedBeforeTurn)
        #expect(
            try entrance.enter(tickets[3].code.rawValue).status == 200, "called customers enter")
        #expect(
            try act(StaffActionRequest(.sendHome)).decoded(StaffActionResult.self).sentHome == 0)
        try backend.restart()
        let opened = try act(StaffActionRequest(.openAgain))
        #expect(try opened.decoded(StaffActionResult.self).restored == 3)
        #expect(try view().next == tickets[4...].map(\.number) && view().isOpen)
        let found = try machine.lookUp(tickets[6].code.rawValue).decoded(FoundReservation.self)
        #expect(found.status == .planned)
        #expect(
            try act(StaffActionRequest(.openAgain)).decoded(StaffActionResult.self).restored == 0)
        for action in ["sent-home", "opened-again"] {
            #expect(try backend.count("audit WHERE action = '\(action)'") == 2)
        }
    }

    @Test(
        "No more tickets today: waiting customers are still called, and after reopening it goes on")
    func endingTickets() throws {
        let tickets = try (1...5).map { _ in try machine.reservation() }
        #expect(try act(StaffActionRequest(.endTickets)).status == 200)
        let ended = try view()
        #expect(ended.ticketsEnded == true && !ended.closesEarly && !ended.ticketAvailable)
        #expect(try machine.call(.holds, #"{"kind":"ticket"}"#).problem == .noTicketToday)
        try backend.restart()
        #expect(try entrance.enter(tickets[0].code.rawValue).status == 200)
        #expect(try act(StaffActionRequest(.delete, number: tickets[1].number)).status == 204)
        #expect(try view().calling.contains(tickets[4].number))
        #expect(try act(StaffActionRequest(.openAgain)).status == 200)
        #expect(try view().ticketsEnded == false)
        #expect(try machine.call(.holds, #"{"kind":"ticket"}"#).status == 201)
    }

    @Test("The staff sees which customers are inside, called and next; readers do not")
    func queue() throws {
        let tickets = try (1...6).map { _ in try machine.reservation() }
        #expect(try act(StaffActionRequest(.letIn, number: tickets[0].number)).status == 200)
        let busy = try view()
        #expect(busy.people == 1 && busy.capacity == 4 && busy.issued == 6 && busy.isOpen)
        #expect(busy.calling.count == 3 && busy.waiting == 2)
        #expect(busy.next == [tickets[4].number, tickets[5].number])
        #expect(!busy.closesEarly)
        let soon = busy.now.at(busy.now.moment + .minutes(5))
        _ = try act(StaffActionRequest(.closeEarly, at: soon))
        #expect(try view().closesEarly && view().closes == soon)
        #expect(try entrance.call(.staffQueue).problem == .forbidden)
    }

    @Test("The audit has each staff command with the staff member, and no refused one")
    func audit() throws {
        let number = try machine.reservation().number
        #expect(try act(StaffActionRequest(.callAgain, number: number, by: "Giulia")).status == 200)
        #expect(try act(StaffActionRequest(.occupancy, people: 9)).status == 200)
        #expect(try act(StaffActionRequest(.occupancy, people: -1, by: "Giulia")).status == 422)
        for name in ["", "a\u{1B}b", String(repeating: "x", count: 81)] {
            #expect(
                try act(StaffActionRequest(.occupancy, people: 1, by: name)).problem == .malformed)
        }
        var rows: [String] = []
        try backend.administration.audit(of: TestBackend.shop) {
            rows.append("\($0.actor): \($0.action) \($0.detail)")
        }
        #expect(
            rows.suffix(2) == [
                "machine north, Giulia: called-again number \(number.text)",
                "machine north: occupancy-corrected 9 inside",
            ])
    }

    @Test("A command must have its arguments, and readers may not act for the staff")
    func refused() throws {
        #expect(try act(StaffActionRequest(.letIn)).problem == .malformed)
        #expect(try act(StaffActionRequest(.occupancy)).problem == .malformed)
        #expect(try act(StaffActionRequest(.closeEarly, people: -1)).problem == .implausible)
        #expect(try machine.call(.staffActions, #"{"action":"dance"}"#).problem == .malformed)
        #expect(
            try entrance.call(.staffActions, #"{"action":"occupancy","people":0}"#).problem
                == .forbidden)
    }
}
