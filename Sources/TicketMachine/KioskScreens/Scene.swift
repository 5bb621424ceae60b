public import KioskFlow
public import Reservations

/// All that a screen shows of the machine, at one moment: two equal scenes look the same.
public struct Scene: Hashable, Sendable {
    public var state: KioskState
    public var queue: QueueReport?
    public var shop: ShopReport?
    public var printer: PrinterCondition
    public var language: String
    /// What can be chosen, the shop's own first.
    public var languages: [String]
    public var isChoosingLanguage: Bool
    public var appearance: Appearance
    public var voice: Voice
    /// Whether the ear is offered.
    public var isSpeechThere: Bool
    /// The shop's clock, cut to the minute; nil until the backend has told it.
    public var clock: LocalMoment?
    /// Seconds until the place is given back, while the warning stands.
    public var warning: Int?
    /// Seconds until a finished screen goes Home.
    public var countdown: Int?
    /// Seconds an untouched offer has left, while it is shown.
    public var timeLeft: Int?

    /// - Parameter now: the monotonic clock, as the flow's own events have it.
    public init(_ flow: KioskFlow, now: Duration) {
        state = flow.state
        queue = flow.queue
        shop = flow.shop
        printer = flow.printer
        language = flow.language
        languages = flow.languages
        isChoosingLanguage = flow.isChoosingLanguage
        appearance = flow.appearance
        voice = flow.voice
        isSpeechThere = flow.isSpeechThere
        clock = flow.shopClock(now: now).map { clock in
            clock.at(
                Moment(milliseconds: clock.moment.milliseconds.flooredQuotient(by: 60_000) * 60_000)
            )
        }
        warning = flow.warning(now: now)
        countdown = flow.countdown(now: now)
        if case .offer = flow.state { timeLeft = flow.timeLeft(now: now) }
    }
}
