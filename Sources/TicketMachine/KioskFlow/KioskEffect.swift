public import Reservations

/// What the runtime must do next. Effects are performed in order, and a journal record is durable before the next one.
public enum KioskEffect: Hashable, Sendable {
    case backend(BackendEffect)
    case printer(PrinterEffect)
    case journal(JournalEffect)
    case staff(StaffEffect)
    case help(HelpEffect)
    case program(ProgramEffect)
    /// Beep: what was scanned cannot be used here (rules: scans).
    case beep
    /// Request shop, queue and printer now instead of at the next poll.
    case refresh
}

/// Calls of the backend; one with a key or a hold is answered by a `BackendEvent` with the same key or hold.
public enum BackendEffect: Hashable, Sendable {
    case takePlace(ReservationKind, AttemptKey)
    case lookUp(ReadCode, AttemptKey)
    /// Delete a reservation; the code is the proof.
    case delete(ReservationID, PresentedCode, AttemptKey)
    /// Let people go ahead, or take a place back; the code is the proof.
    case changeTurn(TurnChange, ReservationID, PresentedCode, AttemptKey)
    /// Give a place back; if no attempt gets through, the hold expires by itself.
    case release(ReservationID)
    /// Ask the backend to hold the place longer.
    case extend(ReservationID)
    /// Confirm a place, or say that an order's customer is here, with this key, and repeat the call if necessary.
    case confirm(Requested, AttemptKey)
    /// Find out in the background what became of a request, and delete the reservation that it made.
    case resolve(OpenRequest)
}

/// Calls of the backend about this machine's call for help; answered by a `HelpEvent`.
public enum HelpEffect: Hashable, Sendable {
    /// Call the staff to this machine with this key, and repeat the call if necessary.
    case call(AttemptKey)
    /// End the call: the customer did not mean it.
    case endAsMistake(HelpCallID, AttemptKey)
    /// Ask for the shop's calls, of which one may be this machine's.
    case follow
}

/// What is printed for customers; answered by `PrinterEvent.progress`.
public enum PrinterEffect: Hashable, Sendable {
    case print(AttemptKey, Slip)
    /// No customer waits for this receipt any more: its job is cancelled at the first trouble.
    case leave(AttemptKey)
}

/// What is written to the machine's disk before anything else happens.
public enum JournalEffect: Hashable, Sendable {
    case record(JournalRecord)
    /// Find out whether the journal can be written again; answered by `JournalEvent.recovered`.
    case check
}

/// What is done for the staff; an effect with a key is answered by a `StaffEvent` with the same key.
public enum StaffEffect: Hashable, Sendable {
    /// Find out whose PIN it is, among all staff members or only for the holder of a badge.
    case checkPIN(String, AttemptKey, holder: String?)
    /// Find out whether a PIN may be typed now, by any staff member or by the holder of a badge.
    case askPINAvailability(AttemptKey, holder: String?)
    case checkBadge(StaffBadge, AttemptKey)
    /// Collect everything that maintenance mode shows, until it is left; answered by `StaffEvent.facts`.
    case openMonitor
    /// Write down what was done, and the name of the staff member.
    case note(MachineEvent.What, by: String? = nil)
    /// Print a page marked TEST on a printer, 0 or 1.
    case printTest(Int, AttemptKey)
    /// Print a receipt again, marked COPY, if its reservation is still valid.
    case reprint(IssuedPaper, AttemptKey)
    /// Give the reservation of a receipt another code, in the name of a staff member, and print its ticket again.
    case renewCode(IssuedPaper, by: String, AttemptKey)
    /// Check a printer again and print a short page marked TEST.
    case rollChanged(Int, AttemptKey)
    /// Write down that a receipt has come out, or that it is not needed, and delete its reservation then.
    case seeToPaper(ReceiptCommand, IssuedPaper, AttemptKey)
    /// Take a job out of a printer's queue.
    case cancelJob(printer: Int, job: Int, AttemptKey)
    /// Ask the backend whether a code that was read is valid.
    case tryCode(ReadCode, AttemptKey)
    /// Correct something in the queue.
    ///
    /// `by` is the staff member, `closes` the shop's time at which an older backend is to close it.
    case correctQueue(StaffAction, by: String, closes: LocalMoment?, AttemptKey)
    /// Do something about a call for help in the name of a staff member.
    case answerHelp(StaffHelp, by: String, AttemptKey)
    /// Change the list of staff members; the PIN belongs to the person who is added or changed.
    case changeStaffList(StaffListCommand, pin: String, AttemptKey)
    /// Store the settings, so that they survive a restart.
    case keepSettings(MachineSettings)
    /// Say a sample sentence, so that the volume can be heard.
    case saySample
    /// Restart the whole machine; answered if that is not possible.
    case restartMachine(AttemptKey)
}

/// What is done with the program, and what it remembers about its service.
public enum ProgramEffect: Hashable, Sendable {
    /// Remember over a restart whether the staff or a remote command has put the machine out of service, and which
    /// message is shown then.
    case keepService(isPutOut: Bool, message: String? = nil, by: RemoteCommand? = nil)
    /// Remember over a restart that a remote command was carried out.
    case acknowledged(Int64)
    /// Give the machine another key; the command is acknowledged once the machine has it.
    case rotate(Int64)
    /// Allow PINs to be tried again, as this remote command asks; it is acknowledged then.
    case unlock(Int64)
    /// Remember that a command was carried out and end the program, so that it is started again. If that cannot be
    /// stored, the program goes on, since otherwise it would find the command open after every start.
    case restartOnce(Int64)
    /// End the program, so that systemd starts it again.
    case restart
    /// Start the new version of the program, or the same one with the new configuration.
    case restartIntoNewVersion
}

/// What is written to disk before it happens, or as soon as it is known (rules: unanswered-confirmation, start-up).
public enum JournalRecord: Hashable, Sendable {
    /// A confirmation, or the news that an order's customer is here, is about to be sent.
    case intended(AttemptKey, Requested)
    case issued(AttemptKey, Slip)
    /// The language in which the customer reads the screen and the receipt.
    case language(AttemptKey, String)
    /// The number is about to appear on the screen.
    case shown(AttemptKey)
    /// A job is about to be handed to the printer.
    case printing(AttemptKey)
    case printed(AttemptKey)
    case notPrinted(AttemptKey, PrinterTrouble)
    /// The customer has left without knowing the result: a reservation that the confirmation made is to be deleted.
    case deleteWhenKnown(AttemptKey)
    /// The request made no ticket, or the reservation that it made is deleted, or nothing has to be undone.
    case resolved(AttemptKey)

    /// Whether the effects after it must not happen unless it is on disk. A ticket that was made is shown in any case.
    public var mustPrecede: Bool { if case .intended = self { true } else { false } }
}
