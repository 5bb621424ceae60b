public import Reservations

/// What happens to the machine; each event is handled once and completely by `KioskFlow.handle`.
///
/// Events are values, so that they can be written down and replayed: a file of events beside a crash shows its cause.
public enum KioskEvent: Hashable, Sendable, Codable {
    /// The first event, with the state that was kept on disk.
    case started(Kept)
    /// A touch, a click or a key with its action; nil for one that only shows that the customer is still there.
    case touched(UserAction?, at: TouchMark? = nil)
    /// The staff's corner pattern was touched, or the staff's key was pressed.
    case staffAsked
    /// The code reader has read something, or a burst of keys has ended (rules: scans).
    case codeRead(String)
    /// A deadline has come, or a second has passed.
    case timePassed
    case backend(BackendEvent)
    case printer(PrinterEvent)
    case journal(JournalEvent)
    /// Whether the code reader is available.
    case readerReported(isThere: Bool)
    /// The speech output has failed.
    case speechFailed
    case staff(StaffEvent)
    case help(HelpEvent)
    /// The shop sent a remote command that was not carried out before; it is sent again until it is acknowledged.
    ///
    /// `decided` is the last time at which it was decided whether customers are served; the later decision counts.
    case commanded(RemoteCommand, decided: Moment?)
    /// A new version of the program, or of its configuration, is ready to be started.
    case newVersionFound

    /// What the machine had stored when it stopped.
    public struct Kept: Hashable, Sendable, Codable {
        /// Requests that were never answered.
        public var open: [OpenRequest]
        public var settings: MachineSettings
        public var service: ServiceStatus
        /// What the shop had decided about calls for help; nil if the machine has not heard of it yet.
        public var help: ShopHelp?

        public init(
            open: [OpenRequest] = [], settings: MachineSettings = MachineSettings(),
            service: ServiceStatus = ServiceStatus(), help: ShopHelp? = nil
        ) {
            self.open = open
            self.settings = settings
            self.service = service
            self.help = help
        }
    }
}

/// Answers of the backend.
public enum BackendEvent: Hashable, Sendable, Codable {
    case profile(MachineProfile)
    case queue(Result<QueueStatus, BackendFailure>)
    case place(AttemptKey, Result<HeldPlace, BackendFailure>)
    case extended(ReservationID, Result<HeldPlace, BackendFailure>)
    case confirmed(AttemptKey, Result<Reservation, BackendFailure>)
    /// The order as it is after its customer has said to be here.
    case arrived(AttemptKey, Result<PickupOrder, BackendFailure>)
    case found(AttemptKey, Result<FoundReservation, BackendFailure>)
    case orderFound(AttemptKey, Result<PickupOrder, BackendFailure>)
    /// The failure; nil if the reservation was deleted.
    case deleted(AttemptKey, BackendFailure?)
    /// The reservation as it is after its turn was changed.
    case turnChanged(AttemptKey, Result<FoundReservation, BackendFailure>)
}

/// Reports of a printer.
public enum PrinterEvent: Hashable, Sendable, Codable {
    case condition(PrinterCondition)
    /// The progress of a receipt, which has the key of its request; its customer may have left.
    case progress(AttemptKey, PrintProgress)
}

/// Reports of the machine's own disk.
public enum JournalEvent: Hashable, Sendable, Codable {
    /// The disk accepts no writes; `unsent` if one of the records must be on disk before anything is sent. Otherwise a
    /// request that is under way goes on, because its answer may be a ticket.
    case failed(unsent: Bool)
    case recovered
}

/// What is known about the staff and what the staff wants done.
public enum StaffEvent: Hashable, Sendable, Codable {
    /// How a PIN would be refused now; nil if it would be checked.
    case availability(AttemptKey, PINAnswer?)
    case pin(AttemptKey, PINAnswer)
    /// The holder of the badge; nil if it belongs to no staff member.
    case badge(AttemptKey, StaffPerson?)
    case facts(StaffFacts)
    /// The progress of a printout that the staff has asked for; `isOver` if it is the last report.
    case print(AttemptKey, StaffPrint.Progress, isOver: Bool)
    /// How a command ended.
    case done(AttemptKey, StaffCommandAnswer)
    /// The backend's verdict on a code that was read in the reader test.
    case code(AttemptKey, StaffRead.Verdict)
}

/// The backend's answers about this machine's call for help (rules: help-answers).
public enum HelpEvent: Hashable, Sendable, Codable {
    case called(AttemptKey, Result<HelpCall, BackendFailure>)
    /// The customer's call was to be ended as a mistake.
    case ended(AttemptKey, Result<HelpCall, BackendFailure>)
    /// The shop's calls, as the backend lists them.
    case calls(Result<HelpCalls, BackendFailure>)
}

/// The form in which results are written down: the answer, or the failure.
extension Result: @retroactive Codable where Success: Codable, Failure == BackendFailure {
    private enum CodingKeys: String, CodingKey { case answer, failure }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let failure = try container.decodeIfPresent(BackendFailure.self, forKey: .failure) {
            self = .failure(failure)
        } else {
            self = .success(try container.decode(Success.self, forKey: .answer))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .success(let answer): try container.encode(answer, forKey: .answer)
        case .failure(let failure): try container.encode(failure, forKey: .failure)
        }
    }
}
