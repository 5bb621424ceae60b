import BackendAPI
import Glibc
import HTTPServer
import SQLite
import Synchronization
import TestSupport

/// How fast a server sends the notices that wait for it, to a push service on this computer.
enum NoticeBench {
    private static let browsers = 3
    /// The bytes of an encrypted notice are the same for all; so many are sent for the floor.
    private static let floorPosts = 2_000
    private static let timeoutSeconds = 120

    /// A push service that takes everything.
    private final class Service: Sendable {
        struct Taken {
            var endpoints: Set<String> = []
            var first: Int64 = 0
            var last: Int64 = 0
            /// The bytes of the last body.
            var bytes = 0
            /// All requests, also those for the same browser again.
            var requests = 0
        }

        private let content = Mutex(Taken())

        var taken: Taken { content.withLock { $0 } }
        var count: Int { content.withLock { $0.endpoints.count } }

        func take(_ request: WireRequest) {
            let now = Clock.monotonic
            content.withLock { content in
                if content.endpoints.isEmpty { content.first = now }
                content.endpoints.insert(request.path)
                content.last = now
                content.bytes = request.body.count
                content.requests += 1
            }
        }
    }

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let count = try workspace.options.number("notices", standard: 10_000)
        let service = Service()
        let http = try HTTPServer(listen: .tcp(address: "127.0.0.1", port: 0)) { request, respond in
            service.take(request)
            respond(WireResponse(status: 201, fields: [:]))
        }
        defer { http.stop() }
        guard case .tcp(_, let port) = http.address else { return }
        let phones = try ReservedPort()
        let shop = try BenchShop(
            workspace, name: "notices",
            more: [
                "--assets", workspace.assets, "--phones", phones.address,
                "--push-services", "http://127.0.0.1:\(port)",
            ])
        try fill(shop, notices: count, port: port)
        Progress.say("notices: \(count) wait for their push service ...")
        try shop.restart()
        let end = Clock.monotonic + Int64(timeoutSeconds) * 1_000_000_000
        while service.count < count, Clock.monotonic < end { usleep(10_000) }
        guard service.count == count else {
            throw BenchError("\(service.count) of \(count) notices were sent")
        }
        let taken = service.taken
        let perSecond = Double(count - 1) / (Double(taken.last - taken.first) / 1e9)
        let cpu = Double(shop.process.cpuNanoseconds) / 1e6 / Double(count)
        report.figure(
            "notices.per-second", perSecond, "1/s",
            floor: Floor(
                "posts of the same length over one connection",
                try floor(port: port, bytes: taken.bytes)),
            budget: .atLeast(500), n: count)
        report.figure("notices.cpu", cpu, "ms", n: count)
        report.figure("notices.sent-twice", Double(taken.requests - count), "", n: count)
    }

    /// Customers who have just been called, with notices of that for their browsers.
    private static func fill(_ shop: BenchShop, notices: Int, port: UInt16) throws {
        let places = (notices + browsers - 1) / browsers
        let machine = try shop.addShops(
            1, tag: { _ in "PUSH" }, capacity: places, stay: 60, settings: [])[0]
        Progress.say("notices: \(places) customers are called ...")
        for _ in 0..<places { _ = try machine.ticket() }
        shop.end()
        let connection = try Connection(path: shop.database, opening: .existing)
        // The keys of RFC 8291 5.
        try connection.run(
            """
            WITH RECURSIVE browser (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM browser WHERE n < \(browsers - 1))
            INSERT INTO subscription (shop_id, reservation_id, id, endpoint, p256dh, auth, language, made_ms)
            SELECT shop_id, id, 'browser-' || n,
                'http://127.0.0.1:\(port)/push/' || id || '/' || n,
                'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
                'BTBZMqHH6r4Tts7J_aSIgg', 'it', state_ms
            FROM reservation, browser WHERE state = 'called' LIMIT \(notices)
            """)
        try connection.run(
            """
            INSERT INTO notice (shop_id, reservation_id, subscription_id, kind, made_ms, next_ms, tries)
            SELECT shop_id, reservation_id, id, 'called', made_ms, 0, 0 FROM subscription
            """)
    }

    /// Posts a second of one client that encrypts nothing and waits for each answer.
    private static func floor(port: UInt16, bytes: Int) throws -> Double {
        guard var wire = LoopbackWire.connected(to: port) else {
            throw BenchError.system("connect to the push service")
        }
        defer { wire.end() }
        let request = WireRequest(
            method: "POST", authority: "127.0.0.1:\(port)", path: "/push/floor",
            fields: ["ttl": "60"],
            body: Array(repeating: 1, count: bytes))
        let start = Clock.monotonic
        for _ in 0..<floorPosts {
            guard wire.send(request.bytes), wire.read()?.status == 201 else {
                throw BenchError("the push service does not answer")
            }
        }
        return Double(floorPosts) / (Double(Clock.monotonic - start) / 1e9)
    }
}
