internal import BackendAPI
internal import Cryptography
private import Dispatch
private import Glibc
internal import Metrics
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import SMSTexts
private import Synchronization
public import WebPush

/// How notices of places are pushed to the browsers of customers' phones (rules: notices).
public struct NoticePushes: Sendable {
    /// The key that browsers subscribe with (RFC 8292 3.2), in base64url.
    public var publicKey: String
    /// The push services to which notices may be sent.
    public var services: PushServices
    /// Hands a message to its push service; returns within some seconds.
    public var send: @Sendable (Push) async -> PushOutcome

    public init(
        publicKey: String, services: PushServices,
        send: @escaping @Sendable (Push) async -> PushOutcome
    ) {
        self.publicKey = publicKey
        self.services = services
        self.send = send
    }
}

/// Sends the notices that the store has written, and has it look at the forecasts for more (rules: notices).
///
/// A notice is leased by one server, which sends it and writes what became of it. After a crash its lease ends, and
/// another server sends it: a browser may get it twice, and replaces the first one.
final class NoticePusher: Sendable {
    /// How long a lease lasts by the real clock: longer than any push.
    static let lease = Duration.seconds(30)
    /// The most notices on their way, and those of them to one push service: one that hangs keeps no other from its notices.
    static let maxOnTheirWay = 1_024
    static let maxOnTheirWayToOne = 512
    /// How long a notice waits if its push service has as many on their way.
    private static let waiting = Duration.seconds(1)
    /// How long what became of notices is gathered, so that it is written together.
    private static let gathering = Duration.milliseconds(100)
    /// How often the outbox is looked at, and the forecasts.
    private static let pollInterval = Duration.milliseconds(500)
    private static let watchInterval = Duration.seconds(5)
    /// How long a push service that cannot be reached is left alone.
    private static let rest = Duration.seconds(5)
    /// The longest pause before a notice is tried again.
    private static let maxPause = Duration.seconds(60)
    /// How long the end of the server waits for notices on their way.
    private static let maxEnding = Duration.seconds(2)
    /// The most push services that are remembered as out of reach; a configuration names a few.
    private static let maxRested = 100

    private struct Content {
        var isStopped = false
        /// The notices that are leased here, or are being leased, and not written yet.
        var leased = 0
        var ends: [NoticeEnd] = []
        var written = ContinuousClock.now
        /// The notices that are handed to push services now, by their origin.
        var onTheirWay: [String: Int] = [:]
        /// The origins that could not be reached, and until when they are left alone.
        var resting: [String: ContinuousClock.Instant] = [:]
    }

    private let content = Mutex(Content())
    private let store: QueueStore
    /// Nil if no notices are pushed to browsers.
    private let pushes: NoticePushes?
    /// Nil if no SMS are sent.
    private let sms: SMSSender?
    /// The address of the page of a place; nil if phones are not answered.
    private let page: String?
    private let metrics: ServiceMetrics
    private let log: ServiceLog
    private let clock: @Sendable () -> Moment

    /// - Parameter clock: The real time.
    init(
        store: QueueStore, pushes: NoticePushes?, sms: SMSSender?, page: String?,
        metrics: ServiceMetrics, log: ServiceLog, clock: @escaping @Sendable () -> Moment
    ) {
        self.store = store
        self.pushes = pushes
        self.sms = sms
        self.page = page
        self.metrics = metrics
        self.log = log
        self.clock = clock
    }

    /// Begins to send and to look, until `stop` or until the pusher is released.
    func start() {
        Task { [weak self] in
            while let pause = await self?.step() { try? await Task.sleep(for: pause) }
        }
        Task { [weak self] in
            while await self?.watch() == true { try? await Task.sleep(for: Self.watchInterval) }
        }
    }

    /// Leases no more notices, and blocks its thread a short time for those on their way, so that what was sent is
    /// written. It needs no task, as the threads of tasks may be busy.
    func stop() {
        content.withLock { $0.isStopped = true }
        let end = ContinuousClock.now + Self.maxEnding
        while ContinuousClock.now < end {
            let (leased, ends) = content.withLock { content in
                defer { content.ends = [] }
                return (content.leased, content.ends)
            }
            if leased == 0 { return }
            guard !ends.isEmpty else {
                usleep(20_000)
                continue
            }
            let isWritten = DispatchSemaphore(value: 0)
            store.end(ends) { [self] written in
                resolve(ends, written)
                // After a failure the next try waits.
                if case .success = written { isWritten.signal() }
            }
            let pause = Int(Self.pollInterval.wholeMilliseconds)
            _ = isWritten.wait(timeout: .now() + .milliseconds(pause))
        }
    }

    // MARK: - Outbox

    /// Writes what became of notices, and leases others; returns how long to wait before the next step, or nil at the end.
    func step() async -> Duration? {
        let (isStopped, ends) = content.withLock { content in
            // A browser that does not exist any more is not tried with the next notice.
            let isTime =
                ContinuousClock.now - content.written >= Self.gathering
                || content.ends.contains { $0.outcome == .gone }
            guard !content.isStopped, isTime else { return (content.isStopped, [NoticeEnd]()) }
            content.written = .now
            defer { content.ends = [] }
            return (false, content.ends)
        }
        guard !isStopped else { return nil }
        if !ends.isEmpty { await write(ends) }
        let free = content.withLock { content in
            let free = Self.maxOnTheirWay - content.leased
            guard free >= Self.maxOnTheirWay / 4, !content.isStopped else { return 0 }
            content.leased += free
            return free
        }
        guard free > 0 else { return .milliseconds(20) }
        let now = clock()
        let leased = await store.awaiting {
            $0.leaseNotices(atMost: free, at: now, until: now + Self.lease, completion: $1)
        }
        // The store's own trouble shows elsewhere; notices wait.
        let notices = (try? leased.get()) ?? []
        content.withLock { $0.leased += notices.count - free }
        for notice in notices {
            Task { [weak self] in
                guard let self else { return }
                let outcome = await self.send(notice)
                self.content.withLock { $0.ends.append(NoticeEnd(notice, outcome)) }
            }
        }
        let isBusy = content.withLock { $0.leased > 0 }
        return isBusy ? .milliseconds(20) : Self.pollInterval
    }

    private func write(_ ends: [NoticeEnd]) async {
        let written = await store.awaiting { $0.end(ends, completion: $1) }
        resolve(ends, written)
        if case .failure = written { try? await Task.sleep(for: Self.pollInterval) }
    }

    private func resolve(_ ends: [NoticeEnd], _ written: Result<Void, StoreError>) {
        content.withLock { content in
            if case .success = written {
                content.leased -= ends.count
            } else {
                // What was sent must be written, or it is sent again.
                content.ends += ends
            }
        }
    }

    /// Looks at the forecasts once; returns false at the end.
    func watch() async -> Bool {
        guard !content.withLock({ $0.isStopped }) else { return false }
        await withCheckedContinuation { looked in
            store.watchNotices { _ in looked.resume() }
        }
        return true
    }

    // MARK: - One notice

    private func send(_ notice: LeasedNotice) async -> NoticeEnd.Outcome {
        guard let shop = store.shop(notice.name.shop),
            let present = PresentNotice(notice, of: shop, in: store),
            let left = present.secondsLeft(at: store.now)
        else { return ended(notice, .unsent, as: "out-of-date") }
        switch notice.subscription.recipient {
        case .browser(let endpoint, let p256dh, let auth):
            // Only numbers hear of a booking.
            guard !present.content.isEmpty else { return ended(notice, .unsent, as: "out-of-date") }
            // Another server may have this push service on its list.
            guard let pushes, let origin = pushes.services.origin(of: endpoint) else {
                return later(notice, than: .zero, left: left, as: "not-listed")
            }
            guard let keys = PushKeys(p256dh: p256dh, auth: auth) else {
                return ended(notice, .gone, as: "wrong-key")
            }
            let push = Push(
                endpoint: endpoint, keys: keys, content: present.content,
                timeToLive: left, urgency: present.isUrgent ? .high : .normal,
                topic: Self.topic(of: notice.name))
            return await self.push(push, to: origin, by: pushes, notice, left: left)
        case .number(let sealed):
            // Only places have numbers.
            guard let sms = present.sms else { return ended(notice, .gone, as: "wrong-key") }
            return await sendSMS(sms, to: sealed, notice, left: left)
        }
    }

    /// Sends a notice as an SMS; after a crash a customer may get it twice.
    private func sendSMS(
        _ content: PresentNotice.SMSContent, to sealed: String, _ notice: LeasedNotice, left: Int
    ) async -> NoticeEnd.Outcome {
        guard let sms else { return later(notice, than: .zero, left: left, as: "not-listed") }
        guard let number = sms.numbers.opened(sealed) else {
            return ended(notice, .gone, as: "wrong-key")
        }
        guard await !sms.isStopped(number) else { return ended(notice, .gone, as: "stopped") }
        let name = store.shop(notice.name.shop)?.name ?? ""
        let text = content.words.text(
            in: notice.subscription.language, of: name, hasAnswers: sms.sending.hasAnswers,
            offersLater: content.offersLater, link: page.map { content.capability.link(to: $0) })
        switch await sms.send(
            text, to: number, for: notice.name.shop, as: .notice, validMinutes: left / 60)
        {
        case .sent: return sent(notice)
        case .usedUp: return ended(notice, .unsent, as: "used-up")
        case .refused: return ended(notice, .unsent, as: "refused")
        case .later: return later(notice, than: .zero, left: left, as: "again")
        }
    }

    private func sent(_ notice: LeasedNotice) -> NoticeEnd.Outcome {
        metrics.noticeSeconds.observe(
            max(0, (store.now - notice.made).inSeconds), notice.reason.rawValue)
        return ended(notice, .sent, as: "sent")
    }

    private func push(
        _ push: Push, to origin: String, by pushes: NoticePushes, _ notice: LeasedNotice,
        left: Int
    ) async -> NoticeEnd.Outcome {
        switch begin(origin) {
        case .handed: break
        case .rests: return later(notice, than: .zero, left: left, as: "waits")
        case .waits: return ended(notice, .later(clock() + Self.waiting), as: "waits")
        }
        let outcome = await pushes.send(push)
        end(origin, isReached: outcome != .unreached)
        switch outcome {
        case .accepted: return sent(notice)
        case .gone: return ended(notice, .gone, as: "gone")
        case .refused(let status):
            log.note("push-refused", ["reason": "\(status)", "service": origin])
            return ended(notice, .unsent, as: "refused")
        case .busy(let pause): return later(notice, than: pause ?? .zero, left: left, as: "again")
        case .unreached:
            log.note("push-service-unreached", ["service": origin])
            return later(notice, than: .zero, left: left, as: "again")
        }
    }

    private func ended(
        _ notice: LeasedNotice, _ outcome: NoticeEnd.Outcome, as word: String
    ) -> NoticeEnd.Outcome {
        metrics.notices.count(ServiceMetrics.Noticed(reason: notice.reason, outcome: word))
        return outcome
    }

    /// Tries it again after a pause that doubles each time, unless it is of no use then.
    ///
    /// - Parameter pause: The shortest pause that the push service asks for.
    private func later(
        _ notice: LeasedNotice, than pause: Duration, left seconds: Int, as word: String
    ) -> NoticeEnd.Outcome {
        let doubled = Duration.seconds(1 << min(notice.tries, 6))
        // Not all at once: a push service that comes back has all of them to take.
        let wait = max(min(doubled, Self.maxPause) * Double.random(in: 0.5...1), pause)
        guard wait < .seconds(seconds) else { return ended(notice, .unsent, as: "too-late") }
        return ended(notice, .later(clock() + wait), as: word)
    }

    private enum Turn {
        case handed
        /// The push service could not be reached a moment ago.
        case rests
        /// It has as many notices on their way as it may.
        case waits
    }

    /// Whether a notice may be handed to a push service now.
    private func begin(_ origin: String) -> Turn {
        content.withLock { content in
            if let end = content.resting[origin] {
                guard end <= ContinuousClock.now else { return .rests }
                content.resting[origin] = nil
            }
            guard content.onTheirWay[origin, default: 0] < Self.maxOnTheirWayToOne else {
                return .waits
            }
            content.onTheirWay[origin, default: 0] += 1
            return .handed
        }
    }

    private func end(_ origin: String, isReached: Bool) {
        content.withLock { content in
            let left = content.onTheirWay[origin, default: 1] - 1
            content.onTheirWay[origin] = left > 0 ? left : nil
            guard !isReached else { return }
            if content.resting.count >= Self.maxRested { content.resting = [:] }
            content.resting[origin] = .now + Self.rest
        }
    }

    /// Names the place or the order to the push service, so that a newer notice replaces one that waits there (RFC 8030 5.4).
    private static func topic(of name: LeasedNotice.Name) -> String {
        let digest = SHA256.digest(Array("clup-notice \(name.shop) \(name.subject)".utf8))
        return Base64.encode(Array(digest.prefix(24)), .urlSafe)
    }
}
