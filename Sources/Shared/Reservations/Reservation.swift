internal import TextForms

/// The kind of place that a customer takes.
public enum ReservationKind: String, Codable, Sendable, CaseIterable {
    /// The next free place of today, first come first served [UC11].
    case ticket
    /// A place at a booked time [UC12].
    case visit
}

/// The state of a reservation; exactly one at a time [DD, Alloy model].
public enum ReservationState: String, Codable, Sendable, CaseIterable {
    /// Held for a customer who has not confirmed yet; becomes planned or deleted.
    case pending
    /// Confirmed and waiting; becomes called, deleted or expired.
    case planned
    /// The holder's turn has come: ten minutes to enter; becomes active, expired or deleted.
    case called
    /// Inside the shop; becomes expired.
    case active
    /// Used or missed: the final state.
    case expired
    /// Given back: the final state.
    case deleted
}

/// A number that is called out: unique per shop and day, public, and no proof of anything [R10].
public struct QueueNumber: Hashable, Comparable, Codable, Sendable, RawRepresentable {
    /// At least 1.
    public let rawValue: Int

    public init?(rawValue: Int) {
        guard (1...999_999).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// The number with at least three digits, as screen, ticket and display show it.
    public var text: String { rawValue.padded(3) }

    public static func < (left: QueueNumber, right: QueueNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// When a visit is booked: from `start` up to, not including, `end`, one usual stay later [UC12].
public struct VisitSlot: Hashable, Sendable, Codable {
    public let start: LocalMoment
    public let end: LocalMoment
    /// The names of the departments that the customer has named; nil for none (rules: departments).
    public let departments: [String]?

    public init(start: LocalMoment, end: LocalMoment, departments: [String] = []) {
        self.start = start
        self.end = end
        self.departments = departments.isEmpty ? nil : departments
    }
}

/// The slot that a customer chooses for a visit (rules: visits).
public struct ChosenSlot: Codable, Hashable, Sendable {
    /// When it begins; one of those that `SlotList` has.
    public let start: LocalMoment
    /// How many minutes the customer expects to stay; nil to leave that to the shop.
    public let minutes: Int?
    /// The names of the departments to which the customer wants to go; nil to leave that open. Those that the shop does not
    /// have are left out.
    public let departments: [String]?

    /// From a quarter of an hour to two hours.
    public static let minuteBounds = 15...120

    public init(start: LocalMoment, minutes: Int? = nil, departments: [String]? = nil) {
        self.start = start
        self.minutes = minutes
        self.departments = departments
    }

    public var isPlausible: Bool {
        minutes.map(Self.minuteBounds.contains) ?? true && Self.isPlausible(departments)
    }

    /// Whether there are no more and no longer names than a shop can have.
    public static func isPlausible(_ departments: [String]?) -> Bool {
        guard let departments else { return true }
        return departments.count <= Department.maxCount
            && departments.allSatisfy { $0.unicodeScalars.count <= Department.maxCharacters }
    }
}

/// The status of a confirmed reservation, as its holder sees it after a look-up [UC13].
public enum ReservationStatus: String, Codable, Sendable, CaseIterable, Hashable {
    /// Still to be called.
    case planned
    /// Being called right now; may still be deleted.
    case called
    /// Its holder is inside.
    case inside
    case used
    /// Its holder was called and did not come in time.
    case missed
    /// Its holder did not say whether they are coming; backends of schemas before 31 answer so.
    case unanswered
    /// The shop closed before its holder's turn came.
    case closed
    case deleted

    /// Why no action on the reservation is possible any more; nil while it may be deleted.
    public var refusal: Refusal? {
        switch self {
        case .planned, .called: nil
        case .inside: .inside
        case .used: .alreadyUsed
        case .missed: .missed
        case .unanswered: .unanswered
        case .closed: .closedBeforeTurn
        case .deleted: .alreadyDeleted
        }
    }
}

/// A place that is held for a customer who has not confirmed yet, as the customer's machine knows it: the answer to
/// POST /v1/holds and POST /v1/holds/{id}/extension.
public struct HeldPlace: Codable, Hashable, Sendable {
    public let id: ReservationID
    public let kind: ReservationKind
    /// The shop's clock at the answer.
    public let now: LocalMoment
    /// When the place expires unless it is confirmed, extended or given back.
    public let expires: LocalMoment
    /// When the call is expected; for a visit its start, without a spread.
    public let wait: WaitEstimate
    /// The booked time of a visit; nil for a ticket.
    public let visit: VisitSlot?

    public init(
        id: ReservationID, kind: ReservationKind, now: LocalMoment, expires: LocalMoment,
        wait: WaitEstimate, visit: VisitSlot? = nil
    ) {
        self.id = id
        self.kind = kind
        self.now = now
        self.expires = expires
        self.wait = wait
        self.visit = visit
    }

    /// How long the backend keeps the place from the answer on, unless it is extended.
    public var lifetime: Duration { expires.moment - now.moment }
}

extension HeldPlace: Plausible {
    public var isPlausible: Bool {
        (kind == .visit) == (visit != nil) && id.isPlausible && wait.isPlausible && lifetime > .zero
    }
}

/// A confirmed place as its holder knows it: the answer to POST /v1/holds/{id}/confirmation.
public struct Reservation: Codable, Hashable, Sendable {
    public let id: ReservationID
    public let kind: ReservationKind
    public let number: QueueNumber
    public let shopName: String
    public let code: EntryCode
    public let typedCode: TypedCode
    public let issued: LocalMoment
    /// When the call is expected; for a visit its start, without a spread.
    public var wait: WaitEstimate
    /// The booked time of a visit; nil for a ticket.
    public let visit: VisitSlot?
    /// Until when the holder may enter, if the confirmation also called the reservation [R12].
    public var enterBy: LocalMoment?
    /// The link to the page of the place on a phone, for the paper's second symbol; nil if there is none (rules: capabilities).
    public var link: String?
    /// The link in the one symbol of the paper, with the code (`EntryCode.link(at:)`); nil if the symbol is that of the code
    /// alone, and the paper has another one for phones if there is a `link` (rules: code-links).
    public var symbol: String?

    public init(
        id: ReservationID, kind: ReservationKind, number: QueueNumber, shopName: String,
        code: EntryCode, typedCode: TypedCode, issued: LocalMoment, wait: WaitEstimate,
        visit: VisitSlot? = nil, enterBy: LocalMoment? = nil
    ) {
        self.id = id
        self.kind = kind
        self.number = number
        self.shopName = shopName
        self.code = code
        self.typedCode = typedCode
        self.issued = issued
        self.wait = wait
        self.visit = visit
        self.enterBy = enterBy
    }
}

extension Reservation: Plausible {
    public var isPlausible: Bool {
        (kind == .visit) == (visit != nil) && wait.isPlausible && !shopName.isEmpty
            && enterBy.map { $0.isWithinADay(of: issued) } ?? true
            && link.map { Capability(link: $0) != nil } ?? true
            && symbol.map { EntryCode(link: $0, isGarbled: false) == code } ?? true
    }
}

/// The reservation of a code, in whatever state: the answer to POST /v1/reservations/lookup [UC13].
public struct FoundReservation: Codable, Hashable, Sendable {
    public let id: ReservationID
    public let kind: ReservationKind
    public let number: QueueNumber
    public let shopName: String
    /// The shop's day to which the reservation belongs.
    public let day: CalendarDay
    public let issued: LocalMoment
    /// The queue's clock.
    public let now: LocalMoment
    public let status: ReservationStatus
    /// Whether DELETE would be carried out now; if not, `status` says why.
    public let isDeletable: Bool
    /// The wait that is left to a planned ticket; nil otherwise.
    public var wait: WaitEstimate?
    /// The booked time of a visit; nil for a ticket.
    public let visit: VisitSlot?
    /// Until when a called holder may enter; nil otherwise [R12].
    public var enterBy: LocalMoment?
    /// How the holder of a planned ticket may let others go ahead; nil if that is not possible (rules: more-time).
    public var delayOffers: [DelayOffer]?
    /// Until when a holder who missed the call may have the place back; nil if that is not possible (rules: more-time).
    public var reclaimBy: LocalMoment?
    /// Until when it can be undone that the holder gave the place back or delayed it; nil if there is nothing to undo
    /// (rules: giving-back, more-time).
    public var undoBy: LocalMoment?
    /// Until when an answer is of use, if its holder is asked whether they are coming; `now` if that is over. Nil if there is
    /// nothing to answer (rules: coming-question).
    public var answerBy: LocalMoment?

    private enum CodingKeys: String, CodingKey {
        case id, kind, number, shopName, day, issued, now, wait, visit, enterBy, reclaimBy
        case undoBy, answerBy
        case delayOffers = "delays"
        case status = "state"
        case isDeletable = "deletable"
    }

    /// - Parameter reservation: with the wait that is left to a ticket now.
    public init(
        _ reservation: Reservation, day: CalendarDay, status: ReservationStatus, now: LocalMoment,
        enterBy: LocalMoment?
    ) {
        id = reservation.id
        kind = reservation.kind
        number = reservation.number
        shopName = reservation.shopName
        self.day = day
        issued = reservation.issued
        self.now = now
        self.status = status
        isDeletable = status.refusal == nil
        wait = status == .planned && reservation.visit == nil ? reservation.wait : nil
        visit = reservation.visit
        self.enterBy = enterBy
    }
}

extension FoundReservation: Plausible {
    public var isPlausible: Bool {
        (kind == .visit) == (visit != nil) && id.isPlausible && wait?.isPlausible ?? true
            && [enterBy, reclaimBy, undoBy, answerBy].allSatisfy {
                $0.map { $0.isWithinADay(of: now) } ?? true
            }
            && (delayOffers ?? []).allSatisfy(\.isPlausible)
            && delayOffers.map { (1...DelayOffer.peopleToChoose.count).contains($0.count) } ?? true
    }
}

/// How many people a customer may let go ahead, and what that costs (rules: more-time).
public struct DelayOffer: Codable, Hashable, Sendable {
    /// The tickets behind this one that would be ahead of it.
    public let people: Int
    /// When the call is expected then.
    public let wait: WaitEstimate

    public init(people: Int, wait: WaitEstimate) {
        self.people = people
        self.wait = wait
    }

    /// The numbers of people among which customers choose, as far as so many are behind them.
    public static let peopleToChoose = [2, 5, 10]
    /// The numbers of people that can be in a request at all.
    public static let peopleInRequests = 1...100
}

extension DelayOffer: Plausible {
    public var isPlausible: Bool { Self.peopleInRequests.contains(people) && wait.isPlausible }
}

/// A reservation whose holder passes a door, or that a staff member corrected: the answer to POST /v1/entries,
/// /v1/exits and /v1/staff/actions.
public struct Passage: Codable, Hashable, Sendable {
    public let id: ReservationID
    public let kind: ReservationKind
    public let number: QueueNumber
    /// Until when a called holder may enter; nil for all others.
    public let enterBy: LocalMoment?
    /// How long a holder who left was inside; nil if the code was not scanned at the entrance.
    public let staySeconds: Int?

    public init(
        id: ReservationID, kind: ReservationKind, number: QueueNumber,
        enterBy: LocalMoment? = nil, staySeconds: Int? = nil
    ) {
        self.id = id
        self.kind = kind
        self.number = number
        self.enterBy = enterBy
        self.staySeconds = staySeconds
    }
}

/// When a customer will be called, as a range: it is quoted as a range, never as one falsely exact minute.
public struct WaitEstimate: Hashable, Sendable, Codable {
    /// The call is as likely before as after this moment.
    public let expected: LocalMoment
    /// Nine of ten customers are called later (p10); not before the moment at which the estimate was made.
    public let earliest: LocalMoment
    /// Eight of ten customers are called by then (p80): the promise on the ticket.
    public let latest: LocalMoment
    /// The number of people before this customer: tickets, holds, and visits due by then.
    public let peopleAhead: Int

    public init(
        expected: LocalMoment, earliest: LocalMoment, latest: LocalMoment, peopleAhead: Int
    ) {
        self.expected = expected
        self.earliest = earliest
        self.latest = latest
        self.peopleAhead = peopleAhead
    }
}

extension WaitEstimate {
    /// Whether the customer can go in without waiting: no customer is ahead and a place is free (rules: calls-at-confirmation).
    ///
    /// - Parameter now: The shop's clock when the estimate was made.
    public func isNow(at now: LocalMoment) -> Bool {
        peopleAhead == 0 && expected.moment - now.moment < .minutes(1)
    }

    /// Whole minutes from `now` to the expected call, rounded up; 0 if its moment has passed.
    public func minutes(at now: LocalMoment) -> Int { (expected.moment - now.moment).minutesUp }
}

extension Duration {
    /// Whole minutes, rounded up; 0 for a negative duration.
    public var minutesUp: Int { max(0, Int((wholeMilliseconds + 59_999) / 60_000)) }
}

extension WaitEstimate: Plausible {
    /// Whether the ends are in order, and no customer is asked to come in another week.
    public var isPlausible: Bool {
        earliest.moment <= expected.moment && expected.moment <= latest.moment
            && QueueNumber.counts.contains(peopleAhead)
            && latest.moment - earliest.moment < .seconds(7 * 86_400)
    }
}

extension LocalMoment {
    /// Whether it is an end that can be shown by its time alone.
    fileprivate func isWithinADay(of now: LocalMoment) -> Bool {
        (.zero..<Duration.seconds(86_400)).contains(moment - now.moment)
    }
}

extension Identifier: Plausible where Subject == Reservation {
    public var isPlausible: Bool { PathIdentifier.isValid(rawValue) }
}
