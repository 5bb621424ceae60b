import BackendAPI
import BackendService
import Cryptography
import Foundation
import Reservations
import TestSupport
import Testing

/// A machine that signs requests as the kiosk does.
struct TestMachine: Sendable {
    let backend: any TestServer
    let key: SigningKey

    func request(
        _ route: Route, _ body: String = "", key idempotencyKey: String? = nil
    ) -> WireRequest {
        WireRequest(
            route, body.utf8, to: String("\(backend.address)".dropFirst("http://".count)),
            key: idempotencyKey ?? RequestSigner.makeNonce())
    }

    func sign(_ request: WireRequest, offset: Int64 = 0) -> WireRequest {
        RequestSigner(key: key).sign(
            request, created: backend.time.now.milliseconds / 1_000 + offset,
            nonce: RequestSigner.makeNonce())
    }

    func send(_ request: WireRequest) throws -> WireResponse {
        guard let response = try RawClient(backend.address).call(request) else {
            throw RawClient.Failure(operation: "no answer")
        }
        return response
    }

    func call(_ route: Route, _ body: String = "", key: String? = nil) throws -> WireResponse {
        try send(sign(request(route, body, key: key)))
    }

    func hold(key: String? = nil) throws -> WireResponse {
        try call(.holds, "{\"kind\":\"ticket\"}", key: key)
    }

    func holdVisit() throws -> WireResponse { try call(.holds, "{\"kind\":\"visit\"}") }

    /// A call whose body is a code.
    func call(_ route: Route, code: String, key: String? = nil) throws -> WireResponse {
        try call(route, #"{"code":"\#(code)"}"#, key: key)
    }

    func lookUp(_ code: String) throws -> WireResponse { try call(.lookup, code: code) }

    func lookUp(_ ticket: Reservation) throws -> WireResponse {
        try lookUp(ticket.code.rawValue)
    }

    func found(_ ticket: Reservation) throws -> FoundReservation {
        try lookUp(ticket).decoded(FoundReservation.self)
    }

    func delete(_ id: ReservationID, _ code: String) throws -> WireResponse {
        try call(.reservation(id), code: code)
    }

    func delete(_ ticket: Reservation) throws -> WireResponse {
        try delete(ticket.id, ticket.code.rawValue)
    }

    func held() throws -> HeldPlace { try hold().decoded(HeldPlace.self) }

    func confirmed(_ hold: HeldPlace) throws -> Reservation {
        try call(.holdConfirmation(hold.id)).decoded(Reservation.self)
    }

    func reservation() throws -> Reservation { try confirmed(held()) }

    func reservations(_ count: Int) throws -> [Reservation] {
        try (0..<count).map { _ in try reservation() }
    }

    func enter(_ code: String, key: String? = nil) throws -> WireResponse {
        try call(.entries, code: code, key: key)
    }

    func enter(_ ticket: Reservation) throws -> WireResponse { try enter(ticket.code.rawValue) }

    func leave(_ code: String, key: String? = nil) throws -> WireResponse {
        try call(.exits, code: code, key: key)
    }

    func leave(_ ticket: Reservation, key: String? = nil) throws -> WireResponse {
        try leave(ticket.code.rawValue, key: key)
    }

    func queue() throws -> QueueStatus { try call(.queue).decoded(QueueStatus.self) }

    func staffQueue() throws -> StaffQueue { try call(.staffQueue).decoded(StaffQueue.self) }

    func profile() throws -> MachineProfile { try call(.machine).decoded(MachineProfile.self) }

    /// A change by the staff, with the same text each time: a key is good for one text only.
    func act(_ action: StaffActionRequest, key: String? = nil) throws -> WireResponse {
        try call(.staffActions, sortedJSON(action), key: key)
    }

    /// Offers a key in the place of this one.
    func offer(_ key: SigningKey, attempt: String? = nil) throws -> WireResponse {
        try call(.machineKey, "{\"key\":\"\(key.publicKey.text)\"}", key: attempt)
    }

    /// A ticket that opens one socket once.
    func ticket() throws -> String { try call(.sessions).decoded(SessionReply.self).ticket }

    /// Asks until the server has read an administrator's change, for which it has a second (rules: one-server).
    func waitUntil(_ isTrue: (WireResponse) -> Bool) throws {
        // The server looks at the database now, and not when its next look is due.
        backend.store.tick()
        guard try blocks(until: { isTrue(try call(.machine)) }) else {
            throw RawClient.Failure(operation: "the change was not seen")
        }
    }
}

/// The same text for the same value each time.
func sortedJSON(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

extension RateLimit {
    /// So many at once, of which none comes back in the time of a test.
    static func only(_ burst: Double) -> RateLimit {
        RateLimit(perSecond: 0.000_001, burst: burst)
    }
}

extension LimitedAction {
    /// The product's own limits of these.
    static func standards(_ actions: LimitedAction...) -> [LimitedAction: RateLimit] {
        Dictionary(uniqueKeysWithValues: actions.map { ($0, $0.standard) })
    }
}

extension Reservation {
    /// The ten digits of its paper.
    var digits: String { typedCode.rawValue }

    /// What its link shows of it.
    var capability: String {
        get throws { try #require(link.flatMap { Capability(link: $0) }).rawValue }
    }
}

/// The text with another last character.
func altered(_ text: String) -> String {
    String(text.dropLast()) + (text.last == "0" ? "1" : "0")
}

extension WireResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }

    /// The problem's type; nil if the answer is no problem or not in the form of RFC 9457.
    var problem: Refusal? {
        guard fields["content-type"] == Problem.contentType,
            let problem = try? decoded(Problem.self), problem.status == status
        else { return nil }
        return problem.refusal
    }
}
