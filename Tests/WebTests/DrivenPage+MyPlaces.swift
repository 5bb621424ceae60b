import Foundation
import Reservations
import TestSupport

// The list of the places that a phone knows.
extension PageShop {
    /// The page with that list.
    var places: String { "\(backend.phones)/places" }

    /// A shop of four places, all called, with eight customers behind them, which gives places and visits to phones; and a
    /// phone.
    static func withPhone(
        shop settings: [String] = [], options: [String] = [],
        body: (PageShop, _ called: [Reservation], Browser) async throws -> Void
    ) async throws {
        try await remote(
            capacity: 4, shop: ["--phone-visits", "yes", "--town", "Milano"] + settings,
            options: options
        ) { shop in
            var line: [Reservation] = []
            for _ in 0..<12 { line.append(try await shop.ticket()) }
            try await Browser.phone { try await body(shop, line, $0) }
        }
    }
}

extension Browser {
    /// Cuts the page off from the network, or connects it again; its workers keep theirs.
    func cutNetwork(_ isCut: Bool) async throws {
        try await devTools("Network.enable")
        try await devTools(
            "Network.emulateNetworkConditions",
            ["offline": isCut, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
    }
}

extension DrivenPage {
    /// Opens the list, in English; returns once it shows so many places.
    func openPlaces(of shop: PageShop, count: Int) async throws {
        try await open(shop.places, in: "en")
        guard await listsPlaces(count) else {
            throw TestSupportError("not \(count) places: \(try await text("main"))")
        }
    }

    /// Waits until the list has so many places.
    func listsPlaces(_ count: Int) async -> Bool {
        await patiently {
            try await value("document.querySelectorAll('#list li').length") == "\(count)"
        }
    }

    /// What the list says in a line of each place, such as `when` or `number`.
    func placesLine(_ name: String) async throws -> [String] {
        try await value(
            "[...document.querySelectorAll('#list li .\(name)')].map((e) => e.textContent).join('|')"
        )
        .split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }

    /// Opens the question about a place of the list, counted from 1.
    func askAboutPlace(_ index: Int) async throws {
        let place = "#list li:nth-child(\(index))"
        try await press("\(place) .opener", opens: "\(place) .question")
    }

    /// Which element has the focus, by its id or its class.
    func focusedPart() async throws -> String {
        try await value("document.activeElement.id || document.activeElement.className")
    }

    /// Waits until pages are kept for a time without a network: so many workers have them, by default this page and the
    /// list.
    func keepsPages(
        _ kept: String =
            "3 /extras.js /notices.js /opening.js /places /question.js /sms.js /t"
    ) async -> Bool {
        await patiently {
            try await run(
                """
                const all = await navigator.serviceWorker.getRegistrations();
                const kept = await caches.open("clup-place").then((cache) => cache.keys());
                window.kept = all.filter(({ active }) => active).length + " "
                  + kept.map(({ url }) => new URL(url).pathname).sort().join(" ");
                """)
            return try await value("window.kept").hasSuffix(kept)
        }
    }
}
