internal import QueueEngine
internal import Reservations

/// Calls for help: decided under the shop's lock, and read by every server (rules: help).
extension StoreWriter {
    /// Decides a command in the present transaction; returns the outcome, and whether something has changed.
    func perform(
        _ command: HelpCommand, of queue: ShopQueue, at now: Moment
    ) throws(StoreError) -> (Result<QueueOutcome, Refused>, isChanged: Bool) {
        let shop = queue.shop
        var desk = try database.helpDesk(of: shop.id, at: now)
        let status = queue.read(at: now) { state, context in state.status(in: context) }
        let decided = desk.perform(command, at: now, isOpen: status.isOpen) {
            context.codes.newID(at: now)
        }
        switch decided {
        case .failure(let refused):
            return (
                .refused(
                    refused.refusal, opens: refused.refusal == .shopClosed ? status.opens : nil),
                false
            )
        case .success(let decision):
            if decision.isChanged { try database.write([decision.call], of: shop.id) }
            var isNew = false
            if case .raise = command { isNew = decision.isChanged }
            let call = decision.call.call(of: shop, at: now, local: queue.local)
            return (.success(.help(call, isNew: isNew)), decision.isChanged)
        }
    }

    /// Loads the calls for help of shops if another server, or this one, has changed them.
    ///
    /// - Parameter sequences: The numbers of the changes, read before, so that a change in between is seen with the
    ///   next look.
    func refreshHelp(
        of queues: [ShopQueue], at now: Moment, sequences: [ShopID: ShopSequences]
    ) throws(StoreError) {
        let changed = queues.map { ($0, present(sequences[$0.shop.id]?.help ?? 0)) }
            .filter { queue, loaded in queue.help.loaded != loaded }
        let desks = try database.helpDesks(of: changed.map(\.0.shop.id), at: now)
        for ((queue, loaded), desk) in zip(changed, desks) {
            let isChanged = queue.help.desk != desk
            queue.help = ShopQueue.Help(desk: desk, loaded: loaded)
            if isChanged { published.helpObserver?(queue.shop.id) }
        }
    }

    /// Ends the calls whose time is over, and starts the help program for those to which no staff member has gone.
    ///
    /// A start is counted before it happens, under the shop's lock, so that of several servers one starts the program.
    func passHelpTime(of queue: ShopQueue, at now: Moment) throws(StoreError) {
        let shop = queue.shop
        let program = published.helpProgram
        guard queue.help.desk.isDue(at: now, hasProgram: program != nil) else { return }
        let started = try database.transaction { () throws(StoreError) in
            _ = try database.lock(shop.id)
            var desk = try database.helpDesk(of: shop.id, at: now)
            let expired = desk.expire(at: now)
            let started = program == nil ? [] : desk.startPrograms(at: now)
            try database.write(expired + started, of: shop.id)
            return started
        }
        for call in started {
            program?(shop, call.call(of: shop, at: now, local: queue.local), call.programRuns)
        }
        try desksChanged(of: queue, at: now)
    }

    /// Takes over a change of calls for help or of orders that this server has committed, and notifies the others.
    func desksChanged(of queue: ShopQueue, at now: Moment) throws(StoreError) {
        let shop = queue.shop.id
        context.signal?.notify(.desks(shop))
        let sequences = [shop: try database.sequences(of: shop)]
        try refreshHelp(of: [queue], at: now, sequences: sequences)
        try refreshPickups(of: [queue], sequences: sequences)
    }
}
