public import Reservations

/// What the runtime must do next; performed in order, a journal record durably before what follows.
public enum KioskEffect: Hashable, Sendable {
    case backend(BackendEffect)
    case printer(PrinterEffect)
    case journal(JournalEffect)
    case staff(StaffEffect)
    case program(ProgramEffect)
    /// A short sound: what was scanned is of no use here (rules 16).
    case beep
    /// Ask for shop, queue and printer now rather than at the next poll.
    case refresh
}

/// Calls of the backend; those with a key or a hold are answered by a `BackendEvent` with the same.
public enum BackendEffect: Hashable, Sendable {
    case takePlace(ReservationKind, AttemptKey)
    case lookUp(PresentedCode, AttemptKey)
    /// The code is the proof.
    case delete(ReservationID, PresentedCode, AttemptKey)
    /// Give a place back; if no try of the call gets through, the place expires by itself.
    case release(ReservationID)
    /// Ask the backend to hold the place longer.
    case extend(ReservationID)
    /// Confirm with this key, as often as it takes.
    case confirm(ReservationID, AttemptKey)
    /// Find out in the background what became of a confirmation and delete what it made.
    case settle(OpenConfirmation)
}

/// What is printed for customers; answered by `PrinterEvent.progress`.
public enum PrinterEffect: Hashable, Sendable {
    case print(AttemptKey, Reservation)
    /// No customer waits for this printout any more: its job is cancelled at its first trouble.
    case leave(AttemptKey)
}

/// What is written to the machine's disk before anything else happens.
public enum JournalEffect: Hashable, Sendable {
    case record(JournalRecord)
    /// Find out whether the journal can be written again; answered by `JournalEvent.recovered`.
    case check
}

/// What is done for the staff; those with a key are answered by a `StaffEvent` with the same.
public enum StaffEffect: Hashable, Sendable {
    /// Find out whose PIN it is, of all people or of the holder of a badge.
    case checkPIN(String, AttemptKey, holder: String?)
    /// Find out whether a PIN may be typed now, by all people or by the holder of a badge.
    case askPINAvailability(AttemptKey, holder: String?)
    case checkBadge(StaffBadge, AttemptKey)
    /// Find out all that maintenance mode shows, until it is left; answered by `StaffEvent.facts`.
    case lookAfter
    /// Write down what was done, and the name of the person who did it.
    case note(MachineEvent.What, by: String? = nil)
    /// Print a page marked TEST on a printer, 0 or 1.
    case printTest(Int, AttemptKey)
    /// Print a ticket again, marked COPY, if its reservation stands.
    case reprint(IssuedPaper, AttemptKey)
    /// Ask a printer again and print a short page marked TEST.
    case rollChanged(Int, AttemptKey)
    /// Write down that a printout has come out, or delete its reservation.
    case seeToPaper(ReceiptCommand, IssuedPaper, AttemptKey)
    /// Take a job out of a printer's queue.
    case cancelJob(printer: Int, job: Int, AttemptKey)
    /// Ask the backend what a code that was read is worth.
    case tryCode(PresentedCode, AttemptKey)
    /// Put something right in the queue.
    ///
    /// `by` is the member of the staff, `closes` the shop's time at which an older backend is to close it.
    case correctQueue(StaffAction, by: String, closes: LocalMoment?, AttemptKey)
    /// Change the people who may use maintenance mode; the PIN is of the person it concerns.
    case changeStaffList(StaffListCommand, pin: String, AttemptKey)
    /// Remember over a restart.
    case keepSettings(MachineSettings)
    /// Say a sentence, so that the volume can be heard.
    case saySample
    /// Have the whole machine started again; answered if that cannot be.
    case restartMachine(AttemptKey)
}

/// What is done with the program and what it remembers of its service.
public enum ProgramEffect: Hashable, Sendable {
    /// Remember over a restart whether the staff wants the machine out of service, and what to say then.
    case keepService(isPutOut: Bool, message: String? = nil)
    /// Remember over a restart what a remote command says of the machine's service.
    case keepCommand(RemoteCommand)
    /// Remember over a restart that a remote command was carried out.
    case obeyed(Int64)
    /// Give the machine another key; the command is carried out once it has it.
    case rotate(Int64)
    /// Let PINs be tried again, as the command wants it that is acknowledged then.
    case unlock(Int64)
    /// Remember that a command was carried out and end the program, so that it is started again; if nothing can
    /// be remembered it goes on, as the command would be found open every time.
    case restartOnce(Int64)
    /// End the program, so that it is started again.
    case restart
    /// Start the new version of the program, or with the new configuration.
    case restartIntoNewVersion
}

/// What is on disk before it happens, or as soon as it is known (rules 12, 13).
public enum JournalRecord: Hashable, Sendable {
    /// A confirmation is about to be sent.
    case intended(AttemptKey, ReservationID)
    case reserved(AttemptKey, Reservation)
    /// In which language the customer reads screen and ticket.
    case language(AttemptKey, String)
    /// The number is about to stand on the screen.
    case shown(AttemptKey)
    /// A job is about to be handed to the printer.
    case printing(AttemptKey)
    case printed(AttemptKey)
    case notPrinted(AttemptKey, PrinterTrouble)
    /// The customer has left without knowing: whatever the confirmation made is to be deleted.
    case deleteWhenKnown(AttemptKey)
    /// The confirmation made nothing, or what it made is deleted.
    case settled(AttemptKey)

    /// Whether the effects after it must not happen unless it is on disk: a reservation that stands is shown in
    /// any case.
    public var mustPrecede: Bool {
        if case .intended = self { true } else { false }
    }
}
