/// What a touch on a button, or a key, asks for.
public enum UserAction: Hashable, Sendable, Codable {
    case getTicket
    /// Book the first available visit [UC12].
    case bookVisit
    /// Show or delete a reservation [UC13]; also *try again* after a code that was refused.
    case findReservation
    /// Collect an order [Click-And-Collect UC10]; also *try again* after an order's code that was refused.
    case collectOrder
    /// A key of the keypad, 0 to 9.
    case digit(Int)
    case erase
    /// The marked digit of a refused code is right: the next one is marked.
    case keepDigit
    /// Look up the digits typed.
    case enterCode
    /// Take the place that is offered.
    case confirm
    /// *I am here*: the customer of the order that was found waits for it from now on (rules: order-arrivals).
    case arrive
    /// Delete the reservation that was found.
    case giveUp
    /// Show how many people may go ahead of the reservation that was found (rules: more-time).
    case openDelays
    /// Let so many people go ahead.
    case delay(people: Int)
    /// Take back the place whose call was missed (rules: more-time).
    case reclaim
    case cancel
    /// More time, while the warning counts down; a touch anywhere beside *Cancel* means the same.
    case stay
    /// Leave a screen while its confirmation has no answer.
    case leave
    /// Leave a finished screen.
    case done
    case openLanguages
    case closeLanguages
    case choose(language: String)
    /// *A+*: large text.
    case changeAppearance
    /// The speech button: speech on, louder, off.
    case changeVoice
    /// *Help* and what its screens ask for.
    case help(HelpTouch)
    /// Leave maintenance mode.
    case leaveStaff
    case openStaff(StaffScreen)
    /// Show another page of the receipts, events, people or troubles.
    case turnPage(Int)
    /// Print a test page on the first printer (0) or the second.
    case testPrint(Int)
    case chooseReceipt(IssuedPaper)
    case reprint(ReprintReason)
    /// Put the machine out of service, which must be confirmed, or back in service.
    case putOutOfService
    /// An action that exists in maintenance mode only.
    case staff(MaintenanceAction)

    /// The screens on which an action has a meaning.
    enum Range: Hashable {
        /// The same on every screen: languages, text size, speech, help.
        case everywhere
        case customers
        /// A key of a keypad or keyboard, which may directly follow another one.
        case key
        case staff
    }

    var range: Range {
        switch self {
        case .openLanguages, .closeLanguages, .choose, .changeAppearance, .changeVoice,
            .help(.open):
            .everywhere
        case .getTicket, .bookVisit, .findReservation, .collectOrder, .enterCode, .confirm, .arrive,
            .giveUp, .openDelays, .delay, .reclaim, .cancel, .stay, .leave, .done, .help:
            .customers
        case .digit, .erase, .keepDigit, .staff(.letter), .staff(.accent): .key
        case .leaveStaff, .openStaff, .turnPage, .testPrint, .chooseReceipt, .reprint,
            .putOutOfService, .staff:
            .staff
        }
    }

    /// Whether its button is in the foot line of every screen.
    public var isInFootLine: Bool { if case .choose = self { false } else { range == .everywhere } }

    /// Whether it is a key of the keypad on the screen.
    public var isKeypadKey: Bool {
        if case .digit = self { true } else { self == .erase || self == .keepDigit }
    }
}
