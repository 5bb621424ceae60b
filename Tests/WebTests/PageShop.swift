import BackendAPI
import Cryptography
import Foundation
import Reservations
import TestSupport
import Testing

/// A backend with pages, and a ticket machine whose customers are played by the test.
struct PageShop: Sendable {
    let backend: ServingBackend
    private let machine: ServedMachine

    static let assets = Tool.repository.appending(path: "Assets").path

    static func with(
        database: String? = nil, capacity: Int = 5_000, shop: [String] = [],
        options: [String] = [], assets: String = PageShop.assets,
        body: (PageShop) async throws -> Void
    ) async throws {
        try Cryptography.start()
        let key = try SigningKey.generate()
        try await ServingBackend.with(
            machines: [key.publicKey.text], database: database, capacity: capacity,
            languages: "de,it,en", shop: shop, options: ["--assets", assets] + options
        ) { backend in
            try await body(PageShop(backend: backend, machine: ServedMachine(key)))
        }
    }

    /// A shop with the page of a place, and with two places, which are taken by the reservations given to the body.
    static func full(
        shop settings: [String] = [], options: [String] = [],
        body: (PageShop, [Reservation]) async throws -> Void
    ) async throws {
        try await with(
            capacity: 2, shop: settings, options: ["--phones", "127.0.0.1:0"] + options
        ) { shop in
            var called: [Reservation] = []
            for _ in 0..<2 { called.append(try await shop.ticket()) }
            try await body(shop, called)
        }
    }

    /// Confirms a ticket as a machine does.
    func ticket(_ kind: ReservationKind = .ticket) async throws -> Reservation {
        try await machine.ticket(kind, at: backend)
    }

    /// Corrects the queue as the staff does in maintenance mode.
    @discardableResult
    func act(_ action: StaffActionRequest) async throws -> StaffActionResult {
        let body = String(decoding: try JSONEncoder().encode(action), as: UTF8.self)
        return try await call(.staffActions, body)
    }

    /// Cancels a reservation as the staff does.
    func free(_ number: QueueNumber) async throws {
        try await act(StaffActionRequest(.delete, number: number))
    }

    /// Calls for help as a customer does, at this machine or at another one with a key, by this server or another one.
    @discardableResult
    func callForHelp(
        at machine: SigningKey? = nil, by server: ServingBackend? = nil
    ) async throws -> HelpCall {
        try await call(.help, "", key: machine, at: server)
    }

    /// Calls for help at one more machine, whose key a server knows within a second.
    func callForHelpAtOther() async throws {
        let key = try SigningKey.generate()
        try await backend.addMachine(key: key.publicKey.text, name: "machine-1")
        await expectSoon {
            try await callForHelp(at: key)
            return true
        }
    }

    /// The calls for help as the machine sees them.
    func helpCalls() async throws -> [HelpCall] {
        let answer: HelpCalls = try await call(.helpCalls, "")
        return answer.calls
    }

    /// Ends a call as the customer at the machine does, who did not mean it.
    func takeBack(_ help: HelpCall, by server: ServingBackend? = nil) async throws {
        let _: HelpCall = try await call(.helpCall(help.id), #"{"end":"mistake"}"#, at: server)
    }

    func call<Reply: Decodable>(
        _ route: Route, _ body: String, key: SigningKey? = nil, at server: ServingBackend? = nil
    ) async throws -> Reply {
        let machine = key.map { ServedMachine($0) } ?? machine
        return try await machine.call(route, body, at: server ?? backend)
    }

    /// Opens a device's page and adds the device as its administrator does; returns once it shows a part.
    func open(
        _ role: String, in browser: Browser, as name: String? = nil, at address: String? = nil,
        isKnown: Bool = false, opens part: String? = nil
    ) async throws {
        try await browser.open("\(address ?? backend.address)/\(role)/TEST")
        if !isKnown { try await add(browser, role: role, as: name ?? "\(role)-1") }
        if let part { try await browser.require(part) }
    }

    private func add(_ browser: Browser, role: String, as name: String) async throws {
        try await browser.require("#enrolment")
        let key = try await browser.text("#enrolment dt.key + dd")
        let printed = try await backend.addDevice(role: role, name: name, key: key)
        guard try await printed.contains(browser.text("#enrolment dt.fingerprint + dd")) else {
            throw TestSupportError("another fingerprint: \(printed)")
        }
        guard await patiently(until: { try await !browser.shows("#enrolment") }) else {
            throw TestSupportError("the page does not go on")
        }
    }
}
