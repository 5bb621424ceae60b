public import Reservations

/// What the runtime must do next; performed in order, a journal record durably before what follows.
public enum KioskEffect: Hashable, Sendable {
    /// Ask for a place; answered by `placeAnswered`.
    case takePlace(ReservationKind, AttemptKey)
    /// Look up what a code stands for; answered by `lookUpAnswered`.
    case lookUp(PresentedCode, AttemptKey)
    /// Delete a reservation, the code being the proof; answered by `deletionAnswered`.
    case delete(ReservationID, PresentedCode, AttemptKey)
    /// A short sound: what was scanned is of no use here (rules 16).
    case beep
    /// Give a place back; if no try of the call gets through, the place lapses by itself.
    case release(ReservationID)
    /// Ask the backend to hold the place longer; answered by `extensionAnswered`.
    case extend(ReservationID)
    /// Confirm with this key, as often as it takes; answered by `confirmationAnswered`.
    case confirm(ReservationID, AttemptKey)
    /// Find out in the background what became of a confirmation and delete what it made.
    case settle(OpenConfirmation)
    /// Print the reservation; answered by `printProgressed`.
    case print(AttemptKey, Reservation)
    /// Nobody waits for this paper any more: its job is cancelled at its first trouble.
    case leavePaper(AttemptKey)
    case record(JournalRecord)
    /// Find out whether the journal can be written again; answered by `journalRecovered`.
    case checkJournal
    /// Ask for shop, queue and printer now rather than at the next poll.
    case refresh
    /// Find out whose PIN it is, of everybody or of the holder of a badge; answered by `pinAnswered`.
    case checkPIN(String, AttemptKey, holder: String? = nil)
    /// Find out whether a PIN may be typed now, by anybody or by the holder of a badge; answered by
    /// `gateAnswered`.
    case askGate(AttemptKey, holder: String? = nil)
    /// Find out whose badge it is; answered by `badgeAnswered`.
    case checkBadge(StaffBadge, AttemptKey)
    /// Find out all that maintenance mode shows, until it is left; answered by `staffReported`.
    case lookAfter
    /// Write down what was done, and the name of who did it.
    case note(MachineEvent.Kind, String = "", by: String? = nil)
    /// Print a page marked TEST on a printer, 0 or 1; answered by `staffPrintProgressed`.
    case printTest(Int, AttemptKey)
    /// Print a paper again, marked COPY, if its reservation stands; answered by `staffPrintProgressed`.
    case reprint(IssuedPaper, AttemptKey)
    /// Ask a printer anew and print a short page marked TEST; answered by `staffPrintProgressed`.
    case rollChanged(Int, AttemptKey)
    /// Write down that a paper has come out, or delete its reservation; answered by `deedAnswered`.
    case seeToPaper(PaperDeed, IssuedPaper, AttemptKey)
    /// Take a job out of a printer's queue; answered by `deedAnswered`.
    case cancelJob(printer: Int, job: Int, AttemptKey)
    /// Ask the backend what a code that was read is worth; answered by `codeTried`.
    case tryCode(PresentedCode, AttemptKey)
    /// Put something right in the queue; answered by `deedAnswered`.
    ///
    /// `by` is who of the staff does it, `closes` the shop's time at which it closes early.
    case actOnQueue(QueueDeed, by: String, closes: LocalMoment? = nil, AttemptKey)
    /// Change who may look after the machine; the PIN is of whom it concerns. Answered by `deedAnswered`.
    case changePeople(PeopleDeed, pin: String, AttemptKey)
    /// Remember over a restart whether the staff wants the machine out of service, and what to say then.
    case keepService(isPutOut: Bool, message: String? = nil)
    /// Remember over a restart.
    case keepSettings(MachineSettings)
    /// Say a sentence, so that the volume can be heard.
    case saySample
    /// Remember over a restart what an order says of the machine's service.
    case keepOrder(ShopOrder)
    /// Remember over a restart that an order was carried out.
    case obeyed(Int64)
    /// Give the machine another key; the order is carried out once it has it.
    case rotate(Int64)
    /// Let PINs be tried again, as the order wants it that is acknowledged then.
    case unlock(Int64)
    /// Remember that an order was carried out and end the program, so that it is started anew; where nothing
    /// can be remembered it goes on, as the order would be found open every time.
    case restartOnce(Int64)
    /// End the program, so that it is started anew.
    case restart
    /// Start the new version of the program, or with the new configuration.
    case renew
    /// Have the whole machine started anew; answered by `deedAnswered` where that cannot be.
    case restartMachine(AttemptKey)
}

/// What is on disk before it happens, or as soon as it is known (rules 12, 13).
public enum JournalRecord: Hashable, Sendable {
    /// A confirmation is about to be sent.
    case intended(AttemptKey, ReservationID)
    case reserved(AttemptKey, Reservation)
    /// In which language the customer reads screen and paper.
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

    /// Whether the effects after it must not happen unless it is on disk: a reservation that
    /// stands is shown in any case.
    public var mustPrecede: Bool {
        if case .intended = self { true } else { false }
    }
}

/// What a touch on a button, or a key, asks for.
public enum KioskAction: Hashable, Sendable {
    case getTicket
    /// Book the first available visit [UC12].
    case bookVisit
    /// Show or delete a reservation [UC13]; also *try again* after a code that was refused.
    case findReservation
    /// A key of the keypad, 0 to 9.
    case digit(Int)
    case erase
    /// Look up the digits typed.
    case enterCode
    case confirm
    case cancel
    /// Leave a screen on which a confirmation is not resolved.
    case leave
    /// Leave a finished screen.
    case done
    case openLanguages
    case closeLanguages
    case choose(language: String)
    /// *A+*: other letters.
    case changeAppearance
    /// The ear: a voice, a louder one, none.
    case changeVoice
    /// Out of maintenance mode.
    case leaveStaff
    case openStaff(StaffScreen)
    /// Other papers or events, from this page on.
    case turnPage(Int)
    /// On the first printer (0) or the second.
    case testPrint(Int)
    case choosePaper(IssuedPaper)
    case reprint(ReprintReason)
    /// Out of service, which is asked about once more, or in service again.
    case putOutOfService
    /// What only maintenance mode has.
    case staff(StaffTouch)
}
