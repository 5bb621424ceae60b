import Glibc

/// Clocks in nanoseconds (clock_gettime(2)).
enum Clock {
    static var monotonic: Int64 { read(CLOCK_MONOTONIC) }
    static var thread: Int64 { read(CLOCK_THREAD_CPUTIME_ID) }
    static var process: Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }
    static var real: Int64 { read(CLOCK_REALTIME) }

    static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Durations in nanoseconds, and the statistics that their number allows.
struct BenchSamples {
    private var sorted: [Int64] = []
    private var unsorted: [Int64] = []

    var count: Int { sorted.count + unsorted.count }

    mutating func add(_ nanoseconds: Int64) { unsorted.append(nanoseconds) }

    /// The sample that this many of a hundred do not exceed (nearest rank); with fewer than a hundred samples the 99th
    /// is the slowest one.
    mutating func percentile(_ percent: Double) -> Double {
        if !unsorted.isEmpty {
            sorted = (sorted + unsorted).sorted()
            unsorted = []
        }
        guard !sorted.isEmpty else { return 0 }
        let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
        return Double(sorted[max(0, min(sorted.count - 1, rank - 1))])
    }

    mutating func milliseconds(_ percent: Double) -> Double { percentile(percent) / 1e6 }

    /// Runs `body` this many times, after one run that does not count.
    static func of(_ count: Int, _ body: () throws -> Void) rethrows -> BenchSamples {
        var samples = BenchSamples()
        try body()
        for _ in 0..<count {
            let start = Clock.monotonic
            try body()
            samples.add(Clock.monotonic - start)
        }
        return samples
    }
}
