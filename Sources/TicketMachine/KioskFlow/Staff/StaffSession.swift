public import Reservations

/// A staff member wants to enter maintenance mode and types a PIN.
public struct PINEntry: Hashable, Sendable, Codable {
    public var digits = ""
    /// The holder of the badge that was read; then only this person's PIN is accepted.
    public var holder: StaffPerson?
    /// The check that is under way; no digit is accepted meanwhile.
    public var attempt: AttemptKey?
    /// The result of the last check.
    public var answer: PINAnswer?
    /// When the next PIN may be typed.
    public var opens: Duration = .zero
    /// The request whether a PIN may be typed at all, while it has no answer.
    var availability: AttemptKey?

    /// Whether no PIN is accepted until the cause has been corrected.
    public var isShut: Bool {
        switch answer {
        case .locked, .noStaff, .failed: true
        case .person, .wrong, .early, .personLocked, nil: false
        }
    }
}

/// A staff member uses maintenance mode.
public struct StaffSession: Hashable, Sendable, Codable {
    public let person: StaffPerson
    public var screen: StaffScreen = .overview
    /// The progress of the last printout that the staff asked for.
    public var print: StaffPrint?
    /// The receipt that is about to be printed again.
    public var chosen: IssuedPaper?
    /// The page of the receipts, events, people or troubles that is shown.
    public var page = 0
    /// The command that must be confirmed with *Yes*.
    public var question: StaffCommand?
    /// The form that is being filled in.
    public var form: StaffForm?
    /// The status of the last command.
    public var outcome: StaffCommandStatus?
    /// The call for help that is shown; nil for the oldest one.
    public var call: HelpCallID?
    /// The staff member whose own screen is shown, by name.
    public var member: String?
    /// Where fingers were on the touch test screen, the last one last.
    public var touches: [TouchMark] = []
    /// What the reader has read since the reader test was opened, newest first.
    public var reads: [StaffRead] = []

    /// A session of the same person on another screen, with nothing begun.
    func turned(to screen: StaffScreen) -> StaffSession {
        var next = StaffSession(person: person)
        next.screen = screen
        return next
    }

    /// The screens that this person's role may open.
    public var screens: [StaffScreen] {
        StaffScreen.main.filter { $0 != .people || person.role == .manager }
    }
}

/// The screens of maintenance mode, in the order of their buttons.
public enum StaffScreen: String, Hashable, Sendable, CaseIterable, Codable {
    case overview, printer, papers, reader, screen, network, queue, events, machine, phones, people
    case help
    case jobs, touchTest = "touch-test", colours, letters, sound, message

    /// The screens that the overview leads to.
    static let main: [StaffScreen] = [
        .printer, .papers, .reader, .screen, .network, .queue, .events, .machine, .phones, .people,
    ]

    /// The screen that *Back* leads to.
    var parent: StaffScreen {
        switch self {
        case .jobs: .printer
        case .touchTest, .colours, .letters, .sound: .screen
        case .message: .machine
        case .overview, .printer, .papers, .reader, .screen, .network, .queue, .events, .machine,
            .phones, .people, .help:
            .overview
        }
    }
}

/// Parts of the machine that have a status light on the overview.
public enum MachinePart: Hashable, Sendable, Codable {
    case service, backend, printer(Int), paper, reader, clock, disk, key, version, papers
    /// A receipt that may be missing.
    case missing(IssuedPaper)
    /// A customer's open call for help, at this machine or another one.
    case help(HelpCallID)

    public var screen: StaffScreen {
        switch self {
        case .service, .disk, .key, .version: .machine
        case .backend, .clock: .network
        case .printer, .paper: .printer
        case .reader: .reader
        case .papers, .missing: .papers
        case .help: .help
        }
    }
}

/// A printout that a staff member has asked for.
public struct StaffPrint: Hashable, Sendable, Codable {
    public let attempt: AttemptKey
    public var progress: Progress

    public enum Progress: Hashable, Sendable, Codable {
        case under
        case printed
        case failed(PrinterTrouble)
        /// The backend does not confirm that the reservation is valid.
        case reservationNotValid(BackendFailure)
    }
}

/// Why a receipt is printed again.
public enum ReprintReason: String, Hashable, Sendable, CaseIterable, Codable {
    case unreadable, torn, neverCame = "never-came"
    /// Others may have a photograph of it: the reservation gets another code, and the photograph opens nothing
    /// (rules: new-codes).
    case photographed

    /// Those for which a paper can be printed again. The code of an order is in the shop's mail too, and stays.
    public static func all(for number: SlipNumber) -> [ReprintReason] {
        switch number {
        case .queue: allCases
        case .pickup: allCases.filter { $0 != .photographed }
        }
    }
}

/// Where a finger was, in cells of a grid of this size.
public struct TouchMark: Hashable, Sendable, Codable {
    public let row: Int
    public let column: Int
    public let rows: Int
    public let columns: Int

    public init(row: Int, column: Int, rows: Int, columns: Int) {
        self.row = row
        self.column = column
        self.rows = rows
        self.columns = columns
    }

    /// More than the test has targets, so that a second attempt can be seen too.
    static let maxCount = 12
}

/// A form that a staff member fills in.
public struct StaffForm: Hashable, Sendable, Codable {
    public let purpose: Purpose
    /// Digits, or a name.
    public var text = ""
    /// Why the last *OK* led no further.
    public var fault: Fault?

    public enum Purpose: Hashable, Sendable, Codable {
        /// A queue number of today.
        case number(StaffAction.OfReservation)
        /// How many people are inside.
        case people
        /// The eight digits on the phone of a blocked customer.
        case reference
        case name
        case role(name: String)
        case pin(StaffListCommand)
        /// The same PIN once more.
        case again(StaffListCommand, first: String)

        /// Whether only a manager may fill it in.
        var concernsStaffList: Bool {
            switch self {
            case .number, .people, .reference: false
            case .name, .role, .pin, .again: true
            }
        }
    }

    public enum Fault: Hashable, Sendable, Codable {
        case empty
        case pin(PINRules.Refusal)
        case differs
        case taken
        /// Not the eight digits of a reference.
        case reference
        /// More people than may be inside, a number that only a manager may enter.
        case beyond(capacity: Int)
    }

    public init(_ purpose: Purpose) { self.purpose = purpose }

    /// Whether a name is typed, on a keyboard.
    public var isName: Bool { purpose == .name }
    /// Whether digits are typed, on a keypad.
    public var isDigits: Bool { if case .role = purpose { false } else { !isName } }
    /// Whether the text must be hidden on the screen.
    public var isSecret: Bool {
        switch purpose {
        case .pin, .again: true
        case .number, .people, .reference, .name, .role: false
        }
    }

    var maxCharacters: Int {
        switch purpose {
        // As many digits as a queue number has at most.
        case .number: 6
        // More people than any shop holds.
        case .people: 5
        case .reference: BlockReference.length
        case .name: 30
        case .role: 0
        case .pin, .again: PINRules.lengths.upperBound
        }
    }
}

/// A command of a staff member.
public enum StaffCommand: Hashable, Sendable, Codable {
    case queue(StaffAction)
    case people(StaffListCommand)
    case help(StaffHelp)
    /// Concerns the first printer (0) or the second.
    case cancelJob(printer: Int, job: Int)
    case paper(ReceiptCommand, IssuedPaper)
    case restartProgram
    case restartMachine
    /// Put the machine out of service, with the message for customers; nil for the standard one.
    case putOut(ReadyMessage?)

    /// Whether the command takes something away from a person: then it must be confirmed.
    var needsYes: Bool {
        switch self {
        case .queue(.reservation(.delete, _, _)), .queue(.occupancy), .queue(.sendHome): true
        case .queue: false
        case .people(.lock), .people(.remove), .people(.revokeBadge): true
        case .people, .help: false
        case .paper(.giveBack, _): true
        case .paper(.found, _): false
        case .cancelJob, .restartProgram, .restartMachine, .putOut: true
        }
    }
}

/// What a staff member reports or does about a receipt that may be missing.
public enum ReceiptCommand: Hashable, Sendable, Codable {
    /// The receipt has come out after all.
    case found
    /// No customer has the receipt or wants it: its reservation is deleted. An order stays as it is.
    case giveBack
}

/// A change of the list of staff members by a manager.
public enum StaffListCommand: Hashable, Sendable, Codable {
    case add(StaffPerson)
    case resetPIN(String)
    case lock(String)
    case unlock(String)
    case remove(String)
    case revokeBadge(String)
}

/// The status of a command.
public struct StaffCommandStatus: Hashable, Sendable, Codable {
    public let command: StaffCommand
    public let attempt: AttemptKey
    /// nil while the command is under way.
    public var answer: StaffCommandAnswer?
}

/// The result of a command.
public enum StaffCommandAnswer: Hashable, Sendable, Codable {
    case done
    /// The command was carried out, and so many people lost their place or have it again.
    case doneTo(people: Int)
    case backend(BackendFailure)
    case people(StaffListRefusal)
    /// The command could not be carried out; the reason is not known.
    case failed

    public var isDone: Bool { reason == nil }
}

/// Why the list of staff members cannot be changed as requested.
public enum StaffListRefusal: String, Hashable, Sendable, Codable {
    /// The PIN does not have 6 to 8 digits.
    case pin = "pin-digits"
    /// The PIN is easily guessed, or belongs to another person; a public screen does not show which.
    case commonPIN = "pin-common"
    case name
    case taken = "name-taken"
    /// No staff member has this name, or not any more.
    case unknown = "nobody"
    case tooMany = "too-many"
    /// At least one person must be left who may change the list.
    case lastManager = "last-manager"
    /// The disk accepts no writes.
    case disk
}

/// What the staff sets once for all customers; it survives a restart.
public struct MachineSettings: Hashable, Sendable, Codable {
    /// The volume of the speech output, 1 to 10.
    public var volume: Int
    /// Dark letters on a light background for all customers.
    public var hasLightTheme: Bool
    /// The printer that is used while both are well, 0 or 1.
    public var printer: Int
    /// The language of the machine until a customer chooses another one; nil for the shop's own.
    public var language: String?

    public static let volumes = 1...10

    /// Replaces values outside their range by the nearest valid ones.
    public init(
        volume: Int = 5, hasLightTheme: Bool = false, printer: Int = 0, language: String? = nil
    ) {
        self.language = language
        self.volume = min(max(volume, Self.volumes.lowerBound), Self.volumes.upperBound)
        self.hasLightTheme = hasLightTheme
        self.printer = min(max(printer, 0), 1)
    }
}

/// Ready-made messages for customers of a machine that is out of service, in every language.
public enum ReadyMessage: String, Hashable, Sendable, CaseIterable, Codable {
    case backSoon = "back-soon"
    case otherMachine = "other-machine"
    case askStaff = "ask-staff"
    case noTickets = "no-tickets"
}

/// What a touch in maintenance mode asks for, beyond the customers' actions.
public enum MaintenanceAction: Hashable, Sendable, Codable {
    /// Open the screen on which a part is maintained.
    case showPart(MachinePart)
    case ask(StaffCommand)
    case yes
    case type(StaffForm.Purpose)
    /// One character.
    case letter(String)
    /// Put another accent on the last letter.
    case accent
    case choose(StaffPerson.Role)
    case member(String)
    /// Show another of the calls for help.
    case call(HelpCallID)
    /// A new roll was put into the first printer (0) or the second.
    case rollChanged(Int)
    case prefer(printer: Int)
    case volume(Int)
    case sample
    case theme(isLight: Bool)
    /// The message for customers of a machine that is out of service; nil for the standard one.
    case message(ReadyMessage?)
}
