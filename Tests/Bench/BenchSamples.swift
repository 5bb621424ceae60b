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

extension Clock {
    /// CPU nanoseconds of the body on the average of so many times, after one that does not count.
    static func work(of count: Int, _ body: () throws -> Void) rethrows -> Double {
        try body()
        let begin = thread
        for _ in 0..<count { try body() }
        return Double(thread - begin) / Double(count)
    }
}

/// Durations in nanoseconds, and the statistics that their number allows.
struct BenchSamples {
    private var all: [Int64] = []

    var count: Int { all.count }

    mutating func add(_ nanoseconds: Int64) { all.append(nanoseconds) }

    /// Adds the time that the body takes.
    mutating func time<Value>(_ body: () throws -> Value) rethrows -> Value {
        let start = Clock.monotonic
        defer { add(Clock.monotonic - start) }
        return try body()
    }

    /// The sample that this many of a hundred do not exceed (nearest rank); with fewer than a hundred samples the 99th
    /// is the slowest one.
    func percentile(_ percent: Double) -> Double {
        guard !all.isEmpty else { return 0 }
        let rank = Int((percent / 100 * Double(all.count)).rounded(.up))
        return Double(all.sorted()[max(0, min(all.count - 1, rank - 1))])
    }

    func milliseconds(_ percent: Double) -> Double { percentile(percent) / 1e6 }

    /// Runs `body` this many times, after one run that does not count.
    static func of(_ count: Int, _ body: () throws -> Void) rethrows -> BenchSamples {
        var samples = BenchSamples()
        try body()
        for _ in 0..<count { try samples.time(body) }
        return samples
    }
}
