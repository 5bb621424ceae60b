internal import Reservations

/// When each confirmed ticket of a day is presumed to be called, until the doors can tell.
///
/// With capacity C and stay S the ticket at place k is called at the first moment from its confirmation
/// and the call before it on at which it finds room for its whole stay: never more than C inside,
/// tickets and visits together. Everyone comes when his turn comes, stays S, and so leaves in the order
/// he came; a visit has its place from its slot for its usual stay, and tickets flow around it. Call
/// times never decrease, so who waits and who has left are found by binary search. Times are milliseconds
/// since 1970; 20 bytes a ticket are kept, as a shop of the benchmark has 10^6 of them in a day.
struct PresumedCalls: Hashable, Sendable {
    private let capacity: Int
    private let stay: Int64
    /// Queue numbers in queue order; a place given up by one who was inside keeps its predecessor's.
    private var numbers: [Int32] = []
    private var confirmed: [Int64] = []
    private var calls: [Int64] = []
    /// Visits of the day, held ones too.
    private(set) var visits = VisitBook()

    init(policy: ShopPolicy) {
        capacity = max(1, policy.capacity)
        stay = policy.usualStay.wholeMilliseconds
    }

    var count: Int { calls.count }

    /// Appends the ticket that was just confirmed.
    mutating func append(_ number: Int, confirmed moment: Moment) {
        numbers.append(Int32(truncatingIfNeeded: number))
        confirmed.append(moment.milliseconds)
        calls.append(call(of: calls.count, notBefore: .min))
    }

    /// Takes a ticket out at `moment`: those behind it move up; nothing before `moment` is presumed anew.
    ///
    /// One who has left already changes nothing; one who is inside frees his place at `moment`, which is
    /// as if he had been called one stay before. Linear in the places from his on.
    mutating func remove(_ number: Int, at moment: Moment) {
        guard let place = place(of: number) else { return }
        let now = moment.milliseconds
        guard calls[place] + stay > now else { return }
        let called = calls[place] <= now
        numbers.remove(at: place)
        confirmed.remove(at: place)
        calls.remove(at: place)
        if called {
            let front = calls.partitionPoint { $0 > now - stay }
            numbers.insert(front > 0 ? numbers[front - 1] : 0, at: front)
            confirmed.insert(now - stay, at: front)
            calls.insert(now - stay, at: front)
        }
        presumeAnew(from: place, at: now)
    }

    /// Gives a visit its place from `moment` on: those who wait then flow around it.
    mutating func add(_ visit: VisitSlot, at moment: Moment) {
        visits.add(visit.milliseconds)
        presumeAnew(from: 0, at: moment.milliseconds)
    }

    /// Takes a visit out at `moment`; one that has begun was there until then.
    mutating func remove(_ visit: VisitSlot, at moment: Moment) {
        let now = moment.milliseconds
        let booked = visit.milliseconds
        guard now < booked.upperBound else { return }
        visits.remove(booked)
        if booked.lowerBound < now { visits.add(booked.lowerBound..<now) }
        presumeAnew(from: 0, at: now)
    }

    /// Tickets presumed to be called later than `moment`.
    func waiting(at moment: Moment) -> Int { calls.count - firstWaiting(at: moment) }

    /// The queue place from which on tickets wait at `moment`.
    func firstWaiting(at moment: Moment) -> Int {
        calls.partitionPoint { $0 > moment.milliseconds }
    }

    /// The place of a confirmed ticket in the queue, and its presumed call; nil where it is not in it.
    func ticket(_ number: Int) -> (place: Int, call: Moment)? {
        place(of: number).map { ($0, Moment(milliseconds: calls[$0])) }
    }

    /// The presumed call of one more ticket, with `ahead` others confirmed at `moment` before it.
    func nextCall(at moment: Moment, ahead: Int) -> Moment {
        let floor = max(moment.milliseconds, calls.last ?? .min)
        guard visits.end <= floor else {
            var more: [Int64] = []
            for place in calls.count...(calls.count + ahead) {
                more.append(admission(of: place, from: more.last ?? floor, more: more))
            }
            return Moment(milliseconds: more[ahead])
        }
        // With everyone confirmed now, call(j) = max(now, last, call(j - C) + S) for every j past the
        // end, as the calls in between cannot be later; so only every C-th place is looked at.
        let rounds = ahead / capacity
        let first = calls.count + ahead - (rounds + 1) * capacity
        var call = first >= 0 ? max(floor, calls[first] + stay) : floor
        for _ in 0..<rounds { call = max(floor, call + stay) }
        return Moment(milliseconds: call)
    }

    /// Departures that must still happen after `moment` before the ticket at `place` is called at `call`.
    func departuresNeeded(before place: Int, calledAt call: Moment, at moment: Moment) -> Int {
        let now = moment.milliseconds
        let left = calls.partitionPoint { $0 > now - stay }
        let visitors =
            visits.step(at: now).count
            + visits.starts(after: now, before: call.milliseconds).count
        return max(0, place + 1 + visitors - capacity - left)
    }

    /// Whether one more visit finds room in its slot beside all who are presumed to be inside then.
    func hasRoom(for visit: Range<Int64>) -> Bool {
        let first = calls.partitionPoint { $0 > visit.lowerBound }
        let entering = calls[first..<max(first, calls.partitionPoint { $0 >= visit.upperBound })]
        func isFull(_ time: Int64) -> Bool {
            let tickets =
                calls.partitionPoint { $0 > time } - calls.partitionPoint { $0 > time - stay }
            return tickets + visits.step(at: time).count >= capacity
        }
        return !isFull(visit.lowerBound) && !entering.contains(where: isFull)
            && !visits.starts(after: visit.lowerBound, before: visit.upperBound)
                .contains(where: isFull)
    }

    private func place(of number: Int) -> Int? {
        let place = numbers.partitionPoint { $0 >= number }
        return place < numbers.count && numbers[place] == number ? place : nil
    }

    /// Works out anew, from a place on, when those are called who still wait at `now`.
    private mutating func presumeAnew(from place: Int, at now: Int64) {
        let first = max(place, calls.partitionPoint { $0 > now })
        for waiting in first..<max(first, calls.count) {
            calls[waiting] = call(of: waiting, notBefore: now)
        }
    }

    private func call(of place: Int, notBefore floor: Int64) -> Int64 {
        var call = max(confirmed[place], floor)
        // A clock set back must not unsort the queue.
        if place > 0 { call = max(call, calls[place - 1]) }
        return admission(of: place, from: call, more: [])
    }

    /// The first moment from `earliest` on, no earlier than the calls before it, with room for a stay.
    ///
    /// - Parameter more: calls of the places that follow those of the queue.
    private func admission(of place: Int, from earliest: Int64, more: [Int64]) -> Int64 {
        var call = earliest
        var time = call
        while time < call + stay {
            let step = visits.step(at: time)
            // With no more than `room` tickets inside, the one `room` places before has left.
            let room = capacity - step.count
            var free = Int64.min
            if room < 1 {
                free = .max
            } else if place >= room {
                let before = place - room
                free = (before < calls.count ? calls[before] : more[before - calls.count]) + stay
            }
            if time < free {
                call = min(free, step.until)
                time = call
            } else {
                time = step.until
            }
        }
        return call
    }
}

extension VisitSlot {
    /// The slot as the book of visits counts.
    var milliseconds: Range<Int64> {
        start.moment.milliseconds..<max(start.moment.milliseconds, end.moment.milliseconds)
    }
}

extension Array {
    /// The first index whose element fulfils `predicate`, in an array where all such are at the end.
    func partitionPoint(where predicate: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
