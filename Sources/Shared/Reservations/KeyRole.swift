/// What the holder of a key is, and so what it may call; the texts stand in the database.
public enum KeyRole: String, Hashable, Sendable, CaseIterable {
    case ticketMachine = "ticket-machine"
    /// Shows the called numbers.
    case display
    /// The reader at the way in [UC14].
    case entrance
    /// The exit reader at the check-outs [UC15].
    case checkout
    /// The exit reader at the door, for whoever bought nothing too [UC15].
    case turnstile

    /// The roles of web pages: all but the ticket machine's.
    public static let devices: [KeyRole] = [.display, .entrance, .checkout, .turnstile]
}
