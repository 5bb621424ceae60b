public import BackendAPI
import Foundation
import FoundationNetworking
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
        guard let url = URL(string: "\(address)/v1/public/\(name.rawValue)") else {
            throw TestSupportError("\(address)?")
        }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        request.setValue(cookie, forHTTPHeaderField: "cookie")
        request.setValue(UUID().uuidString, forHTTPHeaderField: "idempotency-key")
        let end = ContinuousClock.now + .seconds(60)
        while true {
            // A session of its own: a kept connection may be one to a killed server.
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpShouldSetCookies = false
            let session = URLSession(configuration: configuration)
            defer { session.invalidateAndCancel() }
            if let (data, response) = try? await session.data(for: request),
                let status = (response as? HTTPURLResponse)?.statusCode, status < 500
            {
                guard let reply = try? JSONDecoder().decode(Reply.self, from: data) else {
                    throw TestSupportError("\(status): \(String(decoding: data, as: UTF8.self))")
                }
                return reply
            }
            guard ContinuousClock.now < end else {
                throw TestSupportError("no answer to \(name.rawValue)")
            }
            try await ContinuousClock().sleep(for: .milliseconds(20))
        }
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
