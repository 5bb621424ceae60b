import FoundationEssentials

/// What all processors together have done so far: the first line of /proc/stat (proc(5)).
struct ProcessorTime {
    private var all: Double = 0
    private var idle: Double = 0

    init() {
        let text = FileManager.default.contents(atPath: "/proc/stat") ?? Data()
        let numbers = String(decoding: text.prefix(512), as: UTF8.self)
            .prefix { !$0.isNewline }.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard numbers.count >= 8 else { return }
        // User, nice, system, idle, waiting for a disk, interrupts, soft ones, stolen.
        all = numbers.prefix(8).reduce(0, +)
        idle = numbers[3] + numbers[4]
    }

    /// Per cent of all processors that were used.
    func busy(since start: ProcessorTime) -> Double {
        let passed = all - start.all
        return passed > 0 ? 100 * (passed - (idle - start.idle)) / passed : 0
    }
}
