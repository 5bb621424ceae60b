import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

/// Checks what the push services of a run received against what happened to the places; times are epoch milliseconds.
struct NoticeJudge {
    /// How long a notice may be on its way: from the look at its place to the push service.
    static let onItsWay = 2_000
    /// Within this time a notice of a call is sent if nothing fails; less than the lateness of customers.
    static let prompt = 2_500
    /// The difference between the clocks of the tests and of a server's queue.
    private static let slack = 100
    /// A server leaves a push service alone for five seconds that breaks off, and then pauses for a notice.
    private static let rest = 12_000

    /// A push as its service received it.
    private struct Post {
        let endpoint: String
        let at: Int
        let manner: FakePushService.Manner
        /// What it holds, if it was taken.
        var message: NoticeMessage?

        var isTaken: Bool { manner == .answers(201) }
    }

    /// A time in which a place is in one state; without end if that lasts.
    private struct Span {
        let state: String
        let start: Int
        let end: Int?

        /// Whether a notice of the state was true a short time before it came.
        func explains(_ post: Post) -> Bool {
            start <= post.at + NoticeJudge.slack && post.at - NoticeJudge.onItsWay <= end ?? .max
        }
    }

    struct Figures {
        var posts = 0
        var taken: [NoticeKind: Int] = [:]
        /// Those that were answered with 503 or 410, or not at all.
        var refused = 0
        /// The calls that a browser had to get, those of them that lasted to the end, and how long their notices took.
        var awaited = 0
        var lasting = 0
        var delays: [Int] = []
        /// The calls that were over before their notice was sent.
        var overtaken = 0
        /// Notices that were sent again after a server was killed.
        var again = 0
        var violations: [String] = []

        var summary: String {
            let kinds = taken.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { "\($0.value) \($0.key.rawValue)" }
            let times = delays.sorted()
            return kinds.joined(separator: ", ")
                + "; \(awaited) calls awaited, \(lasting) of them to the end, half within "
                + "\(times.isEmpty ? 0 : times[times.count / 2]) ms, worst \(times.last ?? 0) ms, "
                + "\(overtaken) overtaken, \(again) sent again"
        }
    }

    private let browsers: [String: NoticedBrowser]
    private let kills: [Int]
    private let posts: [String: [Post]]
    private let spans: [String: [Span]]
    /// When a push to the shaky service had no answer.
    private let breaks: [Int]
    private var figures = Figures()

    /// - Parameters:
    ///   - kills: when servers were killed.
    ///   - outages: when push services were stopped.
    init(
        _ chain: LoadChain, _ services: PushServicePair, _ keys: PushBrowser,
        _ browsers: [String: NoticedBrowser], kills: [Date], outages: [Date]
    ) async throws {
        self.browsers = browsers
        self.kills = kills.map(Self.milliseconds)
        var posts: [Post] = []
        for service in services.all {
            let requests = service.requests
            let taken = requests.filter { $0.manner == .answers(201) }
            var opened = try await keys.open(taken, at: service.origin)[...]
            for request in requests {
                var post = Post(
                    endpoint: service.origin + request.path, at: Self.milliseconds(request.at),
                    manner: request.manner)
                if post.isTaken, let content = opened.popFirst()?.content {
                    post.message = try JSONDecoder().decode(
                        NoticeMessage.self, from: Data(content.utf8))
                }
                posts.append(post)
            }
        }
        self.posts = Dictionary(grouping: posts, by: \.endpoint)
        breaks = posts.filter { $0.manner == .hangsUp }.map(\.at) + outages.map(Self.milliseconds)
        let history = try await QueueHistory(database: chain.database, limits: [:])
        var spans: [String: [Span]] = [:]
        for steps in history.steps {
            let ends = steps.dropFirst().map { Optional($0.at) } + [nil]
            spans[steps[0].id] = zip(steps, ends).map {
                Span(state: $0.state, start: $0.at, end: $1)
            }
        }
        self.spans = spans
    }

    private static func milliseconds(_ date: Date) -> Int {
        Int(date.timeIntervalSince1970 * 1_000)
    }

    /// The states of a place of which a notice is true.
    private static func state(of kind: NoticeKind) -> String {
        switch kind {
        case .called: "called"
        case .question, .soon, .later, .restored: "planned"
        case .givenBack, .cancelled: "deleted"
        case .missed, .closed: "expired"
        }
    }

    func judged() -> Figures {
        var judge = self
        for (endpoint, posts) in posts {
            guard let browser = browsers[endpoint] else {
                judge.break("a push to \(endpoint), which is no browser")
                continue
            }
            for post in posts { judge.check(post, to: browser) }
            judge.checkEnd(of: browser, posts)
            judge.countAgain(posts, to: browser)
        }
        for (endpoint, browser) in browsers { judge.checkCalls(of: browser, endpoint) }
        return judge.figures
    }

    private mutating func `break`(_ words: String) { figures.violations.append(words) }

    private func wasKilled(from start: Int, to end: Int) -> Bool {
        kills.contains { start - Self.slack <= $0 && $0 <= end }
    }

    /// A push that was taken is for this place, and was true when it was sent.
    private mutating func check(_ post: Post, to browser: NoticedBrowser) {
        figures.posts += 1
        guard post.isTaken else {
            figures.refused += 1
            return
        }
        guard let message = post.message else { return self.break("an empty push") }
        figures.taken[message.kind, default: 0] += 1
        if message.number.rawValue != browser.number || message.capability != browser.capability {
            self.break("\(browser.number) got the notice of \(message.number.text)")
        }
        if message.kind == .called, message.time == nil {
            self.break("\(browser.number): a call without its end")
        }
        let state = Self.state(of: message.kind)
        let isTrue = (spans[browser.reservation.rawValue] ?? []).contains {
            $0.state == state && $0.explains(post)
        }
        if !isTrue {
            self.break("\(browser.number): \(message.kind) at \(post.at), \(story(of: browser))")
        }
    }

    private func story(of browser: NoticedBrowser) -> String {
        (spans[browser.reservation.rawValue] ?? []).map { "\($0.state) \($0.start)" }
            .joined(separator: ", ")
    }

    /// A browser that has ended its subscription, or is gone, gets no further push.
    private mutating func checkEnd(of browser: NoticedBrowser, _ posts: [Post]) {
        if let ended = browser.ended.map({ Self.milliseconds($0.answered) }),
            let late = posts.first(where: { $0.at > ended + Self.onItsWay })
        {
            self.break("\(browser.number): a push at \(late.at), ended at \(ended)")
        }
        guard let gone = posts.first(where: { $0.manner == .answers(410) })?.at,
            // A server that is killed has not written that the browser is gone.
            !wasKilled(from: gone, to: gone + Self.onItsWay),
            let late = posts.first(where: { $0.at > gone + Self.onItsWay / 2 })
        else { return }
        self.break("\(browser.number): a push at \(late.at), gone at \(gone)")
    }

    /// A notice of one thing is taken twice only if a server was killed in between.
    private mutating func countAgain(_ posts: [Post], to browser: NoticedBrowser) {
        let spans = spans[browser.reservation.rawValue] ?? []
        // Each notice reports the first span of its state that none has reported.
        var reported: [Int: Int] = [:]
        for post in posts {
            guard let kind = post.message?.kind, [.called, .givenBack].contains(kind) else {
                continue
            }
            let possible = spans.filter { $0.state == Self.state(of: kind) && $0.explains(post) }
            if let span = possible.first(where: { reported[$0.start] == nil }) {
                reported[span.start] = post.at
            } else if let span = possible.last {
                let first = reported[span.start] ?? post.at
                figures.again += 1
                if !wasKilled(from: first, to: post.at) {
                    self.break(
                        "\(browser.number): \(kind) at \(first) and at \(post.at), \(story(of: browser))"
                    )
                }
                reported[span.start] = post.at
            }
        }
    }

    /// A browser gets each call that lasts, or that nothing has kept from it for some seconds.
    private mutating func checkCalls(of browser: NoticedBrowser, _ endpoint: String) {
        let subscribed = Self.milliseconds(browser.subscribed)
        let posts = posts[endpoint] ?? []
        for span in spans[browser.reservation.rawValue] ?? []
        where span.state == "called" && span.start > subscribed && !browser.isGone {
            let isEnded = browser.ended.map {
                span.end == nil || Self.milliseconds($0.asked) < span.start + Self.prompt
            }
            if isEnded == true { continue }
            let notice = posts.first {
                $0.message?.kind == .called && span.explains($0)
            }
            let isHindered =
                wasKilled(from: span.start, to: span.start + Self.prompt)
                || posts.contains { !$0.isTaken && $0.at >= span.start - Self.slack }
                || browser.isShaky
                    && breaks.contains {
                        ($0 - Self.prompt...$0 + Self.rest).contains(span.start)
                    }
            let isAwaited = span.end.map { $0 - span.start > Self.prompt && !isHindered } ?? true
            if isAwaited {
                figures.awaited += 1
                figures.lasting += span.end == nil ? 1 : 0
            } else if notice == nil {
                figures.overtaken += 1
            }
            if let notice, !isHindered { figures.delays.append(notice.at - span.start) }
            if isAwaited, notice == nil {
                self.break(
                    "\(browser.number), \(browser.isShaky ? "shaky" : "steady"): no notice of the call "
                        + "at \(span.start), \(story(of: browser))")
            }
        }
    }
}
