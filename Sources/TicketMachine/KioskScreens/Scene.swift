public import KioskFlow
public import Reservations

internal import TerminalSurface

/// All facts that a screen shows of the machine at one moment: two equal scenes look the same.
public struct Scene: Hashable, Sendable {
    public var state: KioskState
    /// The queue as the backend last reported it; nil until there is a report, or while the backend does not answer.
    public var queue: QueueFacts?
    /// The link with which a customer joins the queue on a phone; nil on every screen but Home, and while the backend's
    /// last report is old, since the link is good for a few minutes only (rules: joining).
    public var invitation: String?
    /// Whether the staff or the shop wants customers to see *out of service*.
    public var isPutOut: Bool
    /// The message for customers then: the name of a `ReadyMessage`, or a text of its own; nil for the standard one.
    public var serviceMessage: String?
    public var access: AccessState
    public var shop: MachineProfile?
    public var printer: PrinterCondition
    public var isReaderThere: Bool
    /// The customer's call for help, on a screen of its own or as a band.
    public var help = Help.none
    /// The shop's telephone number for customers who need help; nil if there is none.
    public var helpPhone: String?
    /// What maintenance mode shows; nil until it is known.
    public var staffFacts: StaffFacts?
    /// What the staff has set for all customers.
    public var settings: MachineSettings
    /// The shop's clock, cut to the minute; nil until the backend has reported it.
    public var clock: LocalMoment?
    /// Seconds since the queue was reported, in steps of 10 and, from two minutes on, of 60; nil while it is fresh.
    public var queueAge: Int?
    /// Seconds until the place is given back, while the warning is shown.
    public var warning: Int?
    /// Seconds until a finished screen goes Home.
    public var countdown: Int?
    /// Seconds an untouched offer has left, while it is shown.
    public var timeLeft: Int?
    /// Seconds until maintenance mode ends by itself, while it lasts.
    public var staffLeft: Int?
    /// Seconds until a PIN may be typed.
    public var pinWait: Int?
    /// The side of the screen to which the arrow of *Show your ticket* points; nil if the machine has no reader.
    public var readerPlace: ReaderPlace?
    /// How far that arrow has moved, 0 to 2, a step a second; 0 if it is not shown.
    public var arrowStep = 0

    /// Whether codes can be held under a reader now.
    var isReaderReady: Bool { readerPlace != nil && isReaderThere }

    /// Whether customers who wait can let people go ahead (rules: more-time).
    var allowsDelays: Bool { shop?.allowsDelays == true }

    /// - Parameter now: the monotonic clock that the events of the flow use.
    public init(_ flow: KioskFlow, readerPlace: ReaderPlace? = .below, now: Duration) {
        state = flow.state
        queue = flow.service.queue.map { QueueFacts($0) }
        isPutOut = flow.service.isPutOut
        serviceMessage = flow.service.message
        access = flow.access
        shop = flow.shop
        help = Help(flow, now: now)
        helpPhone = flow.helpPhone.map {
            PlainText.clean($0, limit: ShopHelp.maxPhoneCharacters)
        }
        printer = flow.printer
        isReaderThere = flow.isReaderThere
        staffFacts = flow.staffFacts
        settings = flow.settings
        self.readerPlace = readerPlace
        clock = flow.shopClock(now: now).map { clock in
            clock.at(
                Moment(milliseconds: clock.moment.milliseconds.flooredQuotient(by: 60_000) * 60_000)
            )
        }
        queueAge = flow.service.queueAge(now: now).map {
            let seconds = $0.wholeSeconds
            return seconds / (seconds < 120 ? 10 : 60) * (seconds < 120 ? 10 : 60)
        }
        if flow.state == .home, queueAge == nil, let queue = flow.service.queue,
            queue.ticketAvailable
        {
            invitation = queue.join
        }
        staffLeft = flow.staffLeft(now: now)
        pinWait = flow.pinWait(now: now)
        warning = flow.warning(now: now)
        countdown = flow.countdown(now: now)
        if case .scanning(let scanning) = flow.state, scanning.digits.isEmpty {
            arrowStep = now.wholeSeconds % Canvas.arrowSteps
        }
        if case .offer = flow.state { timeLeft = flow.timeLeft(now: now) }
    }
}

extension Scene {
    /// What is shown of a customer's call for help.
    public enum Help: Hashable, Sendable {
        case none
        case question(isLong: Bool)
        case calling
        /// The call does not get through: which numbers to call instead.
        case unreachable
        /// The shop is closed: which numbers to call instead.
        case closed
        case open(Call, isShown: Bool)
    }

    /// How far an open call is.
    public struct Call: Hashable, Sendable {
        /// Whether a staff member is going.
        public var isGoing = false
        /// The staff member; nil if the shop shows no names.
        public var name: String?
        /// Whether the customer can still say that it was a mistake.
        public var mayBeMistake = false

        public init(isGoing: Bool = false, name: String? = nil, mayBeMistake: Bool = false) {
            self.isGoing = isGoing
            self.name = name
            self.mayBeMistake = mayBeMistake
        }
    }

    /// Whether a screen of help covers the screen of the state.
    var isHelpShown: Bool {
        switch help {
        case .none, .open(_, isShown: false): false
        case .question, .calling, .unreachable, .closed, .open: state.isForCustomers
        }
    }
}

extension Scene.Help {
    fileprivate init(_ flow: KioskFlow, now: Duration) {
        self =
            switch flow.help {
            case .none: .none
            case .asking(let question): .question(isLong: question.isLong)
            case .calling: .calling
            case .unreachable(let unanswered): unanswered.isShown ? .unreachable : .none
            case .closed: .closed
            case .open(let open):
                .open(
                    Scene.Call(
                        isGoing: open.call.going != nil, name: open.call.by,
                        mayBeMistake: open.mayBeMistake(now: now)), isShown: flow.help.isShown)
            }
    }
}
