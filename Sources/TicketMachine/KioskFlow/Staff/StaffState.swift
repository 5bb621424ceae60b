public import Reservations

/// Somebody wants to look after the machine and types a PIN.
public struct PINEntry: Hashable, Sendable, Codable {
    public var digits = ""
    /// Whose badge was read; then only this person's PIN is looked at.
    public var holder: StaffPerson?
    /// The check that is under way; no digit is taken meanwhile.
    public var attempt: AttemptKey?
    /// What became of the last one.
    public var answer: PINAnswer?
    /// When the next may be typed.
    public var opens: Duration = .zero
    /// The question whether one may be typed at all, while it is open.
    var gate: AttemptKey?

    public init(holder: StaffPerson? = nil) { self.holder = holder }

    /// Whether no PIN is taken until somebody has put something right.
    public var isShut: Bool {
        switch answer {
        case .locked, .nobody, .failed: true
        case .person, .wrong, .early, .personLocked, nil: false
        }
    }
}

/// A person of the shop looks after the machine.
public struct StaffSession: Hashable, Sendable, Codable {
    public let person: StaffPerson
    public var screen: StaffScreen = .overview
    /// What becomes of the paper that was asked for last.
    public var print: StaffPrint?
    /// What is about to be printed again, by its place in the list of papers.
    public var chosen: IssuedPaper?
    /// The first of the papers, events, people or troubles that is shown.
    public var page = 0
    /// What was asked for and waits for a yes.
    public var question: StaffDeed?
    /// What is being typed.
    public var form: StaffForm?
    /// What has become of the last deed.
    public var outcome: StaffCommandStatus?
    /// Whose own screen is shown, of the people.
    public var member: String?
    /// Where fingers were on the screen that tests them, the last one last.
    public var touches: [TouchMark] = []
    /// What the reader has read since its screen was opened, newest first.
    public var reads: [StaffRead] = []

    public init(person: StaffPerson) { self.person = person }

    /// The same person, with nothing begun.
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
    case overview, printer, papers, reader, screen, network, queue, events, machine, people
    case jobs, touchTest = "touch-test", colours, letters, sound, message

    /// Those that the overview leads to.
    static let main: [StaffScreen] = [
        .printer, .papers, .reader, .screen, .network, .queue, .events, .machine, .people,
    ]

    /// The screen that *Back* leads to.
    var parent: StaffScreen {
        switch self {
        case .jobs: .printer
        case .touchTest, .colours, .letters, .sound: .screen
        case .message: .machine
        case .overview, .printer, .papers, .reader, .screen, .network, .queue, .events, .machine,
            .people:
            .overview
        }
    }
}

/// Parts of the machine that have a light on the overview.
public enum MachinePart: Hashable, Sendable, Codable {
    case service, backend, printer(Int), paper, reader, clock, disk, key, version, papers
    /// A paper that may be missing.
    case missing(IssuedPaper)

    public var screen: StaffScreen {
        switch self {
        case .service, .disk, .key, .version: .machine
        case .backend, .clock: .network
        case .printer, .paper: .printer
        case .reader: .reader
        case .papers, .missing: .papers
        }
    }
}

/// A paper that a person of the staff has asked for.
public struct StaffPrint: Hashable, Sendable, Codable {
    public let attempt: AttemptKey
    public var progress: Progress

    public enum Progress: Hashable, Sendable, Codable {
        case under
        case printed
        case failed(PrinterTrouble)
        /// The backend does not say that the reservation stands.
        case reservationNotValid(BackendFailure)
    }
}

/// Why a paper is printed again.
public enum ReprintReason: String, Hashable, Sendable, CaseIterable, Codable {
    case unreadable, torn, neverCame = "never-came"
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

    /// More than the test has targets, so that a second try can be seen too.
    static let most = 12
}

/// Something that a person of the staff types.
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
        case name
        case role(name: String)
        case pin(StaffListCommand)
        /// The same PIN once more.
        case again(StaffListCommand, first: String)
    }

    public enum Fault: Hashable, Sendable, Codable {
        case empty
        case pin(PINRules.Refusal)
        case differs
        case taken
        /// More than this many may be inside, which only a manager may say of the shop.
        case beyond(capacity: Int)
    }

    public init(_ purpose: Purpose) { self.purpose = purpose }

    /// Whether a name is typed, on a keyboard.
    public var isName: Bool { purpose == .name }
    /// Whether digits are typed, on a keypad.
    public var isDigits: Bool {
        if case .role = purpose { false } else { !isName }
    }
    /// Whether what is typed is nobody else's business.
    public var isSecret: Bool {
        switch purpose {
        case .pin, .again: true
        case .number, .people, .name, .role: false
        }
    }

    var mostCharacters: Int {
        switch purpose {
        // As many digits as a queue number has at most.
        case .number: 6
        // More people than any shop holds.
        case .people: 5
        case .name: 30
        case .role: 0
        case .pin, .again: PINRules.lengths.upperBound
        }
    }
}

/// What a person of the staff wants done.
public enum StaffDeed: Hashable, Sendable, Codable {
    case queue(StaffAction)
    case people(StaffListCommand)
    /// Of the first printer (0) or the second.
    case cancelJob(printer: Int, job: Int)
    case paper(ReceiptCommand, IssuedPaper)
    case restartProgram
    case restartMachine
    /// Out of service, with what customers read then; nil for the usual sentence.
    case putOut(ReadyMessage?)

    /// Whether it takes something away from somebody: then it is asked about once more.
    var needsYes: Bool {
        switch self {
        case .queue(.reservation(.delete, _, _)), .queue(.occupancy), .queue(.sendHome): true
        case .queue: false
        case .people(.lock), .people(.remove), .people(.revokeBadge): true
        case .people: false
        case .paper(.giveBack, _): true
        case .paper(.found, _): false
        case .cancelJob, .restartProgram, .restartMachine, .putOut: true
        }
    }
}

/// What the staff says or does of a paper that may be missing.
public enum ReceiptCommand: Hashable, Sendable, Codable {
    /// It has come out after all.
    case found
    /// Nobody has it or wants it: its reservation is deleted.
    case giveBack
}

/// What a manager changes of the people who may look after the machine.
public enum StaffListCommand: Hashable, Sendable, Codable {
    case add(StaffPerson)
    case resetPIN(String)
    case lock(String)
    case unlock(String)
    case remove(String)
    case revokeBadge(String)
}

/// What has become of a deed.
public struct StaffCommandStatus: Hashable, Sendable, Codable {
    public let deed: StaffDeed
    public let attempt: AttemptKey
    /// nil while it is under way.
    public var answer: DeedAnswer?
}

/// How a deed ended.
public enum DeedAnswer: Hashable, Sendable, Codable {
    case done
    /// Done, and so many people lost their place or have it again.
    case doneTo(people: Int)
    case backend(BackendFailure)
    case people(StaffListRefusal)
    /// It could not be done; nothing more is known.
    case failed

    public var isDone: Bool {
        switch self {
        case .done, .doneTo: true
        case .backend, .people, .failed: false
        }
    }
}

/// Why the people cannot be changed so.
public enum StaffListRefusal: String, Hashable, Sendable, Codable {
    /// Not 6 to 8 digits.
    case pin = "pin-digits"
    /// Easily guessed, or another's: which of them is not told at a screen in the street.
    case commonPIN = "pin-common"
    case name
    case taken = "name-taken"
    /// Nobody has this name, any more.
    case unknown = "nobody"
    case tooMany = "too-many"
    /// Somebody must be left who may change the people.
    case lastManager = "last-manager"
    /// The disk takes nothing.
    case disk
}

/// What the reader has read while it was tested: never the text itself.
public struct StaffRead: Hashable, Sendable, Codable {
    public let at: LocalMoment?
    public let kind: Kind
    /// Characters, as they arrived.
    public let length: Int
    /// Through which keyboard; nil where that cannot be told.
    public let layout: KeyboardLayout.Name?
    let attempt: AttemptKey?
    /// What the backend says of the code; nil while it has not, and where it was not asked.
    public var verdict: Verdict?

    public enum Kind: Hashable, Sendable, Codable {
        case entryCode, typedCode, badge, barcode, other
    }

    public enum Verdict: Hashable, Sendable, Codable {
        case valid
        case refused(Refusal)
        case unanswered
    }

    /// More than these nobody compares.
    static let most = 4
}

/// What the staff sets once for all customers; kept over a restart.
public struct MachineSettings: Hashable, Sendable, Codable {
    /// Of the voice, 1 to 10.
    public var volume: Int
    /// Dark letters on a light ground for everybody.
    public var hasLightTheme: Bool
    /// Which printer prints while both are well, 0 or 1.
    public var printer: Int
    /// What the machine speaks until a customer chooses otherwise; nil for the shop's own.
    public var language: String?

    public static let volumes = 1...10

    /// Takes the nearest that can be.
    public init(
        volume: Int = 5, hasLightTheme: Bool = false, printer: Int = 0, language: String? = nil
    ) {
        self.language = language
        self.volume = min(max(volume, Self.volumes.lowerBound), Self.volumes.upperBound)
        self.hasLightTheme = hasLightTheme
        self.printer = min(max(printer, 0), 1)
    }
}

/// Sentences for customers of a machine that is out of service, in every language.
public enum ReadyMessage: String, Hashable, Sendable, CaseIterable, Codable {
    case backSoon = "back-soon"
    case otherMachine = "other-machine"
    case askStaff = "ask-staff"
    case noTickets = "no-tickets"
}

/// What a touch in maintenance mode asks for, beyond what a customer's could.
public enum MaintenanceAction: Hashable, Sendable, Codable {
    /// To the screen on which a part is looked after.
    case lookAfter(MachinePart)
    case ask(StaffDeed)
    case yes
    case type(StaffForm.Purpose)
    /// One character.
    case letter(String)
    /// Another accent on the last letter.
    case accent
    case choose(StaffPerson.Role)
    case member(String)
    /// Paper was put into the first printer (0) or the second.
    case rollChanged(Int)
    case prefer(printer: Int)
    case volume(Int)
    case sample
    case theme(isLight: Bool)
    /// What customers of a machine out of service read; nil for the usual sentence.
    case message(ReadyMessage?)
}
