import Reservations
@testable import KioskFlow

/// What a customer and a staff member may touch on a recorded path, and how calls fail.
extension RecordedPath {
    static let paper = IssuedPaper(
        key: AttemptKey("paper-1"), number: .queue(Facts.reservation(at: .zero).number),
        issued: Moment(milliseconds: 0), outcome: .unknown, code: nil, typedCode: nil)

    static let customerActions: [UserAction?] = [
        nil, .openLanguages, .closeLanguages, .choose(language: "en"), .changeAppearance,
        .changeVoice, .getTicket, .getTicket, .getTicket, .bookVisit, .bookVisit, .findReservation,
        .digit(4), .erase, .enterCode, .confirm, .confirm, .confirm, .cancel, .leave, .done,
        .leaveStaff, .staff(.yes), .help(.open), .help(.open), .help(.open), .help(.call),
        .help(.call), .help(.decline), .help(.mistake), .help(.leave),
    ]

    static let staffActions: [UserAction?] =
        [
            .digit(7), .digit(3), .digit(9), .erase, .enterCode, .cancel, .leaveStaff,
            .turnPage(1), .testPrint(0), .testPrint(1), .chooseReceipt(paper), .reprint(.torn),
            .putOutOfService, .staff(.showPart(.reader)), .staff(.showPart(.missing(paper))),
            .staff(.yes), .staff(.yes), .staff(.type(.number(.callAgain))),
            .staff(.type(.number(.delete))), .staff(.type(.people)), .staff(.type(.name)),
            .staff(.type(.pin(.resetPIN("Marco")))), .staff(.letter("a")), .staff(.letter("N")),
            .staff(.accent), .staff(.choose(.staff)), .staff(.member("Marco")),
            .staff(.rollChanged(0)), .staff(.prefer(printer: 1)), .staff(.volume(3)),
            .staff(.sample), .staff(.theme(isLight: true)), .staff(.theme(isLight: false)),
            .staff(.message(.askStaff)), .staff(.message(nil)), .staff(.ask(.queue(.endTickets))),
            .staff(.ask(.queue(.sendHome))), .staff(.ask(.queue(.openAgain))),
            .staff(.ask(.people(.lock("Marco")))), .staff(.ask(.people(.unlock("Marco")))),
            .staff(.ask(.people(.remove("Marco")))), .staff(.ask(.people(.revokeBadge("Marco")))),
            .staff(.ask(.cancelJob(printer: 0, job: 12))), .staff(.ask(.paper(.found, paper))),
            .staff(.ask(.paper(.giveBack, paper))), .staff(.ask(.restartProgram)),
            .staff(.ask(.restartMachine)), .staff(.call(Facts.helpID)),
            .staff(.showPart(.help(Facts.helpID))),
        ] + StaffHelp.Action.allCases.map { .staff(.ask(.help(StaffHelp($0, Facts.helpID)))) }
        + StaffScreen.allCases.map { .openStaff($0) }

    /// Failures that every call can have.
    static let anyCall: [BackendFailure] = [
        .unanswered, .notUnderstood, .refusal(.unavailable), .refusal(.notAuthentic),
        .noKey(.missing), .refusal(.malformed),
    ]
    static let ofPlaces: [BackendFailure] = [
        .refusal(.noTicketToday), .refusal(.shopClosed), .refusal(.ticketAvailable),
        .refusal(.nothingWithinAMonth),
    ]
    static let ofHolds: [BackendFailure] = [.refusal(.holdExpired), .refusal(.notFound)]
    static let ofCodes: [BackendFailure] = [
        .refusal(.notFound), .refusal(.alreadyUsed), .refusal(.missed), .refusal(.otherShop),
        .refusal(.tooManyRequests),
    ]
    static let ofTheStaff: [BackendFailure] = [
        .refusal(.alreadyUsed), .refusal(.notFound), .refusal(.full), .refusal(.shopClosed),
    ]
}
