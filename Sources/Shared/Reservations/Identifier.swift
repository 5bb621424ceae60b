/// A name of one kind of thing, so that a shop's name cannot be used as a machine's.
public struct Identifier<Subject>: Hashable, Codable, Sendable, RawRepresentable,
    CustomStringConvertible
{
    /// The text on the wire and in the database.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(_ text: String) { self.rawValue = text }

    public var description: String { rawValue }
}

/// The type of a machine's name; it has no other use, since a machine's name is all that both sides share.
public enum Machine {}

/// The type of the name of a holder, who is known by this name only.
public enum Holder {}

public typealias ShopID = Identifier<Shop>
public typealias MachineID = Identifier<Machine>
/// One device of a customer who takes places on a phone; it names no person.
public typealias HolderID = Identifier<Holder>
/// A held place and the reservation it becomes have the same identifier.
public typealias ReservationID = Identifier<Reservation>
