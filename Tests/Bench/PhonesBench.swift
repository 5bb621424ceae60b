import BackendAPI
import Cryptography
import Glibc
import Reservations
import TestSupport

/// Thousands of pages of places open on one server: their memory, how soon they hear of a call, and what they cost the
/// machines beside them.
enum PhonesBench {
    private static let shops = 10
    /// The people that a shop lets in at once; all of these places are taken.
    private static let capacity = 20
    private static let calls = 200
    /// The pause between two calls of a shop.
    private static let pauseMs: Int32 = 100
    private static let answerTimeoutMs: Int64 = 10_000

    /// A place with its page.
    private struct Follower {
        let number: QueueNumber
        let capability: Capability
        var phone: PhoneConnection?
    }

    private struct Site {
        let machine: DeviceConnection
        /// The numbers that are called and have not entered, the oldest first.
        var called: [QueueNumber]
        /// Those that wait, in the order of their numbers.
        var waiting: [Follower]
    }

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let seconds = try workspace.options.number("seconds", standard: 5)
        let pages = try workspace.options.number("pages", standard: 5_000)
        try raiseOpenFiles(to: UInt(pages + 200))
        let reserved = try ReservedPort()
        let shop = try BenchShop(
            workspace, name: "phones",
            more: ["--assets", workspace.assets, "--phones", reserved.address])
        try JoinBench.run(shop, phones: reserved.number, report)
        let loadKeys = try shop.addMachines(8)
        var sites = try makeSites(shop, pages: pages / Self.shops)

        let alone = try load(shop, loadKeys, "alone", seconds: seconds, phones: [])
        let before = shop.process.presentMemory
        Progress.say("phones: opening \(pages) pages ...")
        let start = Clock.monotonic
        for site in sites.indices {
            for place in sites[site].waiting.indices {
                sites[site].waiting[place].phone = try PhoneConnection(
                    sites[site].waiting[place].capability, port: reserved.number)
            }
        }
        let opened = Clock.monotonic - start
        var phones: [PhoneConnection] { sites.flatMap { $0.waiting.compactMap(\.phone) } }
        let all = phones
        try PhoneConnection.read(all, within: 1_000)
        let after = shop.process.presentMemory
        report.figure(
            "phones.memory", after - before, "MiB", floor: Floor("the server before", before),
            budget: .atMost(200), n: all.count)
        report.figure(
            "phones.open", Double(opened) / 1e6 / Double(max(1, all.count)), "ms", n: all.count)

        Progress.say("phones: \(calls) calls ...")
        var samples = BenchSamples()
        for call in 0..<calls {
            samples.add(try callNext(&sites[call % Self.shops], all))
            try PhoneConnection.read(all, within: pauseMs)
        }
        report.times("phones.call", of: samples, budget: .atMost(2_000))

        let beside = try load(shop, loadKeys, "beside", seconds: seconds, phones: all)
        report.time(
            "phones.ticket-p50", 50, of: beside.latencies,
            floor: ("tickets of the same machines before any page was open", alone.latencies))
        report.figure(
            "phones.slower", (1 - beside.perSecond / alone.perSecond) * 100, "%",
            budget: .atMost(20), n: beside.tickets)
    }

    /// Shops that are full, with so many tickets that wait.
    private static func makeSites(_ shop: BenchShop, pages: Int) throws -> [Site] {
        // Each page shows what it costs to let people go ahead.
        let machines = try shop.addShops(
            shops, tag: { "PH\($0)0" }, capacity: capacity, stay: 30,
            settings: ["--delays", "yes"])
        return try machines.map { machine in
            var called: [QueueNumber] = []
            var waiting: [Follower] = []
            for taken in 0..<(capacity + pages) {
                let ticket = try machine.ticket()
                guard let capability = ticket.link.flatMap({ Capability(link: $0) }) else {
                    throw BenchError("a ticket has no link")
                }
                if taken < capacity {
                    called.append(ticket.number)
                } else {
                    waiting.append(Follower(number: ticket.number, capability: capability))
                }
            }
            return Site(machine: machine, called: called, waiting: waiting)
        }
    }

    /// Deletes a called place of a shop, and measures the time until the page of the next one hears of its call.
    private static func callNext(
        _ site: inout Site, _ phones: [PhoneConnection]
    ) throws -> Int64 {
        guard let phone = site.waiting.first?.phone else { throw BenchError("no page is left") }
        let start = Clock.monotonic
        let answer = try site.machine.call(
            API.staffActions, StaffActionRequest(.delete, number: site.called.removeFirst()))
        guard answer.status == 200 || answer.status == 204 else {
            throw BenchError("the staff could not delete a number: \(answer.status)")
        }
        while phone.called == nil {
            guard Clock.monotonic - start < answerTimeoutMs * 1_000_000 else {
                throw BenchError("a page has not heard of its call")
            }
            try PhoneConnection.read(phones, within: 10)
        }
        site.called.append(site.waiting.removeFirst().number)
        return (phone.called ?? Clock.monotonic) - start
    }

    /// Tickets of eight machines of another shop, while the pages get what comes every ten seconds.
    private static func load(
        _ shop: BenchShop, _ keys: [SigningKey], _ name: String, seconds: Int,
        phones: [PhoneConnection]
    ) throws -> LoadGenerator.Result {
        Progress.say("phones: tickets of \(keys.count) machines, \(phones.count) pages open ...")
        let result = try LoadGenerator.run(shop, keys, name: name, seconds: seconds)
        // What has come meanwhile takes several reads.
        for _ in 0..<4 { try PhoneConnection.read(phones, within: 0) }
        return result
    }

    /// Lets this program have so many files open (setrlimit(2)).
    private static func raiseOpenFiles(to count: UInt) throws {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        guard limit.rlim_max >= count else {
            throw BenchError("this program may open \(limit.rlim_max) files only (ulimit -Hn)")
        }
        limit.rlim_cur = max(limit.rlim_cur, count)
        guard setrlimit(resource, &limit) == 0 else { throw BenchError.system("setrlimit") }
    }
}
