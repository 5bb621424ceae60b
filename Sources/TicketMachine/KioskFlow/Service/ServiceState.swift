public import Reservations

/// Whether customers are served: what is known of the queue, and what keeps the machine from serving.
public struct ServiceState: Hashable, Sendable, Codable {
    /// The last queue status of the backend; nil until there is one, or while the backend does not answer.
    public internal(set) var queue: QueueStatus?
    /// Whether the staff or the shop wants customers to see *out of service*.
    public internal(set) var isPutOut = false
    /// The message for customers then: the name of a `ReadyMessage`, or a text of its own; nil for the standard one.
    public internal(set) var message: String?

    private var queueReceived: Duration = .zero
    /// The number of consecutive polls of the queue that failed.
    private var failedPolls = 0
    /// The fault that keeps the machine from serving until the next successful poll.
    private var fault: OutOfService?
    /// Whether this machine's own disk could not be written.
    var isJournalBroken = false

    /// Why customers are not served; nil if they are, or if it is not known yet.
    public var outOfService: OutOfService? {
        if isPutOut { return .staff }
        return isJournalBroken ? .journal : fault
    }

    var restingState: KioskState {
        if let outOfService { return .outOfService(outOfService) }
        guard let queue else { return .starting }
        return queue.isOpen ? .home : .closed(opens: queue.opens)
    }

    /// How long ago `queue` was received; nil while it counts as present, or if there is none.
    public func queueAge(now: Duration) -> Duration? {
        let age = now - queueReceived
        return queue == nil || age < KioskTiming.maxQueueAge ? nil : age
    }

    mutating func queueReported(_ status: QueueStatus, now: Duration) {
        queue = status
        queueReceived = now
        failedPolls = 0
        fault = nil
    }

    /// Returns whether customers see the failure: a single lost poll is no outage, as the next one comes within
    /// seconds.
    mutating func queueFailed(_ failure: BackendFailure) -> Bool {
        failedPolls += 1
        guard failedPolls >= 2 || queue == nil || !failure.isUnknown else { return false }
        queue = nil
        fault = OutOfService(failure)
        return true
    }

    mutating func decide(isPutOut: Bool, message: String?) {
        self.isPutOut = isPutOut
        self.message = message
    }
}

/// Why the machine cannot serve customers; each reason has a plain sentence, and a code for the staff.
public enum OutOfService: String, Hashable, Sendable, CaseIterable, Codable {
    /// The backend does not answer.
    case network = "N1"
    /// The backend's answer does not fit the contract.
    case notUnderstood = "N2"
    /// The backend does not accept this machine's key or clock.
    case notAuthentic = "A1"
    /// This machine's key, or the wrapping key that seals it, is missing.
    case noKey = "K1"
    /// This machine's key, or the backend key that it has pinned, is damaged or readable by other users.
    case damagedKey = "K2"
    /// This machine's key was sealed for another machine.
    case foreignKey = "K3"
    /// The backend cannot store anything.
    case busy = "B1"
    /// This machine's own disk cannot be written.
    case journal = "D1"
    /// The staff has put the machine out of service.
    case staff = "S1"

    init(_ failure: BackendFailure) {
        self =
            switch failure {
            case .unanswered: .network
            case .refused where failure.isTemporary: .busy
            case .refused where failure.concernsKey: .notAuthentic
            case .refused, .notUnderstood: .notUnderstood
            case .noKey(.missing): .noKey
            case .noKey(.damaged): .damagedKey
            case .noKey(.foreign): .foreignKey
            }
    }
}

/// Whether customers are served, as the staff or the shop decided last.
public struct ServiceStatus: Hashable, Sendable, Codable {
    public var isPutOut: Bool
    /// The message for customers then; nil for the standard one.
    public var message: String?
    /// When it was decided, by the backend's clock; nil if it was never decided.
    public var at: Moment?

    public init(isPutOut: Bool = false, message: String? = nil, at: Moment? = nil) {
        self.isPutOut = isPutOut
        self.message = message
        self.at = at
    }
}
