internal import Reservations
internal import RowColumns

/// The number of events that are kept of one machine: years of a quiet one, days of a very bad one. The events of
/// one machine never displace those of another.
private let maxEvents = 10_000
/// The number of dropped events of a machine is counted up to this limit.
private let maxDroppedEvents = 1_000_000_000
private enum StatusColumn: Int, SelectedColumn {
    case shopID, machine, seenMs, condition, memory, eventsThrough, eventsDropped, hourMs
    case hourEvents, dayMs, dayMemories
}
enum MachineEventColumn: Int, SelectedColumn {
    case machine, atMs, offsetMinutes, person, kind, detail
}
private enum OrderColumn: Int, SelectedColumn { case machine, id, kind, message, givenMs, doneMs }
private let selectStatus = Query(
    "SELECT \(StatusColumn.list) FROM machine_status WHERE shop_id = $shop ORDER BY machine")
private let writeStatus = Query.insert(
    into: "machine_status", StatusColumn.list, replacing: "shop_id, machine")
private let lastPosition = Query(
    "SELECT coalesce(max(position), 0) FROM machine_event WHERE shop_id = $shop")
private let insertEvent = Query.insert(
    into: "machine_event", "shop_id, position, \(MachineEventColumn.list)")
private let pruneEvents = Query(
    """
    DELETE FROM machine_event WHERE shop_id = $shop AND machine = $machine AND position <= (
        SELECT position FROM machine_event WHERE shop_id = $shop AND machine = $machine
        ORDER BY position DESC LIMIT 1 OFFSET $most)
    """)
private let writePapers = Query.insert(
    into: "machine_paper_day",
    "shop_id, day, machine, memory, printed, failed, copies, fate_unknown",
    replacing: "shop_id, day, machine, memory")
private let selectOrders = Query(
    "SELECT \(OrderColumn.list) FROM machine_order WHERE shop_id = $shop ORDER BY machine, id")
private let insertOrder = Query.insert(
    into: "machine_order", "shop_id, machine, id, kind, message, given_ms")
private let deleteOrder = Query(
    "DELETE FROM machine_order WHERE shop_id = $shop AND machine = $machine AND kind = $kind")
private let finishOrder = Query(
    """
    UPDATE machine_order SET done_ms = $now
    WHERE shop_id = $shop AND machine = $machine AND id = $id AND done_ms IS NULL
    """)

/// The reports of machines, and remote commands for them, as rows.
extension Database {
    func machineStatuses(of shop: ShopID) throws(StoreError) -> [MachineStatusRecord] {
        try machineStatuses(of: [shop])[0]
    }

    /// The statuses of the machines of each of the shops.
    func machineStatuses(of shops: [ShopID]) throws(StoreError) -> [[MachineStatusRecord]] {
        var statuses = [[MachineStatusRecord]](repeating: [], count: shops.count)
        let questions = shops.map { shop in
            [
                Question<[MachineStatusRecord]>(selectStatus.with(shop)) {
                    $1.append(MachineStatusRecord(Row<StatusColumn>($0)))
                }
            ]
        }
        try ask(questions, about: &statuses)
        return statuses
    }

    /// Stores the new facts of a report, with as many events as the machine may report now; returns the new status.
    func write(
        _ report: MachineReport, after known: MachineStatusRecord?
    ) throws(StoreError) -> MachineStatusRecord {
        let (shop, machine, content) = (report.shop, report.machine, report.content)
        let isSame = known?.memory == content.memory
        var status = MachineStatusRecord(
            shop: shop, machine: machine, seen: report.seen, condition: report.condition,
            memory: content.memory, through: isSame ? known?.through ?? 0 : 0,
            dropped: known?.dropped ?? 0,
            bounds: (known?.bounds ?? ReportBounds()).current(at: report.seen))
        if known != nil, !isSame { status.bounds.dayMemories += 1 }
        let events = content.events.filter { $0.sequence > status.through }
            .prefix(status.bounds.freeEvents)
        if let last = events.last {
            status.through = last.sequence
            status.dropped = min(status.dropped + content.dropped, maxDroppedEvents)
            status.bounds.hourEvents += events.count
            try insert(events, of: machine, in: shop)
        }
        for papers in content.papers {
            try execute(
                writePapers, shop, papers.day, machine, content.memory, papers.printed,
                papers.failed, papers.copies, papers.unknown)
        }
        for order in content.acknowledged.sorted() {
            try execute(finishOrder, report.seen, shop, machine, order)
        }
        let bounds = status.bounds
        try execute(
            writeStatus, shop, machine, status.seen, status.condition, status.memory,
            status.through, status.dropped, bounds.hourBegan, bounds.hourEvents, bounds.dayBegan,
            bounds.dayMemories)
        return status
    }

    private func insert(
        _ events: ArraySlice<MachineEventReport>, of machine: MachineID, in shop: ShopID
    ) throws(StoreError) {
        var position = try rows(lastPosition, shop) { $0.integer(0) }.first ?? 0
        for event in events {
            position += 1
            try execute(
                insertEvent, shop, position, machine, event.at, event.at.offsetMinutes,
                event.person, event.kind, event.detail)
        }
        try execute(pruneEvents, shop, machine, maxEvents)
    }

    /// All remote commands of a shop that are stored, the oldest first of each machine.
    func remoteCommands(of shop: ShopID) throws(StoreError) -> [RemoteCommandRecord] {
        try remoteCommands(of: [shop])[0]
    }

    /// These remote commands of each of the shops.
    func remoteCommands(of shops: [ShopID]) throws(StoreError) -> [[RemoteCommandRecord]] {
        var commands = [[RemoteCommandRecord]](repeating: [], count: shops.count)
        let questions = shops.map { shop in
            [
                Question<[RemoteCommandRecord]>(selectOrders.with(shop)) {
                    columns, commands throws(StoreError) in
                    commands.append(try RemoteCommandRecord(Row<OrderColumn>(columns)))
                }
            ]
        }
        try ask(questions, about: &commands)
        return commands
    }

    /// Gives a machine a remote command, which replaces those that it makes void.
    func giveCommand(
        _ kind: RemoteCommand.Kind, message: String?, to machine: MachineID, of shop: ShopID,
        at now: Moment
    ) throws(StoreError) -> RemoteCommandRecord {
        let last = try remoteCommands(of: shop).filter { $0.machine == machine }.last?.id ?? 0
        for void in kind.replaced { try execute(deleteOrder, shop, machine, void) }
        // Identifiers grow with time, so that a machine that knew another database takes no new command for an old one.
        let id = max(last + 1, now.milliseconds)
        try execute(insertOrder, shop, machine, id, kind, message, now)
        return RemoteCommandRecord(
            machine: machine, id: id, kind: kind, message: message, given: now, done: nil)
    }
}

extension MachineReport {
    /// How long the report is not accepted because its machine begins too many journals; nil if it is accepted.
    func wait(after known: MachineStatusRecord?) -> Duration? {
        guard let known, known.memory != content.memory else { return nil }
        return known.bounds.current(at: seen).waitForMemory(at: seen)
    }
}

extension MachineStatusRecord {
    fileprivate init(_ row: Row<StatusColumn>) {
        self.init(
            shop: ShopID(row.text(.shopID)), machine: MachineID(row.text(.machine)),
            seen: row.moment(.seenMs), condition: row.text(.condition),
            memory: row.text(.memory), through: row.integer(.eventsThrough),
            dropped: row.count(.eventsDropped),
            bounds: ReportBounds(
                hourBegan: row.moment(.hourMs), hourEvents: row.count(.hourEvents),
                dayBegan: row.moment(.dayMs), dayMemories: row.count(.dayMemories)))
    }
}

extension RemoteCommandRecord {
    fileprivate init(_ row: Row<OrderColumn>) throws(StoreError) {
        guard let kind = RemoteCommand.Kind(rawValue: row.text(.kind)) else {
            throw .unreadableMachine("a command for machine \(row.text(.machine))")
        }
        self.init(
            machine: MachineID(row.text(.machine)), id: row.integer(.id), kind: kind,
            message: row.optionalText(.message), given: row.moment(.givenMs),
            done: row.optionalMoment(.doneMs))
    }
}

extension StoreError {
    static func unreadableMachine(_ what: String) -> StoreError {
        .unreadable("a row", what, operation: "read of the machines")
    }
}
