import BackendAPI
import BackendClient
import Cryptography
import FoundationEssentials
import Glibc
import KioskFlow
import KioskRuntime
import Reservations
import TestSupport

/// Look-ups and arrivals for orders that customers collect, beside few orders and beside as many as a shop may have, and
/// the time from an arrival to the pages of eight desks (rules 41).
enum OrderBench {
    private static let repetitions = 300
    private static let few = 1_000
    private static let desks = 8
    private static let machines = 5
    /// As many customers as five machines may serve at once; a page shows a hundred orders.
    private static let arrivals = 75
    private static let answerTimeoutMs: Int32 = 10_000

    private struct Announced: Decodable {
        let order: OrderID
        let code: PickupCode
    }

    static func run(_ options: Options, _ report: Report) throws {
        let workspace = try Workspace(options)
        defer { workspace.remove() }
        let many = try options.number("orders", standard: PickupOrder.maxOpen)
        var sides: [(client: BackendClient, orders: [Announced], shop: BenchShop)] = []
        defer { for side in sides { side.shop.end() } }
        for (name, count) in [("few", few), ("many", many)] {
            Progress.say("orders: \(count) of a shop are announced ...")
            let shop = try BenchShop(workspace, name: name, settings: ["--desks", "20"])
            let signer = RequestSigner(key: try shop.addMachines(1)[0])
            let client = BackendClient(servers: try BackendServers(shop.url)) { request in
                signer.sign(
                    request, created: Clock.real / 1_000_000_000,
                    nonce: RequestSigner.makeNonce())
            }
            let began = Clock.monotonic
            let orders = try announce(count, in: shop, workspace)
            report.figure(
                "orders.import.\(count)", Double(Clock.monotonic - began) / 1e9, "s", n: count)
            sides.append((client, orders, shop))
        }
        // In turns, so that other load of the computer meets both.
        var lookUps = [BenchSamples(), BenchSamples()]
        var arrivals = [BenchSamples(), BenchSamples()]
        for number in 0..<repetitions {
            for side in number.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                let (client, orders, _) = sides[side]
                let order = orders[(number * 7_919) % orders.count]
                let code = PresentedOrderCode.entry(order.code)
                lookUps[side].add(
                    try time { _ = try await client.lookUpOrder(code, key()).get() })
                // A machine's limit lets few customers arrive in a burst.
                guard number.isMultiple(of: repetitions / 20) else { continue }
                arrivals[side].add(
                    try time { _ = try await client.arrive(order.order, code, key()).get() })
            }
        }
        let beside = "beside \(few) orders"
        let floor = lookUps[0].milliseconds(50)
        report.figure(
            "orders.look-up-p50", lookUps[1].milliseconds(50), "ms",
            floor: Floor(beside, floor), budget: .atMost(1.2 * floor), n: repetitions)
        report.figure(
            "orders.look-up-p99", lookUps[1].milliseconds(99), "ms",
            floor: Floor(beside, lookUps[0].milliseconds(99)), n: repetitions)
        report.figure(
            "orders.arrival-p50", arrivals[1].milliseconds(50), "ms",
            floor: Floor(beside, arrivals[0].milliseconds(50)), n: 20)
        try measureDesks(sides[1].shop, sides[1].orders, report)
    }

    /// Customers come at five machines, and eight desks look on.
    private static func measureDesks(
        _ shop: BenchShop, _ orders: [Announced], _ report: Report
    ) throws {
        let machines = try (0..<machines).map { index in
            let key = try SigningKey.generate()
            try shop.add(machine: "door-\(index)", key: key.publicKey.text)
            return try DeviceConnection("door-\(index)", port: shop.port, key: key)
        }
        let keys = try (0..<desks).map { _ in try SigningKey.generate() }
        for (index, key) in keys.enumerated() {
            try shop.add(page: "desk-\(index)", key: key.publicKey.text, role: .desk)
        }
        shop.awaitAllowList()
        Progress.say("orders: \(arrivals) customers come, and \(desks) desks look on ...")
        let pages = try keys.map { try DisplayConnection(shop, key: $0) }
        var answers = BenchSamples()
        var last = BenchSamples()
        // From the end: the orders in front have been asked for already.
        for (number, order) in orders.suffix(arrivals).enumerated() {
            let start = Clock.monotonic
            let came = try machines[number % machines.count].call(
                API.orderArrival, of: order.order, CodeRequest(code: order.code.rawValue))
            guard came.status == 201 else { throw BenchError("no arrival: \(came.status)") }
            answers.add(Clock.monotonic - start)
            var times: [Int64] = []
            while times.count < pages.count {
                try DisplayConnection.wait(for: pages, within: answerTimeoutMs)
                times = pages.compactMap { $0.shown[order.order.rawValue] }.map { $0 - start }
            }
            last.add(times.max() ?? 0)
        }
        report.figure(
            "orders.desk-page-p99", last.milliseconds(99), "ms",
            floor: Floor("the answer to the machine", answers.milliseconds(99)),
            budget: .atMost(1_000), n: last.count)
        report.figure("orders.desk-page-p50", last.milliseconds(50), "ms", n: last.count)
    }

    private static func key() -> AttemptKey { AttemptKey("o-\(RequestSigner.makeNonce())") }

    private static func time(_ body: @escaping @Sendable () async throws -> Void) throws -> Int64 {
        try waitFor {
            let asked = Clock.monotonic
            try await body()
            return Clock.monotonic - asked
        }
    }

    private static func announce(
        _ count: Int, in shop: BenchShop, _ workspace: Workspace
    ) throws -> [Announced] {
        let now = Date().formatted(.iso8601)
        let lines = (0..<count).map { "order-\($0),\(now),small@A3 medium@B\($0 % 100)\n" }
        let file = "\(workspace.directory)/orders.csv"
        try ("reference,promised,parcels\n" + lines.joined())
            .write(toFile: file, atomically: true, encoding: .utf8)
        let output = try Tool.succeedBlocking(
            workspace.program("clup-backend"),
            ["order", "import", file, "--database", shop.database, "--shop", shop.shop])
        return try output.split(separator: "\n").map {
            try JSONDecoder().decode(Announced.self, from: Data($0.utf8))
        }
    }
}
