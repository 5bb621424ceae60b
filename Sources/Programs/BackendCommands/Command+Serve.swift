import CommandSyntax
import BackendAPI
import BackendService
import Cryptography
import Dispatch
import FoundationEssentials
import Glibc
import HTTPServer
import PostgresStore
import ReservationStore
import Reservations
import ServiceNotice
import SignalWatch
import Synchronization
import TextForms

extension Command {
    static let serve = Command(
        words: ["serve"], summary: "answer ticket machines, displays and readers",
        options: [
            .required(
                "database", "FILE",
                "the SQLite file that `clup-backend shop add` made, with one server; or the "
                    + "address of a PostgreSQL database, with as many as you like: "
                    + "postgresql://USER@HOST/NAME?sslmode=verify-full. Never with a password: that "
                    + "comes from the systemd credential `database-password`, or a file that "
                    + "PGPASSFILE names"),
            .optional(
                "listen", "ADDRESS",
                "127.0.0.1:PORT, [::1]:PORT or unix:/PATH; port 0 takes a free one; "
                    + "127.0.0.1:8480 unless given"),
            .flag(
                "behind-proxy",
                "a proxy with TLS stands before this server: other addresses of this machine "
                    + "are allowed too"),
            .optional(
                "name", "NAME,...",
                "the names by which machines, displays and readers call this backend, without "
                    + "ports, in one option or in several; what is sent to another name is refused. "
                    + "Unless given, those of this computer (localhost) and those by which the "
                    + "machines have called so far", repetition: .all),
            .optional(
                "rate-limit", "N",
                "requests a second of one machine in the long run, twice as many at once; 50 "
                    + "unless given, 0 for no limit (benchmarks)"),
            .optional(
                "code-limit", "N",
                "typed codes a minute that one machine may look up, as many at once; 10 "
                    + "unless given, 0 for no limit"),
            .optional(
                "reservation-limit", "N",
                "reservations a minute that one machine may make, as many at once, after "
                    + "asking for twice as many places; 30 unless given, 0 for no limit, as with "
                    + "--rate-limit 0, which lifts the limits of all that is written too"),
            .optional(
                "assets", "DIRECTORY",
                "the folder Assets: serves its pages /display/TAG, /entrance/TAG, /checkout/TAG, "
                    + "/turnstile/TAG, /staff/TAG and /desk/TAG, TAG being the shop's"),
            .optional(
                "door-command", "PATH",
                "a program that opens and closes a door: run as PATH open ROLE DEVICE NUMBER "
                    + "when a reader lets a customer pass (at the entrance, the turnstile or the "
                    + "check-out, where the till hears it), and as PATH close ROLE DEVICE after the "
                    + "shop's --door-seconds, at the start for every reader, and again until it "
                    + "ends with 0. It may be called to close twice"),
            .optional(
                "help-command", "PATH",
                "a program that calls the staff in another way, as by a message to a telephone: run "
                    + "as PATH TAG MACHINE SINCE TIMES when no staff member has gone to a customer who "
                    + "called for help for a minute, and each minute again, ten times at most; by one of "
                    + "the servers that have it"),
            .optional(
                "clock", "control:SOCKET",
                "take the queue's time from a clock that is moved through this unix socket, "
                    + "by lines as \"set 2026-11-20T08:00:00+01:00\", \"rate 60\" and \"now\"; on a "
                    + "database made with `shop add --demo` only. Signatures and time-outs stay on "
                    + "real time."),
            .optional(
                "wrapping-key", "FILE",
                "the file that seals this backend's own key, as `clup-backend key` says; "
                    + "FILE.wrapping-key unless given"),
            .optional(
                "metrics", "ADDRESS",
                "answers GET /metrics there, as Prometheus reads it; 127.0.0.1:PORT, "
                    + "[::1]:PORT or unix:/PATH. No address unless given"),
            .optional(
                "log-level", "info|warning|error",
                "the least that is logged, a line of JSON each: info (unless given), warning "
                    + "or error"),
            .optional(
                "state", "DIRECTORY",
                "where this backend's own key lies, with PostgreSQL: a folder with the same "
                    + "content on every server"),
            .optional(
                "connections", "N",
                "shops that are written at once, with PostgreSQL; 6 unless given"),
            .optional(
                "batch", "N", "commands in one transaction at most; 256 unless given (benchmarks)"),
        ] + PhoneServer.options + SMSService.options,
        notes: """
            When it is ready it prints one line: {"listening":"http://127.0.0.1:PORT"}, and "metrics"
            with --metrics, "phones" with --phones, "smsAnswers" with --sms-answers. SIGTERM or SIGINT end it:
            answers on their way are sent, further requests get 503 on a connection that is then closed,
            displays and readers are notified; after 6 seconds at the latest it is gone.
            """
    ) { arguments in
        let address = try listenAddress("listen", arguments)
        let metrics = try listenAddress("metrics", arguments)
        let rate = try arguments.number("rate-limit", 0...1_000_000, standard: 50)
        let codes = try arguments.number("code-limit", 0...1_000_000, standard: 10)
        let reservations = try arguments.number(
            "reservation-limit", 0...1_000_000, standard: rate == 0 ? 0 : 30)
        var options = BackendService.Options()
        /// So many a minute, and as many at once; none for 0.
        func limit(_ count: Int) -> RateLimit? {
            count == 0 ? nil : RateLimit(perSecond: Double(count) / 60, burst: Double(count))
        }
        options.limits[.reservations] = limit(reservations)
        options.limits[.holds] = limit(2 * reservations)
        options.limits[.codes] = limit(codes)
        options.limits[.requests] = RateLimit(perSecond: Double(rate), burst: Double(2 * rate))
        if rate == 0 {
            let lifted: [LimitedAction] = [
                .requests, .writes, .keys, .staff, .help, .sessions, .statuses, .joins, .answers,
            ]
            for action in lifted { options.limits[action] = nil }
        }
        options.names = try names(arguments)
        if options.names == nil { options.machineNames = try machineNames(arguments) }
        let level = try arguments.optional(
            "log-level", or: "it must be info, warning or error"
        ) { ServiceLog.Level(rawValue: $0) }
        let log = ServiceLog(level: level ?? .info, write: printError)
        let server = try Server.start(
            arguments, address: address ?? .tcp(address: "127.0.0.1", port: 8_480),
            clock: try clock(arguments), log: log, options: options, metrics: metrics)
        let ended = DispatchSemaphore(value: 0)
        let watch = SignalWatch([SIGTERM, SIGINT], on: .global()) { _ in ended.signal() }
        printJSON([
            "listening": server.http.address.description,
            "metrics": server.metrics?.address.description,
            "phones": server.phones?.http.address.description,
            "smsAnswers": server.sms?.answerAddress?.description,
        ])
        log.note("started", ["version": ProductVersion.current], level: .info)
        let notice = ServiceNotice()
        notice?.ready()
        let interval = notice?.beatInterval.map { Int($0 / .microseconds(1)) }
        func wait() -> DispatchTimeoutResult {
            ended.wait(timeout: interval.map { .now() + .microseconds($0) } ?? .distantFuture)
        }
        while withExtendedLifetime(watch, wait) == .timedOut {
            // The manager gets a sign of life only if the store still works.
            server.store.tick()
            notice?.beat()
        }
        notice?.stopping()
        log.note("stopping", level: .info)
        server.stop()
    }

    /// The address that an option names; nil if it is not given.
    static func listenAddress(_ name: String, _ arguments: Arguments) throws -> ListenAddress? {
        let hint = "give it as 127.0.0.1:PORT, [::1]:PORT or unix:/PATH"
        return try arguments.optional(name, or: hint) { ListenAddress($0) }
    }
}

/// The names from `--name`; nil if it is not given.
private func names(_ arguments: Arguments) throws -> Set<String>? {
    guard let text = arguments.optional("name") else { return nil }
    var names: Set<String> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let name = part.lowercased()
        let isIPv6 = name.hasPrefix("[") && name.hasSuffix("]")
        guard !name.isEmpty, isIPv6 || !name.contains(":"),
            name.utf8.allSatisfy({
                $0.isASCIIDigit || $0.isASCIILowercase || "-._".utf8.contains($0)
                    || isIPv6 && ":[]".utf8.contains($0)
            })
        else {
            throw CommandError.usage(
                "--name is \"\(text)\"; give names of hosts, separated by commas and without ports, as "
                    + "queue.example.it,localhost")
        }
        names.insert(name)
    }
    return names
}

/// The name by which each machine called when it was last heard.
private func machineNames(_ arguments: Arguments) throws -> [MachineName: String] {
    guard try DatabasePlace(arguments).mayExist else { return [:] }
    let store = try Administration(arguments)
    var names: [MachineName: String] = [:]
    for status in try store.machineStatuses() {
        names[MachineName(status.machine, of: status.shop)] = status.decodedCondition?.address
    }
    return names
}

/// The clock that `--clock` asks for; nil for the system's clock.
private func clock(_ arguments: Arguments) throws -> ControlledClock? {
    let prefix = "control:"
    let path = try arguments.optional("clock", or: "give it as control:SOCKET") { text in
        text.hasPrefix(prefix) && text.count > prefix.count ? text.dropFirst(prefix.count) : nil
    }
    guard let path else { return nil }
    guard try Administration(arguments).isDemonstration() else {
        throw CommandError.failure(
            "the clock of this database cannot be moved: it was not made with `shop add --demo`")
    }
    return try ControlledClock(path: String(path))
}

/// Refers to the service from parts that are made before it.
private final class ServiceReference: Sendable { let service = Mutex<BackendService?>(nil) }

private func doorCommand(
    _ arguments: Arguments, _ log: ServiceLog, of service: @escaping @Sendable () -> BackendService?
) throws -> DoorCommand? {
    try AdministratorProgram(option: "door-command", arguments).map { program in
        DoorCommand(program, log: log) { service()?.doorClosed($0, $1) }
    }
}

private func staticPages(_ arguments: Arguments, shops: String?) throws -> StaticPages? {
    do throws(StaticPages.Failure) {
        return try arguments.optional("assets").map { assets throws(StaticPages.Failure) in
            try StaticPages(directory: "\(assets)/Web", shops: shops)
        }
    } catch { throw CommandError.configuration("--assets: \(error.description)") }
}

/// The running service: store, API and HTTP server, ended together.
private struct Server {
    let store: QueueStore
    let log: ServiceLog
    let http: HTTPServer
    let clock: ControlledClock?
    let metrics: HTTPServer?
    let doors: DoorCommand?
    let phones: PhoneServer?
    let service: BackendService
    let pushing: PushSending?
    let sms: SMSService?

    /// Opens the database and begins to serve.
    static func start(
        _ arguments: Arguments, address: ListenAddress, clock: ControlledClock?, log: ServiceLog,
        options: BackendService.Options, metrics listen: ListenAddress?
    ) throws -> Server {
        let steady = SteadyClock { ahead in
            log.note(
                "clock-set", ["ahead-seconds": "\(ahead.wholeSeconds)"], level: .error)
        }
        let now: @Sendable () -> Moment = { clock?.now ?? steady.now }
        let calendar = ShopCalendar()
        var options = options
        let reference = ServiceReference()
        let doors = try doorCommand(arguments, log) { reference.service.withLock { $0 } }
        if let doors {
            options.openDoor = { doors.open($0) }
            options.doorHeard = { doors.heard($0, seconds: $1) }
        }
        let help = try AdministratorProgram(option: "help-command", arguments).map {
            HelpProgram($0, log: log)
        }
        let place = try DatabasePlace(arguments)
        let count = try arguments.number("connections", 1...64, standard: 6)
        let hasNotices = arguments.optional("push-services") != nil
        let hasSMS = SMSService.isAsked(by: arguments)
        // PostgreSQL uses one more connection, which listens.
        let (limits, phoneLimits) = try OpenFiles.limits(
            others: count + 1 + (hasNotices ? PushSending.maxConnections : 0)
                + (hasSMS ? SMSService.maxFiles : 0),
            hasPhones: arguments.optional("phones") != nil)
        options.maxSocketsPerShop = max(1, limits.sockets / 3)
        let database = try place.open(for: .serve)
        // From here on no other process has the file; other servers of PostgreSQL may serve in any case.
        let began = steady.now
        options.began = began
        var connections: [@Sendable () -> sending any Database] = []
        var signal: PostgresSignal?
        let batch = try arguments.number("batch", 1...4_096, standard: QueueStore.maxBatchCommands)
        if case .postgresql(let address) = place {
            connections = Array(repeating: { PostgresDatabase(address) }, count: count - 1)
            signal = PostgresSignal(address)
        }
        let phones = try PhoneServer.start(arguments, limits: phoneLimits) {
            reference.service.withLock { $0 }
        }
        options.phones = phones?.pages
        let pages = try staticPages(arguments, shops: phones?.shops)
        let key = try answerKey(arguments)
        let signer = AnswerSigner(key: key)
        options.answerSigner = signer
        let pushing = try PushSending.prepare(
            arguments, signer: signer, phones: phones?.pages, log: log, now: { steady.now })
        options.pushes = pushing?.pushes
        let sms = try SMSService.start(arguments, hasPhones: phones != nil) {
            reference.service.withLock { $0 }
        }
        options.sms = sms?.sending
        let sealer = try auditSealer(arguments, key) { shop, sentence in
            log.note("audit-broken", ["shop": shop.rawValue, "found": sentence], level: .error)
        }
        let store = try QueueStore(
            database: database, now: now, openings: { calendar.openings(of: $0, from: $1) },
            local: { calendar.local($0, in: $1) }, randomBytes: RandomBytes.make,
            batch: batch, connections: connections, signal: signal, sealer: sealer)
        for shop in store.shops() where !ShopCalendar.knows(timeZone: shop.timeZone) {
            throw CommandError.configuration(
                "the time zone \(shop.timeZone) of the shop \(shop.name) is unknown to this computer; install the "
                    + "package tzdata")
        }
        if let help { store.startHelpProgram { help.start(for: $1, of: $0, times: $2) } }
        clock?.whenChanged {
            store.tick()
            store.renewForecasts()
        }
        let service = BackendService(
            store: store, calendar: calendar, log: log, options: options, clock: { steady.now })
        // Requests signed in the second in which the service began are refused, since the server before may have
        // seen them. So no caller is admitted before that second is over, also by time(2), which is read at the
        // kernel's tick and up to ten milliseconds behind.
        let rest = 1_020 - began.milliseconds % 1_000 - (steady.now - began).wholeMilliseconds
        if rest > 0 { usleep(UInt32(rest) * 1_000) }
        reference.service.withLock { $0 = service }
        // A server that was killed may have left doors open.
        for door in service.doors() { doors?.close(door, after: 0) }
        let http = try HTTPServer(
            listen: address, behindProxy: arguments.has("behind-proxy"), limits: limits,
            sockets: { service.admitSocket($0, decide: $1) },
            handler: { request, respond in
                let respond = pages?.errors.answering(request, respond) ?? respond
                let counted = service.metrics.counting(request, respond)
                if let page = pages?.response(to: request) {
                    return counted(service.misdirected(request) ?? page)
                }
                service.handle(request, respond: counted)
            })
        return Server(
            store: store, log: log, http: http, clock: clock,
            metrics: try listen.map {
                try metricsServer($0, of: service, beside: http, phones: phones?.http)
            },
            doors: doors, phones: phones, service: service, pushing: pushing, sms: sms)
    }

    func stop() {
        clock?.stop()
        phones?.http.stop()
        http.stop()
        doors?.stop()
        metrics?.stop()
        service.stopNotices()
        pushing?.stop()
        sms?.stop()
        store.stop()
        log.note("stopped", level: .info)
        log.flush()
    }
}
