import BackendAPI
import Reservations
import Testing

@Suite("Corrections by the staff, over HTTP")
final class StaffActionTests: OpenShop {
    private let entrance: TestMachine

    override init() throws {
        let backend = try TestBackend()
        entrance = try backend.enrol("door", role: .entrance)
        super.init((backend, try backend.enrol()))
    }

    private func act(
        _ kind: StaffActionRequest.Kind, _ number: QueueNumber? = nil, people: Int? = nil,
        at moment: LocalMoment? = nil, by name: String? = nil
    ) throws -> WireResponse {
        try machine.act(
            StaffActionRequest(kind, number: number, people: people, at: moment, by: name))
    }

    private func result(
        _ kind: StaffActionRequest.Kind, people: Int? = nil, at moment: LocalMoment? = nil,
        by name: String? = nil
    ) throws -> StaffActionResult {
        try act(kind, people: people, at: moment, by: name).decoded(StaffActionResult.self)
    }

    @Test("A name that hides the text beside it, or has nothing visible, is refused")
    func unreadableName() throws {
        func act(_ name: String) throws -> WireResponse {
            try machine.call(
                .staffActions, "{\"action\":\"occupancy\",\"people\":1,\"by\":\"\(name)\"}")
        }
        for name in [
            "An\u{202E}na", "An\u{2066}na", "  ", "\u{200D}", "\\u202e", "a\\u0007", "",
            "a\\u001Bb", String(repeating: "x", count: 81),
        ] {
            #expect(try act(name).problem == .malformed, "\(name.unicodeScalars.map(\.value))")
        }
        // An older machine may have such a name.
        for name in ["-x", "Anna "] { #expect(try act(name).status == 200) }
        let actors = try backend.audit("occupancy").compactMap { $0.split(separator: ":").first }
        #expect(actors == ["machine north, -x", "machine north, Anna"])
    }

    @Test("A number is called again, let in, marked missed, restored, deleted without its ticket")
    func numbers() throws {
        // The shop has four places: the fifth and the sixth customer wait.
        let tickets = try machine.reservations(6)
        let again = try act(.callAgain, tickets[0].number, by: "Giulia")
        #expect(again.status == 200)
        let name = "machine north, Giulia"
        #expect(try backend.audit("called") == ["\(name): called-again number 001"])
        #expect(try again.decoded(Passage.self).enterBy != nil)
        #expect(try act(.letIn, tickets[4].number).problem == .full)
        #expect(try act(.letIn, tickets[1].number).status == 200)
        #expect(try entrance.enter(tickets[1]).problem == .inside)
        #expect(try act(.delete, tickets[5].number).status == 204)
        #expect(try machine.found(tickets[5]).status == .deleted)
        #expect(try act(.restore, tickets[2].number).problem == .stillValid)
        backend.time.advance(by: .minutes(10))
        #expect(try act(.restore, tickets[2].number).status == 200)
        let unknown = try #require(QueueNumber(rawValue: 99))
        #expect(try act(.restore, unknown).problem == .notFound)
    }

    @Test("The number of people inside is corrected, the day closes early, and tickets are ended")
    func shop() throws {
        #expect(try result(.occupancy, people: 4).people == 4)
        #expect(try machine.reservation().enterBy == nil)
        #expect(try act(.occupancy, people: -1).problem == .implausible)
        #expect(try backend.audit("occ") == ["machine north: occupancy-corrected 4 inside"])
        let now = try machine.found(machine.reservation()).now
        let soon = now.at(now.moment + .minutes(5))
        #expect(try result(.closeEarly, at: soon).closes == soon)
        #expect(try machine.hold().problem == .noTicketToday)
        #expect(try result(.closeEarly).restored == 0, "no customer was sent home yet")
        #expect(try machine.hold().status == 201)
        #expect(try act(.endTickets).status == 200)
        try backend.restart()
        let ended = try machine.staffQueue()
        #expect(ended.ticketsEnded == true && !ended.closesEarly && !ended.ticketAvailable)
        #expect(try machine.hold().problem == .noTicketToday)
        #expect(try act(.openAgain).status == 200)
        #expect(try machine.staffQueue().ticketsEnded == false)
        #expect(try machine.hold().status == 201)
    }

    @Test("All customers are sent home and counted; after reopening they have their places back")
    func sendingHome() throws {
        let tickets = try machine.reservations(7)
        #expect(try result(.sendHome, by: "Giulia").sentHome == 3)
        #expect(try machine.staffQueue().closesEarly && !machine.staffQueue().isOpen)
        #expect(try entrance.enter(tickets[5]).problem == .closedBeforeTurn)
        try backend.restart()
        #expect(try result(.openAgain).restored == 3)
        #expect(try machine.staffQueue().next == tickets[4...].map(\.number))
        for action in ["sent-home", "opened-again"] {
            #expect(try backend.count("audit WHERE action = '\(action)'") == 1)
        }
    }

    @Test("The staff sees which customers are inside, called and next; readers do not")
    func queue() throws {
        let tickets = try machine.reservations(6)
        #expect(try act(.letIn, tickets[0].number).status == 200)
        let busy = try machine.staffQueue()
        #expect(busy.people == 1 && busy.capacity == 4 && busy.issued == 6 && busy.isOpen)
        #expect(busy.calling.count == 3 && busy.waiting == 2)
        #expect(busy.next == [tickets[4].number, tickets[5].number])
        #expect(!busy.closesEarly)
        let soon = busy.now.at(busy.now.moment + .minutes(5))
        _ = try act(.closeEarly, at: soon)
        #expect(try machine.staffQueue().closesEarly && machine.staffQueue().closes == soon)
        #expect(try entrance.call(.staffQueue).problem == .forbidden)
    }

    @Test("A command must have its arguments, and readers may not act for the staff")
    func refused() throws {
        #expect(try act(.letIn).problem == .malformed)
        #expect(try act(.occupancy).problem == .malformed)
        #expect(try act(.closeEarly, people: -1).problem == .implausible)
        #expect(try machine.call(.staffActions, #"{"action":"dance"}"#).problem == .malformed)
        #expect(
            try entrance.call(.staffActions, #"{"action":"occupancy","people":0}"#).problem
                == .forbidden)
    }
}
