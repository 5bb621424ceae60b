public import QueueEngine
public import Reservations
internal import RowColumns

private enum HelpColumn: Int, SelectedColumn {
    case id, machine, raisedMs, goingMs, goingBy, endedMs, ending, mutedUntilMs, programRuns
}
/// Ended calls are found by the same index as open ones, whose `ended_ms` is NULL.
private let selectRecent = Query(
    """
    SELECT \(HelpColumn.list) FROM help_call WHERE shop_id = $shop AND ended_ms IS NULL
    UNION ALL
    SELECT \(HelpColumn.list) FROM help_call WHERE shop_id = $shop AND ended_ms > $since
    """)
private let selectRaised = Query(
    """
    SELECT \(HelpColumn.list) FROM help_call
    WHERE shop_id = $shop AND id >= $first AND id < $end ORDER BY id
    """)
private let writeCall = Query.insert(
    into: "help_call", "shop_id, \(HelpColumn.list)", replacing: "shop_id, id")
private let deleteCalls = Query("DELETE FROM help_call WHERE shop_id = $shop AND id < $end")
private let raiseHelpSequence = Query(
    "UPDATE change_sequence SET help = help + 1 WHERE shop_id = $shop")

/// Calls for help as rows.
extension Database {
    /// The shop's open calls and those that ended a short time ago.
    func helpDesk(of shop: ShopID, at now: Moment) throws(StoreError) -> HelpDesk {
        try helpDesks(of: [shop], at: now)[0]
    }

    /// These calls of each of the shops.
    func helpDesks(of shops: [ShopID], at now: Moment) throws(StoreError) -> [HelpDesk] {
        var calls = [[HelpCallRecord]](repeating: [], count: shops.count)
        let questions = shops.map { shop in
            [
                Question<[HelpCallRecord]>(selectRecent.with(shop, now - HelpDesk.retention)) {
                    $1.append(HelpCallRecord(Row<HelpColumn>($0)))
                }
            ]
        }
        try ask(questions, about: &calls)
        return calls.map { HelpDesk($0) }
    }

    /// Writes calls that were decided, and counts the change, so that every server loads them.
    func write(_ calls: [HelpCallRecord], of shop: ShopID) throws(StoreError) {
        guard !calls.isEmpty else { return }
        for call in calls {
            try execute(
                writeCall, shop, call.id, call.machine, call.raised, call.going, call.by,
                call.ended, call.end, call.mutedUntil, call.programRuns)
        }
        try execute(raiseHelpSequence, shop)
    }

    /// Deletes the calls that were raised before a moment.
    func pruneHelpCalls(of shop: ShopID, before moment: Moment) throws(StoreError) {
        try execute(deleteCalls, shop, CodeGenerator.firstID(at: moment))
    }
}

extension Administration {
    /// The calls for help that were raised from one moment up to before another one, the oldest first.
    public func helpCalls(
        of shop: ShopID, from first: Moment, to end: Moment
    ) throws(StoreError) -> [HelpCallRecord] {
        try database.named(
            selectRaised, shop, CodeGenerator.firstID(at: first), CodeGenerator.firstID(at: end)
        ) { (row: Row<HelpColumn>) in HelpCallRecord(row) }
    }
}

extension HelpCallRecord {
    fileprivate init(_ row: Row<HelpColumn>) {
        self.init(
            id: HelpCallID(row.text(.id)), machine: MachineID(row.text(.machine)),
            raised: row.moment(.raisedMs), going: row.optionalMoment(.goingMs),
            by: row.optionalText(.goingBy), ended: row.optionalMoment(.endedMs),
            end: row.optionalText(.ending).flatMap(HelpCall.End.init),
            mutedUntil: row.optionalMoment(.mutedUntilMs), programRuns: row.count(.programRuns))
    }
}
