import BackendAPI
import BackendService
import Foundation
import Reservations
import TestSupport
import Testing

/// A phone that has opened a link.
struct TestPhone {
    let backend: TestBackend
    let capability: Capability
    /// The ten digits of its ticket, which the link does not have.
    let digits: String

    init(_ backend: TestBackend, _ reservation: Reservation) throws {
        self.backend = backend
        digits = reservation.typedCode.rawValue
        capability = try #require(reservation.link.flatMap { Capability(link: $0) })
    }

    func request(
        _ call: PublicCall, _ body: String, key: String? = nil
    ) throws -> WireRequest { try Self.request(call, body, key: key, to: backend) }

    /// The request of a phone's page.
    static func request(
        _ call: PublicCall, _ body: String, key: String?, to backend: TestBackend
    ) throws -> WireRequest {
        let address = try #require(backend.phones).description.dropFirst("http://".count)
        return WireRequest(
            call, body.utf8, to: String(address),
            key: call.carriesKey ? key ?? UUID().uuidString : nil)
    }

    static func send(_ request: WireRequest, to backend: TestBackend) throws -> WireResponse {
        let address = try #require(backend.phones)
        // This may be on a thread that belongs to no test.
        guard let answer = try RawClient(address).call(request) else {
            throw RawClient.Failure(operation: "no answer to \(request.path)")
        }
        return answer
    }

    func call(
        _ call: PublicCall, code: String? = nil, capability text: String? = nil,
        key: String? = nil, people: Int? = nil
    ) throws -> WireResponse {
        let code = code.map { ",\"code\":\"\($0)\"" } ?? ""
        let people = people.map { ",\"people\":\($0)" } ?? ""
        let body = "{\"capability\":\"\(text ?? capability.rawValue)\"\(code)\(people)}"
        return try Self.send(request(call, body, key: key), to: backend)
    }

    func look() throws -> FollowedPlace { try call(.place).decoded(FollowedPlace.self) }

    /// Opens the socket of the place.
    func open() throws -> SocketClient {
        let (raw, answer) = try opened(call(.sessions).decoded(SessionReply.self).ticket)
        guard answer?.status == 101 else { throw RawClient.Failure(operation: "no WebSocket") }
        return SocketClient(upgraded: raw)
    }

    /// What becomes of a ticket for a socket.
    func opened(_ ticket: String) throws -> (raw: RawClient, answer: WireResponse?) {
        let raw = try RawClient(#require(backend.phones))
        var request = try request(.updates, "")
        SocketClient.upgrade(&request, ticket: ticket)
        return (raw, raw.call(request))
    }

    /// Tries to give the place back with digits, from an address.
    func withdraw(_ digits: String, from address: String) throws -> Int {
        let body = #"{"capability":"\#(capability.rawValue)","code":"\#(digits)"}"#
        return try backend.post(.withdrawal, body, from: address).status
    }
}

extension TestBackend {
    /// A backend with pages for phones whose shop is full, so that further tickets wait; and its machine.
    static func full(
        _ limits: [LimitedAction: RateLimit] = [:], pushes: NoticePushes? = nil,
        sms: SMSSending? = nil, _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws -> (TestBackend, TestMachine) {
        let backend = try TestBackend(
            limits, phones: phonePages, pushes: pushes, sms: sms, decide)
        let machine = try backend.enrol()
        for _ in 0..<4 { _ = try machine.reservation() }
        return (backend, machine)
    }

    static let phonePages = PhonePages(
        page: "https://queue.example.it/t", joinPage: "https://queue.example.it/j",
        orderPage: "https://queue.example.it/orders",
        host: "127.0.0.1", maxSocketsPerShop: 10)
}
