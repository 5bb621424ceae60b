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

/// The slot of a visit on the shop's clock [UC12].
public struct VisitTime: Hashable, Sendable, Codable {
    public let start: LocalMoment
    /// After the shop's usual stay.
    public let end: LocalMoment

    public init(start: LocalMoment, end: LocalMoment) {
        self.start = start
        self.end = end
    }
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

/// A confirmed place as its holder knows it.
public struct Reservation: Hashable, Sendable {
    public let id: ReservationID
    public let kind: ReservationKind
    public let number: QueueNumber
    public let shopName: String
    public let code: EntryCode
    public let typedCode: TypedCode
    public let issued: LocalMoment
    public let wait: WaitEstimate
    /// When the visit is; nil for a ticket.
    public let visit: VisitTime?

    public init(
        id: ReservationID, kind: ReservationKind, number: QueueNumber, shopName: String,
        code: EntryCode, typedCode: TypedCode, issued: LocalMoment, wait: WaitEstimate,
        visit: VisitTime? = nil
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
    /// People with a place before this one, holds included.
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
