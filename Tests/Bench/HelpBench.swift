import BackendAPI
import Cryptography
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
    private static let answerTimeoutMs: Int32 = 10_000

    static func run(_ options: Options, _ report: Report) throws {
        let workspace = try Workspace(options)
        defer { workspace.remove() }
        let shop = try BenchShop(workspace, name: "help")
        defer { shop.end() }
        let keys = try (0..<pages).map { _ in try SigningKey.generate() }
        let machineKey = try SigningKey.generate()
        try shop.add(machine: "machine", key: machineKey.publicKey.text)
        for (index, key) in keys.enumerated() {
            try shop.add(page: "office-\(index)", key: key.publicKey.text, role: .staff)
        }
        shop.awaitAllowList()
        Progress.say("help: \(calls) calls to \(pages) pages ...")
        let screens = try keys.map { try DisplayConnection(shop, key: $0) }
        let machine = try DeviceConnection("machine", port: shop.port, key: machineKey)
        var first = BenchSamples()
        var last = BenchSamples()
        var holds = BenchSamples()
        for _ in 0..<calls {
            usleep(pauseMicroseconds)
            let held = Clock.monotonic
            let place = try machine.call(API.holds, HoldRequest(kind: .ticket)).reply()
            holds.add(Clock.monotonic - held)
            _ = try machine.call(API.hold, of: place.id)
            let start = Clock.monotonic
            let call = try machine.call(API.help).reply()
            var times: [Int64] = []
            while times.count < screens.count {
                try DisplayConnection.wait(for: screens, within: answerTimeoutMs)
                times = screens.compactMap { $0.shown[call.id.rawValue] }.map { $0 - start }
            }
            first.add(times.min() ?? 0)
            last.add(times.max() ?? 0)
            _ = try machine.call(API.helpCall, of: call.id, HelpEnding(.mistake))
        }
        let peer = "a place that is held for the same machine"
        report.figure("help.page-p50", first.milliseconds(50), "ms", n: first.count)
        report.figure(
            "help.page-p99", first.milliseconds(99), "ms",
            floor: Floor(peer, holds.milliseconds(99)),
            budget: .atMost(300), n: first.count)
        report.figure("help.last-page-p99", last.milliseconds(99), "ms", n: last.count)
    }
}
