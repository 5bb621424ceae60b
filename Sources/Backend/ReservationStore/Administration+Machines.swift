public import Reservations
internal import RowColumns

extension Administration {
    private enum TallyColumn: Int, SelectedColumn {
        case day, printed, failed, copies, fateUnknown

        var sql: String { self == .day ? columnName : "CAST(sum(\(columnName)) AS BIGINT)" }
    }

    private static let selectEvents = Query(
        """
        SELECT \(MachineEventColumn.list) FROM machine_event
        WHERE shop_id = $shop AND machine = $machine ORDER BY position DESC LIMIT $count
        """)
    private static let selectPapers = Query(
        """
        SELECT \(TallyColumn.list)
        FROM machine_paper_day WHERE shop_id = $shop AND day >= $first AND day <= $last
        GROUP BY day, machine ORDER BY day, machine
        """)

    /// The last reported status of each machine of a shop.
    public func machineStatuses(of shop: ShopID) throws(StoreError) -> [MachineStatusRecord] {
        try database.machineStatuses(of: shop)
    }

    /// The last reported status of each machine of every shop.
    public func machineStatuses() throws(StoreError) -> [MachineStatusRecord] {
        try database.machineStatuses(of: Array(database.shopSequences().keys)).flatMap(\.self)
    }

    /// The last events of a machine, newest first; their sequences are 0.
    public func machineEvents(
        of machine: MachineID, in shop: ShopID, count: Int
    ) throws(StoreError) -> [MachineEventReport] {
        try database.named(Self.selectEvents, shop, machine, count) {
            (row: Row<MachineEventColumn>) in
            MachineEventReport(
                sequence: 0,
                at: LocalMoment(row.moment(.atMs), offsetMinutes: row.count(.offsetMinutes)),
                person: row.optionalText(.person), kind: row.text(.kind), detail: row.text(.detail))
        }
    }

    /// Print outcomes of the days from `first` to `last`, summed over all machines of the shop, in order; for each
    /// machine no more than it can have issued in a day, however many journals it reported.
    public func papers(
        of shop: ShopID, from first: CalendarDay, to last: CalendarDay
    ) throws(StoreError) -> [PrintTally] {
        var days: [PrintTally] = []
        try database.query(Self.selectPapers, shop, first, last) { columns throws(StoreError) in
            let row = Row<TallyColumn>(columns)
            guard let day = CalendarDay(row.text(.day)) else {
                throw .unreadableMachine("papers of a day")
            }
            func bounded(_ column: TallyColumn) -> Int {
                min(row.count(column), PrintTally.maxPrintoutsPerDay)
            }
            if days.last?.day != day { days.append(PrintTally(day: day)) }
            days[days.count - 1].add(
                PrintTally(
                    day: day, printed: bounded(.printed), failed: bounded(.failed),
                    copies: bounded(.copies), unknown: bounded(.fateUnknown)))
        }
        return days
    }
}
