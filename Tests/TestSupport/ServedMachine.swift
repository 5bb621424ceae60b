public import BackendAPI
public import Cryptography
import Foundation
import FoundationNetworking
public import Reservations

/// A ticket machine of a served backend, whose customers are played by the test.
public struct ServedMachine: Sendable {
    private let key: SigningKey

    public init(_ key: SigningKey) { self.key = key }

    /// Confirms a ticket.
    public func ticket(
        _ kind: ReservationKind = .ticket, at backend: ServingBackend
    ) async throws -> Reservation {
        let hold: HeldPlace = try await call(.holds, #"{"kind":"\#(kind.rawValue)"}"#, at: backend)
        return try await call(.holdConfirmation(hold.id), "", at: backend)
    }

    /// The invitation that the machine shows now; fails if there is none.
    public func invitation(at backend: ServingBackend) async throws -> Invitation {
        let status: QueueStatus = try await call(.queue, "", at: backend)
        guard let text = status.join?.split(separator: "#").last,
            let invitation = Invitation(rawValue: String(text))
        else { throw TestSupportError("the shop invites no phone") }
        return invitation
    }

    /// Makes a signed call; fails unless it succeeds.
    public func call<Reply: Decodable>(
        _ route: Route, _ body: String, at backend: ServingBackend
    ) async throws -> Reply {
        let (status, data) = try await send(
            route, body, key: RequestSigner.makeNonce(), at: backend)
        return try Self.reply(status, data, to: route)
    }

    /// Makes a call as a machine does that repeats it with its key until it is answered; fails unless it succeeds.
    public func callUntilAnswered<Reply: Decodable>(
        _ route: Route, _ body: String, at backend: ServingBackend
    ) async throws -> Reply {
        let key = RequestSigner.makeNonce()
        let end = ContinuousClock.now + .seconds(60)
        while true {
            if let (status, data) = try? await send(route, body, key: key, at: backend),
                status < 500
            {
                return try Self.reply(status, data, to: route)
            }
            guard ContinuousClock.now < end else { throw TestSupportError("no answer to \(route)") }
            try await ContinuousClock().sleep(for: .milliseconds(20))
        }
    }

    private func send(
        _ route: Route, _ body: String, key idempotencyKey: String, at backend: ServingBackend
    ) async throws -> (status: Int, Data) {
        let address = backend.address
        var request = WireRequest(
            method: route.endpoint.method.rawValue,
            authority: String(address.dropFirst("http://".count)), path: route.path,
            body: Array(body.utf8))
        if route.endpoint.carriesKey {
            request.fields[HeaderField.idempotencyKey] = idempotencyKey
        }
        request = RequestSigner(key: key).sign(
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
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
    }

    private static func reply<Reply: Decodable>(
        _ status: Int, _ data: Data, to route: Route
    ) throws -> Reply {
        do {
            guard (200..<300).contains(status) else { throw TestSupportError("status \(status)") }
            // Commands for one reservation are answered without a body.
            return try JSONDecoder().decode(
                Reply.self, from: status == 204 ? Data("{}".utf8) : data)
        } catch {
            throw TestSupportError("\(route): \(String(decoding: data, as: UTF8.self))")
        }
    }
}
