internal import QueueEngine
internal import Reservations
internal import RowColumns

private let writeCounter = Query.insert(
    into: "day_counter", "shop_id, day, last_number", replacing: "shop_id, day",
    isCombinable: true)
private let addLeftOut = Query(
    """
    INSERT INTO day_counter (shop_id, day, last_number, moved_away)
    VALUES ($shop, $day, 0, $leftOut)
    ON CONFLICT (shop_id, day) DO UPDATE SET
        moved_away = day_counter.moved_away + excluded.moved_away
    """)
private let writeClosing = Query(
    """
    INSERT INTO day_counter (shop_id, day, last_number, closes_ms)
    VALUES ($shop, $day, 0, $closes)
    ON CONFLICT (shop_id, day) DO UPDATE SET closes_ms = excluded.closes_ms
    """)
private let writeTicketsEnded = Query(
    """
    INSERT INTO day_counter (shop_id, day, last_number, tickets_ended)
    VALUES ($shop, $day, 0, $ended)
    ON CONFLICT (shop_id, day) DO UPDATE SET tickets_ended = excluded.tickets_ended
    """)
private enum DayColumn: Int, SelectedColumn { case day, lastNumber, closesMs, ticketsEnded }
private enum StayColumn: Int, SelectedColumn { case hourOfWeek, observations, logs, squares }
private enum FloorColumn: Int, SelectedColumn {
    case strangers, strangersMs, came, missed, phoneCame, phoneMissed, remoteCame, remoteMissed
    case remoteUnanswered, remoteAnswered, silentCame, silentMissed, latelyCame, latelyMissed,
        exits, inferred
}
private let selectDays = Query(
    "SELECT \(DayColumn.list) FROM day_counter WHERE shop_id = $shop AND day >= $first")
private let writeStay = Query.insert(
    into: "learned_stay", "shop_id, \(StayColumn.list)", replacing: "shop_id, hour_of_week")
private let selectStays = Query("SELECT \(StayColumn.list) FROM learned_stay WHERE shop_id = $shop")
private let writeUnregistered = Query.insert(
    into: "shop_floor", "shop_id, strangers, strangers_ms", replacing: "shop_id")
private let writeAttendance = Query.insert(
    into: "shop_floor",
    """
    shop_id, came, missed, phone_came, phone_missed, remote_came, remote_missed, \
    remote_unanswered, remote_answered, silent_came, silent_missed, lately_came, lately_missed, \
    exits, inferred
    """,
    replacing: "shop_id")
private let selectFloor = Query("SELECT \(FloorColumn.list) FROM shop_floor WHERE shop_id = $shop")

/// A shop's data besides its reservations: numbers of its days, people inside, what was learned.
extension Database {
    /// Writes a fact that does not concern one reservation; other facts, and the last numbers of days, are ignored.
    func writeOccupancy(_ change: QueueChange, of shop: ShopID) throws(StoreError) {
        switch change {
        case .closingSet(let day, let moment):
            try post(writeClosing, shop, day, moment, changing: 1)
        case .ticketsEnded(let day, let ended):
            try post(writeTicketsEnded, shop, day, ended, changing: 1)
        case .counterAdvanced(let day, _, let leftOut):
            if leftOut > 0 { try post(addLeftOut, shop, day, leftOut, changing: 1) }
        case .unregistered(let count, let since):
            try post(writeUnregistered, shop, count, since, changing: 1)
        case .learnedStays(let hour, let sums):
            try post(writeStay, shop, hour, sums.count, sums.logs, sums.squares, changing: 1)
        case .learnedAttendance(let attendance):
            let turnout = attendance.turnout
            try post(
                writeAttendance, shop, turnout.machine.came, turnout.machine.missed,
                turnout.phone.came, turnout.phone.missed, turnout.remote.came,
                turnout.remote.missed, attendance.unanswered, attendance.answered,
                attendance.silent.came, attendance.silent.missed,
                attendance.latelyRemote.came, attendance.latelyRemote.missed, attendance.left,
                attendance.inferred, changing: 1)
        case .noShow(let holder, let moment): try writeNoShow(of: holder, at: moment, in: shop)
        case .noShowsForgotten(let holder): try postDeletion(ofNoShowsOf: holder, in: shop)
        case .orderCalled, .collectorsChanged, .inserted, .confirmed, .moved, .turnChanged,
            .rebooked, .recoded, .questionChanged, .extended:
            break
        }
    }

    /// Writes the last number of a day that was given.
    func write(_ number: QueueNumber, of day: CalendarDay, in shop: ShopID) throws(StoreError) {
        try post(writeCounter, shop, day, number, changing: 1)
    }

    /// Numbers, early closings and ends of tickets from a day on.
    static func days(of shop: ShopID, from first: CalendarDay) -> Question<LoadedQueue> {
        Question(selectDays.with(shop, first)) { columns, queue throws(StoreError) in
            let row = Row<DayColumn>(columns)
            guard let day = CalendarDay(row.text(.day)) else {
                throw .unreadable("a day", row.text(.day), operation: "load a queue")
            }
            queue.state.restore(
                day: day, counter: row.count(.lastNumber), closes: row.optionalMoment(.closesMs),
                endsTickets: row.isTrue(.ticketsEnded))
        }
    }

    /// The number of unregistered occupants, and what was learned of customers.
    static func floor(of shop: ShopID) -> [Question<LoadedQueue>] {
        [
            Question(selectStays.with(shop)) { columns, queue in
                let row = Row<StayColumn>(columns)
                queue.cells[row.count(.hourOfWeek)] = DurationSums(
                    count: row.integer(.observations), logs: row.integer(.logs),
                    squares: row.integer(.squares))
            },
            Question(selectFloor.with(shop)) { columns, queue in
                let row = Row<FloorColumn>(columns)
                queue.state.restore(
                    unregistered: row.count(.strangers), since: row.moment(.strangersMs))
                queue.attendance = Attendance(
                    turnout: ByChannel(
                        machine: Attendance.Turnout(
                            came: row.integer(.came), missed: row.integer(.missed)),
                        phone: Attendance.Turnout(
                            came: row.integer(.phoneCame), missed: row.integer(.phoneMissed)),
                        remote: Attendance.Turnout(
                            came: row.integer(.remoteCame), missed: row.integer(.remoteMissed))),
                    silent: Attendance.Turnout(
                        came: row.integer(.silentCame), missed: row.integer(.silentMissed)),
                    unanswered: row.integer(.remoteUnanswered),
                    answered: row.integer(.remoteAnswered),
                    latelyRemote: Attendance.Turnout(
                        came: row.integer(.latelyCame), missed: row.integer(.latelyMissed)),
                    left: row.integer(.exits), inferred: row.integer(.inferred))
            },
        ]
    }
}
