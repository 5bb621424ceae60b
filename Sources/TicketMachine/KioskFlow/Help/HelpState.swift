public import Reservations

/// A customer's call for help at this machine (rules: help, help-screen); it goes on beside the machine's state and covers
/// its screen.
public enum HelpState: Hashable, Sendable, Codable {
    /// No help was asked for -> asking, closed, open (a call that is found or gets through late).
    case none
    /// The customer is asked whether a staff member shall come -> calling, none.
    case asking(HelpQuestion)
    /// The call is on its way -> open, unreachable, closed.
    case calling(AttemptKey)
    /// The call has no answer: it is repeated, and the customer is shown which numbers to call -> open, closed, none.
    case unreachable(UnansweredHelp)
    /// The staff is called -> none.
    case open(OpenHelp)
    /// The shop is closed: no call is made, and the customer is shown which numbers to call until then -> none.
    case closed(until: Duration)

    /// Whether a screen of help covers the screen of the machine's state.
    public var isShown: Bool {
        switch self {
        case .none: false
        case .asking, .calling, .closed: true
        case .unreachable(let unanswered): unanswered.isShown
        case .open(let open): open.shownUntil != nil
        }
    }

    /// The open call, on a screen of its own or as a band.
    public var openCall: HelpCall? { if case .open(let open) = self { open.call } else { nil } }

    /// The times at which time alone changes something.
    var deadlines: [Duration] {
        switch self {
        case .none, .calling: []
        case .asking(let question): [question.until]
        case .unreachable(let unanswered):
            [unanswered.until] + [unanswered.nextTry].compactMap(\.self)
        case .open(let open): [open.shownUntil, open.nextPoll].compactMap(\.self)
        case .closed(let until): [until]
        }
    }
}

/// The question whether a staff member shall come.
public struct HelpQuestion: Hashable, Sendable, Codable {
    /// Whether it says more, because the last calls were mistakes.
    public let isLong: Bool
    /// When it goes away without an answer.
    var until: Duration
}

/// A call for help that has no answer yet.
public struct UnansweredHelp: Hashable, Sendable, Codable {
    let attempt: AttemptKey
    /// When the machine stops trying.
    let until: Duration
    /// When the next attempt is due; nil while one is under way.
    var nextTry: Duration?
    /// Whether its screen is shown; the customer can leave it, and the machine keeps trying.
    public internal(set) var isShown = true
}

/// An open call for help at this machine.
public struct OpenHelp: Hashable, Sendable, Codable {
    public var call: HelpCall
    /// When the machine learned of it.
    let known: Duration
    /// Until when the customer can say that it was a mistake.
    let mistakeUntil: Duration
    /// Until when its screen is shown; nil while it is a band on the other screens.
    var shownUntil: Duration?
    /// When the backend is asked next how the call goes on; nil while it is being asked.
    var nextPoll: Duration?
    /// The request to end the call as a mistake, while it has no answer.
    public internal(set) var mistake: AttemptKey?

    /// Whether the customer can still say that it was a mistake.
    public func mayBeMistake(now: Duration) -> Bool { now < mistakeUntil && mistake == nil }
}

/// What the machine remembers about calls for help between them.
struct HelpMemory: Hashable, Sendable, Codable {
    /// What the shop had decided about help when the machine last heard of it.
    var kept: ShopHelp?
    /// When the last calls ended as mistakes, at most as many as matter.
    private(set) var mistakes: [Duration] = []
    /// Whether the backend may have an open call of this machine that the machine does not know.
    var search = Search.due

    enum Search: Hashable, Sendable, Codable { case due, underWay, done }

    /// Whether so many calls were mistakes lately that the question says more.
    func isLong(now: Duration) -> Bool {
        mistakes.count { now < $0 + KioskTiming.helpMistakesWithin } >= KioskTiming.helpMistakes
    }

    mutating func ended(_ end: HelpCall.End?, now: Duration) {
        guard end == .mistake else { return }
        mistakes = (mistakes + [now]).suffix(KioskTiming.helpMistakes)
    }
}

/// What a customer touches to get help.
public enum HelpTouch: String, Hashable, Sendable, CaseIterable, Codable {
    /// *Help* in the foot line, or the band of an open call.
    case open
    /// *Yes*: a staff member shall come.
    case call
    /// *No*: no staff member is needed.
    case decline
    /// *It was a mistake*.
    case mistake
    /// Leave the screen; an open call stays open.
    case leave
}
