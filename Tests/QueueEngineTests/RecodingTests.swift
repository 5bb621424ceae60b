internal import QueueEngine
internal import Reservations
internal import Testing

@Suite("Another code for a paper that was photographed (rules: new-codes)")
struct RecodingTests {
    private func recode(_ id: ReservationID, _ counter: inout Counter) -> Answer {
        let number = counter.stored[id]?.confirmation?.number ?? QueueNumber(rawValue: 1)!
        return counter.ask(id, .recode(number))
    }

    @Test("A waiting and a called customer keep number and turn, and the codes are new")
    func keepsTurn() throws {
        var counter = Counter(capacity: 1)
        let (called, first, second) = try counter.threeTickets()
        for ticket in [called, first] {
            let former = try #require(counter.stored[ticket.id])
            let renewed = try recode(ticket.id, &counter).reservation
            #expect(renewed.code != ticket.code && renewed.typedCode != ticket.typedCode)
            #expect(renewed.number == ticket.number && renewed.id == ticket.id)
            let now = try #require(counter.stored[ticket.id])
            #expect(now.state == former.state && now.since == former.since)
            #expect(
                now.confirmation?.code == renewed.code
                    && now.confirmation?.typedCode == renewed.typedCode)
            #expect(counter.restored == counter.state)
            // What was read before is shown no more: its links have ended.
            let records = [former, now]
            let found = counter.state.found(records, in: counter.context)
            #expect(found.map { $0 == nil } == [true, false])
        }
        counter.enter(called.id)
        counter.leave(called.id)
        counter.ask(.tick)
        #expect(counter.stored[first.id]?.state == .called)
        #expect(counter.stored[second.id]?.state == .planned)
    }

    @Test("Places that were taken on a phone, that are inside or have ended get none")
    func refused() throws {
        var counter = Counter(capacity: 2) {
            $0.phones.hasPlaces = true
            $0.phones.sharePercent = 100
        }
        let phone = HoldOwner.phone("a-phone")
        let taken = try counter.ticket(owner: phone)
        #expect(recode(taken.id, &counter) == .refused(.notFound))
        let inside = try counter.inside()
        #expect(recode(inside.id, &counter) == .refused(.inside))
        let deleted = try counter.ticket()
        counter.ask(deleted.id, .deleteForCustomer)
        #expect(recode(deleted.id, &counter) == .refused(.alreadyDeleted))
        #expect(recode(ReservationID("none"), &counter) == .refused(.notFound))
        // The paper's number and its code belong together.
        let other = try counter.ticket()
        let wrong = QueueNumber(rawValue: other.number.rawValue + 1)!
        #expect(counter.ask(other.id, .recode(wrong)) == .refused(.notFound))
    }
}
