public import BackendAPI
public import Cryptography
internal import QueueEngine
public import ReservationStore
public import Reservations
internal import Synchronization

/// The API of machines, displays and readers: authenticates, decodes, lets the store decide, replies.
public final class BackendService: Sendable {
    /// Settings that may differ from one installation to another.
    public struct Options: Sendable {
        /// How often each action is allowed; an action without a limit is always allowed.
        public var limits = Dictionary(
            uniqueKeysWithValues: LimitedAction.allCases.map { ($0, $0.standard) })
        /// WebSockets of one shop at once: a third of all that the server has.
        public var maxSocketsPerShop = 200
        /// The signer of answers to signed requests; nil leaves them unsigned.
        public var answerSigner: AnswerSigner?
        /// The names by which machines call the backend; nil if none were set (`ServedNames`).
        public var names: Set<String>?
        /// If no names were set: the host and port by which each machine called when it was last heard.
        public var machineNames: [MachineName: String] = [:]
        /// A moment by `clock` at which no earlier process could serve the database any more; nil for now.
        public var began: Moment?
        /// How customers' phones reach the pages of their places; nil if there are none.
        public var phones: PhonePages?
        /// How notices are pushed to their browsers; nil if none are.
        public var pushes: NoticePushes?
        /// How SMS are sent; nil if none are.
        public var sms: SMSSending?
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
    let places: FollowedPlaces
    /// Nil if phones are not answered.
    let invitations: Invitations?
    /// Nil if phones are not answered.
    let remoteJoins: RemoteJoins?
    let shopList: RemoteShops
    let nearbyShops: NearbyShops
    /// Nil if no SMS are sent.
    let sms: SMSSender?
    /// Nil if no notices are sent.
    let pusher: NoticePusher?
    let names: ServedNames
    /// The readers at doors that could not be closed, as every server has reported them.
    let openDoors = Mutex<[ShopID: Set<MachineID>]>([:])
    private let nonces: NonceMemory
    let readReports = ReadReports()
    /// The SMS of shops' today as last read for their staff.
    let smsToday = Mutex<[ShopID: SMSOfDay]>([:])
    /// The Idempotency-Key of each machine's last ticket of another shop: a request that is sent again counts once.
    let attempts = Mutex<[String: String]>([:])
    let limiters: [LimitedAction: RateLimiter]
    let log: ServiceLog
    /// The counts of requests; a server of requests counts with `counting`.
    public let metrics = ServiceMetrics()
    let options: Options
    /// The clock that decides how long signatures are fresh and pairing codes valid (rules: demonstration-clock).
    let clock: @Sendable () -> Moment
    private let uptime: @Sendable () -> ContinuousClock.Instant

    /// `uptime` is the clock by which nonces age, which no administrator sets. `clock` is the real time, by which
    /// signatures are fresh or stale (rules: demonstration-clock).
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
            known: options.machineNames.mapValues(ServedNames.host))
        directory = MachineDirectory(store: store)
        nonces = NonceMemory(start: (options.began ?? clock()).seconds)
        limiters = Dictionary(
            uniqueKeysWithValues: options.limits.map {
                ($0, RateLimiter($1, forgets: $0.forgets, now: uptime) { [store] in store.servers })
            })
        self.options = options
        feed = TurnFeed(
            store: store, directory: directory,
            maxSocketsPerShop: options.maxSocketsPerShop, clock: clock)
        places = FollowedPlaces(
            store: store, maxSocketsPerShop: options.phones?.maxSocketsPerShop ?? 0)
        invitations = options.phones.flatMap { pages in
            options.answerSigner.map {
                Invitations(
                    page: pages.joinPage, orderPage: pages.orderPage, signer: $0, clock: clock)
            }
        }
        remoteJoins =
            options.phones == nil
            ? nil
            : options.answerSigner.map {
                RemoteJoins(signer: $0, clock: clock)
            }
        shopList = RemoteShops(store: store)
        nearbyShops = NearbyShops(store: store, uptime: uptime)
        let (metrics, signer) = (metrics, options.answerSigner)
        let sms = options.sms.flatMap { sending in
            signer.map {
                SMSSender(
                    sending, numbers: SMSNumbers(signer: $0), store: store, metrics: metrics,
                    log: log)
            }
        }
        self.sms = sms
        pusher =
            options.pushes == nil && sms == nil
            ? nil
            : NoticePusher(
                store: store, pushes: options.pushes, sms: sms, page: options.phones?.page,
                metrics: metrics, log: log, clock: clock)
        if options.phones != nil { places.start() }
        pusher?.start()
        feed.start(
            addSymbols: { [weak self] in self?.addSymbols(to: &$0, of: $1) },
            heard: { [weak self] in self?.heard($0, of: $1) },
            changed: { [weak places] in places?.changed($0) })
    }

    /// Answers a request: `respond` is called exactly once, now or from the store's queue.
    public func handle(
        _ request: WireRequest, respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        if request.path == "/healthz" || request.path == "/readyz" {
            guard names.serveHealth(request.authority) else {
                return respond(misdirection(of: request).response)
            }
            return respond(request.path == "/healthz" ? health(request) : readiness(request))
        }
        let decided: @Sendable (WireResponse) -> Void = { [self] in
            respond(signed($0, to: request, isVerified: true))
        }
        let isServed = names.serve(request.authority)
        let route = Route(path: request.path, method: request.method)
        do throws(RefusedCall) {
            // A machine that has signed for the name may teach it; a machine whose clock is wrong gets the right time
            // first.
            guard isServed || !names.areSet && request.fields[HeaderField.signature] != nil else {
                throw misdirection(of: request)
            }
            if route?.name == .pairings {
                guard isServed else { throw misdirection(of: request) }
                return openPairing(try pairingRequest(request), decided)
            }
            let call: Call
            do throws(RefusedCall) { call = try authenticate(request, route) } catch {
                let isReported = isServed || error.response.status == Refusal.notAuthentic.status
                throw isReported ? error : misdirection(of: request)
            }
            guard names.learn(request.authority, of: call.caller.name) || isServed else {
                throw misdirection(of: request)
            }
            serve(call, decided)
        } catch { respond(signed(error.response, to: request, isVerified: false)) }
    }

    private func serve(_ call: Call, _ respond: @escaping @Sendable (WireResponse) -> Void) {
        do throws(RefusedCall) {
            try check(call)
            let command: MachineRequest
            var audit: AuditEntry?
            switch call.route.name {
            case .machine: return respond(Answers.response(profile(for: call)))
            case .queue: return respond(Answers.response(ifKnown: status(of: call.shop)))
            case .staffQueue: return showStaffQueue(of: call.shop, respond)
            case .helpCalls:
                return respond(Answers.response(ifKnown: store.helpCalls(of: call.shop.id)))
            case .help: command = .help(.raise(machine: call.caller.machine))
            case .helpAcknowledgement, .helpMute, .helpCall:
                (command, audit) = try helpCommand(call)
            case .lookup: return lookUp(try ownCode(call), call, respond)
            case .machineStatus: return try report(call, respond)
            case .sessions: return respond(try session(call))
            // The callers of these routes are not known by a signature, and were answered before.
            case .turns, .pairings: throw RefusedCall(.unknownRoute)
            case .holds: command = .queue(.hold(try kind(call)))
            case .holdExtension: command = .held(try call.reservation, .extend)
            case .hold: command = .held(try call.reservation, .release)
            case .holdConfirmation: command = .held(try call.reservation, .confirm)
            case .reservation:
                command = .reservation(try call.reservation, .delete(proof: try proof(call)))
            case .reclaim:
                command = .reservation(try call.reservation, .reclaim(proof: try proof(call)))
            case .delay:
                let form = "{\"code\": the code as it was read, \"people\": how many to let ahead}"
                let body = try call.body(DelayRequest.self, form)
                guard DelayOffer.peopleInRequests.contains(body.people) else {
                    throw RefusedCall.wrongBody(form)
                }
                command = .reservation(
                    try call.reservation,
                    .delay(people: body.people, proof: try proof(presentedCode(body.code), call)))
            case .entries: command = try passage(call, .entrance)
            case .exits:
                command = try passage(
                    call, .exit(call.caller.role == .checkout ? .checkout : .turnstile))
            case .staffActions: return try actForStaff(call, respond)
            case .machineKey: command = try keyChange(call)
            case .orderLookup: return try lookUpOrder(call, respond)
            case .deskOrders:
                return respond(Answers.response(ifKnown: store.deskOrders(of: call.shop.id)))
            case .orderArrival, .deskStep, .handovers, .orderAnnouncement, .orderCancellation:
                (command, audit) = try orderCommand(call)
            }
            try mayWrite(command, call)
            perform(command, audit, call, respond)
        } catch { respond(error.response) }
    }

    /// An answer that ends the work on a request.
    struct RefusedCall: Error {
        let response: WireResponse

        init(_ response: WireResponse) { self.response = response }

        init(_ problem: Refusal, _ detail: String? = nil, fields: [String: String] = [:]) {
            response = Answers.response(Problem(problem, detail: detail), fields: fields)
        }

        /// The call is answered on a WebSocket only (RFC 9110 15.5.22).
        static let needsSocket = RefusedCall(
            .upgradeRequired, fields: ["upgrade": "websocket", "connection": "upgrade"])
    }

    struct Call {
        let route: Route
        let request: WireRequest
        let caller: KnownMachine
        let signature: VerifiedSignature

        var shop: Shop { caller.shop }

        /// The place or reservation that the path names.
        var reservation: ReservationID {
            get throws(RefusedCall) {
                guard let id = route.id else { throw RefusedCall(.unknownRoute) }
                return ReservationID(id)
            }
        }

        /// The decoded body; fails with a sentence about the form that the body must have.
        func body<Body: Decodable>(_ type: Body.Type, _ form: String) throws(RefusedCall) -> Body {
            try request.decoded(type, form)
        }
    }

    /// Signs an answer, refusals too, so that a machine can distinguish them from the answer of an impostor
    /// (rules: signed-answers).
    ///
    /// - Parameter isVerified: whether the caller is known. A 401 always counts as unverified, whatever its reason.
    private func signed(
        _ answer: WireResponse, to request: WireRequest, isVerified: Bool
    ) -> WireResponse {
        options.answerSigner?.sign(
            answer, to: request, created: clock().seconds,
            isVerified: isVerified && answer.status != Refusal.notAuthentic.status) ?? answer
    }

    /// A nonce that arrives now. Its signature may be a window ahead, and a server a window behind.
    func nonce(_ value: String, of keyID: String) -> SignatureNonce {
        SignatureNonce(
            keyID: keyID, value: value,
            expires: clock() + .seconds(3 * MachineSignature.windowSeconds + 1))
    }

    /// Finds the route, then the machine; all requests that are not authentic look the same to the caller.
    private func authenticate(
        _ request: WireRequest, _ route: Route?
    ) throws(RefusedCall) -> Call {
        guard let route else {
            throw Route.wrongReference(path: request.path, method: request.method).map {
                RefusedCall(.malformed, $0)
            } ?? RefusedCall(.unknownRoute)
        }
        try checkForm(of: request, route)
        // Only a ticket proves which device opens a socket, and only the request of a socket is asked for one.
        guard route.name != .turns else {
            throw .needsSocket
        }
        var caller: KnownMachine?
        let verified = SignatureVerifier.verify(request, now: clock().seconds) {
            [directory] keyID in
            caller = directory.machine(keyID: keyID)
            return caller?.key
        }
        switch verified {
        case .failure(let reason): throw notAuthentic(reason.rawValue)
        case .success(let signature):
            guard let caller else { throw notAuthentic("wrong-signature") }
            return Call(route: route, request: request, caller: caller, signature: signature)
        }
    }

    /// Refuses a call of a known machine that is not served.
    private func check(_ call: Call) throws(RefusedCall) {
        let caller = call.caller
        if limiters[.requests]?.take(caller.limited) != nil {
            log.note("rate-limited", ["machine": caller.machine.rawValue])
            throw RefusedCall(.tooManyRequests, fields: [HeaderField.retryAfter: "1"])
        }
        guard call.route.endpoint.roles.contains(caller.role) else {
            log.note("forbidden", ["machine": caller.machine.rawValue])
            throw RefusedCall(.forbidden)
        }
        // Changing calls store their nonce with the change.
        let isNew =
            call.route.endpoint.repetition == .stored
            || nonces.accept(
                keyID: call.signature.keyID, nonce: call.signature.nonce,
                created: call.signature.created, at: uptime())
        guard isNew else { throw notAuthentic("replayed", caller.machine) }
    }

    /// Refuses a request whose form is wrong, before its sender is authenticated.
    func checkForm(of request: WireRequest, _ route: Route) throws(RefusedCall) {
        let endpoint = route.endpoint
        try checkForm(
            of: request, endpoint.method, allowed: route.methods,
            maxBodyBytes: endpoint.maxBodyBytes, carriesKey: endpoint.carriesKey)
    }

    func checkForm(
        of request: WireRequest, _ method: HTTPMethod, allowed: [HTTPMethod]? = nil,
        maxBodyBytes: Int, carriesKey: Bool
    ) throws(RefusedCall) {
        guard request.method == method.rawValue else {
            let names = (allowed ?? [method]).map(\.rawValue).joined(separator: ", ")
            throw RefusedCall(.methodNotAllowed, fields: ["allow": names])
        }
        guard request.body.count <= maxBodyBytes else {
            throw RefusedCall(.tooLarge, "a body has at most \(maxBodyBytes) bytes")
        }
        let key = request.idempotencyKey
        guard !carriesKey || PlainName.isValid(key) else {
            let found = key.isEmpty ? "there is none" : "it is \"\(WrongForm.excerpt(of: key))\""
            throw RefusedCall(
                .malformed, "Idempotency-Key: 1 to 64 of A-Z a-z 0-9 - _ is needed, \(found)")
        }
    }

    func notAuthentic(_ reason: String, _ machine: MachineID? = nil) -> RefusedCall {
        var detail = ["reason": reason]
        detail["machine"] = machine?.rawValue
        log.note("not-authentic", detail)
        return RefusedCall(Answers.notAuthentic)
    }

    private func kind(_ call: Call) throws(RefusedCall) -> ReservationKind {
        let body = try call.body(HoldRequest.self, "{\"kind\": \"ticket\" or \"visit\"}")
        if let kind = ReservationKind(rawValue: body.kind) { return kind }
        throw RefusedCall(.unsupportedKind)
    }

    func perform(
        _ command: MachineRequest, _ audit: AuditEntry?, _ call: Call,
        _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        let request = call.request
        let text = Array("\(request.method) \(request.path)?\(request.query)\n".utf8)
        store.perform(
            AuthenticatedRequest(
                shop: call.shop.id, sender: .machine(call.caller.machine),
                nonce: nonce(call.signature.nonce, of: call.signature.keyID),
                idempotencyKey: request.idempotencyKey,
                fingerprint: SHA256.digest(text + request.body), command: command,
                audit: audit,
                answer: { [self, shop = call.shop] in
                    answer(linked($0, of: shop, on: .machine), at: $1)
                })
        ) { [self, log, machine = call.caller.machine] result in
            recordProof(command, result, of: call)
            openDoorIfPassed(command, result, of: call.caller)
            switch result {
            case .answered(let answer, _): respond(Answers.response(answer))
            case .nonceSeen:
                log.note("not-authentic", ["reason": "replayed", "machine": machine.rawValue])
                respond(Answers.notAuthentic)
            case .keyReused: respond(RefusedCall(.keyReused).response)
            case .unavailable(let error): respond(unavailable(error))
            }
        }
    }
}
