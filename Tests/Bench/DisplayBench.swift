import Glibc

/// The time from a call to the number on every one of 200 displays, compared with the same bytes over plain sockets.
enum DisplayBench {
    private static let displays = 200
    /// The number of sockets that the backend keeps open for one key.
    private static let socketsPerKey = 4
    private static let calls = 100
    /// The pause between two calls: people cause them, not machines.
    private static let pauseMicroseconds: UInt32 = 100_000
    private static let answerTimeoutMs: Int32 = 10_000

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let shop = try BenchShop(workspace, name: "displays")
        let machineKey = try shop.add(1, "machine")[0]
        let keys = try shop.add(displays / socketsPerKey, "display", role: .display)
        shop.awaitAllowList()
        Progress.say("displays: \(calls) calls to \(displays) displays ...")
        let screens = try (0..<displays).map {
            try DisplayConnection(shop, key: keys[$0 / socketsPerKey])
        }
        let machine = try MachineConnection(shop, name: "machine", key: machineKey)
        var samples = BenchSamples()
        var last = BenchSamples()
        var floor = BenchSamples()
        let bare = try SocketPairs(displays)
        for _ in 0..<calls {
            usleep(pauseMicroseconds)
            let (each, bytes) = try call(machine, screens)
            for nanoseconds in each { samples.add(nanoseconds) }
            last.add(each.max() ?? 0)
            floor.add(try bare.echo(bytes))
        }
        let same = "the same bytes through as many bare socket pairs, the last one"
        report.time("displays.call-p50", 50, of: samples)
        report.time(
            "displays.call-p99", 99, of: samples, floor: (same, floor), budget: .atMost(100))
        report.time("displays.last-p50", 50, of: last, floor: (same, floor))
        report.figure("displays.memory", shop.process.peakMemory, "MiB")
    }

    /// The time from the sending of the confirmation that causes the call until each display has the whole message with
    /// its number, which includes the commit. Also returns the bytes of the message.
    private static func call(
        _ machine: MachineConnection, _ screens: [DisplayConnection]
    ) throws -> ([Int64], Int) {
        try machine.takeTicket()
        try wait([machine.descriptor]) { _ in }
        let start = Clock.monotonic
        _ = try machine.received()
        var number: Int?
        var arrived: [Int: [Int64]] = [:]
        var quoted = Array(repeating: 0, count: screens.count)
        while number.map({ number in quoted.contains { $0 < number } }) ?? true {
            try wait([machine.descriptor] + screens.map(\.descriptor)) { index in
                if index == 0 {
                    number = try machine.received()?.ticket?.number ?? number
                } else {
                    let screen = screens[index - 1]
                    try screen.read()
                    guard screen.newest != quoted[index - 1] else { return }
                    quoted[index - 1] = screen.newest
                    arrived[screen.newest, default: []].append(Clock.monotonic - start)
                }
            }
        }
        return (number.flatMap { arrived[$0] } ?? [], screens[0].messageBytes)
    }

    /// Waits until something can be read (poll(2)) and passes on the index.
    private static func wait(_ descriptors: [Int32], _ body: (Int) throws -> Void) throws {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), answerTimeoutMs) > 0 else {
            throw BenchError("a call did not come to every display in time")
        }
        for (index, one) in polled.enumerated() where one.revents != 0 { try body(index) }
    }
}

/// Connected sockets of this process alone.
private final class SocketPairs {
    private var pairs: [(Int32, Int32)] = []

    init(_ count: Int) throws {
        for _ in 0..<count {
            var ends: [Int32] = [0, 0]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
                throw BenchError.system("socketpair")
            }
            pairs.append((ends[0], ends[1]))
        }
    }

    deinit { for (one, other) in pairs { close(one); close(other) } }

    /// Nanoseconds until this many bytes went through every pair.
    func echo(_ count: Int) throws -> Int64 {
        let sent = [UInt8](repeating: 0x41, count: count)
        var got = [UInt8](repeating: 0, count: count)
        let start = Clock.monotonic
        for (one, _) in pairs {
            guard send(one, sent, count, Int32(MSG_NOSIGNAL)) == count else {
                throw BenchError.system("send")
            }
        }
        for (_, other) in pairs {
            guard recv(other, &got, count, Int32(MSG_WAITALL)) == count else {
                throw BenchError.system("recv")
            }
        }
        return Clock.monotonic - start
    }
}
