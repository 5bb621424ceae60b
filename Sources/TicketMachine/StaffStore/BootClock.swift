internal import Glibc

/// Time since the system started, including sleep, and an identifier of that start. No user can set either.
public struct BootClock: Sendable {
    public var now: @Sendable () -> Duration
    public var boot: @Sendable () -> String

    /// CLOCK_BOOTTIME and the kernel's boot_id (random(4)).
    public static let system = BootClock(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        },
        boot: {
            guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return "" }
            defer { fclose(file) }
            var text = [CChar](repeating: 0, count: 64)
            guard fgets(&text, Int32(text.count), file) != nil else { return "" }
            return String(
                decoding: text.prefix { $0 > 32 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        })
}
