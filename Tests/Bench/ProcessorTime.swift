import FoundationEssentials
import TestSupport

/// The time that all processors together have spent so far: the first line of /proc/stat (proc(5)).
struct ProcessorTime {
    private var all: Double = 0
    private var idle: Double = 0

    init() {
        let text = FileManager.default.contents(atPath: "/proc/stat") ?? Data()
        let numbers = String(decoding: text.prefix(512), as: UTF8.self)
            .prefix { !$0.isNewline }.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard numbers.count >= 8 else { return }
        // The fields are user, nice, system, idle, waiting for a disk, interrupts, soft interrupts, stolen.
        all = numbers.prefix(8).reduce(0, +)
        idle = numbers[3] + numbers[4]
    }

    /// The share of all processors that was used, in per cent.
    func busy(since start: ProcessorTime) -> Double {
        let passed = all - start.all
        return passed > 0 ? 100 * (passed - (idle - start.idle)) / passed : 0
    }
}

extension RunningProgram {
    /// Peak resident memory so far, in MiB.
    var peakMemory: Double { Double(peakKilobytes) / 1_024 }

    /// Resident memory now, in MiB.
    var presentMemory: Double { Double(residentKilobytes) / 1_024 }
}
