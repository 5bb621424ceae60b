import BackendAPI
import Cryptography
import Foundation
import Reservations
import TestSupport

/// One client: a machine's or reader's signed calls, or a phone's, on a kept connection, with each try recorded in the
/// ledger. It is owned by one thread at a time.
final class Caller: @unchecked Sendable {
    /// The outcome of one try.
    enum Outcome {
        case answered(LoopbackWire.Message, status: Int)
        /// The request was sent, and no answer came: it may have been carried out.
        case unknown
        /// The connection was not accepted.
        case failed
    }

    /// A final answer.
    struct Answer {
        let status: Int
        let body: Data

        func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try JSONDecoder().decode(type, from: body)
        }
    }

    /// The time of one try in milliseconds, as in the kiosk (rules: time-outs).
    static let oneTry = 2_500

    let name: String
    /// Nil for a phone, which signs nothing.
    private let signer: RequestSigner?
    private let ledger: Ledger
    /// Ports of the servers, beginning with the one that is asked first.
    private let ports: [UInt16]
    private let oneTry: Int
    private var present = 0
    private var wire: LoopbackWire?
    private var keys = 0

    /// - Parameter oneTry: the time of one try in milliseconds.
    init(
        _ name: String, key: SigningKey? = nil, ports: [UInt16], ledger: Ledger,
        oneTry: Int = Caller.oneTry
    ) {
        self.oneTry = oneTry
        self.name = name
        signer = key.map { RequestSigner(key: $0) }
        self.ports = ports
        self.ledger = ledger
    }

    deinit { wire?.end() }

    /// The cookie of a phone's browser, whose windows share it.
    static func cookie() -> String { "clup-device=\(Crockford.encode(RandomBytes.make(16)))" }

    func newKey() -> String {
        keys += 1
        return "\(name)-\(keys)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    /// Makes one try at the present server; after a failure the next server is used.
    func ask(_ route: Route, _ body: String, key: String) -> Outcome {
        ask(isStored: route.endpoint.repetition == .stored) { authority in
            WireRequest(route, body.utf8, to: authority, key: key)
        }
    }

    /// - Parameter isStored: whether the answer is stored with the request's key.
    private func ask(isStored: Bool, _ make: (String) -> WireRequest) -> Outcome {
        let port = ports[present]
        let request = make("127.0.0.1:\(port)")
        var exchange = Exchange(
            asked: .now, method: request.method, path: request.path,
            key: isStored ? request.fields[HeaderField.idempotencyKey] : nil, body: request.body)
        exchange.ended = nil
        let index = ledger.begin(exchange)
        if wire == nil {
            wire = LoopbackWire.connected(to: port)
            wire?.giveUp(afterMilliseconds: oneTry)
        }
        let outcome = send(request)
        switch outcome {
        case .answered(let answer, let status):
            ledger.end(index, .answered(status: status, body: answer.body))
            if answer.fields["connection"]?.lowercased() == "close" { drop() }
            // A server that stops, or cannot store, is left for the other one.
            if status == 503 {
                if answer.fields["retry-after"] == nil { ledger.refused("503 without Retry-After") }
                next()
            }
        case .unknown:
            ledger.end(index, .unknown)
            next()
        case .failed:
            ledger.end(index, .failed)
            next()
        }
        return outcome
    }

    private func next() {
        drop()
        present = (present + 1) % ports.count
    }

    func drop() {
        wire?.end()
        wire = nil
    }

    private func send(_ request: WireRequest) -> Outcome {
        guard var wire else { return .failed }
        let request = signer.map { request.signed(by: $0) } ?? request
        guard wire.send(request.bytes) else {
            // A request that was not sent as a whole may still have arrived.
            return .unknown
        }
        let answer = wire.read()
        self.wire = wire
        guard let answer, let status = answer.status else { return .unknown }
        return .answered(answer, status: status)
    }

    /// Asks with one key until the answer is final; a temporary refusal is followed by another try.
    func insist(
        _ route: Route, _ body: String = "", key: String? = nil, timeout: Duration = .seconds(90)
    ) throws -> Answer {
        let key = key ?? newKey()
        return try insist("key \(key), \(route.path)", timeout: timeout) {
            ask(route, body, key: key)
        }
    }

    /// The same for a phone, which sends its cookie if it has one.
    func insist(_ call: PublicCall, _ body: String, cookie: String?) throws -> Answer {
        let key = newKey()
        return try insist("key \(key), \(call.path)", timeout: .seconds(90)) {
            ask(isStored: call.carriesKey) { authority in
                var fields = ["content-type": "application/json", "idempotency-key": key]
                fields["cookie"] = cookie
                return WireRequest(
                    method: call.method.rawValue, authority: authority, path: call.path,
                    fields: fields, body: Array(body.utf8))
            }
        }
    }

    private func insist(
        _ what: String, timeout: Duration, _ ask: () -> Outcome
    ) throws -> Answer {
        let end = ContinuousClock.now + timeout
        var last = "nothing"
        while ContinuousClock.now < end {
            switch ask() {
            case .answered(let answer, let status):
                let isPassing = status >= 500 || status == 429
                if !isPassing { return Answer(status: status, body: Data(answer.body)) }
                last = "\(status) \(String(decoding: answer.body, as: UTF8.self))"
            case .unknown: last = "no answer"
            case .failed: last = "nobody there"
            }
            usleep(UInt32.random(in: 10_000...80_000))
        }
        throw TestSupportError("\(name), \(what): \(last) for \(timeout)")
    }
}

/// A ticket that was acknowledged.
struct Ticket: Sendable {
    let id: ReservationID
    let number: Int
    let code: String
    let confirmationKey: String
    let typedCode: TypedCode
    /// What the paper's second symbol opens; nil if it has none.
    let capability: Capability?
}

extension Caller {
    /// One customer at this machine, from the touch to the number; nil if no ticket is left.
    func ticket(_ kind: ReservationKind = .ticket) throws -> Ticket? {
        let start = ContinuousClock.now
        // A hold that expired without an answer is taken again, as the kiosk does (rules: holds).
        for _ in 0..<5 {
            let hold = try insist(.holds, #"{"kind":"\#(kind.rawValue)"}"#)
            guard hold.status == 201 else {
                note(hold.body)
                return nil
            }
            let place = try hold.decoded(HeldPlace.self)
            let key = newKey()
            let confirmed = try insist(.holdConfirmation(place.id), key: key)
            guard confirmed.status == 201 else {
                note(confirmed.body)
                continue
            }
            let reply = try confirmed.decoded(Reservation.self)
            ledger.issued(code: reply.code.rawValue, after: ContinuousClock.now - start)
            return Ticket(
                id: reply.id, number: reply.number.rawValue, code: reply.code.rawValue,
                confirmationKey: key, typedCode: reply.typedCode,
                capability: reply.link.flatMap { Capability(link: $0) })
        }
        throw TestSupportError("\(name): five holds could not be confirmed")
    }

    /// What the machine finds by a code.
    func found(_ code: String) throws -> FoundReservation {
        try insist(.lookup, #"{"code":"\#(code)"}"#).decoded(FoundReservation.self)
    }

    /// Takes the place that a phone has been offered, or gives it back; nil if the phone has none then.
    func place(_ held: Answer, isTaken: Bool = true, cookie: String) throws -> Reservation? {
        guard held.status == 201 else {
            note(held.body)
            return nil
        }
        let answered = try insist(
            isTaken ? .confirmation : .release,
            #"{"ticket":"\#(try held.decoded(PlaceOnOffer.self).ticket)"}"#, cookie: cookie)
        guard answered.status == 201 else {
            if answered.status != 204 { note(answered.body) }
            return nil
        }
        return try answered.decoded(Reservation.self)
    }

    func note(_ body: Data) {
        let problem = try? JSONDecoder().decode(Problem.self, from: body)
        ledger.refused(
            problem?.refusal?.rawValue ?? String(decoding: body.prefix(80), as: UTF8.self))
    }
}
