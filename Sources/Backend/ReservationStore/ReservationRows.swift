internal import QueueEngine
internal import Reservations
internal import RowColumns

/// Reservations, their events and the day's counter as rows.
enum ReservationRows {
    enum Column: Int, SelectedColumn {
        case id, machine, kind, day, state, stateMs, cause, createdMs, offsetMinutes, expiresMs
        case extensions, expectedMs, earliestMs, latestMs, peopleAhead, number, code, typedCode
        case confirmedMs, visitStartMs, visitStartOffset, visitEndMs, visitEndOffset, enteredMs
    }

    private static let selectOne = Query(
        "SELECT \(Column.list) FROM reservation WHERE shop_id = $shop AND id = $id")
    // The name of a collation decides for PostgreSQL's planner which index is used (`Schema.chosenIndices`).
    private static let selectByCode = Query(
        """
        SELECT \(Column.list) FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND code = $code
        """)
    private static let selectByTypedCode = Query(
        """
        SELECT \(Column.list) FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND typed_code = $typed
        """)
    private static let selectByNumber = Query(
        """
        SELECT id FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND day = $day AND number = $number
        """)
    // The order is that of the index of open holds: without it SQLite reads every reservation.
    private static let selectPending = Query(
        """
        SELECT \(Column.list) FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND state = 'pending' AND expires_ms >= 0 ORDER BY expires_ms
        """)
    private static let selectTypedCode = Query(
        """
        SELECT 1 FROM reservation WHERE shop_id = $shop COLLATE "binary" AND typed_code = $typed
        """)
    private static let insertPending = Query.insert(
        into: "reservation",
        """
        shop_id, id, machine, channel, kind, day, state, state_ms, cause, created_ms, \
        offset_minutes, expires_ms, extensions, expected_ms, earliest_ms, latest_ms, \
        people_ahead, visit_start_ms, visit_start_offset, visit_end_ms, visit_end_offset
        """)
    private static let updateConfirmed = Query(
        """
        UPDATE reservation SET state = $state, state_ms = $since, cause = $cause,
            expected_ms = $expected, earliest_ms = $earliest, latest_ms = $latest,
            people_ahead = $ahead, number = $number, code = $code, typed_code = $typed,
            confirmed_ms = $confirmed
        WHERE shop_id = $shop AND id = $id AND state = $former
        """)
    private static let updateState = Query(
        """
        UPDATE reservation SET state = $state, state_ms = $since, cause = $cause
        WHERE shop_id = $shop AND id = $id AND state = $former
        """)
    private static let updateEntered = Query(
        "UPDATE reservation SET entered_ms = $at WHERE shop_id = $shop AND id = $id")
    private static let selectLive = Query(
        """
        SELECT \(Column.list) FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND state IN ('planned', 'called', 'active')
        ORDER BY day, number
        """)
    // The order is that of the index of numbers: without it SQLite reads every day's reservations.
    private static let selectLeft = Query(
        """
        SELECT \(Column.list) FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND day = $day AND number >= 1
            AND state = 'expired' AND cause = 'checked-out' AND state_ms > $since
        ORDER BY number
        """)
    private static let selectSentHome = Query(
        """
        SELECT id FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND day = $day AND number >= 1
            AND state = 'expired' AND cause = 'sent-home'
        ORDER BY number
        """)
    // The state is a value, as in the other updates: with a literal the index of open holds would be used, which keeps
    // rows that are no open holds any more until it is vacuumed.
    private static let updateExtended = Query(
        """
        UPDATE reservation SET expires_ms = $expires, extensions = $extensions,
            expected_ms = $expected, earliest_ms = $earliest, latest_ms = $latest,
            people_ahead = $ahead
        WHERE shop_id = $shop AND id = $id AND state = $former
        """)
    private static let insertEvent = Query.insert(
        into: "reservation_event", "shop_id, reservation_id, at_ms, former_state, state, cause")

    static func record(_ id: ReservationID, of shop: ShopID, in database: any Database)
        throws(StoreError) -> ReservationRecord?
    {
        try database.rows(selectOne, shop, id, read: read).first
    }

    /// The records of the reservations that exist, in one round trip.
    static func records(
        _ ids: some Collection<ReservationID>, of shop: ShopID, in database: any Database
    ) throws(StoreError) -> [ReservationRecord] {
        var records: [ReservationRecord] = []
        try database.queries(ids.map { selectOne.with(shop, $0) }) {
            _, row throws(StoreError) in
            records.append(try read(row))
        }
        return records
    }

    /// Whether the code was ever given to a reservation of the shop; this is more than the 60 days of rules 11.
    static func isTaken(_ code: TypedCode, in shop: ShopID, of database: any Database)
        throws(StoreError) -> Bool
    {
        try !database.rows(selectTypedCode, shop, code) { _ in true }.isEmpty
    }

    /// The reservation that a code was given to, in any state.
    static func record(_ code: PresentedCode, of shop: ShopID, in database: any Database)
        throws(StoreError) -> ReservationRecord?
    {
        let query =
            switch code {
            case .entry: selectByCode
            case .typed: selectByTypedCode
            }
        return try database.rows(query, shop, code.text, read: read).first
    }

    static func id(
        of number: QueueNumber, on day: CalendarDay, in shop: ShopID, of database: any Database
    ) throws(StoreError) -> ReservationID? {
        try database.rows(selectByNumber, shop, day, number) { ReservationID($0.text(0)) }.first
    }

    static func holds(of shop: ShopID, in database: any Database) throws(StoreError) -> [Hold] {
        try database.rows(selectPending, shop, read: read).map(\.hold)
    }

    /// The reservations of a shop that are planned, called or active.
    static func live(of shop: ShopID, in database: any Database) throws(StoreError)
        -> [ReservationRecord]
    {
        try database.rows(selectLive, shop, read: read)
    }

    /// The reservations of a day whose holders checked out later than `since`.
    static func left(
        of shop: ShopID, on day: CalendarDay, since: Moment, in database: any Database
    ) throws(StoreError) -> [ReservationRecord] {
        try database.rows(selectLeft, shop, day, since, read: read)
    }

    /// The reservations of a day that lost their place because the staff closed the shop before its time.
    static func sentHome(
        of shop: ShopID, on day: CalendarDay, in database: any Database
    ) throws(StoreError) -> [ReservationID] {
        try database.rows(selectSentHome, shop, day) { ReservationID($0.text(0)) }
    }

    /// Writes one fact about a reservation, its event included; every fact must find the row as the state knew it.
    static func write(_ change: QueueChange, of shop: ShopID, to database: any Database)
        throws(StoreError)
    {
        switch change {
        case .inserted(let record): try insert(record, shop, database)
        case .confirmed(let record): try confirm(record, shop, database)
        case .moved(let transition):
            try database.post(
                updateState, transition.to, transition.at, transition.cause, shop, transition.id,
                transition.from, changing: 1)
            try database.post(
                insertEvent, shop, transition.id, transition.at, transition.from, transition.to,
                transition.cause, changing: 1)
            if transition.to == .active {
                try database.post(
                    updateEntered, transition.at, shop, transition.id, changing: 1)
            }
        case .extended(let hold):
            try database.post(
                updateExtended, hold.expires, hold.extensions, hold.wait.expected,
                hold.wait.earliest, hold.wait.latest, hold.wait.peopleAhead, shop, hold.id,
                ReservationState.pending, changing: 1)
        case .counterAdvanced, .closingSet, .ticketsEnded, .strangers, .learnedStays,
            .learnedAttendance:
            try OccupancyRows.write(change, of: shop, to: database)
        }
    }

    private static func insert(
        _ record: ReservationRecord, _ shop: ShopID, _ database: any Database
    ) throws(StoreError) {
        let hold = record.hold
        let (wait, visit) = (hold.wait, hold.visit)
        try database.post(
            insertPending, shop, hold.id, hold.machine, "machine", hold.kind, hold.day,
            record.state, record.since, record.cause, hold.taken, hold.taken.offsetMinutes,
            hold.expires, hold.extensions, wait.expected, wait.earliest, wait.latest,
            wait.peopleAhead, visit?.start, visit?.start.offsetMinutes, visit?.end,
            visit?.end.offsetMinutes, changing: 1)
        try writeEvent(of: record, former: nil, shop, database)
    }

    private static func confirm(
        _ record: ReservationRecord, _ shop: ShopID, _ database: any Database
    ) throws(StoreError) {
        guard let confirmation = record.confirmation else { throw .notAsKnown(updateConfirmed) }
        let wait = record.hold.wait
        try database.post(
            updateConfirmed, record.state, record.since, record.cause, wait.expected,
            wait.earliest, wait.latest, wait.peopleAhead, confirmation.number, confirmation.code,
            confirmation.typedCode, confirmation.issued, shop, record.hold.id,
            ReservationState.pending, changing: 1)
        try writeEvent(of: record, former: .pending, shop, database)
    }

    /// Writes the event of the state in which a record is.
    private static func writeEvent(
        of record: ReservationRecord, former: ReservationState?, _ shop: ShopID,
        _ database: any Database
    ) throws(StoreError) {
        try database.post(
            insertEvent, shop, record.hold.id, record.since, former, record.state, record.cause,
            changing: 1)
    }

    static func read(_ columns: any Columns) throws(StoreError) -> ReservationRecord {
        let row = Row<Column>(columns)
        func local(_ column: Column) -> LocalMoment {
            LocalMoment(row.moment(column), offsetMinutes: row.count(.offsetMinutes))
        }
        guard let kind = ReservationKind(rawValue: row.text(.kind)),
            let day = CalendarDay(row.text(.day)),
            let state = ReservationState(rawValue: row.text(.state)),
            let cause = TransitionCause(rawValue: row.text(.cause))
        else { throw unreadable(row) }
        var confirmation: Confirmation?
        if !row.isNull(.number) {
            guard let number = QueueNumber(rawValue: row.count(.number)),
                let code = EntryCode(rawValue: row.text(.code)),
                let typed = TypedCode(rawValue: row.text(.typedCode))
            else { throw unreadable(row) }
            confirmation = Confirmation(
                number: number, code: code, typedCode: typed, issued: local(.confirmedMs))
        }
        let wait = WaitEstimate(
            expected: local(.expectedMs), earliest: local(.earliestMs), latest: local(.latestMs),
            peopleAhead: row.count(.peopleAhead))
        // The column is NULL for a ticket.
        let visit = row.optionalMoment(.visitStartMs).map { start in
            VisitSlot(
                start: LocalMoment(start, offsetMinutes: row.count(.visitStartOffset)),
                end: LocalMoment(
                    row.moment(.visitEndMs), offsetMinutes: row.count(.visitEndOffset)))
        }
        guard (kind == .visit) == (visit != nil) else { throw unreadable(row) }
        let hold = Hold(
            id: ReservationID(row.text(.id)), machine: MachineID(row.text(.machine)), kind: kind,
            day: day, taken: local(.createdMs), expires: local(.expiresMs),
            extensions: row.count(.extensions), wait: wait, visit: visit)
        return ReservationRecord(
            hold: hold, state: state, since: row.moment(.stateMs), cause: cause,
            confirmation: confirmation, entered: row.optionalMoment(.enteredMs))
    }

    private static func unreadable(_ row: Row<Column>) -> StoreError {
        .unreadable("a reservation", operation: "read reservation \(row.text(.id))")
    }
}
