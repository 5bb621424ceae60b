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

    /// A page for staff members, which shows calls for help.
    case staff
    /// A page at a desk, with which assistants hand orders over (rules: order-desks).
    case desk

    /// The shop's own system, which announces the orders that customers collect (rules: announced-orders).
    case orderSource = "order-source"

    /// The roles of web pages: all but those of ticket machines and of the shop's own system.
    public static let devices: [KeyRole] = [
        .display, .entrance, .checkout, .turnstile, .staff, .desk,
    ]
    /// The roles of web pages that show calls for help: those that staff members see all the time.
    public static let helpers: Set<KeyRole> = [.checkout, .staff, .desk]
}
