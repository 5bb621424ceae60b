public import BackendAPI
import Foundation
public import Reservations

/// A phone of a served backend, with a cookie of its own.
public struct ServedPhone: Sendable {
    private let address: String
    private let cookie: String

    /// - Parameter number: A number of its own for each phone of a test; 0 to 9.
    public init(of backend: ServingBackend, number: Int = 0) {
        address = backend.phones
        cookie = "clup-device=0123456789ABCDEFGHJKMNPQR\(number)"
    }

    /// Makes a call, and repeats it with its key until it is answered; fails unless it succeeds.
    public func call<Reply: Decodable>(_ name: PublicCall, _ body: String) async throws -> Reply {
        let request = WireRequest(
            name, body.utf8, to: String(address.dropFirst("http://".count)), cookie: cookie,
            key: UUID().uuidString)
        let answer = try await WireRequest.answered { request }
        guard let reply = try? JSONDecoder().decode(Reply.self, from: Data(answer.body)) else {
            throw TestSupportError(String(decoding: answer.bytes, as: UTF8.self))
        }
        return reply
    }

    /// The first slots of the days of the coming month, from tomorrow on.
    public func slotsOfDays() async throws -> [LocalMoment] {
        let slots: SlotList = try await call(.slots, #"{"shop":"TEST"}"#)
        return slots.periods.map(\.first).filter { $0.day > slots.now.day }
    }

    /// Books a visit.
    public func visit(_ start: LocalMoment) async throws -> Reservation {
        let offer: PlaceOnOffer = try await call(
            .holds, #"{"shop":"TEST","visit":{"start":"\#(start)"}}"#)
        return try await call(.confirmation, #"{"ticket":"\#(offer.ticket)"}"#)
    }
}
