internal import QueueEngine
internal import Reservations
internal import RowColumns

/// Reservations, their events and the day's counter as rows.
enum ReservationRows {
    private enum Column: Int, SelectedColumn {
        case id, machine, kind, day, state, stateMs, cause, createdMs, offsetMinutes, expiresMs
        case extensions, expectedMs, earliestMs, latestMs, peopleAhead, number, code, typedCode
        case confirmedMs, visitStartMs, visitStartOffset, visitEndMs, visitEndOffset, enteredMs
    }

    private static let selectOne = Query(
        "SELECT \(Column.list) FROM reservation WHERE shop_id = $shop AND id = $id", "shop", "id")
    // The name of a collation decides for PostgreSQL's planner which index is used (`Schema.chosenIndices`).
    private static let selectByCode = Query(
        """
        SELECT \(Column.list) FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND code = $code
        """, "shop", "code")
    private static let selectByTypedCode = Query(
        """
        SELECT \(Column.list) FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND typed_code = $typed
        """, "shop", "typed")
    private static let selectByNumber = Query(
        """
        SELECT id FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND day = $day AND number = $number
        """, "shop", "day", "number")
    // The order is that of the index of open holds: without it SQLite reads every reservation.
    private static let selectPending = Query(
        """
        SELECT \(Column.list) FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND state = 'pending' AND expires_ms >= 0 ORDER BY expires_ms
        """,
        "shop")
    private static let selectTypedCode = Query(
        """
        SELECT 1 FROM reservation WHERE shop_id = $shop COLLATE "binary" AND typed_code = $typed
        """, "shop", "typed")
    private static let insertPending = Query(
        """
        INSERT INTO reservation (shop_id, id, machine, channel, kind, day, state, state_ms, cause,
            created_ms, offset_minutes, expires_ms, extensions, expected_ms, earliest_ms,
            latest_ms, people_ahead, visit_start_ms, visit_start_offset, visit_end_ms,
            visit_end_offset)
        VALUES ($shop, $id, $machine, 'machine', $kind, $day, $state, $since, $cause,
            $created, $offset, $expires, $extensions, $expected, $earliest, $latest, $ahead,
            $start, $startOffset, $end, $endOffset)
        """,
        "shop", "id", "machine", "kind", "day", "state", "since", "cause", "created", "offset",
        "expires", "extensions", "expected", "earliest", "latest", "ahead", "start",
        "startOffset", "end", "endOffset")
    private static let updateConfirmed = Query(
        """
        UPDATE reservation SET state = $state, state_ms = $since, cause = $cause,
            expected_ms = $expected, earliest_ms = $earliest, latest_ms = $latest,
            people_ahead = $ahead, number = $number, code = $code, typed_code = $typed,
            confirmed_ms = $confirmed
        WHERE shop_id = $shop AND id = $id AND state = $former
        """,
        "shop", "id", "former", "state", "since", "cause", "expected", "earliest", "latest",
        "ahead", "number", "code", "typed", "confirmed")
    private static let updateState = Query(
        """
        UPDATE reservation SET state = $state, state_ms = $since, cause = $cause
        WHERE shop_id = $shop AND id = $id AND state = $former
        """,
        "shop", "id", "former", "state", "since", "cause")
    private static let updateEntered = Query(
        "UPDATE reservation SET entered_ms = $at WHERE shop_id = $shop AND id = $id", "shop", "id",
        "at")
    private static let selectLive = Query(
        """
        SELECT \(Column.list) FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND state IN ('planned', 'called', 'active')
        ORDER BY day, number
        """,
        "shop")
    // The order is that of the index of numbers: without it SQLite reads every day's reservations.
    private static let selectLeft = Query(
        """
        SELECT \(Column.list) FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND day = $day AND number >= 1
            AND state = 'expired' AND cause = 'checked-out' AND state_ms > $since
        ORDER BY number
        """,
        "shop", "day", "since")
    private static let selectSentHome = Query(
        """
        SELECT id FROM reservation
        WHERE shop_id = $shop COLLATE "binary" AND day = $day AND number >= 1
            AND state = 'expired' AND cause = 'sent-home'
        ORDER BY number
        """,
        "shop", "day")
    // The state is a value, as in the other updates: with a literal the index of open holds would be used, which keeps
    // rows that are no open holds any more until it is vacuumed.
    private static let updateExtended = Query(
        """
        UPDATE reservation SET expires_ms = $expires, extensions = $extensions,
            expected_ms = $expected, earliest_ms = $earliest, latest_ms = $latest,
            people_ahead = $ahead
        WHERE shop_id = $shop AND id = $id AND state = $former
        """,
        "shop", "id", "former", "expires", "extensions", "expected", "earliest", "latest", "ahead")
    private static let insertEvent = Query(
        """
        INSERT INTO reservation_event (shop_id, reservation_id, at_ms, former_state, state, cause)
        VALUES ($shop, $id, $at, $former, $state, $cause)
        """,
        "shop", "id", "at", "former", "state", "cause")
    static func record(_ id: ReservationID, of shop: ShopID, in database: any Database)
        throws(StoreError) -> ReservationRecord?
    {
        try database.rows(selectOne, [.text(shop.rawValue), .text(id.rawValue)], read: read).first
    }

    /// The records of the reservations that exist, in one round trip.
    static func records(
        _ ids: some Collection<ReservationID>, of shop: ShopID, in database: any Database
    ) throws(StoreError) -> [ReservationRecord] {
        var records: [ReservationRecord] = []
        let shop = DatabaseValue.text(shop.rawValue)
        try database.queries(ids.map { (selectOne, [shop, .text($0.rawValue)]) }) {
            _, row throws(StoreError) in
            records.append(try read(row))
        }
        return records
    }

    /// Whether the code was ever given to a reservation of the shop; this is more than the 60 days of rules 11.
    static func isTaken(_ code: TypedCode, in shop: ShopID, of database: any Database)
        throws(StoreError) -> Bool
    {
        var taken = false
        try database.query(
            selectTypedCode, [.text(shop.rawValue), .text(code.rawValue)]
        ) { _ in taken = true }
        return taken
    }

    /// The reservation that a code was given to, in any state.
    static func record(_ code: PresentedCode, of shop: ShopID, in database: any Database)
        throws(StoreError) -> ReservationRecord?
    {
        let query: Query
        switch code {
        case .entry: query = selectByCode
        case .typed: query = selectByTypedCode
        }
        return try database.rows(
            query, [.text(shop.rawValue), .text(code.text)], read: read
        ).first
    }

    /// The reservation with a number.
    static func id(
        of number: QueueNumber, on day: CalendarDay, in shop: ShopID, of database: any Database
    ) throws(StoreError) -> ReservationID? {
        try database.rows(
            selectByNumber,
            [.text(shop.rawValue), .text(day.description), .count(number.rawValue)]
        ) { ReservationID($0.text(0)) }.first
    }

    /// The open holds of a shop.
    static func holds(of shop: ShopID, in database: any Database) throws(StoreError) -> [Hold] {
        try database.rows(selectPending, [.text(shop.rawValue)]) { row throws(StoreError) in
            try read(row).hold
        }
    }

    /// The reservations of a shop that are planned, called or active.
    static func live(of shop: ShopID, in database: any Database) throws(StoreError)
        -> [ReservationRecord]
    {
        try database.rows(selectLive, [.text(shop.rawValue)], read: read)
    }

    /// The reservations of a day whose holders checked out later than `since`.
    static func left(
        of shop: ShopID, on day: CalendarDay, since: Moment, in database: any Database
    ) throws(StoreError) -> [ReservationRecord] {
        try database.rows(
            selectLeft,
            [.text(shop.rawValue), .text(day.description), .integer(since.milliseconds)], read: read
        )
    }

    /// The reservations of a day that lost their place because the staff closed the shop before its time.
    static func sentHome(
        of shop: ShopID, on day: CalendarDay, in database: any Database
    ) throws(StoreError) -> [ReservationID] {
        try database.rows(selectSentHome, [.text(shop.rawValue), .text(day.description)]) {
            ReservationID($0.text(0))
        }
    }

    /// Writes one fact about a reservation, its event included; every fact must find the row as the state knew it.
    static func write(_ change: QueueChange, of shop: ShopID, to database: any Database)
        throws(StoreError)
    {
        let shop = DatabaseValue.text(shop.rawValue)
        switch change {
        case .inserted(let record): try insert(record, shop, database)
        case .ended(let hold, let moment, let cause):
            try move(
                hold.id, from: .pending, to: .deleted, at: moment, because: cause, shop, database)
        case .confirmed(let record): try confirm(record, shop, database)
        case .moved(let transition):
            try move(
                transition.id, from: transition.from, to: transition.to, at: transition.at,
                because: transition.cause, shop, database)
            if transition.to == .active {
                try database.post(
                    updateEntered,
                    [shop, .text(transition.id.rawValue), .integer(transition.at.milliseconds)],
                    changing: 1)
            }
        case .extended(let hold):
            try database.post(
                updateExtended,
                [
                    shop, .text(hold.id.rawValue),
                    .text(ReservationState.pending.rawValue),
                    .integer(hold.expires.moment.milliseconds), .count(hold.extensions),
                ] + values(hold.wait), changing: 1)
        case .counterAdvanced, .closingSet, .ticketsEnded, .strangers, .learnedStays,
            .learnedAttendance:
            try OccupancyRows.write(change, of: shop, to: database)
        }
    }

    private static func insert(
        _ record: ReservationRecord, _ shop: DatabaseValue, _ database: any Database
    ) throws(StoreError) {
        let hold = record.hold
        try database.post(
            insertPending,
            [
                shop, .text(hold.id.rawValue), .text(hold.machine.rawValue),
                .text(hold.kind.rawValue), .text(hold.day.description),
                .text(record.state.rawValue), .integer(record.since.milliseconds),
                .text(record.cause.rawValue), .integer(hold.taken.moment.milliseconds),
                .count(hold.taken.offsetMinutes), .integer(hold.expires.moment.milliseconds),
                .count(hold.extensions),
            ] + values(hold.wait) + values(hold.visit), changing: 1)
        try event(
            hold.id, former: nil, record.state, at: record.since, because: record.cause, shop,
            database)
    }

    private static func move(
        _ id: ReservationID, from former: ReservationState, to state: ReservationState,
        at moment: Moment, because cause: TransitionCause, _ shop: DatabaseValue,
        _ database: any Database
    ) throws(StoreError) {
        try database.post(
            updateState,
            [
                shop, .text(id.rawValue), .text(former.rawValue), .text(state.rawValue),
                .integer(moment.milliseconds), .text(cause.rawValue),
            ], changing: 1)
        try event(id, former: former, state, at: moment, because: cause, shop, database)
    }

    private static func confirm(
        _ record: ReservationRecord, _ shop: DatabaseValue, _ database: any Database
    ) throws(StoreError) {
        let id = record.hold.id
        guard let confirmation = record.confirmation else {
            throw .notAsKnown(updateConfirmed)
        }
        let former = ReservationState.pending
        let values: [DatabaseValue] =
            [
                shop, .text(id.rawValue), .text(former.rawValue), .text(record.state.rawValue),
                .integer(record.since.milliseconds), .text(record.cause.rawValue),
            ] + values(record.hold.wait) + [
                .count(confirmation.number.rawValue), .text(confirmation.code.rawValue),
                .text(confirmation.typedCode.rawValue),
                .integer(confirmation.issued.moment.milliseconds),
            ]
        try database.post(updateConfirmed, values, changing: 1)
        try event(
            id, former: former, record.state, at: record.since, because: record.cause, shop,
            database)
    }

    private static func event(
        _ id: ReservationID, former: ReservationState?, _ state: ReservationState,
        at moment: Moment, because cause: TransitionCause, _ shop: DatabaseValue,
        _ database: any Database
    ) throws(StoreError) {
        try database.post(
            insertEvent,
            [
                shop, .text(id.rawValue), .integer(moment.milliseconds),
                .optional(former?.rawValue), .text(state.rawValue), .text(cause.rawValue),
            ], changing: 1)
    }

    private static func values(_ wait: WaitEstimate) -> [DatabaseValue] {
        [
            .integer(wait.expected.moment.milliseconds),
            .integer(wait.earliest.moment.milliseconds),
            .integer(wait.latest.moment.milliseconds), .count(wait.peopleAhead),
        ]
    }

    private static func values(_ visit: VisitSlot?) -> [DatabaseValue] {
        [
            .optional(visit?.start.moment.milliseconds),
            .optional(visit.map { Int64($0.start.offsetMinutes) }),
            .optional(visit?.end.moment.milliseconds),
            .optional(visit.map { Int64($0.end.offsetMinutes) }),
        ]
    }

    private static func read(_ columns: any Columns) throws(StoreError) -> ReservationRecord {
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
        StoreError(
            .corrupt, operation: "read reservation \(row.text(.id))",
            "the database holds a reservation this program cannot read")
    }
}
