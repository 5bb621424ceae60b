public import BackendAPI
internal import FoundationEssentials
public import KioskFlow
public import KioskRuntime
public import MachineClock
public import Reservations

/// The machine's side of the wire contract: signed calls that repeat themselves with the same key.
public final class BackendClient: Sendable {
    /// Adds the signature fields to a request; fails with `KeyTrouble` if the key cannot be used.
    public typealias Signer = @Sendable (WireRequest) throws -> WireRequest
    /// When the backend made this answer to this request, and what the answer may be used for; nil if it is not certain
    /// that the backend made it.
    public typealias Verifier =
        @Sendable (_ answer: WireResponse, _ to: WireRequest) -> VerifiedAnswer?

    private let servers: BackendServers
    private let sign: Signer
    private let session: CurlSession
    private let verify: Verifier?
    private let clock: BackendClock
    private let time: MachineClock
    private let observe: @Sendable (CallReport) -> Void

    /// Makes a client with one connection: concurrent calls are sent one after another.
    ///
    /// Calls that a customer waits for have a client of their own, so that no poll delays them. If a server gives no
    /// answer, the next one is asked with the same idempotency key. `authorities` is a file of PEM certificates that
    /// are trusted for TLS instead of the system's. Without `verify` every answer is accepted; with it, an answer that
    /// it rejects counts as none (rules: signed-answers). `observe` gets each attempt and its result.
    public init(
        servers: BackendServers, authorities: String? = nil,
        clock: BackendClock = BackendClock(), time: MachineClock = .system,
        verify: Verifier? = nil,
        observe: @escaping @Sendable (CallReport) -> Void = { _ in }, sign: @escaping Signer
    ) {
        self.servers = servers
        self.clock = clock
        self.time = time
        self.verify = verify
        self.observe = observe
        self.sign = sign
        session = CurlSession(authorities: authorities, time: time)
    }

    /// Offers the public half of another key of this machine, to be accepted as well; if it is the key that signs the
    /// call, only this key is accepted from then on.
    public func offer(key: String, _ attempt: AttemptKey) async -> Result<Void, BackendFailure> {
        await end(API.machineKey.route(), KeyRequest(key: key), attempt)
    }

    /// Asks for a pairing code for the public half of the key that signs; refused with `keyTaken` if the backend knows
    /// the key.
    public func openPairing(
        key: String, _ attempt: AttemptKey
    ) async -> Result<PairingReply, BackendFailure> {
        await call(API.pairings, KeyRequest(key: key), key: attempt, within: Limit.place)
            .believed { $0.code.count == 8 && $0.code.allSatisfy(\.isNumber) && $0.seconds >= 0 }
    }

    /// What a test call of the backend finds, for the person who installs the machine.
    public enum Probe: Sendable {
        case unreachable
        case notABackend(status: Int)
        /// An answer that was not made by the backend whose key is pinned.
        case foreign(status: Int)
        /// Seconds that the backend's clock is ahead of this machine's, if the answer contains its time.
        case notAuthentic(clockOffset: Int?)
        case good(shop: String, machine: String, latency: Duration, clockOffset: Int)
    }

    /// Asks one server once for this machine's shop and returns the result.
    public func probe(_ address: BackendAddress) async -> Probe {
        let first = await probeOnce(address)
        // The first answer may have corrected the clock, so that a second call succeeds (rules: signed-answers).
        guard verify != nil, case .notAuthentic = first else { return first }
        return await probeOnce(address)
    }

    private func probeOnce(_ address: BackendAddress) async -> Probe {
        let begin = time.now
        let route = API.machine.route()
        guard let request = try? signed(address, route, nil, []),
            case .answered(let answer) = await session.perform(
                request, at: address, timeout: Limit.poll,
                connecting: RetryPolicy.maxConnectingTime)
        else { return .unreachable }
        guard let use = self.use(of: answer, to: request) else {
            return .foreign(status: answer.status)
        }
        if use.isDecision(ofStatus: answer.status), answer.status == 200,
            case .success(let profile) = Self.decode(answer, as: MachineProfile.self)
        {
            return .good(
                shop: profile.shopName, machine: profile.machine.rawValue,
                latency: begin.duration(to: time.now), clockOffset: Int(clock.offset))
        }
        guard RefusedAnswer(answer, use, to: .machine).failure.concernsKey else {
            return .notABackend(status: answer.status)
        }
        if verify != nil { return .notAuthentic(clockOffset: nil) }
        let date = answer.fields[HeaderField.date].flatMap(HTTPDate.seconds)
        return .notAuthentic(clockOffset: date.map { Int($0) - HTTPDate.now })
    }

    /// What an answer may be used for, as far as that can be known; nil if the backend did not make it.
    ///
    /// The backend's time is learned from it.
    private func use(of answer: WireResponse, to request: WireRequest) -> AnswerUse? {
        guard let verify else { return .decided }
        guard let verified = verify(answer, request) else { return nil }
        clock.learn(verified.created)
        return verified.use
    }

    // MARK: Kinds of calls

    typealias Limit = RetryPolicy.Limit

    /// A call whose answer has a body; without a key it only reads.
    func call<Request, Reply>(
        _ endpoint: Endpoint<Request, Reply>, _ request: Request? = nil, key: AttemptKey? = nil,
        within limit: Duration = Limit.poll, each tryTime: Duration = RetryPolicy.maxTryTime
    ) async -> Result<Reply, BackendFailure> {
        await send(endpoint.route(), key, request, within: limit, each: tryTime)
            .flatMap { Self.decode($0, as: Reply.self) }
    }

    /// A call of the place, reservation or call for help that its path names.
    func call<Request, Reply, Subject>(
        _ endpoint: Endpoint<Request, Reply>, of id: Identifier<Subject>, _ request: Request? = nil,
        key: AttemptKey? = nil, within limit: Duration,
        each tryTime: Duration = RetryPolicy.maxTryTime
    ) async -> Result<Reply, BackendFailure> {
        await send(endpoint.route(id), key, request, within: limit, each: tryTime)
            .flatMap { Self.decode($0, as: Reply.self) }
    }

    /// A call that is answered by 204 without a body; any other answer leaves the result unknown.
    private func end(
        _ route: Route, _ request: (any Encodable & Sendable)?, _ key: AttemptKey
    ) async -> Result<Void, BackendFailure> {
        await send(route, key, request, within: Limit.other).flatMap {
            $0.status == 204 ? .success(()) : .failure(.notUnderstood)
        }
    }

    // MARK: Attempts

    private func send(
        _ route: Route, _ key: AttemptKey?, _ request: (any Encodable & Sendable)?,
        within limit: Duration, each tryTime: Duration = RetryPolicy.maxTryTime
    ) async -> Result<WireResponse, BackendFailure> {
        guard let body = Self.encode(request) else { return .failure(.notUnderstood) }
        let begin = time.now
        var policy = RetryPolicy(
            limit: limit, each: tryTime, isRepeatable: key != nil, servers: servers.addresses.count)
        var failure = BackendFailure.unanswered
        while let tried = policy.begin(at: begin.duration(to: time.now)) {
            let address = servers.current
            let request: WireRequest
            do { request = try signed(address, route, key, body) } catch {
                // An earlier attempt may have taken effect.
                if policy.isFirst { failure = .noKey(error as? KeyTrouble ?? .damaged) }
                break
            }
            let sent = time.now
            let outcome = await session.perform(
                request, at: address, timeout: tried.time, connecting: tried.connectingTime)
            let use = outcome.answer.flatMap { self.use(of: $0, to: request) }
            let answer = use == nil ? nil : outcome.answer
            observe(
                CallReport(
                    at: Moment(milliseconds: Int64(HTTPDate.now) * 1_000),
                    status: outcome.answer?.status, took: sent.duration(to: time.now),
                    isSigned: verify == nil ? nil : outcome.answer.map { _ in answer != nil }))
            let isServing = answer.map { $0.status < 500 } ?? false
            if !isServing { servers.failed(address) }
            if let answer, let use, (200..<300).contains(answer.status),
                use.isDecision(ofStatus: answer.status)
            {
                return .success(answer)
            }
            let refused = answer.flatMap { answer in
                use.map { RefusedAnswer(answer, $0, to: route.name) }
            }
            failure = refused?.failure ?? .unanswered
            let pause = policy.pause(
                after: RetryPolicy.Outcome(
                    isReached: !outcome.isUnreached, isServing: isServing,
                    isNotAuthentic: failure == .refusal(.notAuthentic),
                    isWorthRetrying: refused?.isWorthRetrying ?? true,
                    retryAfter: refused?.retryAfter ?? .zero), at: begin.duration(to: time.now),
                jitter: .random(in: 0...1))
            guard let pause else { break }
            if pause > .zero { try? await time.sleep(for: pause) }
            // The caller does not wait any more, and the answer could interfere with a newer call.
            if Task.isCancelled { break }
        }
        return .failure(failure)
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
                method: route.endpoint.method.rawValue, authority: address.authority,
                path: route.path, fields: fields, body: body))
    }

    // MARK: Bodies

    /// An empty body if there is none; nil if the encoder fails, which does not happen with plain structures. A request that is
    /// repeated has the same bytes, since its key is good for one text only.
    private static func encode(_ body: (any Encodable)?) -> [UInt8]? {
        guard let body else { return [] }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(body)).map { Array($0) }
    }

    /// The decoded body, if it has the expected form and plausible values.
    private static func decode<Body: Decodable>(
        _ answer: WireResponse, as body: Body.Type
    ) -> Result<Body, BackendFailure> {
        guard answer.fields[HeaderField.contentType]?.hasPrefix("application/json") == true,
            let value = try? JSONDecoder().decode(body, from: Data(answer.body)),
            (value as? any Plausible)?.isPlausible ?? true
        else { return .failure(.notUnderstood) }
        return .success(value)
    }
}

extension BackendClient: BackendPort {
    public func shop() async -> BackendAnswer<MachineProfile> { await call(API.machine) }

    public func queue() async -> BackendAnswer<QueueStatus> { await call(API.queue) }

    public func takePlace(
        _ kind: ReservationKind, _ key: AttemptKey
    ) async -> BackendAnswer<HeldPlace> {
        await call(API.holds, HoldRequest(kind: kind), key: key, within: Limit.place)
            .believed { $0.kind == kind }
    }

    public func extend(_ hold: ReservationID, _ key: AttemptKey) async -> BackendAnswer<HeldPlace> {
        await call(API.holdExtension, of: hold, key: key, within: Limit.other)
    }

    public func release(_ hold: ReservationID, _ key: AttemptKey) async -> BackendAnswer<Void> {
        await end(API.hold.route(hold), nil, key)
    }

    public func confirm(
        _ hold: ReservationID, _ key: AttemptKey
    ) async -> BackendAnswer<Reservation> {
        await call(API.holdConfirmation, of: hold, key: key, within: Limit.place)
            .believed { $0.id == hold }
    }

    public func lookUp(
        _ code: PresentedCode, _ key: AttemptKey
    ) async -> BackendAnswer<FoundReservation> {
        await call(API.lookup, CodeRequest(code: code.text), key: key, within: Limit.other)
            .flatMap { found in
                let isReclaimable = found.status == .missed && found.reclaimBy != nil
                return isReclaimable ? .success(found) : Result.success(found).ofValidReservation
            }
    }

    public func delete(_ reservation: ReservationID, _ code: PresentedCode, _ key: AttemptKey) async
        -> BackendAnswer<Void>
    { await end(API.reservation.route(reservation), CodeRequest(code: code.text), key) }

    public func delay(
        _ reservation: ReservationID, _ code: PresentedCode, people: Int, _ key: AttemptKey
    ) async -> BackendAnswer<FoundReservation> {
        await call(
            API.delay, of: reservation, DelayRequest(code: code.text, people: people), key: key,
            within: Limit.other
        ).believed { $0.id == reservation }.ofValidReservation
    }

    public func reclaim(
        _ reservation: ReservationID, _ code: PresentedCode, _ key: AttemptKey
    ) async -> BackendAnswer<FoundReservation> {
        await call(
            API.reclaim, of: reservation, CodeRequest(code: code.text), key: key,
            within: Limit.other
        ).believed { $0.id == reservation }.ofValidReservation
    }

    public func lookUpOrder(
        _ code: PresentedOrderCode, _ key: AttemptKey
    ) async -> BackendAnswer<PickupOrder> {
        await call(API.orderLookup, CodeRequest(code: code.text), key: key, within: Limit.other)
            .believed { $0.isOf(code) }
    }

    public func arrive(
        _ order: OrderID, _ code: PresentedOrderCode, _ key: AttemptKey
    ) async -> BackendAnswer<PickupOrder> {
        await call(
            API.orderArrival, of: order, CodeRequest(code: code.text), key: key,
            within: Limit.place
        ).believed { $0.id == order && $0.isOf(code) }
    }

    public func staffQueue() async -> BackendAnswer<StaffQueue> { await call(API.staffQueue) }

    public func act(
        _ action: StaffAction, by person: String, closes: LocalMoment?, _ key: AttemptKey
    ) async -> BackendAnswer<Int?> {
        let answer = await act(StaffActionRequest(action, by: person), key)
        guard answer == .failure(.refusal(.malformed)),
            let older = action.forOlderBackend(by: person, closes: closes)
        else { return answer }
        return await act(older, key)
    }

    /// Returns how many people lost their place or have it again, if the action has such a result.
    private func act(
        _ action: StaffActionRequest, _ key: AttemptKey
    ) async -> Result<Int?, BackendFailure> {
        await send(API.staffActions.route(), key, action, within: Limit.other).map { answer in
            let result = try? Self.decode(answer, as: StaffActionResult.self).get()
            return result?.sentHome ?? result?.restored
        }
    }

    public func renewCode(
        of number: QueueNumber, _ code: EntryCode, by person: String, _ key: AttemptKey
    ) async -> BackendAnswer<Reservation> {
        let action = StaffActionRequest(.newCode(number, code), by: person)
        return await send(API.staffActions.route(), key, action, within: Limit.other).flatMap {
            Self.decode($0, as: Reservation.self)
        }.believed { $0.number == number && $0.code != code }
    }

    /// Reports the machine's status once; without an answer it is reported again ten seconds later anyway.
    public func report(
        _ report: MachineStatusReport, _ attempt: AttemptKey
    ) async -> Result<MachineStatusReply, BackendFailure> {
        await call(API.machineStatus, report, key: attempt)
    }
}

extension Result where Failure == BackendFailure {
    func believed(_ isWanted: (Success) -> Bool) -> Self {
        flatMap { isWanted($0) ? .success($0) : .failure(.notUnderstood) }
    }
}

extension PickupOrder {
    /// Whether a ticket in the answer carries the code with which the order was asked for.
    fileprivate func isOf(_ code: PresentedOrderCode) -> Bool {
        guard let ticket else { return true }
        return switch code {
        case .entry(let code): ticket.code == code
        case .typed(let code): ticket.typedCode == code
        }
    }
}

extension StaffAction {
    /// The request that an older backend knows instead of this action; nil if there is none.
    fileprivate func forOlderBackend(
        by person: String, closes: LocalMoment?
    ) -> StaffActionRequest? {
        switch self {
        case .sendHome: closes.map { StaffActionRequest(.closeEarly, at: $0, by: person) }
        case .openAgain: StaffActionRequest(.closeEarly, by: person)
        case .reservation, .occupancy, .closeEarly, .endTickets, .unblock, .newCode: nil
        }
    }
}
