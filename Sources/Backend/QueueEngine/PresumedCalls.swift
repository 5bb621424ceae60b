internal import Reservations

/// When each confirmed ticket of a day is presumed to be called, until the doors can tell.
///
/// With capacity C and stay S the ticket at place k is called at max(confirmed_k, call_{k-C} + S):
/// everyone comes when his turn comes, stays S, and so leaves in the order he came. Call times never
/// decrease, so who waits and who has left are found by binary search. Times are milliseconds since
/// 1970; 20 bytes a ticket are kept, as a shop of the benchmark has 10^6 of them in a day.
struct PresumedCalls: Hashable, Sendable {
    private let capacity: Int
    private let stay: Int64
    /// Queue numbers in queue order; a place given up by one who was inside keeps its predecessor's.
    private var numbers: [Int32] = []
    private var confirmed: [Int64] = []
    private var calls: [Int64] = []

    init(policy: ShopPolicy) {
        capacity = max(1, policy.capacity)
        stay = policy.usualStay.wholeMilliseconds
    }

    var count: Int { calls.count }

    /// Appends the ticket that was just confirmed.
    mutating func append(_ number: Int, confirmed moment: Moment) {
        let place = calls.count
        numbers.append(Int32(truncatingIfNeeded: number))
        confirmed.append(moment.milliseconds)
        calls.append(call(of: place))
    }

    /// Takes a ticket out at `moment`: those behind it move up; nothing before `moment` is presumed anew.
    ///
    /// One who has left already changes nothing; one who is inside frees his place at `moment`, which is
    /// as if he had been called one stay before. Linear in the places from his on.
    mutating func remove(_ number: Int, at moment: Moment) {
        let place = numbers.partitionPoint { $0 >= number }
        guard place < numbers.count, numbers[place] == number else { return }
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
        let firstWaiting = max(place, calls.partitionPoint { $0 > now })
        for waiting in firstWaiting..<max(firstWaiting, calls.count) {
            calls[waiting] = call(of: waiting)
        }
    }

    /// Tickets presumed to be called later than `moment`.
    func waiting(at moment: Moment) -> Int {
        calls.count - calls.partitionPoint { $0 > moment.milliseconds }
    }

    /// The presumed call of one more ticket, with `ahead` others confirmed at `moment` before it.
    func nextCall(at moment: Moment, ahead: Int) -> Moment {
        // With everyone confirmed now, call(j) = max(now, last, call(j - C) + S) for every j past the
        // end, as the calls in between cannot be later; so only every C-th place is looked at.
        let floor = max(moment.milliseconds, calls.last ?? .min)
        let rounds = ahead / capacity
        let first = calls.count + ahead - (rounds + 1) * capacity
        var call = first >= 0 ? max(floor, calls[first] + stay) : floor
        for _ in 0..<rounds { call = max(floor, call + stay) }
        return Moment(milliseconds: call)
    }

    /// Departures that must still happen before one more ticket, behind `ahead` others, can be called.
    func departuresNeeded(at moment: Moment, ahead: Int) -> Int {
        let left = calls.partitionPoint { $0 > moment.milliseconds - stay }
        return max(0, calls.count + ahead + 1 - capacity - left)
    }

    private func call(of place: Int) -> Int64 {
        var call = confirmed[place]
        // A clock set back must not unsort the queue.
        if place > 0 { call = max(call, calls[place - 1]) }
        if place >= capacity { call = max(call, calls[place - capacity] + stay) }
        return call
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
