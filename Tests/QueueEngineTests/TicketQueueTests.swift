internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("Tickets")
struct TicketQueueTests {
    @Test("A reservation is deleted with its own code only, and once")
    func delete() throws {
        var counter = Counter()
        let (ticket, other) = try counter.twoTickets()
        #expect(counter.ask(ticket.id, .delete(proof: .entry(other.code))) == .refused(.notFound))
        #expect(counter.ask("x", .delete(proof: .entry(ticket.code))) == .refused(.notFound))
        #expect(counter.giveBack(ticket) == .success(.deleted(ticket.id)))
        #expect(counter.giveBack(ticket) == .refused(.alreadyDeleted))
        #expect(throws: Refused(.alreadyDeleted)) { try counter.confirm(ticket.id) }
        counter.giveBack(other)
        #expect(try counter.ticket().number.rawValue == 3, "no number is given again")
    }

    @Test("A ticket of a day that is over cannot be deleted")
    func over() throws {
        var counter = Counter()
        let ticket = try counter.ticket()
        counter.now = Counter.at("14:00")
        #expect(counter.giveBack(ticket) == .refused(.missed))
    }

    @Test("A closed shop answers when it opens next")
    func closed() throws {
        var counter = Counter(at: "13:00")
        #expect(throws: Refused(.shopClosed, opens: Counter.opening("15:00", "20:00").opens)) {
            try counter.hold()
        }
        counter.now = Counter.at("20:00", day: .tomorrow)
        #expect(throws: Refused(.shopClosed)) { try counter.hold() }
    }

    @Test("A ticket is offered while the usual stay would still end before closing")
    func lastTicket() throws {
        var counter = Counter(capacity: 2, stay: 20, at: "12:40")
        _ = try counter.hold()
        counter.now = Counter.at("12:40") + .milliseconds(1)
        #expect(throws: Refused(.noTicketToday)) { try counter.hold() }
    }

    @Test("A held place can be confirmed even if the shop closes meanwhile")
    func honoured() throws {
        var counter = Counter(capacity: 2, stay: 1, at: "12:58")
        let hold = try counter.hold()
        counter.now = Counter.at("13:01")
        let ticket = try counter.confirm(hold.id)
        #expect(ticket.number.rawValue == 1)
        #expect(ticket.enterBy?.moment == Counter.at("13:11"))
        counter.tick(at: "13:05")
        #expect(counter.state(of: ticket.id) == .called)
    }

    @Test("The overview counts waiting customers and quotes the wait of the next ticket")
    func overview() throws {
        var counter = Counter(capacity: 1, stay: 20)
        for _ in 1...3 { try counter.ticket() }
        let hold = try counter.hold()
        var overview = counter.state.status(in: counter.context)
        #expect(overview.waiting == 2 && overview.calling.map(\.rawValue) == [1])
        #expect(overview.wait?.peopleAhead == 3)
        #expect(overview.ticketAvailable)
        #expect(overview.isOpen && overview.closes == Counter.opening("08:00", "13:00").closes)
        // The hold has expired though no command has come since.
        counter.now = hold.expires.moment
        overview = counter.state.status(in: counter.context)
        #expect(overview.wait?.peopleAhead == 2)
        counter.now = Counter.at("14:00")
        overview = counter.state.status(in: counter.context)
        #expect(!overview.isOpen && !overview.ticketAvailable && overview.wait == nil)
    }
}
