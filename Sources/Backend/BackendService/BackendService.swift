public import BackendAPI
public import Cryptography
internal import QueueEngine
public import ReservationStore
public import Reservations

/// The API of machines, displays and readers: authenticates, decodes, lets the store decide, replies.
public final class BackendService: Sendable {
    /// Settings that may differ from one installation to another.
    public struct Options: Sendable {
        /// How many calls one machine may send; nil for no limit, as benchmarks need it.
        public var rateLimit: RateLimit? = .standard
        /// How often one machine may look up a typed code, or try to prove something with a wrong code; nil for no
        /// limit.
        public var codeLimit: RateLimit? = .typedCodes
        /// How many reservations one machine may make; nil for no limit.
        public var reservationLimit: RateLimit? = .reservations
        /// How many calls that change something one machine may send; nil for no limit.
        public var writeLimit: RateLimit? = .writes
        /// How many places one machine may ask for; nil for no limit.
        public var holdLimit: RateLimit? = .holds
        /// How often one machine may offer another key; nil for no limit.
        public var keyLimit: RateLimit? = .keyChanges
        /// How many actions the staff of one machine may send; nil for no limit.
        public var staffLimit: RateLimit? = .staffActions
        /// How many pairing codes unpaired machines may ask for from one address; nil for no limit.
        public var pairingLimit: RateLimit? = .pairings
        /// How often one machine may report its status; nil for no limit.
        public var statusLimit: RateLimit? = .statuses
        /// How often one device may ask for the ticket that opens a WebSocket; nil for no limit.
        public var sessionLimit: RateLimit? = .sessions
        /// WebSockets of one shop at once: a third of all that the server has.
        public var maxSocketsPerShop = 200
        /// The signer of answers to signed requests; nil leaves them unsigned.
        public var answerSigner: AnswerSigner?
        /// The names by which machines call the backend; nil if none were set (`ServedNames`).
        public var names: Set<String>?
        /// If no names were set: the host and port by which each machine called when it was last heard.
        public var machineNames: [MachineName: String] = [:]
        /// Opens a door for a customer who may pass; called after the commit, and must be quick.
        public var openDoor: @Sendable (DoorEvent) -> Void = { _ in }
        /// Called when this or another server has opened a door, with how many seconds the door stays open.
        public var doorHeard: @Sendable (Door, Int) -> Void = { _, _ in }

        public init() {}
    }

    let store: QueueStore
    let calendar: ShopCalendar
    let directory: MachineDirectory
    let feed: TurnFeed
    let openDoor: @Sendable (DoorEvent) -> Void
    let names: ServedNames
    let doorHeard: @Sendable (Door, Int) -> Void
    let doorStates = DoorStates()
    private let nonces: NonceMemory
    let attempts = RecentAttempts()
    private let limiter: RateLimiter?
    let codeLimiter: RateLimiter?
    let reservationLimiter: RateLimiter?
    let writeLimiter: RateLimiter?
    let holdLimiter: RateLimiter?
    let keyLimiter: RateLimiter?
    let staffLimiter: RateLimiter?
    let pairingLimiter: RateLimiter?
    /// The key that machines are to pin; nil if answers are not signed.
    let backendKey: PublicKey?
    let statusLimiter: RateLimiter?
    let sessionLimiter: RateLimiter?
    let log: ServiceLog
    /// The counts of requests; a server of requests counts with `begin`.
    public let metrics = ServiceMetrics()
    let answerSigner: AnswerSigner?
    let clock: @Sendable () -> Moment
    private let uptime: @Sendable () -> ContinuousClock.Instant

    /// `uptime` is the clock by which nonces age, which no administrator sets. `clock` is the real time, by which
    /// signatures are fresh or stale (rules 29).
    public init(
        store: QueueStore, calendar: ShopCalendar, log: ServiceLog, options: Options = Options(),
        clock: @escaping @Sendable () -> Moment,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.uptime = uptime
        self.store = store
        self.calendar = calendar
        self.log = log
        self.clock = clock
        names = ServedNames(
            given: options.names,
            known: Dictionary(
                options.machineNames.map { ($0.key.text, ServedNames.host(of: $0.value)) }
            ) { first, _ in first })
        directory = MachineDirectory(store: store)
        nonces = NonceMemory(start: clock().milliseconds.flooredQuotient(by: 1_000))
        func limiter(_ limit: RateLimit) -> RateLimiter {
            RateLimiter(limit) { [store] in store.servers }
        }
        self.limiter = options.rateLimit.map(limiter)
        codeLimiter = options.codeLimit.map(limiter)
        reservationLimiter = options.reservationLimit.map(limiter)
        writeLimiter = options.writeLimit.map(limiter)
        holdLimiter = options.holdLimit.map(limiter)
        keyLimiter = options.keyLimit.map(limiter)
        staffLimiter = options.staffLimit.map(limiter)
        pairingLimiter = options.pairingLimit.map(limiter)
        backendKey = options.answerSigner?.publicKey
        statusLimiter = options.statusLimit.map(limiter)
        sessionLimiter = options.sessionLimit.map(limiter)
        openDoor = options.openDoor
        doorHeard = options.doorHeard
        answerSigner = options.answerSigner
        feed = TurnFeed(
            store: store, directory: directory,
            maxSocketsPerShop: options.maxSocketsPerShop, clock: clock)
        feed.start { [weak self] in self?.heard($0, of: $1) }
    }

    /// Answers a request: `respond` is called exactly once, now or from the store's queue.
    public func handle(
        _ request: WireRequest, respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        if ["/healthz", "/readyz"].contains(request.path) {
            guard names.serveHealth(request.authority) else {
                return respond(misdirection(of: request).response)
            }
            return respond(
                request.path == "/healthz" ? health(request) : readiness(request))
        }
        let decided: @Sendable (WireResponse) -> Void = { [self] in
            respond(signed($0, to: request, isVerified: true))
        }
        func refuse(_ refusal: RefusedCall) {
            respond(signed(refusal.response, to: request, isVerified: false))
        }
        let isServed = names.serve(request.authority)
        // A machine that has signed for the name may teach it; a machine whose clock is wrong gets the right time
        // first.
        guard isServed || !names.areSet && request.fields[HeaderField.signature] != nil else {
            return refuse(misdirection(of: request))
        }
        if Route(path: request.path)?.name == .pairings {
            guard isServed else { return refuse(misdirection(of: request)) }
            switch pairingRequest(request) {
            case .failure(let refusal): refuse(refusal)
            case .success(let asked): openPairing(asked, decided)
            }
        } else {
            switch authenticate(request) {
            case .failure(let refusal):
                let isTold = isServed || refusal.response.status == Refusal.notAuthentic.status
                refuse(isTold ? refusal : misdirection(of: request))
            case .success(let call):
                guard names.learn(request.authority, of: call.caller.limited) || isServed else {
                    return refuse(misdirection(of: request))
                }
                serve(call, decided)
            }
        }
    }

    private func serve(_ call: Call, _ respond: @escaping @Sendable (WireResponse) -> Void) {
        if let refusal = objection(to: call) { return respond(refusal.response) }
        /// The request to the store that the call stands for, or why there is none.
        let wanted: Result<MachineRequest, RefusedCall>
        switch call.route.name {
        case .machine: return respond(Answers.response(profile(for: call)))
        case .queue: return respond(Answers.response(ifKnown: store.status(of: call.shop.id)))
        case .staffQueue: return respond(Answers.response(ifKnown: staffQueue(of: call.shop)))
        case .lookup: return lookUp(call, respond)
        case .machineStatus: return report(call, respond)
        case .sessions: return respond(session(call))
        // The callers of these routes are not known by a signature, and were answered before.
        case .turns, .pairings: return respond(RefusedCall(.unknownRoute).response)
        case .holds: wanted = hold(call)
        case .holdExtension: wanted = call.ofReservation { .extend($0) }
        case .hold: wanted = call.ofReservation { .release($0) }
        case .holdConfirmation: wanted = call.ofReservation { .confirm($0) }
        case .reservation: wanted = deletion(call)
        case .entries: wanted = passage(call, .entrance)
        case .exits:
            wanted = passage(
                call, .exit(call.caller.role == .checkout ? .checkout : .turnstile))
        case .staffActions: wanted = staffAction(call)
        case .machineKey: wanted = keyChange(call)
        }
        switch wanted {
        case .failure(let refusal): respond(refusal.response)
        case .success(let command):
            if case .failure(let refusal) = mayWrite(command, call) {
                return respond(refusal.response)
            }
            perform(command, call, respond)
        }
    }

    /// An answer that ends the work on a request.
    struct RefusedCall: Error {
        let response: WireResponse

        init(_ response: WireResponse) { self.response = response }

        init(_ problem: Refusal, _ detail: String? = nil, fields: [String: String] = [:]) {
            response = Answers.response(Problem(problem, detail: detail), fields: fields)
        }
    }

    /// A request of a known machine.
    struct Call {
        let route: Route
        let request: WireRequest
        let caller: KnownMachine
        let signature: VerifiedSignature

        var shop: Shop { caller.shop }

        /// The decoded body; fails with a sentence about the form that the body must have.
        func body<Body: Decodable>(_ type: Body.Type, _ form: String) -> Result<Body, RefusedCall> {
            JSONText.value(type, request.body).map { .success($0) }
                ?? .failure(RefusedCall(.malformed, "the body must be \(form)"))
        }

        /// A command on the place or reservation that the path names.
        func ofReservation(
            _ command: (ReservationID) -> MachineRequest
        ) -> Result<MachineRequest, RefusedCall> {
            route.id.map { .success(command($0)) } ?? .failure(RefusedCall(.unknownRoute))
        }
    }

    /// Signs an answer, refusals too, so that a machine can distinguish them from the answer of an impostor
    /// (rules 22).
    ///
    /// - Parameter isVerified: whether the caller is known. A 401 always counts as unverified, whatever its reason.
    private func signed(
        _ answer: WireResponse, to request: WireRequest, isVerified: Bool
    ) -> WireResponse {
        answerSigner?.sign(
            answer, to: request, created: realTime.seconds,
            isVerified: isVerified && answer.status != Refusal.notAuthentic.status) ?? answer
    }

    /// The clock that decides how long signatures are fresh and pairing codes valid (rules 29).
    var realTime: Moment { clock() }

    /// About when a signature that arrives now is too old: it may be a window ahead, and a server a window behind.
    var nonceExpires: Moment { realTime + .seconds(3 * MachineSignature.windowSeconds + 1) }

    /// Finds the route, then the machine; all requests that are not authentic look the same to the caller.
    private func authenticate(_ request: WireRequest) -> Result<Call, RefusedCall> {
        guard let route = Route(path: request.path) else {
            return .failure(RefusedCall(.unknownRoute))
        }
        if let refusal = misshapen(request, route) { return .failure(refusal) }
        // Only a ticket proves which device opens a socket, and only the request of a socket is asked for one.
        guard route.name != .turns else {
            return .failure(
                RefusedCall(
                    .upgradeRequired,
                    fields: ["upgrade": "websocket", "connection": "upgrade"]))
        }
        var caller: KnownMachine?
        let verified = SignatureVerifier.verify(request, now: realTime.seconds) {
            [directory] keyID in
            caller = directory.machine(keyID: keyID)
            return caller?.key
        }
        switch verified {
        case .failure(let reason):
            return .failure(notAuthentic(reason.rawValue))
        case .success(let signature):
            guard let caller else { return .failure(notAuthentic("wrong-signature")) }
            return .success(
                Call(route: route, request: request, caller: caller, signature: signature))
        }
    }

    /// Why a call of a known machine is not served; nil if there is no objection.
    private func objection(to call: Call) -> RefusedCall? {
        let caller = call.caller
        if let limiter, !limiter.allows(caller.limited) {
            log.note("rate-limited", ["machine": caller.machine.rawValue])
            return RefusedCall(.tooManyRequests, fields: [HeaderField.retryAfter: "1"])
        }
        guard call.route.endpoint.roles.contains(caller.role) else {
            log.note("forbidden", ["machine": caller.machine.rawValue])
            return RefusedCall(.forbidden)
        }
        // Changing calls store their nonce with the change.
        let isNew =
            call.route.endpoint.repetition == .stored
            || nonces.accept(
                keyID: call.signature.keyID, nonce: call.signature.nonce,
                created: call.signature.created, at: uptime())
        return isNew ? nil : notAuthentic("replayed", caller.machine)
    }

    /// The fault in the form of a request, before its sender is authenticated; nil if there is none.
    func misshapen(_ request: WireRequest, _ route: Route) -> RefusedCall? {
        let endpoint = route.endpoint
        guard request.method == endpoint.method.rawValue else {
            return RefusedCall(.methodNotAllowed, fields: ["allow": endpoint.method.rawValue])
        }
        guard request.body.count <= endpoint.maxBodyBytes else {
            return RefusedCall(.tooLarge, "a body has at most \(endpoint.maxBodyBytes) bytes")
        }
        if endpoint.carriesKey {
            guard let key = request.fields[HeaderField.idempotencyKey], PlainName.isValid(key)
            else {
                return RefusedCall(
                    .malformed, "Idempotency-Key: 1 to 64 of A-Z a-z 0-9 - _ is needed")
            }
        }
        return nil
    }

    func notAuthentic(_ reason: String, _ machine: MachineID? = nil) -> RefusedCall {
        var detail = ["reason": reason]
        detail["machine"] = machine?.rawValue
        log.note("not-authentic", detail)
        return RefusedCall(Answers.notAuthentic)
    }

    private func hold(_ call: Call) -> Result<MachineRequest, RefusedCall> {
        call.body(HoldRequest.self, "{\"kind\": \"ticket\" or \"visit\"}").flatMap { body in
            ReservationKind(rawValue: body.kind).map { .success(.hold($0)) }
                ?? .failure(RefusedCall(.unsupportedKind))
        }
    }

    private func deletion(_ call: Call) -> Result<MachineRequest, RefusedCall> {
        presentedCode(call).flatMap { code in
            mayTry(code, call).flatMap { call.ofReservation { .delete($0, code) } }
        }
    }

    private func perform(
        _ command: MachineRequest, _ call: Call,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        let request = call.request
        let text = Array("\(request.method) \(request.path)?\(request.query)\n".utf8)
        store.perform(
            AuthenticatedRequest(
                shop: call.shop.id, machine: call.caller.machine,
                keyID: call.signature.keyID, nonce: call.signature.nonce,
                nonceExpires: nonceExpires,
                idempotencyKey: request.fields[HeaderField.idempotencyKey] ?? "",
                fingerprint: SHA256.digest(text + request.body), command: command,
                audit: audit(command, of: call),
                answer: told(answer(to: command)))
        ) { [self, log, machine = call.caller.machine] result in
            settle(command, result, of: call)
            openDoor(command, result, of: call.caller)
            switch result {
            case .answered(let answer, _): respond(Answers.response(answer))
            case .nonceSeen:
                log.note("not-authentic", ["reason": "replayed", "machine": machine.rawValue])
                respond(Answers.notAuthentic)
            case .keyReused: respond(RefusedCall(.keyReused).response)
            case .unavailable(let error):
                respond(unavailable(error))
            }
        }
    }

    private func profile(for call: Call) -> MachineProfile {
        MachineProfile(
            machine: call.caller.machine, shop: call.shop.id, shopName: call.shop.name,
            timeZone: call.shop.timeZone, languages: call.shop.languages,
            now: calendar.local(clock(), in: call.shop))
    }
}

extension Moment {
    /// The whole seconds since 1970.
    var seconds: Int64 { milliseconds.flooredQuotient(by: 1_000) }
}
