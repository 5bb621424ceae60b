public import Reservations

/// What happens to the machine; each is handled once, whole, by `KioskFlow.handle`.
///
/// A value, so that it can be written down and played again: a file of events beside a crash shows how it came.
public enum KioskEvent: Hashable, Sendable, Codable {
    /// The first event: what was kept on the disk.
    case started(Kept)
    /// A finger, a click or a key: what it means, or nothing but a sign of life.
    case touched(UserAction?, at: TouchMark? = nil)
    /// The staff's pattern was touched, or the staff's key pressed.
    case staffAsked
    /// The reader has read something, or a burst of keys ended (rules 16).
    case codeRead(String)
    /// A deadline has come, or a second is over.
    case timePassed
    case backend(BackendEvent)
    case printer(PrinterEvent)
    case journal(JournalEvent)
    /// Whether codes can be read.
    case readerReported(isThere: Bool)
    /// Nothing could be said aloud.
    case speechFailed
    case staff(StaffEvent)
    /// The shop wants something that was not carried out before; it is sent again until it was.
    ///
    /// `decided` is when it was decided last whether customers are served; the later counts.
    case commanded(RemoteCommand, decided: Moment?)
    /// A new version of the program, or of its configuration, is there to be started.
    case newVersionFound

    /// What the machine had kept when it stopped.
    public struct Kept: Hashable, Sendable, Codable {
        /// Confirmations whose answer never came.
        public var open: [OpenConfirmation]
        public var settings: MachineSettings
        public var service: ServiceStatus

        public init(
            open: [OpenConfirmation] = [], settings: MachineSettings = MachineSettings(),
            service: ServiceStatus = ServiceStatus()
        ) {
            self.open = open
            self.settings = settings
            self.service = service
        }
    }
}

/// What the backend says.
public enum BackendEvent: Hashable, Sendable, Codable {
    case profile(MachineProfile)
    case queue(Result<QueueStatus, BackendFailure>)
    case place(AttemptKey, Result<HeldPlace, BackendFailure>)
    case extended(ReservationID, Result<HeldPlace, BackendFailure>)
    case confirmed(AttemptKey, Result<Reservation, BackendFailure>)
    case found(AttemptKey, Result<FoundReservation, BackendFailure>)
    /// The failure; nil if the reservation is deleted.
    case deleted(AttemptKey, BackendFailure?)
}

/// What a printer says.
public enum PrinterEvent: Hashable, Sendable, Codable {
    case condition(PrinterCondition)
    /// What becomes of the printout of a reservation, whose customer may have left.
    case progress(AttemptKey, ReservationID, PrintProgress)
}

/// What the machine's own disk says.
public enum JournalEvent: Hashable, Sendable, Codable {
    /// It takes nothing; `unsent` if a record was among it without which nothing may be sent. If not, a
    /// confirmation that is under way goes on: its answer may be a place.
    case failed(unsent: Bool)
    case recovered
}

/// What is known of the staff and what they want done.
public enum StaffEvent: Hashable, Sendable, Codable {
    /// What a PIN would meet now; nil if it would be looked at.
    case gate(AttemptKey, PINAnswer?)
    case pin(AttemptKey, PINAnswer)
    /// Whose badge it is; nil if it is nobody's.
    case badge(AttemptKey, StaffPerson?)
    case facts(StaffFacts)
    /// What becomes of a printout that the staff has asked for; `isOver` if nothing more will.
    case print(AttemptKey, StaffPrint.Progress, isOver: Bool)
    /// How a command ended.
    case done(AttemptKey, DeedAnswer)
    /// What the backend says of a code that the reader under test has read.
    case code(AttemptKey, StaffRead.Verdict)
}

/// As events are written down: an answer, or why there is none.
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
