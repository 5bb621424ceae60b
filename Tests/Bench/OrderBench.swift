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
/// the time from an arrival to the pages of eight desks (rules: order-arrivals, order-desks).
enum OrderBench {
    private static let repetitions = 300
    private static let few = 1_000
    private static let desks = 8
    private static let machines = 5
    /// As many customers as five machines may serve at once; a page shows a hundred orders.
    private static let arrivals = 75

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let many = try workspace.options.number("orders", standard: PickupOrder.maxOpen)
        var sides: [(client: BackendClient, orders: [ServedOrder], shop: BenchShop)] = []
        for (name, count) in [("few", few), ("many", many)] {
            Progress.say("orders: \(count) of a shop are announced ...")
            let shop = try BenchShop(workspace, name: name, settings: ["--desks", "20"])
            let client = try shop.client(shop.addMachines(1)[0])
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
        report.time(
            "orders.look-up-p50", 50, of: lookUps[1], floor: (beside, lookUps[0]),
            budget: .atMost(1.2 * lookUps[0].milliseconds(50)))
        report.time("orders.look-up-p99", 99, of: lookUps[1], floor: (beside, lookUps[0]))
        report.time("orders.arrival-p50", 50, of: arrivals[1], floor: (beside, arrivals[0]))
        try measureDesks(sides[1].shop, sides[1].orders, report)
    }

    /// Customers come at five machines, and eight desks look on.
    private static func measureDesks(
        _ shop: BenchShop, _ orders: [ServedOrder], _ report: Report
    ) throws {
        let machines = try shop.add(machines, "door").map {
            try DeviceConnection("door", port: shop.port, key: $0)
        }
        let keys = try shop.add(desks, "desk", role: .desk)
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
            let times = try DisplayConnection.times(
                until: order.order, isShownAt: pages, since: start)
            last.add(times.max() ?? 0)
        }
        report.time(
            "orders.desk-page-p99", 99, of: last, floor: ("the answer to the machine", answers),
            budget: .atMost(1_000))
        report.time("orders.desk-page-p50", 50, of: last)
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
    ) throws -> [ServedOrder] {
        let now = Date().formatted(.iso8601)
        let lines = (0..<count).map { "order-\($0),\(now),small@A3 medium@B\($0 % 100)\n" }
        let file = "\(workspace.directory)/orders.csv"
        try ("reference,promised,parcels\n" + lines.joined())
            .write(toFile: file, atomically: true, encoding: .utf8)
        let output = try Tool.succeedBlocking(
            workspace.program("clup-backend"),
            ["order", "import", file, "--database", shop.database, "--shop", shop.shop])
        return try output.split(separator: "\n").map {
            try JSONDecoder().decode(ServedOrder.self, from: Data($0.utf8))
        }
    }
}
