import BackendAPI
import Cryptography
import Foundation
import Reservations
import TestSupport

/// One machine's or reader's side of the wire: signed calls on a kept connection, each try noted in the
/// ledger. Owned by one thread at a time.
final class Caller: @unchecked Sendable {
    /// What came of one try.
    enum Outcome {
        case answered(LoopbackWire.Message, status: Int)
        /// It was sent, and no answer came: it may have happened.
        case unknown
        /// Nobody took it.
        case failed
    }

    /// No answer that settles it within the patience: what the customer would never get.
    struct Stuck: Error, CustomStringConvertible {
        let description: String
    }

    /// As the kiosk has it (rules 14).
    static let oneTry = 2_500

    let name: String
    private let signer: RequestSigner
    private let ledger: Ledger
    /// Ports of the servers, the first one asked first.
    private let ports: [UInt16]
    private var present = 0
    private var wire: LoopbackWire?
    private var keys = 0

    init(_ name: String, key: SigningKey, ports: [UInt16], ledger: Ledger) {
        self.name = name
        signer = RequestSigner(key: key)
        self.ports = ports
        self.ledger = ledger
    }

    deinit { wire?.end() }

    func newKey() -> String {
        keys += 1
        return "\(name)-\(keys)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    /// One try at the present server; the next one has its turn after a failure.
    func ask(_ route: Route, _ body: String, key: String) -> Outcome {
        let port = ports[present]
        let isKept = wire != nil
        var exchange = Exchange(
            asked: .now, method: route.endpoint.method.rawValue, path: route.path,
            key: route.endpoint.repetition == .stored ? key : nil, body: Array(body.utf8))
        exchange.ended = nil
        let index = ledger.begin(exchange)
        if wire == nil {
            wire = LoopbackWire.connected(to: port)
            wire?.giveUp(afterMilliseconds: Self.oneTry)
        }
        let outcome = send(route, body, key: key, to: "127.0.0.1:\(port)", isKept: isKept)
        switch outcome {
        case .answered(let answer, let status):
            ledger.end(index, .answered(status: status, body: answer.body))
            if answer.fields["connection"]?.lowercased() == "close" { drop() }
            // A server that stops, or cannot store, is left for the other.
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

    private func send(
        _ route: Route, _ body: String, key: String, to authority: String, isKept: Bool
    ) -> Outcome {
        guard var wire else { return .failed }
        let request = WireRequest(route, body.utf8, to: authority, key: key).signed(by: signer)
        guard wire.send(request.bytes) else {
            // What is not sent whole may still have arrived.
            return .unknown
        }
        let answer = wire.read()
        self.wire = wire
        guard let answer, let status = answer.status else { return .unknown }
        return .answered(answer, status: status)
    }

    /// Asks with one key until an answer settles it; what passes by itself is asked again.
    func insist(
        _ route: Route, _ body: String = "", key: String? = nil, patience: Duration = .seconds(90)
    ) throws -> (status: Int, body: Data) {
        let key = key ?? newKey()
        let end = ContinuousClock.now + patience
        var last = "nothing"
        while ContinuousClock.now < end {
            switch ask(route, body, key: key) {
            case .answered(let answer, let status):
                let isPassing = status >= 500 || status == 429
                if !isPassing { return (status, Data(answer.body)) }
                last = "\(status) \(String(decoding: answer.body, as: UTF8.self))"
            case .unknown: last = "no answer"
            case .failed: last = "nobody there"
            }
            usleep(UInt32.random(in: 10_000...80_000))
        }
        throw Stuck(description: "\(name), key \(key), \(route.path): \(last) for \(patience)")
    }
}

/// A ticket that was acknowledged.
struct Ticket: Sendable {
    let id: ReservationID
    let number: Int
    let code: String
    let confirmationKey: String
}

extension Caller {
    /// One customer at this machine, from the touch to the number; nil where he is told that there is none.
    func ticket(_ kind: ReservationKind = .ticket) throws -> Ticket? {
        let start = ContinuousClock.now
        // A hold that lapsed while nobody answered is taken anew, as the screen does (rules 2).
        for _ in 0..<5 {
            let hold = try insist(.holds, #"{"kind":"\#(kind.rawValue)"}"#)
            guard hold.status == 201 else {
                note(hold.body)
                return nil
            }
            let place = try JSONDecoder().decode(HeldPlace.self, from: hold.body)
            let key = newKey()
            let confirmed = try insist(.holdConfirmation(place.id), key: key)
            guard confirmed.status == 201 else {
                note(confirmed.body)
                continue
            }
            let reply = try JSONDecoder().decode(Reservation.self, from: confirmed.body)
            ledger.issued(code: reply.code.rawValue, after: ContinuousClock.now - start)
            return Ticket(
                id: reply.id, number: reply.number.rawValue, code: reply.code.rawValue,
                confirmationKey: key)
        }
        throw Stuck(description: "\(name): five holds could not be confirmed")
    }

    func note(_ body: Data) {
        let problem = try? JSONDecoder().decode(Problem.self, from: body)
        ledger.refused(
            problem?.refusal?.rawValue ?? String(decoding: body.prefix(80), as: UTF8.self))
    }
}
