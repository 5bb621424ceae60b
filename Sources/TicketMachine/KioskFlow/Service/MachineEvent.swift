public import Reservations

/// Something that happened to the machine or was done to it.
public struct MachineEvent: Hashable, Sendable {
    public let at: Moment
    /// The staff member who did it; nil if it was not a staff member.
    public let person: String?
    public let what: What

    public init(at: Moment, person: String?, what: What) {
        self.at = at
        self.person = person
        self.what = what
    }

    /// The kind of event, with its data.
    public indirect enum What: Hashable, Sendable, Codable {
        case plain(Plain)
        case number(OfNumber, SlipNumber)
        case person(OfPerson, String)
        case personAdded(StaffPerson)
        /// Concerns the first printer (0) or the second.
        case printer(OfPrinter, Int)
        case reprint(SlipNumber, ReprintReason)
        case jobCancelled(printer: Int, job: Int)
        case peopleInside(Int)
        /// A PIN was wrong: seconds until the next attempt; nil if no further attempt is allowed.
        case wrongPIN(seconds: Int?)
        /// The machine was put out of service, with the message for customers; nil for the standard one.
        case putOut(ReadyMessage?)
        case settingChanged(Setting)
        /// The machine has another key.
        case keyRotated(fingerprint: String)
        /// A command was not carried out.
        case notDone(What, Reason)
        /// Customers could not be served.
        case fault(OutOfService)
        case printerTrouble(PrinterTrouble)
        /// The shop sent a remote command.
        case commanded(RemoteCommand.Kind)
        /// The event was written by another version, in a form that this one does not know.
        case unknown(kind: String, detail: String)
    }

    /// Events without further data.
    public enum Plain: String, Hashable, Sendable, CaseIterable, Codable {
        case entered, left, restart, recovered
        /// A badge of no staff member, or of one whose access is locked.
        case wrongBadge = "wrong-badge"
        case putIn = "in-service"
        case restartMachine = "restart-machine"
        case closedEarly = "closed-early"
        case closedAsPlanned = "closed-as-planned"
        case ticketsEnded = "tickets-ended"
        case sentHome = "sent-home"
        case openedAgain = "opened-again"
        /// The block of a customer's phone was lifted.
        case phoneUnblocked = "phone-unblocked"
        /// The attempts of all staff members were unlocked at once.
        case pinsUnlocked = "pins-unlocked"
        case printerWell = "printer-well"
        /// A customer called for help at this machine.
        case helpCalled = "help-called"
        /// A call for help was a mistake, as the customer or a staff member said.
        case helpMistake = "help-mistake"
        /// A staff member goes to a customer who has called.
        case helpGoing = "help-going"
        case helped
        case helpMuted = "help-muted"
    }

    /// What was done for the holder of a number.
    public enum OfNumber: String, Hashable, Sendable, CaseIterable, Codable {
        case calledAgain = "called-again"
        case letIn = "let-in"
        case restored, deleted
        /// The receipt, which may have been missing, was found.
        case found = "paper-found"
    }

    /// What was changed about a staff member.
    public enum OfPerson: String, Hashable, Sendable, CaseIterable, Codable {
        case locked = "person-locked"
        case unlocked = "person-unlocked"
        case removed = "person-removed"
        case badgeMade = "badge-made"
        case badgeRevoked = "badge-revoked"
        case pinReset = "pin-reset"
    }

    /// What was done with a printer.
    public enum OfPrinter: String, Hashable, Sendable, CaseIterable, Codable {
        case testPrint = "test-print"
        case rollChanged = "roll-changed"
        /// The staff chose it as the printer to use first.
        case chosen = "printer-chosen"
    }

    /// What was set for all customers.
    public enum Setting: Hashable, Sendable, Codable {
        case volume(Int)
        case language(String)
        case theme(isLight: Bool)
    }

    /// Why a command was not carried out.
    public enum Reason: Hashable, Sendable, Codable {
        case backend(BackendFailure)
        case people(StaffListRefusal)
        case printer(PrinterTrouble)
        /// The reason is not known.
        case failed
        /// The reason was written by another version, in a form that this one does not know.
        case unknown(String)
    }
}

// MARK: Form on the disk and on the wire

extension MachineEvent.What {
    /// The kind and its data in short form; the words for the kinds are those of the contract.
    public var text: (kind: String, detail: String) {
        switch self {
        case .plain(let plain): (plain.rawValue, "")
        case .number(let kind, let number): (kind.rawValue, number.text)
        case .person(let kind, let name): (kind.rawValue, name)
        case .personAdded(let person):
            (Word.personAdded, "\(person.name) (\(person.role.rawValue))")
        case .printer(let kind, let printer): (kind.rawValue, "\(printer + 1)")
        case .reprint(let number, let reason): (Word.reprint, "\(number.text) \(reason.rawValue)")
        case .jobCancelled(let printer, let job): (Word.jobCancelled, "\(printer + 1): \(job)")
        case .peopleInside(let people): (Word.peopleInside, "\(people)")
        case .wrongPIN(let seconds): (Word.wrongPIN, seconds.map { "\($0) s" } ?? "locked")
        case .putOut(let message): (Word.putOut, message?.rawValue ?? "usual")
        case .settingChanged(let setting): (Word.settingChanged, setting.text)
        case .keyRotated(let fingerprint): (Word.keyRotated, fingerprint)
        case .notDone(let what, let reason): (Word.notDone, Self.notDone(what.text, reason.word))
        case .fault(let reason): (Word.fault, reason.rawValue)
        case .printerTrouble(let trouble): (Word.printerTrouble, trouble.rawValue)
        case .commanded(let kind): (Word.commanded, kind.rawValue)
        case .unknown(let kind, let detail): (kind, detail)
        }
    }

    /// Reads what `text` wrote, in this or in another version.
    public init(kind: String, detail: String) {
        self = Self.known(kind, detail) ?? .unknown(kind: kind, detail: detail)
    }

    private enum Word {
        static let personAdded = "person-added"
        static let reprint = "reprint"
        static let jobCancelled = "job-cancelled"
        static let peopleInside = "people-inside"
        static let wrongPIN = "wrong-pin"
        static let putOut = "out-of-service"
        static let settingChanged = "settings-changed"
        static let keyRotated = "key-rotated"
        static let notDone = "not-done"
        static let fault = "fault"
        static let printerTrouble = "printer"
        static let commanded = "order"
    }

    private static func known(_ kind: String, _ detail: String) -> Self? {
        if let plain = MachineEvent.Plain(rawValue: kind) { return .plain(plain) }
        if let kind = MachineEvent.OfPerson(rawValue: kind) { return .person(kind, detail) }
        if let kind = MachineEvent.OfNumber(rawValue: kind) {
            return SlipNumber(text: detail).map { .number(kind, $0) }
        }
        if let kind = MachineEvent.OfPrinter(rawValue: kind) {
            return Int(digits: detail).map { .printer(kind, $0 - 1) }
        }
        switch kind {
        case Word.personAdded: return person(detail).map { .personAdded($0) }
        case Word.reprint:
            let parts = detail.split(separator: " ").map { String($0) }
            guard parts.count == 2, let number = SlipNumber(text: parts[0]),
                let reason = ReprintReason(rawValue: parts[1])
            else { return nil }
            return .reprint(number, reason)
        case Word.jobCancelled:
            let parts = detail.split(separator: ": ").compactMap { Int(digits: $0) }
            return parts.count == 2 ? .jobCancelled(printer: parts[0] - 1, job: parts[1]) : nil
        case Word.peopleInside: return Int(digits: detail).map { .peopleInside($0) }
        case Word.wrongPIN:
            if detail == "locked" { return .wrongPIN(seconds: nil) }
            return detail.hasSuffix(" s")
                ? Int(digits: detail.dropLast(2)).map { .wrongPIN(seconds: $0) } : nil
        case Word.putOut:
            if detail == "usual" { return .putOut(nil) }
            return ReadyMessage(rawValue: detail).map { .putOut($0) }
        case Word.settingChanged: return MachineEvent.Setting(detail).map { .settingChanged($0) }
        case Word.keyRotated: return .keyRotated(fingerprint: detail)
        case Word.notDone: return notDone(detail)
        case Word.fault: return OutOfService(rawValue: detail).map { .fault($0) }
        case Word.printerTrouble:
            return PrinterTrouble(rawValue: detail).map { .printerTrouble($0) }
        case Word.commanded: return RemoteCommand.Kind(rawValue: detail).map { .commanded($0) }
        default: return nil
        }
    }

    /// Reads a text such as "Giulia (manager)".
    private static func person(_ text: String) -> StaffPerson? {
        for role in StaffPerson.Role.allCases where text.hasSuffix(" (\(role.rawValue))") {
            return StaffPerson(name: String(text.dropLast(role.rawValue.count + 3)), role: role)
        }
        return nil
    }

    /// Makes a text such as "called-again 042: full".
    private static func notDone(_ asked: (kind: String, detail: String), _ reason: String) -> String
    { "\(asked.kind)\(asked.detail.isEmpty ? "" : " \(asked.detail)"): \(reason)" }

    private static func notDone(_ text: String) -> Self? {
        let parts = text.split(separator: ": ", omittingEmptySubsequences: false)
        guard parts.count > 1, let reason = parts.last else { return nil }
        let asked = parts.dropLast().joined(separator: ": ").split(separator: " ", maxSplits: 1)
        guard let kind = asked.first else { return nil }
        return .notDone(
            Self(kind: String(kind), detail: asked.count > 1 ? String(asked[1]) : ""),
            MachineEvent.Reason(word: String(reason)))
    }
}

extension MachineEvent.Setting {
    fileprivate var text: String {
        switch self {
        case .volume(let volume): "volume \(volume)"
        case .language(let language): "language \(language)"
        case .theme(let isLight): isLight ? "light" : "dark"
        }
    }

    fileprivate init?(_ text: String) {
        let parts = text.split(separator: " ").map { String($0) }
        switch (parts.first, parts.count) {
        case ("light", 1): self = .theme(isLight: true)
        case ("dark", 1): self = .theme(isLight: false)
        case ("language", 2): self = .language(parts[1])
        case ("volume", 2):
            guard let volume = Int(digits: parts[1]) else { return nil }
            self = .volume(volume)
        default: return nil
        }
    }
}

extension MachineEvent.Reason {
    /// The name of the reason in events and logs.
    var word: String {
        switch self {
        case .backend(.unanswered), .backend(.notUnderstood): "unanswered"
        case .backend(.noKey): "no-key"
        case .backend(.refused(let refused)): Self.word(refused.refusal)
        case .people(let refusal): refusal.rawValue
        case .printer(let trouble): trouble.rawValue
        case .failed: "failed"
        case .unknown(let word): word
        }
    }

    fileprivate init(word: String) {
        let known: Self? =
            switch word {
            case "unanswered": .backend(.unanswered)
            case "busy": .backend(.refusal(.unavailable))
            case "no-key": .backend(.noKey(.missing))
            case "failed": .failed
            default: Refusal.allCases.first { Self.word($0) == word }.map { .backend(.refusal($0)) }
            }
        self =
            known ?? StaffListRefusal(rawValue: word).map { .people($0) }
            ?? PrinterTrouble(rawValue: word).map { .printer($0) } ?? .unknown(word)
    }

    /// Some refusals have other names here than on the wire; a name of several refusals is read as the first of them.
    private static func word(_ refusal: Refusal) -> String {
        refusal.isTemporary ? "busy" : words[refusal] ?? refusal.rawValue
    }

    private static let words: [Refusal: String] = [
        .alreadyUsed: "used", .alreadyDeleted: "deleted", .notFound: "no-such-number",
        .otherShop: "no-such-number", .unreadableCode: "no-such-number", .shopClosed: "closed",
        .noTicketToday: "refused", .holdExpired: "refused", .ticketAvailable: "refused",
        .nothingWithinAMonth: "refused",
    ]
}
