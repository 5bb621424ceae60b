/// The visits of a day, held and confirmed, each from its slot on for its usual stay.
///
/// Times are milliseconds since 1970. Starts and ends are sorted separately: to count the visitors inside, it is enough
/// to know how many have come and how many have left.
struct VisitBook: Hashable, Sendable {
    private var starts: [Int64] = []
    private var ends: [Int64] = []

    mutating func add(_ visit: Range<Int64>) {
        guard !visit.isEmpty else { return }
        starts.insert(visit.lowerBound, at: starts.partitionPoint { $0 > visit.lowerBound })
        ends.insert(visit.upperBound, at: ends.partitionPoint { $0 > visit.upperBound })
    }

    /// Removes a visit that was added, with its start and its end; does nothing if there is no such visit.
    mutating func remove(_ visit: Range<Int64>) {
        let start = starts.partitionPoint { $0 >= visit.lowerBound }
        let end = ends.partitionPoint { $0 >= visit.upperBound }
        guard start < starts.count, starts[start] == visit.lowerBound, end < ends.count,
            ends[end] == visit.upperBound
        else { return }
        starts.remove(at: start)
        ends.remove(at: end)
    }

    /// The number of visitors inside at `time`, and the time until which it stays the same.
    func step(at time: Int64) -> (count: Int, until: Int64) {
        let come = starts.partitionPoint { $0 > time }
        let left = ends.partitionPoint { $0 > time }
        return (
            come - left,
            min(come < starts.count ? starts[come] : .max, left < ends.count ? ends[left] : .max)
        )
    }

    /// The highest number of visitors inside at any time of `range`.
    func peak(in range: Range<Int64>) -> Int {
        var peak = 0
        var time = range.lowerBound
        while time < range.upperBound {
            let step = step(at: time)
            peak = max(peak, step.count)
            time = step.until
        }
        return peak
    }
}
