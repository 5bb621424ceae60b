public import KioskFlow
public import Reservations

/// All that a screen shows of the machine, at one moment: two equal scenes look the same.
public struct Scene: Hashable, Sendable {
    public var state: KioskState
    public var queue: QueueReport?
    public var shop: ShopReport?
    public var printer: PrinterCondition
    public var isReaderThere: Bool
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
    /// Seconds since `queue` was told, in steps of 10 and from two minutes on of 60; nil while it is fresh.
    public var queueAge: Int?
    /// Seconds until the place is given back, while the warning stands.
    public var warning: Int?
    /// Seconds until a finished screen goes Home.
    public var countdown: Int?
    /// Seconds an untouched offer has left, while it is shown.
    public var timeLeft: Int?

    /// What maintenance mode shows; nil until it is known.
    public var staffFacts: StaffFacts?
    /// Whether the staff wants customers to see *out of service*.
    public var isPutOut: Bool
    /// What customers read then; nil for the usual words.
    public var serviceMessage: String?
    /// What the staff has set for everybody.
    public var settings: MachineSettings
    /// Seconds until maintenance mode ends by itself, while it lasts.
    public var staffLeft: Int?
    /// Seconds until a PIN may be typed.
    public var pinWait: Int?

    /// Where the arrow of *Show your ticket* points to.
    public var readerPlace: ReaderPlace
    /// How far that arrow has come, 0 to 2, a step a second; 0 where it is not shown.
    public var arrowStep = 0

    /// - Parameter now: the monotonic clock, as the flow's own events have it.
    public init(_ flow: KioskFlow, readerPlace: ReaderPlace = .below, now: Duration) {
        self.readerPlace = readerPlace
        state = flow.state
        queue = flow.queue
        shop = flow.shop
        printer = flow.printer
        isReaderThere = flow.isReaderThere
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
        queueAge = flow.queueAge(now: now).map {
            let seconds = Int($0.wholeMilliseconds / 1_000)
            return seconds / (seconds < 120 ? 10 : 60) * (seconds < 120 ? 10 : 60)
        }
        staffFacts = flow.staffFacts
        isPutOut = flow.isPutOut
        serviceMessage = flow.serviceMessage
        settings = flow.settings
        staffLeft = flow.staffLeft(now: now)
        pinWait = flow.pinWait(now: now)
        warning = flow.warning(now: now)
        countdown = flow.countdown(now: now)
        if case .scanning(let scanning) = flow.state, scanning.digits.isEmpty {
            arrowStep = Int(now.wholeMilliseconds / 1_000) % Canvas.arrowSteps
        }
        if case .offer = flow.state { timeLeft = flow.timeLeft(now: now) }
    }
}
