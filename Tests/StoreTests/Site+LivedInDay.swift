internal import Cryptography
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import Testing

extension Site {
    /// A number that gets SMS about a place, and answers STOP.
    private func liveWithSMS(_ store: QueueStore, place: ReservationID) async throws {
        #expect(try await store.permit(.code, to: "digest") == .given)
        #expect(try await store.takeSMS())
        store.returnSMS(of: Site.shopID, on: Site.day, isCode: false)
        #expect(try await store.smsToday() == SMSOfDay(sent: 0, most: 10))
        try await store.subscribe(number: "digest", to: place)
        #expect(try await store.hasSMS(place))
        #expect(try await store.places(of: "digest").map(\.record.hold.id) == [place])
        try await store.stopSMS(true, to: "digest")
        #expect(try await !store.hasSMS(place))
    }

    /// Orders that are announced, changed, listed, looked up, collected and called off.
    private func liveWithOrders(_ store: QueueStore, through plan: FaultPlan) async throws {
        let administration = try administration { FaultyDatabase($0, plan: plan) }
        var shop = self.shop
        shop.policy.orders.desks = 2
        var announced: [PickupOrderRecord] = []
        for parcel in ["small", "small@A3"] {
            announced = []
            let orders = try ["1", "2", "3"].map { try Site.order($0, clock.now, parcel) }
            try administration.announce(orders, in: shop, randomBytes: { RandomBytes.make($0) }) {
                order, _ in announced.append(order)
            }
        }
        try administration.cancelOrder("3", in: shop)
        for order in announced.prefix(2) {
            for code: PresentedOrderCode in [.entry(order.code), .typed(order.typedCode)] {
                #expect(try await store.look(code)?.id == order.id)
            }
            #expect(try await arrive(order, on: store)[0] == "came")
        }
        for step in [DeskStep.fetch, .ready] {
            #expect(try await take(step, announced[0], on: store)[0] == "done")
            clock.set(clock.now + .seconds(10))
        }
        let given = try await store.words(
            .make(.order(.handOver(.entry(announced[0].code), desk: 1)), at: clock.now))
        #expect(given == ["done", "handed-over", "1"])
        try administration.eachOrder(of: Self.shopID) { _ in }
    }

    /// Plays holds, tickets, a visit, a phone whose customer does not come, doors, staff, a machine's report and a
    /// look-up, through a database that records its statements.
    func live(through plan: FaultPlan = FaultPlan()) async throws {
        try decide {
            $0.phones.hasPlaces = true
            $0.phones.hasVisits = true
            $0.phones.smsPerDay = 10
            $0.orders.desks = 2
            $0.orders.isDeskInside = true
        }
        let open = try self.store { FaultyDatabase($0, plan: plan) }
        func ask(_ command: MachineRequest, key: String = fresh("key")) async throws {
            _ = try await open.words(.make(command, key: key, at: clock.now))
        }
        let key = fresh("key")
        for _ in 0..<2 { try await ask(.hold(.ticket), key: key) }
        let extended = try await open.hold()
        clock.pass(.seconds(40))
        try await ask(.extend(extended))
        try await ask(.release(extended))
        _ = try await open.hold("door-3")
        let visit = try await open.words(.make(.hold(.visit), machine: "door-2"))
        _ = try await open.words(.make(.confirm(ReservationID(visit[1])), machine: "door-2"))
        let tickets = try await open.tickets(4)
        for name in ["a", "b", "c", "d"] { try await open.subscribe(name, to: tickets[2].id) }
        try await open.unsubscribe("c", from: tickets[2].id)
        try await liveWithSMS(open, place: tickets[1].id)
        try await open.watch()
        try await open.ticket(holder: "phone")
        let booked = try await open.bookVisit("visitor", at: "10:00", on: Site.day.advanced(by: 1))
        _ = try await open.move(booked, to: Site.slot("15:00", on: Site.day), holder: "visitor")
        try await liveWithOrders(open, through: plan)
        try await ask(.delete(tickets[3].id, .entry(tickets[3].code)))
        try await ask(.passage(.entry(tickets[0].code), .entrance))
        try await ask(.staff(.reservation(.letIn, QueueNumber(rawValue: tickets[1].number)!)))
        clock.pass(.minutes(20))
        open.tick()
        try await ask(.staff(.reservation(.restore, QueueNumber(rawValue: tickets[2].number)!)))
        try await ask(.staff(.reservation(.callAgain, QueueNumber(rawValue: tickets[2].number)!)))
        let due = try await open.lease()
        let outcomes: [NoticeEnd.Outcome] = [.sent, .later(clock.now), .gone]
        try await open.end(zip(due, outcomes).map { NoticeEnd($0, $1) })
        try await ask(.passage(.entry(tickets[0].code), .exit(.checkout)))
        try await ask(.passage(.entry(tickets[1].code), .exit(.turnstile)))
        try await ask(.staff(.occupancy(people: 9)))
        try await ask(.staff(.endTickets))
        try await ask(.staff(.openAgain))
        var report = MachineReport.make(sequences: 1...2)
        report.content.papers = [PrintTally(day: Site.day, printed: 1, failed: 0, copies: 0)]
        report.content.acknowledged = [1]
        _ = try await open.send(report).get()
        open.count(
            RefusedSlot(LocalMoment(Site.at("12:00"), offsetMinutes: 60), minutes: 45),
            of: Site.shopID)
        _ = try await open.lookUp(.typed(TypedCode(rawValue: "0123456789")!))
        open.stop()
    }
}
