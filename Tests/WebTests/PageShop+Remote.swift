import BackendAPI
import Cryptography
import Foundation
import Reservations
import TestSupport

// Customers who are not at the door, and join with their phones (rules: elsewhere).
extension PageShop {
    static let elsewhere = joining + ["--remote-places", "yes"]

    /// A shop that gives places to phones elsewhere too, and asks their customers whether they are coming.
    static func remote(
        capacity: Int, shop settings: [String] = [], options: [String] = [],
        body: (PageShop) async throws -> Void
    ) async throws {
        try await with(
            capacity: capacity, shop: elsewhere + ["--phone-question", "yes"] + settings,
            options: ["--phones", "127.0.0.1:0"] + options, body: body)
    }

    /// A shop with capacity for two, which are called, and eight customers behind them who wait; all are given to the
    /// body.
    static func remoteWithLine(
        shop settings: [String] = [], body: (PageShop, _ line: [Reservation]) async throws -> Void
    ) async throws {
        try await remote(capacity: 2, shop: settings) { shop in
            var line: [Reservation] = []
            for _ in 0..<10 { line.append(try await shop.ticket()) }
            try await body(shop, line)
        }
    }

    /// The page that lists the shops.
    var list: String { "\(backend.phones)/shops" }

    /// The page for joining from elsewhere.
    var remotePage: String { "\(backend.phones)/join/TEST" }

    /// Adds one more shop, which gives places to phones elsewhere.
    func add(_ name: String, tag: String, _ settings: String...) async throws {
        try await Tool.succeed(
            ServingBackend.program,
            [
                "shop", "add", "--database", backend.database, "--name", name, "--tag", tag,
                "--time-zone", ServingBackend.byDay, "--capacity", "2", "--stay", "10",
                "--languages", "de,it,en",
            ] + Self.elsewhere + settings)
    }

    /// One more phone asks for a place from elsewhere; returns the status of the answer.
    func holdElsewhere() -> Int {
        let request = WireRequest(
            .holds, #"{"shop":"TEST"}"#.utf8, to: String(backend.phones.dropFirst("http://".count)),
            cookie: "clup-device=\(Crockford.encode(RandomBytes.make(16)))",
            key: UUID().uuidString)
        return request.exchange()?.status ?? 0
    }
}

extension DrivenPage {
    /// Joins the queue from elsewhere; returns once the page of the place shows the entry code.
    func joinRemotely(_ shop: PageShop) async throws {
        try await open(shop.remotePage, in: "en", opens: "#decline")
        try await press("#act", opens: "#modules")
    }

    /// Waits until the card's first line is this.
    func waits(forFirst words: String) async -> Bool {
        await patiently { try await text("#first") == words }
    }

    /// The names of the shops in the order of the list, each after the title of its group.
    func listed() async throws -> [String] {
        try await value(
            "[...document.querySelectorAll('#list h2, #list b')].map((e) => e.textContent).join('|')"
        )
        .split(separator: "|").map(String.init)
    }
}
