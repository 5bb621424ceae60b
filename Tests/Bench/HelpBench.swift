import BackendAPI
import Glibc
import Reservations
import TestSupport

/// The time from a customer's call for help to its message at eight pages, compared with a held place of the same
/// machine, which is stored in the same way.
enum HelpBench {
    private static let pages = 8
    private static let calls = 200
    /// The pause between two calls: people cause them, not machines.
    private static let pauseMicroseconds: UInt32 = 20_000

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let shop = try BenchShop(workspace, name: "help")
        let machineKey = try shop.add(1, "machine")[0]
        let keys = try shop.add(pages, "office", role: .staff)
        shop.awaitAllowList()
        Progress.say("help: \(calls) calls to \(pages) pages ...")
        let screens = try keys.map { try DisplayConnection(shop, key: $0) }
        let machine = try DeviceConnection("machine", port: shop.port, key: machineKey)
        var first = BenchSamples()
        var last = BenchSamples()
        var holds = BenchSamples()
        for _ in 0..<calls {
            usleep(pauseMicroseconds)
            let place = try holds.time {
                try machine.call(API.holds, HoldRequest(kind: .ticket)).reply()
            }
            _ = try machine.call(API.hold, of: place.id)
            let start = Clock.monotonic
            let call = try machine.call(API.help).reply()
            let times = try DisplayConnection.times(
                until: call.id, isShownAt: screens, since: start)
            first.add(times.min() ?? 0)
            last.add(times.max() ?? 0)
            _ = try machine.call(API.helpCall, of: call.id, HelpEnding(.mistake))
        }
        report.time("help.page-p50", 50, of: first)
        report.time(
            "help.page-p99", 99, of: first,
            floor: ("a place that is held for the same machine", holds), budget: .atMost(300))
        report.time("help.last-page-p99", 99, of: last)
    }
}
