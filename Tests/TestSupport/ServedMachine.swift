public import BackendAPI
public import Cryptography
import Foundation
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
        try await Self.reply(
            request(route, body, RequestSigner.makeNonce(), backend).answer(), route)
    }

    /// Makes a call as a machine does that repeats it with its key until it is answered; fails unless it succeeds.
    public func callUntilAnswered<Reply: Decodable>(
        _ route: Route, _ body: String, at backend: ServingBackend
    ) async throws -> Reply {
        let key = RequestSigner.makeNonce()
        return try await Self.reply(
            WireRequest.answered { request(route, body, key, backend) }, route)
    }

    private func request(
        _ route: Route, _ body: String, _ key: String, _ backend: ServingBackend
    ) -> WireRequest {
        let authority = String(backend.address.dropFirst("http://".count))
        return WireRequest(route, body.utf8, to: authority, key: key)
            .signed(by: RequestSigner(key: self.key))
    }

    private static func reply<Reply: Decodable>(
        _ answer: LoopbackWire.Message, _ route: Route
    ) throws -> Reply {
        do {
            guard let status = answer.status, (200..<300).contains(status) else {
                throw TestSupportError("refused")
            }
            // Commands for one reservation are answered without a body.
            return try JSONDecoder().decode(
                Reply.self, from: status == 204 ? Data("{}".utf8) : Data(answer.body))
        } catch {
            throw TestSupportError("\(route): \(String(decoding: answer.bytes, as: UTF8.self))")
        }
    }
}

extension WireRequest {
    /// Makes a request again and again until it is answered, and by no server's error.
    static func answered(
        _ request: () throws -> WireRequest
    ) async throws -> LoopbackWire.Message {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            let request = try request()
            if let answer = try? await request.answer(), answer.status ?? 500 < 500 {
                return answer
            }
            guard ContinuousClock.now < end else {
                throw TestSupportError("no answer to \(request.path)")
            }
            try await ContinuousClock().sleep(for: .milliseconds(20))
        }
    }
}
