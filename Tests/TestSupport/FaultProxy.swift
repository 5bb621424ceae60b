import Foundation
import Glibc
import Synchronization

/// A TCP proxy between a machine and its backend whose faults the test switches. It logs which requests
/// were sent, answered, failed or left unknown.
///
/// The machine signs the authority that it knows, so it gets the proxy's address; the backend uses
/// the request's Host as its authority.
public final class FaultProxy: Sendable {
    /// The requests that a fault applies to: by method, by the end of the path, by their order.
    private struct Rule {
        let id: Int
        let fault: Fault
        let method: String?
        let path: String
        var skip: Int
        var left: Int
    }

    private struct State {
        var listener: Int32 = -1
        var clients: Set<Int32> = []
        var rules: [Rule] = []
        var rulesMade = 0
        var log: [Exchange] = []
        var isStopped = false
    }

    public var port: UInt16 { reserved.number }
    private let reserved: ReservedPort
    /// The address that the machine uses for its backend.
    public var address: String { "http://127.0.0.1:\(port)" }

    private let backend: UInt16
    private let state = Mutex(State())

    /// - Parameter backend: `http://127.0.0.1:PORT`.
    public init(to backend: String) throws {
        guard let port = backend.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw TestSupportError("no port in \(backend)")
        }
        self.backend = port
        reserved = try ReservedPort()
        let listener = try LoopbackWire.bound(to: reserved.number).descriptor
        state.withLock { $0.listener = listener }
        try accept()
    }

    /// Makes a proxy, and ends it after the body.
    public static func with<Value>(
        to backend: String, body: (FaultProxy) async throws -> Value
    ) async throws -> Value {
        let proxy = try FaultProxy(to: backend)
        defer { proxy.stop() }
        return try await body(proxy)
    }

    // MARK: Faults

    /// Requests with this method and end of a path get the fault: after the first `skip` of them,
    /// `times` of them; of several faults the one that was added first applies.
    public func inject(
        _ fault: Fault, method: String? = nil, path: String = "", skip: Int = 0,
        times: Int = .max
    ) {
        state.withLock { state in
            state.rulesMade += 1
            state.rules.append(
                Rule(
                    id: state.rulesMade, fault: fault, method: method, path: path, skip: skip,
                    left: times))
        }
    }

    /// From now on every request passes; answers that are held are sent.
    public func pass() { state.withLock { $0.rules = [] } }

    /// Stops listening, and ends every connection.
    public func refuse() throws {
        try state.withLock { state in
            for client in state.clients { shutdown(client, Int32(SHUT_RDWR)) }
            shutdown(state.listener, Int32(SHUT_RDWR))
            close(state.listener)
            state.listener = -1
            // A port that is bound and does not listen refuses connections, and no other program takes it.
            state.listener = try LoopbackWire.bound(to: port).descriptor
        }
    }

    /// Listens again after `refuse`.
    public func accept() throws {
        let listener = state.withLock { $0.listener }
        guard listen(listener, 64) == 0 else {
            throw TestSupportError("listen: \(String(cString: strerror(errno)))")
        }
        Thread.detachNewThread {
            while true {
                let client = Glibc.accept(listener, nil, nil)
                if client < 0, errno == EINTR || errno == ECONNABORTED { continue }
                guard client >= 0 else { return }
                let isWanted = self.state.withLock { state in
                    guard !state.isStopped, state.listener == listener else { return false }
                    state.clients.insert(client)
                    return true
                }
                guard isWanted else {
                    close(client)
                    return
                }
                Thread.detachNewThread { self.serve(client) }
            }
        }
    }

    public func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            state.rules = []
            for client in state.clients { shutdown(client, Int32(SHUT_RDWR)) }
            shutdown(state.listener, Int32(SHUT_RDWR))
            close(state.listener)
        }
    }

    // MARK: Log

    /// Every request so far, in the order of the requests.
    public var log: [Exchange] { state.withLock { $0.log } }

    /// The requests with this method at paths with this end.
    public func asked(_ method: String, _ path: String = "") -> [Exchange] {
        log.filter { $0.method == method && $0.path.hasSuffix(path) }
    }

    // MARK: Connections

    private func serve(_ client: Int32) {
        var wire = LoopbackWire(client)
        while let request = wire.read() {
            let words = request.start.split(separator: " ").map(String.init)
            guard words.count == 3 else { break }
            let exchange = Exchange(
                asked: .now, method: words[0], path: words[1],
                key: request.fields["idempotency-key"], body: request.body)
            let (index, rule) = begin(exchange)
            let (outcome, stays) = carryOut(rule, request, wire)
            state.withLock { state in
                state.log[index].outcome = outcome
                state.log[index].ended = .now
            }
            guard stays else { break }
        }
        state.withLock { state in
            state.clients.remove(client)
            close(client)
        }
    }

    /// Logs a request, and finds the fault that applies to it.
    private func begin(_ exchange: Exchange) -> (index: Int, rule: Rule?) {
        state.withLock { state in
            state.log.append(exchange)
            var found: Rule?
            for index in state.rules.indices where found == nil {
                let rule = state.rules[index]
                guard rule.method ?? exchange.method == exchange.method,
                    exchange.path.hasSuffix(rule.path), rule.left > 0
                else { continue }
                if rule.skip > 0 {
                    state.rules[index].skip -= 1
                } else {
                    state.rules[index].left -= 1
                    found = rule
                }
            }
            return (state.log.count - 1, found)
        }
    }

    private func isInForce(_ rule: Rule) -> Bool {
        state.withLock { state in state.rules.contains { $0.id == rule.id } }
    }

    /// Carries out the rule; returns what became of the request and whether the connection stays open.
    private func carryOut(
        _ rule: Rule?, _ request: LoopbackWire.Message, _ client: LoopbackWire
    ) -> (Exchange.Outcome, stays: Bool) {
        switch rule?.fault {
        case .neverAnswer:
            while !client.isGone(within: .milliseconds(20)), !isStopped {}
            return (.failed, false)
        case .answer(let bytes):
            _ = client.send(bytes)
            return (.failed, false)
        case .invent(let make):
            _ = client.send(make())
            return (.failed, false)
        default: break
        }
        var bytes = request.bytes
        if case .rewriteRequest(let make) = rule?.fault { bytes = make(request) }
        guard let answer = forward(bytes) else { return (.unknown, false) }
        func whole() -> (Exchange.Outcome, stays: Bool) {
            guard client.send(answer.bytes) else { return (.unknown, false) }
            return (.answered(status: answer.status ?? 0, body: answer.body), true)
        }
        switch rule?.fault {
        case .holdAnswer:
            while let rule, isInForce(rule) {
                if client.isGone(within: .milliseconds(20)) { return (.unknown, false) }
            }
            return whole()
        case .delay(let time):
            return client.isGone(within: time) ? (.unknown, false) : whole()
        case .drip(let pause):
            for byte in answer.bytes {
                guard !client.isGone(within: pause), !isStopped, client.send([byte]) else { break }
            }
            return (.unknown, false)
        case .cut(let count):
            _ = client.send(answer.bytes.prefix(count))
            return (.unknown, false)
        case .reset(let count):
            _ = client.send(answer.bytes.prefix(count))
            client.resetWhenClosed()
            return (.unknown, false)
        case .rewrite(let change):
            _ = client.send(change(answer.bytes))
            return (.unknown, false)
        case .substitute(let make):
            if let other = forward(make(request)) { _ = client.send(other.bytes) }
            return (.unknown, false)
        case .dropAnswer: return (.unknown, false)
        case .pass, .neverAnswer, .answer, .invent, .rewriteRequest, nil: return whole()
        }
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Asks the backend on a connection of its own; nil if it does not answer.
    private func forward(_ request: [UInt8]) -> LoopbackWire.Message? {
        guard var wire = LoopbackWire.connected(to: backend) else { return nil }
        defer { close(wire.descriptor) }
        guard wire.send(request) else { return nil }
        return wire.read()
    }
}
