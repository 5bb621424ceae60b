/// What kind of place a customer takes.
public enum ReservationKind: String, Codable, Sendable, CaseIterable {
    /// The next free place of today, first come first served [UC11].
    case ticket
    /// A place at a booked time [UC12].
    case visit
}

/// Where a reservation stands; exactly one at a time [DD, Alloy model].
public enum ReservationState: String, Codable, Sendable, CaseIterable {
    /// Held for a customer who has not confirmed yet; becomes planned or deleted.
    case pending
    /// Confirmed and waiting; becomes called, deleted or expired.
    case planned
    /// It is his turn: ten minutes to enter; becomes active, expired or deleted.
    case called
    /// Inside the shop; becomes expired.
    case active
    /// Used or missed: the end.
    case expired
    /// Given back: the end.
    case deleted
}

/// A number that is called out: unique per shop and day, public, and proof of nothing [R10].
public struct QueueNumber: Hashable, Comparable, Sendable, RawRepresentable {
    /// At least 1.
    public let rawValue: Int

    public init?(rawValue: Int) {
        guard (1...999_999).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// At least three digits, as it stands on screen, paper and display.
    public var text: String { rawValue.padded(3) }

    public static func < (left: QueueNumber, right: QueueNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension QueueNumber: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = QueueNumber(rawValue: try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a queue number is 1 to 999999")
        }
        self = number
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// When a visit is booked: from `start` up to, not including, `end`, one usual stay later [UC12].
public struct VisitSlot: Hashable, Sendable, Codable {
    public let start: LocalMoment
    public let end: LocalMoment

    public init(start: LocalMoment, end: LocalMoment) {
        self.start = start
        self.end = end
    }
}

/// What a confirmed reservation is worth now, as its holder is told at a look-up [UC13].
public enum Standing: String, Codable, Sendable, CaseIterable, Hashable {
    /// Still to be called.
    case planned
    /// Being called right now; may still be deleted.
    case called
    /// Its holder is inside.
    case inside
    case used
    /// Its holder was called and did not come in time.
    case missed
    /// The shop closed before its holder's turn came.
    case closed
    case deleted

    public var isDeletable: Bool { self == .planned || self == .called }
}

/// A confirmed place as its holder knows it.
public struct Reservation: Hashable, Sendable {
    public let id: ReservationID
    public let kind: ReservationKind
    public let number: QueueNumber
    public let shopName: String
    public let code: EntryCode
    public let typedCode: TypedCode
    public let issued: LocalMoment
    /// When the call is expected; of a visit its start, without a spread.
    public let wait: WaitEstimate
    /// What a visit is booked for; nil for a ticket.
    public let visit: VisitSlot?
    /// Until when he may enter who was called as he confirmed; nil for one who waits [R12].
    public let enterBy: LocalMoment?

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

/// When a customer will be called, as a range: told as it is, never as one false minute.
public struct WaitEstimate: Hashable, Sendable, Codable {
    /// As likely before as after it.
    public let expected: LocalMoment
    /// Nine of ten are called later (p10); not before the moment the estimate was made.
    public let earliest: LocalMoment
    /// Eight of ten are called by then (p80): the promise on the paper.
    public let latest: LocalMoment
    /// People who come before this one: tickets, holds, and visits due by then.
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
