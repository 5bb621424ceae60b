/// A shop as customers and machines know it.
public struct Shop: Hashable, Sendable {
    public let id: ShopID
    /// The part of every entry code that names the shop, so that a foreign code is recognised at once.
    public var tag: ShopTag
    /// The name for customers; 1 to 80 characters without control characters.
    public var name: String
    /// IANA name, as "Europe/Rome".
    public var timeZone: String
    public var hours: OpeningHours
    public var policy: ShopPolicy
    /// Languages of the shop's customers, its own first, as BCP 47 primary subtags ("it").
    public var languages: [String]
    /// What the shop has decided about customers' calls for help (rules: help).
    public var help: ShopHelp
    public var address: ShopAddress

    public init(
        id: ShopID, tag: ShopTag, name: String, timeZone: String, hours: OpeningHours,
        policy: ShopPolicy, languages: [String], help: ShopHelp = ShopHelp(),
        address: ShopAddress = ShopAddress()
    ) {
        self.id = id
        self.tag = tag
        self.name = name
        self.timeZone = timeZone
        self.hours = hours
        self.policy = policy
        self.languages = languages
        self.help = help
        self.address = address
    }
}

extension Shop {
    /// Whether customers who collect an order may follow it on a phone (rules: order-pages).
    public var hasOrderPages: Bool { policy.orders.hasDesk && policy.phones.hasPages }
}

/// What a shop decides about customers with phones (rules: phone-places, blocks, place-page, elsewhere, sms, visits).
public struct PhonePolicy: Hashable, Sendable {
    /// Whether tickets carry a second symbol, which opens a page of the place on the customer's phone, and orders have such
    /// a page.
    public var hasPages = true
    /// Whether customers may take places on their phones.
    public var hasPlaces = false
    /// Whether customers who are elsewhere may take places, which takes `hasPlaces` too (rules: elsewhere).
    public var hasRemotePlaces = false
    /// Whether customers may book visits on their phones, which takes `hasPlaces` too (rules: visits).
    public var hasVisits = false
    /// Percent of the places for visits that phones may book; 1 to 100. The others are for machines (rules: visits).
    public var visitPercent = 70
    /// Whether customers elsewhere, and those who booked a visit, are asked before whether they are coming
    /// (rules: coming-question).
    public var asksWhoComes = false
    /// Percent of the admissions of an hour that phones may take; 1 to 100.
    public var sharePercent = 50
    /// A holder who misses `maxNoShows` calls within so many days is blocked; 1 to 60.
    public var noShowDays = 30
    /// For so many days after the last of these calls; 0 to 30, where 0 blocks no holder.
    public var blockDays = 7
    /// The most SMS that may be sent for the shop on a day; 0 to 100,000, where 0 sends none (rules: sms).
    public var smsPerDay = 0
    /// Whether customers who are elsewhere must have confirmed a telephone number (rules: confirmed-numbers).
    public var needsNumber = false

    public init() {}

    /// Whether customers elsewhere may see the shop's wait: it gives them places or visits (rules: elsewhere, visits).
    public var isListed: Bool { hasPlaces && (hasRemotePlaces || hasVisits) }

    /// The days for which a missed call is remembered: the longest period and the longest block.
    public static let noShowMemoryDays = 90
    /// How many missed calls block a holder.
    public static let maxNoShows = 3
}

/// What a shop decides about orders that customers collect (rules: orders).
public struct OrderPolicy: Hashable, Sendable {
    /// The desks at which orders are handed over; 0 to 20, where 0 means that the shop has none.
    public var desks = 0
    /// The minutes that it usually takes to bring an order of one parcel to a desk; 1 to 120.
    public var fetchMinutes = 5
    /// For so many days after the promised time an order is kept for its customer; 1 to 60.
    public var keptDays = 7
    /// For so many days after its end an order is remembered; 1 to 400.
    public var rememberedDays = 30

    /// Whether the desks are inside, so that a customer who is called takes a place.
    public var isDeskInside = false

    public init() {}

    public var hasDesk: Bool { desks > 0 }
}

/// The numbers that a shop decides for itself.
public struct ShopPolicy: Hashable, Sendable {
    /// People who may be inside at once; at least 1.
    public var capacity: Int
    /// Minutes a customer usually stays; at least 1.
    public var usualStayMinutes: Int
    /// How long a place is held while a customer decides: the 3 minutes of the screen [UC11] and a margin.
    public var holdSeconds: Int
    /// Percent of the capacity that visits may take at once; 1 to 100, half unless set (rules: slots).
    public var visitSharePercent: Int
    /// The time from the scan at the check-out until the place is free: the way to the door (rules: exits).
    public var leaveDelaySeconds: Int
    /// Whether the ten minutes run from the earliest time that was quoted to the customer (rules: calls).
    public var hasEarlyCallGrace: Bool
    /// How many seconds a door stays open for a customer who may pass; 1 to 120.
    public var doorSeconds: Int
    /// What phones may do (rules: phone-places, place-page).
    public var phones: PhonePolicy
    /// Whether customers may let others go ahead of them (rules: more-time).
    public var allowsDelays = false
    /// Whether a customer who missed the call may have the place back once (rules: more-time).
    public var allowsReclaims = false
    /// The departments that customers of visits may name, in the order in which they are shown (rules: departments).
    public var departments: [Department] = []
    /// From so many minutes of wait on machines name a shop nearby where it is shorter; 10 to 240, or 0 for never
    /// (rules: nearby-shop).
    public var nearbyWaitMinutes = 60
    /// What the shop decides about orders that customers collect (rules: orders).
    public var orders = OrderPolicy()

    public init(
        capacity: Int, usualStayMinutes: Int, holdSeconds: Int = 210,
        visitSharePercent: Int = 50, leaveDelaySeconds: Int = 120,
        hasEarlyCallGrace: Bool = false, doorSeconds: Int = standardDoorSeconds,
        phones: PhonePolicy = PhonePolicy()
    ) {
        self.phones = phones
        self.doorSeconds = doorSeconds
        self.leaveDelaySeconds = leaveDelaySeconds
        self.hasEarlyCallGrace = hasEarlyCallGrace
        self.capacity = capacity
        self.usualStayMinutes = usualStayMinutes
        self.holdSeconds = holdSeconds
        self.visitSharePercent = visitSharePercent
    }

    /// Long enough for a person with a trolley.
    public static let standardDoorSeconds = 5

    /// Visits that may be inside at once: the share of the capacity, and at least one (rules: slots).
    public var visitPlaces: Int { max(1, capacity * visitSharePercent / 100) }

    /// Visits booked on phones that may be inside at once: the phones' share of those places, rounded down so that machines
    /// keep theirs, and at least one where there are two or more (rules: visits).
    public var phoneVisitPlaces: Int {
        max(visitPlaces > 1 ? 1 : 0, visitPlaces * phones.visitPercent / 100)
    }

    /// The visits booked on phones that may be inside at once if they all name these departments.
    public func phoneVisitPlaces(in named: [String]) -> Int {
        capacities(of: named).reduce(phoneVisitPlaces) { min($0, $1.capacity) }
    }

    /// The departments among these that the shop has, in its order: others may have been closed meanwhile.
    public func known(_ named: [String]) -> [String] {
        departments.map(\.name).filter(named.contains)
    }

    /// The departments among these that have a capacity of their own.
    public func capacities(of named: [String]) -> [(name: String, capacity: Int)] {
        departments.compactMap { department in
            guard named.contains(department.name), let capacity = department.capacity else {
                return nil
            }
            return (department.name, capacity)
        }
    }

    /// The time from one slot of visits to the next, counted from the shop's opening (rules: slots).
    public static let slotLength = Duration.minutes(15)
    /// The shortest time from booking a visit to its slot (rules: slots).
    public static let visitNotice = Duration.minutes(15)

    /// The time from the call to the expiry of the reservation [R12].
    public static let entryTimeLimitMinutes = 10

    /// The rule in words that a number within its bounds breaks all the same; nil if none does.
    public var brokenRule: String? {
        (1..<10).contains(nearbyWaitMinutes)
            ? "a shop nearby is named from 10 to 240 minutes of wait on, or never with 0" : nil
    }

    public var usualStay: Duration { .minutes(usualStayMinutes) }
    public var holdLifetime: Duration { .seconds(holdSeconds) }
    public var leaveDelay: Duration { .seconds(leaveDelaySeconds) }
}
