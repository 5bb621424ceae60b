public import BackendAPI
internal import FoundationEssentials
public import KioskFlow
public import KioskRuntime
public import Reservations

/// The machine's side of the wire contract: signed calls that repeat themselves with the same key.
public final class BackendClient: Sendable {
    /// Adds the signature fields to a request; fails with `KeyTrouble` where the key cannot be used.
    public typealias Signer = @Sendable (WireRequest) throws -> WireRequest
    /// When the backend made this answer to this request, and what it may be used for; nil where the answer is
    /// not surely its own.
    public typealias Verifier =
        @Sendable (_ answer: WireResponse, _ to: WireRequest) -> VerifiedAnswer?

    /// Limits of time (rules 14).
    enum Limit {
        /// One try.
        static let oneTry: Duration = .milliseconds(2_500)
        /// Ticket and visit, all tries.
        static let place: Duration = .seconds(9)
        /// Everything else, all tries.
        static let other: Duration = .milliseconds(4_500)
        /// A poll is asked again soon by itself: one try.
        static let poll: Duration = oneTry
        /// Name, connection and TLS of one try; a mobile network needs four round trips for them.
        static let connecting: Duration = .milliseconds(1_500)
        /// All tries that found nobody: nothing was sent, and the customer is told within 3 s
        /// (faults 12).
        static let reaching: Duration = .milliseconds(2_700)
        /// The first try and three more.
        static let tries = 4
    }

    private let servers: BackendServers
    private let sign: Signer
    private let session: CurlSession
    private let verify: Verifier?
    private let clock: BackendClock
    private let observe: @Sendable (CallReport) -> Void

    /// One connection: calls made at once are sent one after the other.
    ///
    /// What a customer waits for has a client of its own, so that no poll stands before it. A server that gives no
    /// answer is followed by the next one, with the same idempotency key.
    /// `authorities` is a file of PEM certificates that are trusted for TLS instead of the system's.
    /// Without `verify` every answer is believed; with it, what it does not know counts as none (rules 22).
    /// `observe` is told of each try and what came of it.
    public init(
        servers: BackendServers, authorities: String? = nil,
        clock: BackendClock = BackendClock(), verify: Verifier? = nil,
        observe: @escaping @Sendable (CallReport) -> Void = { _ in }, sign: @escaping Signer
    ) {
        self.servers = servers
        self.clock = clock
        self.verify = verify
        self.observe = observe
        self.sign = sign
        session = CurlSession(authorities: authorities)
    }

    public var port: BackendPort {
        BackendPort(
            shop: { await self.poll(.machine, as: MachineReply.self).flatMap { $0.report } },
            queue: { await self.poll(.queue, as: QueueReply.self).flatMap { $0.report } },
            takePlace: { kind, key in
                await self.change(
                    .holds, key, HoldRequest(kind: kind), within: Limit.place,
                    as: HoldReply.self
                ).flatMap { $0.kind == kind ? $0.place : .failure(.notUnderstood) }
            },
            extend: { hold, key in
                await self.change(
                    .holdExtension(hold), key, within: Limit.other, as: HoldReply.self
                ).flatMap { $0.place }
            },
            release: { hold, key in
                await self.settle(.hold(hold), key)
            },
            confirm: { hold, key in
                await self.change(
                    .holdConfirmation(hold), key, within: Limit.place, as: ReservationReply.self
                ).flatMap { $0.checked(of: hold) }
            },
            lookUp: { code, key in
                await self.change(
                    .lookup, key, LookupRequest(code: code.text), within: Limit.other,
                    as: LookupReply.self
                ).flatMap { $0.found }
            },
            delete: { reservation, code, key in
                await self.settle(.reservation(reservation), key, DeletionRequest(code: code))
            })
    }

    /// What the staff sees of the queue and puts right in it, in maintenance mode.
    public var staffPort: StaffBackendPort {
        StaffBackendPort(
            queue: {
                await self.poll(.staffQueue, as: StaffQueueReply.self).flatMap { $0.report }
            },
            act: { deed, person, closes, key in
                let answer = await self.act(StaffAction(deed, by: person), key)
                guard case .failure(.refused(ProblemType.malformed.rawValue)) = answer,
                    let older = StaffAction(olderFor: deed, by: person, closes: closes)
                else { return answer }
                return await self.act(older, key)
            })
    }

    /// How many people lost their place by it or have it again, where it is such an action.
    private func act(_ action: StaffAction, _ key: AttemptKey) async -> Result<Int?, BackendFailure>
    {
        await change(.staffActions, key, action, within: Limit.other).map { answer in
            let reply = try? Self.decode(answer, as: StaffActionReply.self).get()
            return reply?.sentHome ?? reply?.restored
        }
    }

    /// Tells once how the machine is; what is not answered is told again ten seconds later anyway.
    public func report(
        _ report: MachineReport, _ attempt: AttemptKey
    ) async -> Result<ReportAnswer, BackendFailure> {
        await change(
            .machineStatus, attempt, MachineStatusRequest(report), within: Limit.poll,
            as: MachineStatusReply.self
        ).flatMap { $0.answer }
    }

    /// Asks for a key of this machine's, by its public half, to be valid too or, where it is the one that
    /// signs, alone.
    public func offer(
        key: String, _ attempt: AttemptKey
    ) async -> Result<Void, BackendFailure> {
        await settle(.machineKey, attempt, KeyRequest(key: key))
    }

    /// A code that lets this machine in, once an administrator enters it.
    public struct Pairing: Sendable {
        /// Eight digits.
        public let code: String
        /// How long it is good.
        public let life: Duration
        /// The backend's public key, as it says itself.
        public let backendKey: String
    }

    /// Asks for a code by the public half of the key that signs; `.refused("key-taken")` where the backend
    /// knows the key.
    public func openPairing(
        key: String, _ attempt: AttemptKey
    ) async -> Result<Pairing, BackendFailure> {
        await change(
            .pairings, attempt, KeyRequest(key: key), within: Limit.place, as: PairingReply.self
        ).flatMap { reply in
            guard reply.code.count == 8, reply.code.allSatisfy(\.isNumber), reply.seconds >= 0
            else { return .failure(.notUnderstood) }
            return .success(
                Pairing(
                    code: reply.code, life: .seconds(reply.seconds), backendKey: reply.backendKey))
        }
    }

    /// What a look at the backend finds, for who installs the machine.
    public enum Probe: Sendable {
        case unreachable
        case notABackend(status: Int)
        /// An answer, but not one of the backend whose key is pinned.
        case foreign(status: Int)
        /// Seconds the backend's clock is ahead of this machine's, where the answer tells.
        case notAuthentic(clockOffset: Int?)
        case good(shop: String, machine: String, latency: Duration, clockOffset: Int)
    }

    /// Asks one server once for this machine's shop and says what came of it.
    public func probe(_ address: BackendAddress) async -> Probe {
        let first = await probeOnce(address)
        // What the first answer has told of the clock may be the cure (rules 22).
        guard verify != nil, case .notAuthentic = first else { return first }
        return await probeOnce(address)
    }

    private func probeOnce(_ address: BackendAddress) async -> Probe {
        let begin = ContinuousClock.now
        guard let request = try? signed(address, .machine, nil, []),
            case .answered(let answer) = await session.perform(
                request, at: address, timeout: Limit.poll, connecting: Limit.connecting)
        else { return .unreachable }
        guard let standing = self.standing(of: answer, to: request) else {
            return .foreign(status: answer.status)
        }
        if standing.isDecision(ofStatus: answer.status), answer.status == 200,
            case .success(let reply) = Self.decode(answer, as: MachineReply.self)
        {
            return .good(
                shop: reply.shopName, machine: reply.machine.rawValue,
                latency: ContinuousClock.now - begin, clockOffset: Int(clock.offset))
        }
        guard Refusal(answer, standing, to: .machine).failure == .notAuthentic else {
            return .notABackend(status: answer.status)
        }
        if verify != nil { return .notAuthentic(clockOffset: nil) }
        let date = answer.fields[HeaderField.date].flatMap(HTTPDate.seconds)
        return .notAuthentic(clockOffset: date.map { Int($0) - HTTPDate.now })
    }

    /// What an answer may be used for, as far as that can be known; nil where it is not the backend's.
    ///
    /// The backend's time is learned from it.
    private func standing(
        of answer: WireResponse, to request: WireRequest
    ) -> AnswerStanding? {
        guard let verify else { return .decided }
        guard let verified = verify(answer, request) else { return nil }
        clock.learn(verified.created)
        return verified.standing
    }

    // MARK: Kinds of calls

    private func poll<Body: Decodable>(
        _ route: Route, as body: Body.Type
    ) async -> Result<Body, BackendFailure> {
        await send(route, key: nil, body: [], within: Limit.poll)
            .flatMap { Self.decode($0, as: body) }
    }

    private func change<Body: Decodable>(
        _ route: Route, _ key: AttemptKey, _ request: (any Encodable & Sendable)? = nil,
        within limit: Duration, as body: Body.Type
    ) async -> Result<Body, BackendFailure> {
        await change(route, key, request, within: limit).flatMap { Self.decode($0, as: body) }
    }

    private func change(
        _ route: Route, _ key: AttemptKey, _ request: (any Encodable & Sendable)? = nil,
        within limit: Duration
    ) async -> Result<WireResponse, BackendFailure> {
        guard let bytes = Self.encode(request) else { return .failure(.notUnderstood) }
        return await send(route, key: key, body: bytes, within: limit)
    }

    /// Answered by 204 and nothing else: what is not known to be gone must be asked about again.
    private func settle(
        _ route: Route, _ key: AttemptKey, _ request: (any Encodable & Sendable)? = nil
    ) async -> Result<Void, BackendFailure> {
        await change(route, key, request, within: Limit.other).flatMap {
            $0.status == 204 ? .success(()) : .failure(.notUnderstood)
        }
    }

    // MARK: Tries

    private func send(
        _ route: Route, key: AttemptKey?, body: [UInt8], within limit: Duration
    ) async -> Result<WireResponse, BackendFailure> {
        let clock = ContinuousClock()
        let begin = clock.now
        let end = begin + limit
        var isReached = false
        var failure = BackendFailure.unanswered
        var isSignedAnew = false
        for attempt in 1...(Limit.tries + servers.addresses.count - 1) {
            let left = clock.now.duration(to: end)
            let address = servers.current
            guard left > .milliseconds(50) else { break }
            let request: WireRequest
            do { request = try signed(address, route, key, body) } catch {
                // An earlier try may have had its effect.
                if attempt == 1 { failure = .noKey(error as? KeyTrouble ?? .damaged) }
                break
            }
            let sent = clock.now
            let unreachedFor = begin.duration(to: sent)
            let outcome = await session.perform(
                request, at: address, timeout: min(left, Limit.oneTry),
                connecting: isReached
                    ? Limit.connecting : min(Limit.connecting, Limit.reaching - unreachedFor))
            let standing = outcome.answer.flatMap { self.standing(of: $0, to: request) }
            let answer = standing == nil ? nil : outcome.answer
            observe(
                CallReport(
                    at: Moment(milliseconds: Int64(HTTPDate.now) * 1_000), call: route.told,
                    status: outcome.answer?.status, took: clock.now - sent,
                    isSigned: verify == nil ? nil : outcome.answer.map { _ in answer != nil }))
            let isServing = answer.map { $0.status < 500 } ?? false
            if !isServing { servers.failed(address) }
            if !outcome.isUnreached { isReached = true }
            if let answer, let standing, (200..<300).contains(answer.status),
                standing.isDecision(ofStatus: answer.status)
            {
                return .success(answer)
            }
            let refusal = answer.flatMap { answer in
                standing.map { Refusal(answer, $0, to: route) }
            }
            failure = refusal?.failure ?? .unanswered
            if failure == .notAuthentic, !isSignedAnew {
                // Once (rules 22): the clock may be known now; and where what stands between sends the
                // same bytes again by itself, their nonce has been seen.
                isSignedAnew = true
                continue
            }
            // Another server is asked at once, also what is asked only once of each.
            let round = (attempt - 1) / servers.addresses.count + 1
            let isNext = !isServing && attempt % servers.addresses.count != 0
            guard refusal?.isWorthRetrying ?? true, round < Limit.tries, key != nil || isNext else {
                break
            }
            let pause = isNext ? .zero : max(Self.pause(after: round), refusal?.retryAfter ?? .zero)
            let last = isReached ? end : min(end, begin + Limit.reaching)
            guard clock.now + pause < last else { break }
            try? await clock.sleep(for: pause)
            // Nobody waits for it any more: what it would bring now would be in another's way.
            if Task.isCancelled { break }
        }
        return .failure(failure)
    }

    /// 200, 400, 800 ms and up to half as much again: machines that failed together come back apart.
    private static func pause(after attempt: Int) -> Duration {
        let base = 100 << attempt
        return .milliseconds(base + Int.random(in: 0...(base / 2)))
    }

    private func signed(
        _ address: BackendAddress, _ route: Route, _ key: AttemptKey?, _ body: [UInt8]
    ) throws -> WireRequest {
        var fields: [String: String] = [:]
        if !body.isEmpty { fields[HeaderField.contentType] = "application/json" }
        if let key { fields[HeaderField.idempotencyKey] = key.rawValue }
        if verify != nil { fields[HeaderField.acceptSignature] = AnswerSignature.request }
        return try sign(
            WireRequest(
                method: route.method.rawValue, authority: address.authority, path: route.path,
                fields: fields, body: body))
    }

    // MARK: Bodies

    /// No bytes for no body; nil where the encoder fails, which plain structures never make it.
    private static func encode(_ body: (any Encodable)?) -> [UInt8]? {
        guard let body else { return [] }
        return (try? JSONEncoder().encode(body)).map { Array($0) }
    }

    private static func decode<Body: Decodable>(
        _ answer: WireResponse, as body: Body.Type
    ) -> Result<Body, BackendFailure> {
        guard answer.fields[HeaderField.contentType]?.hasPrefix("application/json") == true,
            let value = try? JSONDecoder().decode(body, from: Data(answer.body))
        else { return .failure(.notUnderstood) }
        return .success(value)
    }
}

extension Route {
    /// Method and path, without the name of what it is about.
    fileprivate var told: String {
        let path: String =
            switch self {
            case .hold, .holdExtension, .holdConfirmation, .reservation:
                path.split(separator: "/").map { $0.count > 15 ? "…" : "/\($0)" }.joined()
            default: path
            }
        return "\(method.rawValue) \(path)"
    }
}
