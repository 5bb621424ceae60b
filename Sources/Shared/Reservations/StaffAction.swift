/// A correction of the queue by a staff member (rules: corrections, remote-commands).
public enum StaffAction: Hashable, Sendable, Codable {
    /// An action for the holder of a number of today; `at` is when the holder was admitted, if that was earlier.
    case reservation(OfReservation, QueueNumber, at: LocalMoment? = nil)
    /// Sets how many people are inside.
    case occupancy(people: Int)
    /// Closes the shop at a given time; the request of an older machine.
    case closeEarly(at: LocalMoment)
    /// Stops giving out places of today; waiting customers are still called.
    case endTickets
    /// Closes the shop now: all waiting customers lose their place.
    case sendHome
    /// Closes as the calendar says, gives out tickets again, and gives customers who were sent home their place
    /// back.
    case openAgain
    /// Lifts the block of the customer to whom this reference was shown (rules: blocks).
    case unblock(BlockReference)
    /// Gives the reservation of this number another code, since its paper was photographed; the former code opens nothing any
    /// more (rules: new-codes).
    case newCode(QueueNumber, EntryCode)

    /// An action for the holder of a number.
    public enum OfReservation: String, Hashable, Sendable, CaseIterable, Codable {
        /// Announce a called number again.
        case callAgain = "call-again"
        case letIn = "let-in"
        /// Give the place back that its holder lost by missing the call.
        case restore
        /// Delete it for a customer who lost the ticket.
        case delete
    }
}

/// The body of POST /v1/staff/actions: an action, and the staff member who asks for it.
public struct StaffActionRequest: Codable, Hashable, Sendable {
    /// The longest name of a staff member in `by`, in characters as people count them.
    public static let maxNameCharacters = 80

    /// The names of actions on the wire.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case letIn = "let-in"
        case callAgain = "call-again"
        case restore
        case delete
        case occupancy
        /// Without `at` the same as `openAgain`.
        case closeEarly = "close-early"
        case endTickets = "end-tickets"
        case sendHome = "send-home"
        case openAgain = "open-again"
        case unblock
        case newCode = "new-code"
    }

    public var action: Kind
    /// A number of today, for the actions on a reservation.
    public var number: QueueNumber?
    public var people: Int?
    public var at: LocalMoment?
    /// The staff member, as the machine knows them; for the audit.
    public var by: String?
    /// What the customer's phone shows, for `unblock`.
    public var reference: BlockReference?
    /// The code on the paper, for `newCode`.
    public var code: EntryCode?
    /// The shop's PIN, for `unblock` at a page of the staff; a machine has asked for one before.
    public var pin: String?

    public init(
        _ action: Kind, number: QueueNumber? = nil, people: Int? = nil, at: LocalMoment? = nil,
        by: String? = nil, reference: BlockReference? = nil, pin: String? = nil,
        code: EntryCode? = nil
    ) {
        self.code = code
        self.by = by
        self.reference = reference
        self.pin = pin
        self.action = action
        self.number = number
        self.people = people
        self.at = at
    }

    public init(_ action: StaffAction, by person: String) {
        switch action {
        case .reservation(let kind, let number, let moment):
            self.init(kind.wire, number: number, at: moment, by: person)
        case .occupancy(let people): self.init(.occupancy, people: people, by: person)
        case .closeEarly(let moment): self.init(.closeEarly, at: moment, by: person)
        case .endTickets: self.init(Kind.endTickets, by: person)
        case .sendHome: self.init(Kind.sendHome, by: person)
        case .openAgain: self.init(Kind.openAgain, by: person)
        case .unblock(let reference): self.init(.unblock, by: person, reference: reference)
        case .newCode(let number, let code):
            self.init(.newCode, number: number, by: person, code: code)
        }
    }

    /// The action; fails with the name of a field that is required and missing.
    public func decoded() throws(MissingField) -> StaffAction {
        switch action {
        case .letIn: .reservation(.letIn, try requiredNumber(), at: at)
        case .callAgain: .reservation(.callAgain, try requiredNumber())
        case .restore: .reservation(.restore, try requiredNumber())
        case .delete: .reservation(.delete, try requiredNumber())
        case .occupancy:
            if let people { .occupancy(people: people) } else { throw MissingField(name: "people") }
        case .closeEarly: at.map { .closeEarly(at: $0) } ?? .openAgain
        case .endTickets: .endTickets
        case .sendHome: .sendHome
        case .openAgain: .openAgain
        case .unblock:
            if let reference {
                .unblock(reference)
            } else {
                throw MissingField(name: "reference")
            }
        case .newCode:
            if let code {
                .newCode(try requiredNumber(), code)
            } else {
                throw MissingField(name: "code")
            }
        }
    }

    private func requiredNumber() throws(MissingField) -> QueueNumber {
        guard let number else { throw MissingField(name: "number") }
        return number
    }

    public struct MissingField: Error, Hashable { public let name: String }
}

extension StaffAction.OfReservation {
    fileprivate var wire: StaffActionRequest.Kind {
        switch self {
        case .callAgain: .callAgain
        case .letIn: .letIn
        case .restore: .restore
        case .delete: .delete
        }
    }
}

/// The answer to an action on the shop as a whole.
public struct StaffActionResult: Codable, Hashable, Sendable {
    /// People inside, as the queue counts them now.
    public var people: Int?
    /// When today ends; nil if it ends as the calendar says.
    public var closes: LocalMoment?
    /// How many customers lost their place when all were sent home.
    public var sentHome: Int?
    /// How many customers have their place again since the shop was opened again.
    public var restored: Int?

    public init(
        people: Int? = nil, closes: LocalMoment? = nil, sentHome: Int? = nil, restored: Int? = nil
    ) {
        self.people = people
        self.closes = closes
        self.sentHome = sentHome
        self.restored = restored
    }
}
