import BackendAPI
import Cryptography
import Foundation
import FoundationNetworking
import Reservations
import TestSupport

/// A backend with pages, and a ticket machine whose customers are played by the test.
struct PageShop: Sendable {
    let backend: ServingBackend
    private let key: SigningKey

    static let assets = Tool.repository.appending(path: "Assets").path

    static func with(
        database: String? = nil, capacity: Int = 5_000, options: [String] = [],
        assets: String = PageShop.assets, body: (PageShop) async throws -> Void
    ) async throws {
        try Cryptography.start()
        let key = try SigningKey.generate()
        try await ServingBackend.with(
            machines: [key.publicKey.text], database: database, capacity: capacity,
            languages: "de,it,en", options: ["--assets", assets] + options
        ) { backend in
            try await body(PageShop(backend: backend, key: key))
        }
    }

    /// Confirms a ticket as a machine does.
    func ticket(_ kind: ReservationKind = .ticket) async throws -> Reservation {
        let hold: HeldPlace = try await call(.holds, #"{"kind":"\#(kind.rawValue)"}"#)
        return try await call(.holdConfirmation(hold.id), "")
    }

    /// Corrects the queue as the staff does in maintenance mode.
    @discardableResult
    func act(_ action: StaffActionRequest) async throws -> StaffActionResult {
        let body = String(decoding: try JSONEncoder().encode(action), as: UTF8.self)
        return try await call(.staffActions, body)
    }

    /// Calls for help as a customer does, at this machine or at another one with a key, by this server or another one.
    @discardableResult
    func callForHelp(
        at machine: SigningKey? = nil, by server: ServingBackend? = nil
    ) async throws -> HelpCall {
        try await call(.help, "", key: machine, at: server)
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

    private func call<Reply: Decodable>(
        _ route: Route, _ body: String, key: SigningKey? = nil, at server: ServingBackend? = nil
    ) async throws -> Reply {
        let address = (server ?? backend).address
        var request = WireRequest(
            method: route.endpoint.method.rawValue,
            authority: String(address.dropFirst("http://".count)), path: route.path,
            body: Array(body.utf8))
        if route.endpoint.carriesKey {
            request.fields[HeaderField.idempotencyKey] = RequestSigner.makeNonce()
        }
        request = RequestSigner(key: key ?? self.key).sign(
            request, created: Int64(Date().timeIntervalSince1970), nonce: RequestSigner.makeNonce())
        guard let url = URL(string: address + route.path) else {
            throw TestSupportError("\(address)?")
        }
        var sent = URLRequest(url: url)
        sent.httpMethod = request.method
        if !body.isEmpty { sent.httpBody = Data(body.utf8) }
        for (name, value) in request.fields { sent.setValue(value, forHTTPHeaderField: name) }
        // A connection of its own: the backend may just have closed a kept one as idle, and a signed
        // request is not sent a second time.
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: sent)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        do {
            guard (200..<300).contains(status) else { throw TestSupportError("status \(status)") }
            // Commands for one reservation are answered without a body.
            return try JSONDecoder().decode(
                Reply.self, from: status == 204 ? Data("{}".utf8) : data)
        } catch {
            throw TestSupportError("\(route): \(String(decoding: data, as: UTF8.self))")
        }
    }

    /// Opens a device's page and adds the device as its administrator does.
    func open(
        _ role: String, in browser: Browser, at address: String? = nil, isKnown: Bool = false
    ) async throws {
        try await browser.open("\(address ?? backend.address)/\(role)/TEST")
        if isKnown { return }
        guard await patiently(until: { try await browser.shows("#enrolment") }) else {
            throw TestSupportError("the page does not ask to be let in")
        }
        let key = try await browser.text("#enrolment [data-key]")
        let printed = try await backend.addDevice(role: role, name: "\(role)-1", key: key)
        guard try await printed.contains(browser.text("#enrolment [data-fingerprint]")) else {
            throw TestSupportError("another fingerprint: \(printed)")
        }
        guard await patiently(until: { try await !browser.shows("#enrolment") }) else {
            throw TestSupportError("the page does not go on")
        }
    }
}
