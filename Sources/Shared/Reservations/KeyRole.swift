/// The role of a key's holder, which determines the calls it may make; the texts are stored in the database.
public enum KeyRole: String, Hashable, Sendable, CaseIterable {
    case ticketMachine = "ticket-machine"
    /// A display of the called numbers.
    case display
    /// The reader at the entrance [UC14].
    case entrance
    /// The exit reader at the check-outs [UC15].
    case checkout
    /// The exit reader at the door, also for customers who bought nothing [UC15].
    case turnstile

    /// The roles of web pages: all but the ticket machine's.
    public static let devices: [KeyRole] = [.display, .entrance, .checkout, .turnstile]
}
