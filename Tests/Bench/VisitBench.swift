import QueueEngine
import Reservations

/// A shop that is open for twelve hours a day, whose month has so many visits of phones.
struct VisitBench {
    private let shop: Shop
    private let openings: [OpenInterval]
    private var state: QueueState
    private let records = StoredRecords()
    private let now: Moment

    init(visits: Int) {
        var policy = ShopPolicy(capacity: 1_000_000, usualStayMinutes: 35)
        policy.phones.hasPlaces = true
        policy.phones.hasVisits = true
        shop = .simulated(policy)
        let today = CalendarDay(daysSince1970: 20_600)
        openings = (1...31).map { offset in
            let midnight = Int64(today.advanced(by: offset).daysSince1970) * 86_400_000
            func at(_ hour: Int64) -> LocalMoment {
                LocalMoment(
                    Moment(milliseconds: midnight + hour * 3_600_000), offsetMinutes: 0)
            }
            return OpenInterval(opens: at(8), closes: at(20))
        }
        now = Moment(milliseconds: Int64(today.daysSince1970) * 86_400_000)
        state = QueueState(policy: policy)
        // The last slot in which a usual stay ends before closing begins at 19:15.
        let slots = openings.flatMap { opening in
            (0..<46).map { opening.local(opening.opens.moment + ShopPolicy.slotLength * $0) }
        }
        var numbers: [CalendarDay: Int] = [:]
        for index in 0..<visits {
            let start = slots[index % slots.count]
            let slot = VisitSlot(start: start, end: start.at(start.moment + .minutes(35)))
            let number = numbers[start.day, default: 0] + 1
            numbers[start.day] = number
            let hold = Hold(
                id: ReservationID("v\(index)"), owner: .phone(HolderID("holder-\(index)")),
                isRemote: true, kind: .visit, day: start.day, taken: start, expires: start,
                extensions: 0,
                wait: WaitEstimate(expected: start, earliest: start, latest: start, peopleAhead: 0),
                visit: slot)
            state.restore(
                ReservationRecord(
                    hold: hold, state: .planned, since: now, cause: .confirmed,
                    confirmation: shop.confirmation(number, code: index, issued: start)))
        }
        for (day, number) in numbers { state.restore(day: day, counter: number) }
    }

    private var context: QueueContext { shop.context(at: now, in: openings, nil) }

    /// Finds the slots of the month.
    func listSlots() {
        let slots = state.freeSlots(minutes: nil, in: context)
        precondition(slots.count == 31)
    }

    /// The nanoseconds that it takes to hold a slot in the middle of the month and to confirm it.
    mutating func book(_ round: Int) -> Int64 {
        let opening = openings[round % openings.count]
        let chosen = ChosenSlot(start: opening.local(opening.opens.moment + .minutes(300)))
        let holder = HolderID("booking-\(round)")
        let id = ReservationID("b\(round)")
        guard let codes = shop.confirmation(1, code: 2_000_000 + round, issued: opening.opens)
        else { return 0 }
        let start = Clock.monotonic
        records.next = (id, codes)
        perform(.holdVisit(chosen), by: holder)
        perform(.held(id, .confirm), by: holder)
        return Clock.monotonic - start
    }

    private mutating func perform(_ command: QueueCommand, by holder: HolderID) {
        let decision = state.perform(command, by: .phone(holder), in: context, records)
        guard case .success = decision.result else { preconditionFailure("\(decision.result)") }
    }
}
