public import KioskFlow
public import Reservations

public typealias BackendAnswer<Value> = Result<Value, BackendFailure>

/// The backend as the machine calls it. Every call ends within its own time limit (rules: time-outs), is repeated with the same
/// key until then, and returns the kind of failure. A call without a limit here ends within 4.5 s.
public protocol BackendPort: Sendable {
    func shop() async -> BackendAnswer<MachineProfile>
    func queue() async -> BackendAnswer<QueueStatus>
    /// Takes at most 9 s.
    func takePlace(_ kind: ReservationKind, _ key: AttemptKey) async -> BackendAnswer<HeldPlace>
    func extend(_ hold: ReservationID, _ key: AttemptKey) async -> BackendAnswer<HeldPlace>
    func release(_ hold: ReservationID, _ key: AttemptKey) async -> BackendAnswer<Void>
    /// Takes at most 9 s.
    func confirm(_ hold: ReservationID, _ key: AttemptKey) async -> BackendAnswer<Reservation>
    /// Finds a reservation that is valid, or whose missed call leaves a place that can be taken back.
    func lookUp(_ code: PresentedCode, _ key: AttemptKey) async -> BackendAnswer<FoundReservation>
    func delete(_ reservation: ReservationID, _ code: PresentedCode, _ key: AttemptKey) async
        -> BackendAnswer<Void>
    /// Finds an order in whatever state it is (rules: order-codes).
    func lookUpOrder(
        _ code: PresentedOrderCode, _ key: AttemptKey
    ) async -> BackendAnswer<PickupOrder>
    /// Says that the customer of an order is here; returns the order as it is then, with its ticket if this drew its
    /// number (rules: order-arrivals). Takes at most 9 s.
    func arrive(
        _ order: OrderID, _ code: PresentedOrderCode, _ key: AttemptKey
    ) async -> BackendAnswer<PickupOrder>
    /// Lets people go ahead; returns the reservation as it is then (rules: more-time).
    func delay(
        _ reservation: ReservationID, _ code: PresentedCode, people: Int, _ key: AttemptKey
    ) async -> BackendAnswer<FoundReservation>
    /// Takes the place of a missed call back; returns the reservation as it is then (rules: more-time).
    func reclaim(_ reservation: ReservationID, _ code: PresentedCode, _ key: AttemptKey) async
        -> BackendAnswer<FoundReservation>
    /// The queue as the staff sees it.
    func staffQueue() async -> BackendAnswer<StaffQueue>
    /// Performs a staff action in the name of a staff member; `closes` is the closing time for an older backend that
    /// does not know the action. Returns how many people lost their place or have it again.
    func act(_ action: StaffAction, by person: String, closes: LocalMoment?, _ key: AttemptKey)
        async -> BackendAnswer<Int?>
    /// Gives the reservation of a paper another code, in the name of a staff member; returns it as it is then
    /// (rules: new-codes).
    func renewCode(
        of number: QueueNumber, _ code: EntryCode, by person: String, _ key: AttemptKey
    ) async -> BackendAnswer<Reservation>
    /// Reports the machine's status in a single attempt of at most 2.5 s.
    func report(
        _ report: MachineStatusReport, _ attempt: AttemptKey
    ) async -> BackendAnswer<MachineStatusReply>
}

extension Result where Success == FoundReservation, Failure == BackendFailure {
    /// The reservation if it waits or is called; otherwise the refusal that its status means.
    public var ofValidReservation: Self {
        flatMap { found in found.status.refusal.map { .failure(.refusal($0)) } ?? .success(found) }
    }
}
