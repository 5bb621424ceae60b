/// The public state of a shop's queue: the answer to GET /v1/queue, which the Home screen shows.
public struct QueueStatus: Codable, Hashable, Sendable {
    public var now: LocalMoment
    /// Whether the shop is open at `now` [R27].
    public var isOpen: Bool
    /// When the shop closes; nil while it is closed, and if it stays open for longer than a day.
    public var closes: LocalMoment?
    /// The next opening; nil while open, or if none is known within a month.
    public var opens: LocalMoment?
    /// Whether a ticket would be offered now.
    public var ticketAvailable: Bool
    /// Numbers that are called and not yet in, newest first.
    public var calling: [QueueNumber]
    /// People with a ticket who have not been called.
    public var waiting: Int
    /// The wait of a ticket taken now; nil if none would be offered.
    public var wait: WaitEstimate?
    /// The link with which a customer at the door joins the queue on a phone, new each minute; nil if phones get no place
    /// now (rules: joining).
    public var join: String?
    /// Another shop where the wait is much shorter; nil unless this one is crowded, and from an older backend
    /// (rules: nearby-shop).
    ///
    /// `isPlausible` does not ask about it: a status is good without it.
    public var nearby: NearbyShop?

    private enum CodingKeys: String, CodingKey {
        case now, closes, opens, ticketAvailable, calling, waiting, wait, join, nearby
        case isOpen = "open"
    }

    public init(
        now: LocalMoment, isOpen: Bool, closes: LocalMoment? = nil, opens: LocalMoment? = nil,
        ticketAvailable: Bool = false, calling: [QueueNumber] = [], waiting: Int = 0,
        wait: WaitEstimate? = nil
    ) {
        self.now = now
        self.isOpen = isOpen
        self.closes = closes
        self.opens = opens
        self.ticketAvailable = ticketAvailable
        self.calling = calling
        self.waiting = waiting
        self.wait = wait
    }
}

extension QueueStatus: Plausible {
    /// More than any shop admits at once, and three times as many as a display could show in a minute.
    private static let maxCalled = 1_000

    public var isPlausible: Bool {
        QueueNumber.counts.contains(waiting) && calling.count <= Self.maxCalled
            && Set(calling).count == calling.count && wait?.isPlausible ?? true
            && join.map { $0.utf8.count <= Capability.maxLinkBytes } ?? true
    }
}

/// A shop's queue as its staff sees it for corrections: the answer to GET /v1/staff/queue.
public struct StaffQueue: Codable, Hashable, Sendable {
    public var now: LocalMoment
    public var isOpen: Bool
    /// When the shop closes; nil while it is closed, and if it stays open for longer than a day.
    public var closes: LocalMoment?
    /// Whether the staff has set an earlier end than the calendar.
    public var closesEarly: Bool
    /// Nil from an older backend, as are the doors.
    private var endsTickets: Bool?
    public var ticketAvailable: Bool
    /// People inside, as the queue counts them.
    public var people: Int
    /// How many people may be inside.
    public var capacity: Int
    /// Numbers that are called and not yet in, newest first; at most `maxNumbers`.
    public var calling: [QueueNumber]
    /// Tickets that have not been called.
    public var waiting: Int
    /// The next of the waiting numbers in order; at most `maxNumbers`.
    public var next: [QueueNumber]
    /// Visits of today that are not called yet.
    public var visits: Int
    /// Numbers given out today.
    public var issued: Int
    private var openDoors: [String]?
    /// Nil from an older backend.
    private var helpCalls: [HelpCall]?
    /// The shop's SMS of today; nil if it has none.
    public var sms: SMSOfDay?

    public static let maxNumbers = 50
    private static let maxDoors = 8

    private enum CodingKeys: String, CodingKey {
        case now, closes, closesEarly, ticketAvailable, people, capacity, calling, waiting, next
        case visits, issued, sms
        case isOpen = "open"
        case endsTickets = "ticketsEnded"
        case openDoors = "doorsNotClosed"
        case helpCalls = "help"
    }

    public init(
        now: LocalMoment, isOpen: Bool, closes: LocalMoment?, closesEarly: Bool,
        ticketsEnded: Bool = false, ticketAvailable: Bool, people: Int, capacity: Int,
        calling: [QueueNumber], waiting: Int, next: [QueueNumber], visits: Int, issued: Int,
        doorsNotClosed: [String] = [], help: [HelpCall] = []
    ) {
        self.now = now
        self.isOpen = isOpen
        self.closes = closes
        self.closesEarly = closesEarly
        endsTickets = ticketsEnded
        self.ticketAvailable = ticketAvailable
        self.people = people
        self.capacity = capacity
        self.calling = calling
        self.waiting = waiting
        self.next = next
        self.visits = visits
        self.issued = issued
        openDoors = doorsNotClosed
        helpCalls = help
    }

    /// Whether the staff has stopped giving out places of today.
    public var ticketsEnded: Bool { endsTickets ?? false }

    /// Readers whose doors could not be closed, at most eight.
    public var doorsNotClosed: [String] {
        get { Array((openDoors ?? []).prefix(Self.maxDoors)) }
        set { openDoors = newValue }
    }

    /// The shop's open calls for help, the oldest first.
    public var help: [HelpCall] {
        get { Array((helpCalls ?? []).prefix(HelpCalls.maxCalls)) }
        set { helpCalls = newValue }
    }
}

/// How many SMS were sent for a shop on a day, and how many it may have (rules: sms).
public struct SMSOfDay: Codable, Hashable, Sendable {
    public var sent: Int
    public var most: Int

    public init(sent: Int, most: Int) {
        self.sent = sent
        self.most = most
    }
}

extension StaffQueue: Plausible {
    public var isPlausible: Bool {
        [people, capacity, waiting, visits, issued].allSatisfy(QueueNumber.counts.contains)
            && calling.count <= Self.maxNumbers && next.count <= Self.maxNumbers
            && [sms?.sent, sms?.most].allSatisfy { $0.map(QueueNumber.counts.contains) ?? true }
    }
}

/// A value from the wire that can have the right form and still be impossible.
public protocol Plausible {
    /// Whether the values are possible, so that a machine may use them.
    var isPlausible: Bool { get }
}

extension QueueNumber {
    /// The possible counts of people: at most as many as there are numbers.
    static let counts = 0...999_999
}
