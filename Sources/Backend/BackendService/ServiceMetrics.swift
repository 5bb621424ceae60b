public import BackendAPI
public import Metrics
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// The counts of the service; each event costs a lock or two, well below a microsecond.
public final class ServiceMetrics: Sendable {
    /// The two moments of the wait that was quoted with an offer: half of the customers are called by the first,
    /// eight of ten by the second.
    enum Promise: String, Hashable, Sendable { case expected, latest }

    private static let requestBounds = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
    ]
    private static let waitBounds = [0, 1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240].map {
        Double($0 * 60)
    }

    /// A call of the contract, or another path as `route(of:)` names it, and the status of its answer.
    struct Answered: Hashable, Sendable {
        let route: String
        let status: Int
    }

    /// What became of a notice to a phone, in a word.
    struct Noticed: Hashable, Sendable {
        let reason: NoticeReason
        let outcome: String
    }

    /// What became of an SMS.
    struct SentSMS: Hashable, Sendable {
        let purpose: SMSPurpose
        let outcome: SMSSent
    }

    let answered = Tally<Answered>()
    let sms = Tally<SentSMS>()
    /// The SMS of customers, by what they ask for in a word.
    let smsAnswers = Tally<String>()
    let seconds = Distribution<String>(bounds: requestBounds)
    let waits = Distribution<Promise>(bounds: waitBounds)
    let notices = Tally<Noticed>()
    /// By the kind of notice.
    let noticeSeconds = Distribution<String>(bounds: requestBounds + [10, 30, 60, 300])

    public init() {}

    /// Counts a request from now on, and its answer when the returned function passes that on to `respond`.
    public func counting(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) -> @Sendable (WireResponse) -> Void {
        let start = ContinuousClock.now
        let route = Self.route(of: request.path)
        return { [self] response in
            answered.count(Answered(route: route, status: response.status))
            seconds.observe((ContinuousClock.now - start).inSeconds, route)
            respond(response)
        }
    }

    func observed(_ wait: WaitEstimate, at now: Moment) {
        waits.observe((wait.expected.moment - now).inSeconds, .expected)
        waits.observe((wait.latest.moment - now).inSeconds, .latest)
    }

    /// The path as the contract writes it; one word for all other paths, so that unknown callers cannot create
    /// metric series.
    static func route(of path: String) -> String {
        let isHealth = path == "/healthz" || path == "/readyz"
        return Route(path: path, method: HTTPMethod.get.rawValue)?.endpoint.path ?? PublicCall(
            path: path)?.path
            ?? (isHealth ? path : "other")
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

extension BackendService {
    /// The most shops whose queue is in the metrics, the first by their tags; further ones would make too many
    /// series (https://prometheus.io/docs/practices/naming/#labels).
    public static let maxShopsInMetrics = 100

    /// The answer to a command, as it is stored; counts the wait that it quotes.
    @Sendable func answer(_ result: Result<QueueOutcome, Refused>, at now: Moment) -> StoredAnswer {
        if case .success(.held(let hold)) = result, hold.kind == .ticket {
            metrics.observed(hold.wait, at: now)
        }
        return Answers.stored(result, at: now)
    }

    /// Adds all counts and the present figures.
    public func write(to text: inout MetricText) {
        text.add(
            "clup_ready", .gauge, help: "1 if the store can write.",
            store.trouble() == nil ? 1 : 0)
        addRequests(to: &text)
        addStore(to: &text)
        addQueues(to: &text)
    }

    private func addRequests(to text: inout MetricText) {
        text.add(
            "clup_requests_total", .counter, help: "Requests answered, by route and status.",
            metrics.answered.samples {
                [Label("route", $0.route), Label("status", "\($0.status)")]
            })
        text.add(
            "clup_request_seconds", help: "From the whole request to its answer.",
            metrics.seconds.samples("route") { $0 })
        text.add(
            "clup_wait_told_seconds",
            help:
                "Waits quoted with offers: half are called by the expected one, 80 % by the latest.",
            metrics.waits.samples("promise", \.rawValue))
        text.add(
            "clup_notices_total", .counter,
            help: "Notices to phones, by what they report and what became of them.",
            metrics.notices.samples {
                [Label("kind", $0.reason.rawValue), Label("fate", $0.outcome)]
            })
        text.add(
            "clup_sms_total", .counter,
            help: "SMS, by what they were sent for and what became of them.",
            metrics.sms.samples {
                [Label("purpose", $0.purpose.rawValue), Label("fate", $0.outcome.rawValue)]
            })
        text.add(
            "clup_sms_answers_total", .counter,
            help: "SMS of customers that the gateway passed on, by what they ask for.",
            metrics.smsAnswers.samples { [Label("answer", $0)] })
        text.add(
            "clup_notice_seconds",
            help: "From what a notice reports until its push service has taken it.",
            metrics.noticeSeconds.samples("kind") { $0 })
        let events = log.counts.samples { $0 }
        text.add(
            "clup_refused_signatures_total", .counter,
            help: "Requests whose signature was not taken, by reason.",
            events.filter { $0.labels[0].value == ServiceLog.notAuthentic }.map {
                ([$0.labels[1]], $0.value)
            })
        text.add(
            "clup_events_total", .counter, help: "Events of the log, those it left out too.", events
        )
    }

    private func addStore(to text: inout MetricText) {
        text.add(
            "clup_commit_commands", help: "Commands in each transaction of the store.",
            store.meter.commands.samples("fate", \.rawValue))
        text.add(
            "clup_commit_seconds", help: "Deciding, writing and flushing one transaction.",
            store.meter.seconds.samples("fate", \.rawValue))
    }

    /// The open calls for help; how many there were, and how long customers waited, is in the report.
    private func addHelp(of shops: some Sequence<Shop>, to text: inout MetricText) {
        let open = shops.map { shop in
            (shop.tag.rawValue, store.helpCalls(of: shop.id)?.calls.filter(\.isOpen) ?? [])
        }
        text.add(
            "clup_help_open", .gauge,
            help: "Open calls for help, by whether a staff member has said that they are going.",
            open.flatMap { tag, calls in
                [("yes", true), ("no", false)].map { word, isGoing in
                    (
                        [Label("shop", tag), Label("going", word)],
                        Double(calls.count { ($0.going != nil) == isGoing })
                    )
                }
            })
        text.add(
            "clup_help_unanswered_seconds", .gauge,
            help:
                "How long the oldest call for help waits for a staff member to go; 0 if none waits.",
            open.map { tag, calls in
                let oldest = calls.filter { $0.going == nil }.map(\.since.moment).min()
                let seconds = oldest.map { max(0, (store.now - $0).inSeconds) } ?? 0
                return ([Label("shop", tag)], seconds)
            })
    }

    private func addQueues(to text: inout MetricText) {
        let shops = store.shops().sorted { $0.tag.rawValue < $1.tag.rawValue }
            .prefix(Self.maxShopsInMetrics)
        addHelp(of: shops, to: &text)
        let queues = shops.compactMap { shop in
            store.status(of: shop.id).map { (shop.tag.rawValue, $0) }
        }
        text.add(
            "clup_papers_today", .gauge,
            help: "Papers by outcome, as machines reported since this server's start.",
            shops.flatMap { shop -> [(labels: [Label], value: Double)] in
                let papers = store.papers(of: shop.id, on: calendar.local(clock(), in: shop).day)
                return [
                    ("printed", papers.printed), ("failed", papers.failed), ("copy", papers.copies),
                    ("unknown", papers.unknown),
                ].map { ([Label("shop", shop.tag.rawValue), Label("fate", $0.0)], Double($0.1)) }
            })
        func add(_ name: String, help: String, _ value: (QueueStatus) -> Int) {
            text.add(
                name, .gauge, help: help,
                queues.map { ([Label("shop", $0.0)], Double(value($0.1))) })
        }
        add("clup_queue_waiting", help: "People with a ticket who have not been called.", \.waiting)
        add("clup_queue_calling", help: "Numbers called and not yet in.", \.calling.count)
        add("clup_shop_open", help: "1 while the shop is open.") { $0.isOpen ? 1 : 0 }
        text.add(
            "clup_queue_wait_seconds", .gauge,
            help: "The wait of a ticket taken now; without a sample where none would be offered.",
            queues.flatMap { tag, status -> [(labels: [Label], value: Double)] in
                guard let wait = status.wait else { return [] }
                return [(ServiceMetrics.Promise.expected, wait.expected), (.latest, wait.latest)]
                    .map {
                        (
                            [Label("shop", tag), Label("promise", $0.0.rawValue)],
                            max(0, ($0.1.moment - status.now.moment).inSeconds)
                        )
                    }
            })
    }
}
