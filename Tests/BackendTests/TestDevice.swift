import BackendAPI
import BackendService
import Cryptography
import Foundation
import Reservations
import Testing

/// A customer's phone with its browser, which keeps the cookie of a device.
final class TestDevice {
    let backend: TestBackend
    /// Name and value, as the browser sends them; nil if it sends none.
    var cookie: String?

    /// A browser that has opened the page for joining.
    init(_ backend: TestBackend) {
        self.backend = backend
        cookie = "__Host-clup-device=\(Crockford.encode(RandomBytes.make(16)))"
    }

    func call(
        _ call: PublicCall, _ body: String, key: String? = nil, from address: String? = nil
    ) throws -> WireResponse {
        try TestPhone.send(request(call, body, key: key, from: address), to: backend)
    }

    /// As `call`, on a thread of its own: the answer waits for a task, and the threads of tasks are those of tests.
    func callAside(
        _ call: PublicCall, _ body: String, from address: String? = nil
    ) async throws -> WireResponse {
        let request = try request(call, body, key: nil, from: address)
        return try await withCheckedThrowingContinuation { [backend] answered in
            Thread.detachNewThread {
                answered.resume(with: Result { try TestPhone.send(request, to: backend) })
            }
        }
    }

    private func request(
        _ call: PublicCall, _ body: String, key: String?, from address: String?
    ) throws -> WireRequest {
        var request = try TestPhone.request(call, body, key: key, to: backend)
        if let cookie { request.fields["cookie"] = "other=1; \(cookie)" }
        if let address { request.fields["x-real-ip"] = address }
        return request
    }

    /// Asks for a place with the invitation that a machine shows.
    func hold(
        _ invitation: Invitation, key: String? = nil, from address: String? = nil
    ) throws -> WireResponse {
        try call(
            .holds, "{\"invitation\":\"\(invitation.rawValue)\"}", key: key, from: address)
    }

    func offer(_ invitation: Invitation) throws -> PlaceOnOffer {
        try hold(invitation).decoded(PlaceOnOffer.self)
    }

    func answer(
        _ call: PublicCall, _ ticket: String, key: String? = nil
    ) throws -> WireResponse {
        try self.call(call, "{\"ticket\":\"\(ticket)\"}", key: key)
    }

    func confirm(_ offer: PlaceOnOffer, key: String? = nil) throws -> Reservation {
        try answer(.confirmation, offer.ticket, key: key).decoded(Reservation.self)
    }

    /// The place as this device is shown it.
    func look(_ reservation: Reservation) throws -> FollowedPlace {
        let capability = try #require(reservation.link.flatMap { Capability(link: $0) })
        return try call(.place, "{\"capability\":\"\(capability.rawValue)\"}")
            .decoded(FollowedPlace.self)
    }
}

extension TestBackend {
    /// A backend whose shop, for four people, gives places to phones, and its machine.
    static func joinable(
        _ limits: [LimitedAction: RateLimit] = [:], pushes: NoticePushes? = nil,
        sms: SMSSending? = nil,
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws -> (TestBackend, TestMachine) {
        let backend = try TestBackend(
            phones: phonePages, phoneLimits: limits, pushes: pushes, sms: sms
        ) {
            $0.phones.hasPlaces = true
            decide(&$0)
        }
        return (backend, try backend.enrol())
    }
}

extension TestMachine {
    /// The link with which Home invites phones; nil if there is none.
    func join() throws -> String? { try call(.queue).decoded(QueueStatus.self).join }

    func invitation() throws -> Invitation {
        let link = try #require(try join())
        return try #require(
            link.split(separator: "#").last.flatMap { Invitation(rawValue: "\($0)") })
    }
}
