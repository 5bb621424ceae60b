internal import QueueEngine
internal import Reservations
internal import RowColumns

enum ReservationColumn: Int, SelectedColumn {
    case id, machine, kind, day, state, stateMs, cause, createdMs, offsetMinutes, expiresMs
    case extensions, expectedMs, earliestMs, latestMs, peopleAhead, number, code, typedCode
    case confirmedMs, visitStartMs, visitStartOffset, visitEndMs, visitEndOffset, enteredMs
    case channel, holder, position, positionEarliestMs, formerPosition, formerEarliestMs, delayedMs
    case delayCount, reclaimCount, isRemote, askedMs, answeredMs, declaredMinutes, moveCount
    case departments
}
private let selectOne = Query(
    "SELECT \(ReservationColumn.list) FROM reservation WHERE shop_id = $shop AND id = $id",
    isCombinable: true)
// The name of a collation decides for PostgreSQL's planner which index is used (`Schema.chosenIndices`).
private let selectByCode = Query(
    """
    SELECT \(ReservationColumn.list) FROM reservation
    WHERE shop_id = $shop COLLATE "binary" AND code = $code
    """)
private let selectByTypedCode = Query(
    """
    SELECT \(ReservationColumn.list) FROM reservation
    WHERE shop_id = $shop COLLATE "binary" AND typed_code = $typed
    """)
private let selectByNumber = Query(
    """
    SELECT id, state, state_ms FROM reservation
    WHERE shop_id = $shop COLLATE "binary" AND day = $day AND number = $number
    """)
// The order is that of the index of open holds: without it SQLite reads every reservation.
private let selectPending = Query(
    """
    SELECT \(ReservationColumn.list) FROM reservation
    WHERE shop_id = $shop COLLATE "binary" AND state = 'pending' AND expires_ms >= 0 ORDER BY expires_ms
    """)
private let selectTypedCode = Query(
    """
    SELECT 1 FROM reservation WHERE shop_id = $shop COLLATE "binary" AND typed_code = $typed
    """)
private let insertPending = Query.insert(
    into: "reservation",
    """
    shop_id, id, machine, channel, kind, day, state, state_ms, cause, created_ms, \
    offset_minutes, expires_ms, extensions, expected_ms, earliest_ms, latest_ms, \
    people_ahead, visit_start_ms, visit_start_offset, visit_end_ms, visit_end_offset, holder, is_remote, \
    declared_minutes, departments
    """, isCombinable: true)
private let updateConfirmed = Query(
    """
    UPDATE reservation SET state = $state, state_ms = $since, cause = $cause, day = $day,
        expected_ms = $expected, earliest_ms = $earliest, latest_ms = $latest,
        people_ahead = $ahead, number = $number, code = $code, typed_code = $typed,
        confirmed_ms = $confirmed
    WHERE shop_id = $shop AND id = $id AND state = $former
        AND NOT EXISTS (SELECT 1 FROM retired_code WHERE shop_id = $shop AND typed_code = $typed)
    """, isCombinable: true)
private let updateState = Query(
    """
    UPDATE reservation SET state = $state, state_ms = $since, cause = $cause
    WHERE shop_id = $shop AND id = $id AND state = $former
    """)
private let updateTurn = Query(
    """
    UPDATE reservation SET position = $position, position_earliest_ms = $earliest,
        former_position = $formerPosition, former_earliest_ms = $formerEarliest,
        delayed_ms = $delayed, delay_count = $delays, reclaim_count = $reclaims
    WHERE shop_id = $shop AND id = $id AND state = $former
    """)
private let updateSlot = Query(
    """
    UPDATE reservation SET day = $day, number = $number, expected_ms = $expected,
        earliest_ms = $earliest, latest_ms = $latest, visit_start_ms = $start,
        visit_start_offset = $startOffset, visit_end_ms = $end, visit_end_offset = $endOffset,
        declared_minutes = $minutes, departments = $departments, move_count = $moves, asked_ms = $asked,
        answered_ms = $answered
    WHERE shop_id = $shop AND id = $id AND state = $former
    """)
private let countMovedAway = Query(
    "UPDATE day_counter SET moved_away = moved_away + 1 WHERE shop_id = $shop AND day = $day")
private let updateQuestion = Query(
    """
    UPDATE reservation SET asked_ms = $asked, answered_ms = $answered
    WHERE shop_id = $shop AND id = $id
    """)
private let updateEntered = Query(
    "UPDATE reservation SET entered_ms = $at WHERE shop_id = $shop AND id = $id")
private let selectLive = Query(
    """
    SELECT \(ReservationColumn.list) FROM reservation
    WHERE shop_id = $shop COLLATE "binary" AND \(Schema.isLive)
    ORDER BY day, number
    """)
// The order is that of the index of numbers: without it SQLite reads every day's reservations.
private let selectLeft = Query(
    """
    SELECT \(ReservationColumn.list) FROM reservation
    WHERE shop_id = $shop COLLATE "binary" AND day = $day AND number >= 1
        AND state = 'expired' AND cause = 'checked-out' AND state_ms > $since
    ORDER BY number
    """)
private let selectSentHome = Query(
    """
    SELECT id FROM reservation
    WHERE shop_id = $shop COLLATE "binary" AND day = $day AND number >= 1
        AND state = 'expired' AND cause = 'sent-home'
    ORDER BY number
    """)
// The state is a value, as in the other updates: with a literal the index of open holds would be used, which keeps
// rows that are no open holds any more until it is vacuumed.
private let updateExtended = Query(
    """
    UPDATE reservation SET expires_ms = $expires, extensions = $extensions,
        expected_ms = $expected, earliest_ms = $earliest, latest_ms = $latest,
        people_ahead = $ahead
    WHERE shop_id = $shop AND id = $id AND state = $former
    """)
private let insertEvent = Query.insert(
    into: "reservation_event", "shop_id, reservation_id, at_ms, former_state, state, cause",
    isCombinable: true)

/// Reservations, their events and the day's counter as rows.
extension Database {
    func record(_ id: ReservationID, of shop: ShopID) throws(StoreError) -> ReservationRecord? {
        try rows(selectOne, shop, id, read: readReservation).first
    }

    /// The records of the reservations that exist, in one round trip.
    func records(
        _ ids: some Collection<ReservationID>, of shop: ShopID
    ) throws(StoreError) -> [ReservationRecord] {
        var records: [ReservationRecord] = []
        try queries(ids.map { selectOne.with(shop, $0) }) { _, row throws(StoreError) in
            records.append(try readReservation(row))
        }
        return records
    }

    /// Whether the code was ever given to a reservation of the shop; this is more than the 60 days of rules: codes.
    func isTaken(_ code: TypedCode, in shop: ShopID) throws(StoreError) -> Bool {
        if try isRetired(code, in: shop) { return true }
        return try !rows(selectTypedCode, shop, code) { _ in true }.isEmpty
    }

    /// The reservation that a code was given to, in any state.
    func record(_ code: PresentedCode, of shop: ShopID) throws(StoreError) -> ReservationRecord? {
        let query =
            switch code {
            case .entry: selectByCode
            case .typed: selectByTypedCode
            }
        return try rows(query, shop, code.text, read: readReservation).first
    }

    func reservationID(
        of number: QueueNumber, on day: CalendarDay, in shop: ShopID
    ) throws(StoreError) -> ReservationID? {
        try rows(selectByNumber, shop, day, number) { ReservationID($0.text(0)) }.first
    }

    /// The reservation that is meant by a number in a queue with customers of these days, which are in order: that of a
    /// customer who waits or is called; otherwise that of the last day, or one of the day before that has changed since then.
    func presentID(
        of number: QueueNumber, on days: [CalendarDay], in shop: ShopID, since: Moment
    ) throws(StoreError) -> ReservationID? {
        var ended: ReservationID?
        for day in days.reversed() {
            let found = try rows(selectByNumber, shop, day, number) {
                let state = ReservationState(rawValue: $0.text(1))
                return (
                    id: ReservationID($0.text(0)),
                    isWaiting: state == .planned || state == .called,
                    since: Moment(milliseconds: $0.integer(2))
                )
            }.first
            guard let found else { continue }
            if found.isWaiting { return found.id }
            if day == days.last || found.since >= since { ended = ended ?? found.id }
        }
        return ended
    }

    static func holds(of shop: ShopID) -> Question<[Hold]> {
        Question(selectPending.with(shop)) { row, holds throws(StoreError) in
            holds.append(try readReservation(row).hold)
        }
    }

    /// The reservations of a shop that are planned, called or active.
    func liveReservations(of shop: ShopID) throws(StoreError) -> [ReservationRecord] {
        try rows(selectLive, shop, read: readReservation)
    }

    /// These reservations, restored into a queue.
    static func liveReservations(of shop: ShopID) -> Question<LoadedQueue> {
        Question(selectLive.with(shop)) { row, queue throws(StoreError) in
            queue.state.restore(try readReservation(row))
        }
    }

    /// The reservations of a day whose holders checked out later than `since`.
    static func checkedOut(
        of shop: ShopID, on day: CalendarDay, since: Moment
    ) -> Question<LoadedQueue> {
        Question(selectLeft.with(shop, day, since)) { row, queue throws(StoreError) in
            queue.state.restore(try readReservation(row))
        }
    }

    /// The reservations of these days that lost their place because the staff closed the shop before its time.
    func sentHome(of shop: ShopID, on days: [CalendarDay]) throws(StoreError) -> [ReservationID] {
        var ids: [ReservationID] = []
        for day in days { ids += try rows(selectSentHome, shop, day) { ReservationID($0.text(0)) } }
        return ids
    }

    /// Writes one fact about a reservation, its event included; every fact must find the row as the state knew it.
    func write(_ change: QueueChange, of shop: ShopID) throws(StoreError) {
        switch change {
        case .inserted(let record): try insert(record, shop)
        case .confirmed(let record): try confirm(record, shop)
        case .moved(let transition):
            try post(
                updateState, transition.to, transition.at, transition.cause, shop, transition.id,
                transition.from, changing: 1)
            try post(
                insertEvent, shop, transition.id, transition.at, transition.from, transition.to,
                transition.cause, changing: 1)
            if transition.to == .active {
                try post(updateEntered, transition.at, shop, transition.id, changing: 1)
            }
        case .turnChanged(let record):
            let turn = record.turn
            try post(
                updateTurn, turn.place?.position, turn.place?.earliest, turn.formerPlace?.position,
                turn.formerPlace?.earliest, turn.delayed, turn.delayCount, turn.reclaimCount, shop,
                record.hold.id, record.state, changing: 1)
        case .questionChanged(let id, let question):
            try post(
                updateQuestion, question.asked, question.answered, shop, id, changing: 1)
        case .rebooked(let record, let former): try rebook(record, from: former, shop)
        case .recoded(let record, let former): try recode(record, insteadOf: former, shop)
        case .extended(let hold):
            try post(
                updateExtended, hold.expires, hold.extensions, hold.wait.expected,
                hold.wait.earliest, hold.wait.latest, hold.wait.peopleAhead, shop, hold.id,
                ReservationState.pending, changing: 1)
        case .counterAdvanced, .closingSet, .ticketsEnded, .unregistered, .learnedStays,
            .learnedAttendance, .noShow, .noShowsForgotten:
            try writeOccupancy(change, of: shop)
        case .orderCalled(let order, let moment): try call(order, at: moment, of: shop)
        case .collectorsChanged: break
        }
    }

    private func insert(_ record: ReservationRecord, _ shop: ShopID) throws(StoreError) {
        let hold = record.hold
        let (wait, visit) = (hold.wait, hold.visit)
        try post(
            insertPending, shop, hold.id, hold.owner.machine ?? MachineID(""),
            hold.owner.holder == nil ? Channel.machine : .phone, hold.kind, hold.day,
            record.state, record.since, record.cause, hold.taken, hold.taken.offsetMinutes,
            hold.expires, hold.extensions, wait.expected, wait.earliest, wait.latest,
            wait.peopleAhead, visit?.start, visit?.start.offsetMinutes, visit?.end,
            visit?.end.offsetMinutes, hold.owner.holder, hold.isRemote,
            hold.declaredMinutes, stored(visit?.departments), changing: 1)
        try writeEvent(of: record, former: nil, shop)
    }

    private func confirm(_ record: ReservationRecord, _ shop: ShopID) throws(StoreError) {
        guard let confirmation = record.confirmation else { throw .notAsKnown(updateConfirmed) }
        let wait = record.hold.wait
        try post(
            updateConfirmed, record.state, record.since, record.cause, record.hold.day,
            wait.expected, wait.earliest, wait.latest, wait.peopleAhead, confirmation.number,
            confirmation.code,
            confirmation.typedCode, confirmation.issued, shop, record.hold.id,
            ReservationState.pending, changing: 1)
        try writeEvent(of: record, former: .pending, shop)
    }

    /// Writes the slot to which a visit was moved, with the number of its day.
    private func rebook(
        _ record: ReservationRecord, from former: CalendarDay, _ shop: ShopID
    ) throws(StoreError) {
        let hold = record.hold
        guard let visit = hold.visit, let confirmation = record.confirmation else {
            throw .notAsKnown(updateSlot)
        }
        try post(
            updateSlot, hold.day, confirmation.number, hold.wait.expected, hold.wait.earliest,
            hold.wait.latest, visit.start, visit.start.offsetMinutes, visit.end,
            visit.end.offsetMinutes, hold.declaredMinutes, stored(visit.departments),
            record.turn.moveCount,
            record.question.asked, record.question.answered, shop, hold.id, record.state,
            changing: 1)
        // The number of the former day is given to no other reservation.
        guard former != hold.day else { return }
        try post(countMovedAway, shop, former, changing: 1)
        try deleteUnprovedSubscriptions(to: hold.id, of: shop)
    }

    /// Departments as a column has them.
    private func stored(_ departments: [String]?) -> String? {
        departments?.joined(separator: ",")
    }

    /// Writes the event of the state in which a record is.
    private func writeEvent(
        of record: ReservationRecord, former: ReservationState?, _ shop: ShopID
    ) throws(StoreError) {
        try post(
            insertEvent, shop, record.hold.id, record.since, former, record.state, record.cause,
            changing: 1)
    }
}

/// Reads a row of `ReservationColumn.list`.
func readReservation(_ columns: any Columns) throws(StoreError) -> ReservationRecord {
    let row = Row<ReservationColumn>(columns)
    func local(_ column: ReservationColumn) -> LocalMoment {
        LocalMoment(row.moment(column), offsetMinutes: row.count(.offsetMinutes))
    }
    guard let kind = ReservationKind(rawValue: row.text(.kind)),
        let day = CalendarDay(row.text(.day)),
        let state = ReservationState(rawValue: row.text(.state)),
        let channel = Channel(rawValue: row.text(.channel)),
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
            end: LocalMoment(row.moment(.visitEndMs), offsetMinutes: row.count(.visitEndOffset)),
            departments: row.optionalText(.departments)?.split(separator: ",").map(String.init)
                ?? [])
    }
    guard (kind == .visit) == (visit != nil) else { throw unreadable(row) }
    let hold = Hold(
        id: ReservationID(row.text(.id)), owner: owner(row, channel),
        isRemote: row.isTrue(.isRemote), kind: kind, day: day, taken: local(.createdMs),
        expires: local(.expiresMs),
        extensions: row.count(.extensions), wait: wait, visit: visit,
        declaredMinutes: row.isNull(.declaredMinutes) ? nil : row.count(.declaredMinutes))
    var turn = TurnChanges()
    turn.place = row.optionalMoment(.positionEarliestMs).map {
        TurnChanges.Place(position: row.integer(.position), earliest: $0)
    }
    turn.formerPlace = row.optionalMoment(.formerEarliestMs).map {
        TurnChanges.Place(position: row.integer(.formerPosition), earliest: $0)
    }
    turn.delayed = row.optionalMoment(.delayedMs)
    turn.delayCount = row.count(.delayCount)
    turn.reclaimCount = row.count(.reclaimCount)
    turn.moveCount = row.count(.moveCount)
    return ReservationRecord(
        hold: hold, state: state, since: row.moment(.stateMs), cause: cause,
        confirmation: confirmation, entered: row.optionalMoment(.enteredMs), turn: turn,
        question: ComingQuestion(
            asked: row.optionalMoment(.askedMs), answered: row.optionalMoment(.answeredMs)))
}

private func owner(_ row: Row<ReservationColumn>, _ channel: Channel) -> HoldOwner {
    switch channel {
    case .machine: .machine(MachineID(row.text(.machine)))
    case .phone, .remote: .phone(HolderID(row.text(.holder)))
    }
}

private func unreadable(_ row: Row<ReservationColumn>) -> StoreError {
    .unreadable("a reservation", operation: "read reservation \(row.text(.id))")
}
