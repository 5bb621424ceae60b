/// The visits of a day, held and confirmed, each from its slot on for as long as it is expected to take.
///
/// Times are milliseconds since 1970. Only the moments at which visitors come or leave are kept, with how many: slots begin
/// at quarters of an hour and stays are whole minutes, so that they are a few hundred on a day, whatever the number of
/// visits.
struct VisitBook: Hashable, Sendable {
    /// A moment at which visitors come or leave.
    struct Step: Hashable, Sendable {
        let time: Int64
        var come = 0
        var leave = 0
    }

    /// In the order of their times; none without visitors.
    private(set) var steps: [Step] = []

    mutating func add(_ visit: Range<Int64>) {
        guard !visit.isEmpty else { return }
        change(at: visit.lowerBound) { $0.come += 1 }
        change(at: visit.upperBound) { $0.leave += 1 }
    }

    /// Removes a visit that was added, with its start and its end; does nothing if there is no such visit.
    mutating func remove(_ visit: Range<Int64>) {
        guard !visit.isEmpty, step(at: visit.lowerBound)?.come ?? 0 > 0,
            step(at: visit.upperBound)?.leave ?? 0 > 0
        else { return }
        change(at: visit.lowerBound) { $0.come -= 1 }
        change(at: visit.upperBound) { $0.leave -= 1 }
    }

    private func step(at time: Int64) -> Step? {
        let place = steps.partitionPoint { $0.time >= time }
        return place < steps.count && steps[place].time == time ? steps[place] : nil
    }

    private mutating func change(at time: Int64, _ change: (inout Step) -> Void) {
        let place = steps.partitionPoint { $0.time >= time }
        var step = Step(time: time)
        let isKnown = place < steps.count && steps[place].time == time
        if isKnown { step = steps.remove(at: place) }
        change(&step)
        if step.come > 0 || step.leave > 0 { steps.insert(step, at: place) }
    }
}

/// How many visitors are inside at each moment: made once for many questions.
struct VisitCounts {
    private let times: [Int64]
    /// The number of visitors from the time of the same index on.
    private let counts: [Int]

    /// - Parameter books: Those of the days whose visitors meet.
    init(_ books: [VisitBook]) {
        var steps = books.first?.steps ?? []
        if books.count > 1 { steps = books.flatMap(\.steps).sorted { $0.time < $1.time } }
        var (times, counts): ([Int64], [Int]) = ([], [])
        var inside = 0
        for step in steps {
            inside += step.come - step.leave
            if times.last == step.time {
                counts[counts.count - 1] = inside
            } else {
                times.append(step.time)
                counts.append(inside)
            }
        }
        (self.times, self.counts) = (times, counts)
    }

    /// The highest number of visitors inside at any time of `range`.
    func peak(in range: Range<Int64>) -> Int {
        guard !range.isEmpty else { return 0 }
        var place = times.partitionPoint { $0 > range.lowerBound }
        var peak = place > 0 ? counts[place - 1] : 0
        while place < times.count, times[place] < range.upperBound {
            peak = max(peak, counts[place])
            place += 1
        }
        return peak
    }
}
