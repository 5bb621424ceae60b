import Cryptography
import Glibc

/// Many machines that take tickets, or make other calls, as fast as they are answered, in one thread.
enum LoadGenerator {
    /// The result for one number of machines.
    struct Result {
        /// Tickets, or other calls, that were answered while counting.
        var tickets = 0
        /// All tickets, including those before and after the counting.
        var acknowledged: [TicketNumber] = []
        /// The size of the bodies of the last answers, for the comparison with SQLite alone.
        var holdBytes = 0
        var confirmationBytes = 0
        var wall: Int64 = 0
        var backendCPU: Int64 = 0
        /// How often a thread of the backend gave up its processor, or lost it.
        var backendSwitches = 0
        var generatorCPU: Int64 = 0
        var latencies = BenchSamples()
        /// The share of all processors that any process used meanwhile, in per cent.
        var busy = 0.0
        /// Milliseconds since 1970 between which the tickets were counted.
        var from: Int64 = 0
        var to: Int64 = 0

        var perSecond: Double { Double(tickets) / (Double(wall) / 1e9) }
        /// CPU milliseconds of the backend, or of what does its work alone, for one of them.
        var backendCPUEach: Double { Double(backendCPU) / 1e6 / Double(max(1, tickets)) }
    }

    /// The time before counting begins, in which connections are made and caches are filled.
    private static let warmUpNanoseconds: Int64 = 1_000_000_000

    /// Keeps every machine busy for this long.
    ///
    /// - Parameters:
    ///   - keys: of the machines, each of which has a connection of its own.
    ///   - name: of the load, another one for each load of a shop.
    static func run(
        _ shop: BenchShop, _ keys: some Sequence<SigningKey>, name: String,
        _ work: MachineWork = .tickets, seconds: Int
    ) throws -> Result {
        let machines = try keys.enumerated().map {
            try MachineConnection(shop, name: "\(name)-\($0.offset)", key: $0.element)
        }
        let backend = shop.process
        var result = Result()
        var polled = machines.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let begin = Clock.monotonic + warmUpNanoseconds
        let end = begin + Int64(seconds) * 1_000_000_000
        var processors = ProcessorTime()
        var isCounting = false
        var isEnding = false
        for machine in machines { try machine.begin(work) }
        while machines.contains(where: \.isBusy) {
            guard poll(&polled, nfds_t(polled.count), 5_000) > 0 else {
                throw BenchError("the backend has not answered anybody for five seconds")
            }
            for index in polled.indices where polled[index].revents != 0 {
                let done = try machines[index].received()
                if let done {
                    if let ticket = done.ticket { result.acknowledged.append(ticket) }
                    if isCounting {
                        result.tickets += 1
                        result.latencies.add(done.nanoseconds)
                    }
                }
                if done != nil, !isEnding { try machines[index].begin(work) }
            }
            let now = Clock.monotonic
            if !isCounting, !isEnding, now >= begin {
                isCounting = true
                result.from = Clock.real / 1_000_000
                result.wall = -now
                processors = ProcessorTime()
                result.backendCPU = -backend.cpuNanoseconds
                result.backendSwitches = -backend.contextSwitches
                result.generatorCPU = -Clock.process
            }
            if isCounting, now >= end {
                isCounting = false
                isEnding = true
                result.to = Clock.real / 1_000_000
                result.wall += now
                result.busy = ProcessorTime().busy(since: processors)
                result.backendCPU += backend.cpuNanoseconds
                result.backendSwitches += backend.contextSwitches
                result.generatorCPU += Clock.process
            }
        }
        result.holdBytes = machines.first?.holdBytes ?? 0
        result.confirmationBytes = machines.first?.confirmationBytes ?? 0
        return result
    }
}
