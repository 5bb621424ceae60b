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

    /// Takes a place with the invitation that a machine shows.
    func join(_ machine: TestMachine) throws -> Reservation {
        try confirm(offer(machine.invitation()))
    }

    /// A call that has nothing but what the link of a place shows.
    func call(
        _ call: PublicCall, of place: Reservation, key: String? = nil
    ) throws -> WireResponse {
        try self.call(call, #"{"capability":"\#(place.capability)"}"#, key: key)
    }

    /// The place as this device is shown it.
    func look(_ reservation: Reservation) throws -> FollowedPlace {
        try call(.place, of: reservation).decoded(FollowedPlace.self)
    }
}

/// Visits of this device.
extension TestDevice {
    func holdVisit(
        _ start: String = TestBackend.saturday, minutes: Int? = nil, at shop: String = "ROM1",
        key: String? = nil, from address: String? = nil, by call: PublicCall = .holds
    ) throws -> WireResponse {
        let minutes = minutes.map { #","minutes":\#($0)"# } ?? ""
        let body = #"{"shop":"\#(shop)","visit":{"start":"\#(start)"\#(minutes)}}"#
        return try self.call(call, body, key: key, from: address)
    }

    @discardableResult
    func book(
        _ start: String = TestBackend.saturday, at shop: String = "ROM1"
    ) throws -> Reservation {
        try confirm(try holdVisit(start, at: shop).decoded(PlaceOnOffer.self))
    }

    func move(
        _ visit: Reservation, to start: String, code: String? = nil, key: String? = nil
    ) throws -> WireResponse {
        let proof = try #""capability":"\#(visit.capability)","code":"\#(code ?? visit.digits)""#
        return try call(.move, #"{\#(proof),"visit":{"start":"\#(start)"}}"#, key: key)
    }
}

extension TestBackend {
    /// A backend whose shop, for four people, gives places to phones, and its machine.
    static func joinable(
        _ limits: [LimitedAction: RateLimit] = [:], pushes: NoticePushes? = nil,
        sms: SMSSending? = nil,
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws -> (TestBackend, TestMachine) {
        let backend = try TestBackend(limits, phones: phonePages, pushes: pushes, sms: sms) {
            $0.phones.hasPlaces = true
            decide(&$0)
        }
        return (backend, try backend.enrol())
    }

    static let saturday = "2026-11-21T10:00:00+01:00"
    static let sunday = "2026-11-22T16:15:00+01:00"

    /// A shop with ten places for visits, of which phones may book seven, at ten o'clock.
    static func withVisits(
        _ limits: [LimitedAction: RateLimit] = [:], capacity: Int = 20,
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws -> (TestBackend, TestMachine) {
        try joinable(limits) {
            $0.phones.hasVisits = true
            $0.capacity = capacity
            decide(&$0)
        }
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
