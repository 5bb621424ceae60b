internal import QueueEngine
internal import Reservations

/// Orders that customers collect: decided under the shop's lock (rules: orders).
extension StoreWriter {
    /// Decides a command in the present transaction; returns the outcome, and whether something has changed.
    func perform(
        _ command: OrderCommand, by actor: String, of queue: ShopQueue, at now: Moment
    ) throws(StoreError) -> (Result<QueueOutcome, Refused>, isChanged: Bool) {
        let shop = queue.shop
        guard shop.policy.orders.hasDesk else { return (.refused(.unsupportedKind), false) }
        let callsAtOnce = !shop.policy.orders.isDeskInside
        switch command {
        case .announce(let order):
            guard order.isPlausible(at: now, keeping: shop.policy.orders.keptDays) else {
                return (.refused(.implausible), false)
            }
            var waiting: Int?
            let announced = try database.announce(
                order, in: shop, waiting: &waiting, codes: context.codes, by: actor, at: now)
            guard let announced else { return (.refused(.tooManyOrders), false) }
            let receipt = announced.order.receipt(local: queue.local)
            switch announced.result {
            case .added: return (.success(.announced(receipt, isNew: true)), true)
            case .changed: return (.success(.announced(receipt, isNew: false)), true)
            case .unchanged: return (.success(.announced(receipt, isNew: false)), false)
            case .tooLate: return (.refused(.orderUnderWay), false)
            }
        case .cancel(let reference):
            guard let former = try database.order(named: reference, of: shop.id) else {
                return (.refused(.notFound), false)
            }
            var order = former
            guard order.cancel(at: now) else { return (.refused(.orderUnderWay), false) }
            if order != former {
                try database.write(order, after: former, by: actor, of: shop.id)
            }
            return (
                .success(.announced(order.receipt(local: queue.local), isNew: false)),
                order != former
            )
        case .take(let id, let step, let place):
            guard let former = try database.order(id, of: shop.id) else {
                return (.refused(.notFound), false)
            }
            var order = former
            guard order.take(step, at: place, now: now, callsAtOnce: callsAtOnce) else {
                return (.refused(.orderChanged), false)
            }
            return try change(former, to: order, by: actor, at: place, of: queue, now: now)
        case .handOver(let code, let place):
            guard let former = try database.order(code, of: shop.id) else {
                return (.refused(.notFound), false)
            }
            var order = former
            if order.state == .called { _ = order.take(.handOver, at: place, now: now) }
            return try change(former, to: order, by: actor, at: place, of: queue, now: now)
        case .enter(let code):
            return try pass(code, by: actor, of: queue) { $0.enter() }
        case .leave(let code, let point):
            return try pass(code, by: actor, of: queue) { $0.leave(at: point) }
        case .arrive(let id, let proof):
            guard let former = try database.order(id, of: shop.id), former.isProved(by: proof)
            else { return (.refused(.notFound), false) }
            let status = queue.read(at: now) { state, context in state.status(in: context) }
            guard status.isOpen || !former.isReady(at: now) else {
                return (.refused(.shopClosed, opens: status.opens), false)
            }
            var desk = try database.pickupDesk(of: shop)
            let first = context.firstOrderDay(now, shop)
            let taken = desk.orders.compactMap(\.turn).filter { $0.day >= first }.map(\.number)
            let arrived = try desk.arrive(former, at: now) {
                () throws(StoreError) -> PickupOrderRecord.Turn in
                let day = queue.local(now).day
                let number = try database.nextPickupNumber(
                    of: shop.id, on: day, without: taken)
                return PickupOrderRecord.Turn(day: day, number: number, arrived: now)
            }
            let shown = desk.shown(
                arrived ?? former, of: shop, at: now, hasTicket: arrived != nil, local: queue.local)
            if let arrived {
                try database.write(
                    arrived, after: former, by: actor, of: shop.id,
                    latest: shown.wait?.latest.moment)
            }
            return (.success(.order(shown, isNew: arrived != nil)), arrived != nil)
        }
    }

    /// Lets the customer of an order pass a door, if the desk is inside.
    private func pass(
        _ code: PresentedOrderCode, by actor: String, of queue: ShopQueue,
        _ pass: (inout PickupOrderRecord) -> Refusal?
    ) throws(StoreError) -> (Result<QueueOutcome, Refused>, isChanged: Bool) {
        let shop = queue.shop
        guard shop.policy.orders.isDeskInside else { return (.refused(.unreadableCode), false) }
        guard let former = try database.order(code, of: shop.id) else {
            return (.refused(.notFound), false)
        }
        var order = former
        if let refusal = pass(&order) { return (.refused(refusal), false) }
        guard let passage = former.passage else { return (.refused(.orderNotCalled), false) }
        if order != former { try database.write(order, after: former, by: actor, of: shop.id) }
        return (.success(.orderPassage(passage)), order != former)
    }

    /// Lets the queue take over what has changed at desks inside the shop, and answers with the order as it is then: it is
    /// called if a place is free.
    func collect(
        _ result: Result<QueueOutcome, Refused>, of queue: ShopQueue, at now: Moment
    ) throws(StoreError) -> Result<QueueOutcome, Refused> {
        let shop = queue.shop
        guard shop.policy.orders.isDeskInside else { return result }
        try decide(
            .collect(try database.collectors(of: shop, at: now)), on: queue, at: now)
        guard case .success(.deskOrder(let shown, let isNew)) = result,
            let order = try database.order(shown.id, of: shop.id)
        else { return result }
        return .success(
            .deskOrder(order.shownAtDesk(at: now, local: queue.local), isNew: isNew))
    }

    /// What a request asks of the shop's orders; nil if it asks nothing of them. Ten digits at a door may be an order's.
    func orderCommand(
        of request: AuthenticatedRequest, in shop: Shop
    ) throws(StoreError) -> OrderCommand? {
        if case .order(let command) = request.command { return command }
        guard case .queue(let queued) = request.command, let passing = queued.passing,
            case .typed(let code)? = queued.shownCode, shop.policy.orders.isDeskInside,
            try database.isTakenByOrder(code, in: shop.id)
        else { return nil }
        return passing.command(.typed(code))
    }

    /// Stores what an assistant at a desk has changed, if anything, and answers with the order as it is then.
    private func change(
        _ former: PickupOrderRecord, to order: PickupOrderRecord, by actor: String, at desk: Int,
        of queue: ShopQueue, now: Moment
    ) throws(StoreError) -> (Result<QueueOutcome, Refused>, isChanged: Bool) {
        let isChanged = order != former
        if isChanged {
            try database.writeStep(at: desk, of: queue.shop.id, now: now)
            try database.write(order, after: former, by: actor, of: queue.shop.id)
        }
        let shown = order.shownAtDesk(at: now, local: queue.local)
        return (.success(.deskOrder(shown, isNew: isChanged)), isChanged)
    }

    /// Loads the orders of shops whose customers are here if another server, or this one, has changed them.
    ///
    /// - Parameter sequences: The numbers of the changes, read before, as of `refreshHelp`.
    func refreshPickups(
        of queues: [ShopQueue], sequences: [ShopID: ShopSequences]
    ) throws(StoreError) {
        let changed = queues.map { ($0, present(sequences[$0.shop.id]?.orders ?? 0)) }
            .filter { queue, loaded in queue.pickups.loaded != loaded }
        let desks = try database.pickupDesks(of: changed.map(\.0.shop))
        for ((queue, loaded), desk) in zip(changed, desks) {
            let isChanged = queue.pickups.desk != desk
            queue.pickups = ShopQueue.Pickups(desk: desk, loaded: loaded)
            if isChanged { published.pickupObserver?(queue.shop.id) }
        }
    }

    /// Puts orders back on the shelf whose customers were called and have not come.
    func passPickupTime(of queue: ShopQueue, at now: Moment) throws(StoreError) {
        guard queue.pickups.desk.isDue(at: now) else { return }
        let shop = queue.shop
        try database.transaction { () throws(StoreError) in
            _ = try database.lock(shop.id)
            _ = try database.passOrderTime(
                of: shop, at: now, since: context.firstOrderDay(now, shop), atMost: Pruning.batch)
        }
        try desksChanged(of: queue, at: now)
    }

    /// What the customer with a code is shown of an order; nil if no order of the shop has the code, or if it has no desk.
    func lookUpOrder(
        _ code: PresentedOrderCode, in shop: ShopID
    ) throws(StoreError) -> PickupOrder? {
        let now = context.now()
        guard let queue = published.queue(of: shop) else {
            throw .noShop(shop, operation: "look up an order")
        }
        guard queue.shop.policy.orders.hasDesk else { return nil }
        return try database.snapshot { () throws(StoreError) in
            guard let order = try database.order(code, of: shop) else { return nil }
            return try database.pickupDesk(of: queue.shop).shown(
                order, of: queue.shop, at: now, local: queue.local)
        }
    }
}
