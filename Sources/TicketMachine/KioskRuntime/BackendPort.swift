public import KioskFlow
public import Reservations

/// The backend as the machine calls it. Every call ends within its own time limit (rules 14), is repeated with the same
/// key until then, and returns the kind of failure.
public struct BackendPort: Sendable {
    public var shop: @Sendable () async -> Result<MachineProfile, BackendFailure>
    public var queue: @Sendable () async -> Result<QueueStatus, BackendFailure>
    /// Takes at most 9 s.
    public var takePlace:
        @Sendable (ReservationKind, AttemptKey) async -> Result<HeldPlace, BackendFailure>
    /// Takes at most 4.5 s.
    public var extend:
        @Sendable (ReservationID, AttemptKey) async -> Result<HeldPlace, BackendFailure>
    /// Takes at most 4.5 s.
    public var release: @Sendable (ReservationID, AttemptKey) async -> Result<Void, BackendFailure>
    /// Takes at most 9 s.
    public var confirm:
        @Sendable (ReservationID, AttemptKey) async -> Result<Reservation, BackendFailure>
    /// Takes at most 4.5 s.
    public var lookUp:
        @Sendable (PresentedCode, AttemptKey) async -> Result<FoundReservation, BackendFailure>
    /// Takes at most 4.5 s.
    public var delete:
        @Sendable (ReservationID, PresentedCode, AttemptKey) async -> Result<Void, BackendFailure>

    public init(
        shop: @escaping @Sendable () async -> Result<MachineProfile, BackendFailure>,
        queue: @escaping @Sendable () async -> Result<QueueStatus, BackendFailure>,
        takePlace:
            @escaping @Sendable (ReservationKind, AttemptKey) async -> Result<
                HeldPlace, BackendFailure
            >,
        extend:
            @escaping @Sendable (ReservationID, AttemptKey) async -> Result<
                HeldPlace, BackendFailure
            >,
        release:
            @escaping @Sendable (ReservationID, AttemptKey) async -> Result<
                Void, BackendFailure
            >,
        confirm:
            @escaping @Sendable (ReservationID, AttemptKey) async -> Result<
                Reservation, BackendFailure
            >,
        lookUp:
            @escaping @Sendable (PresentedCode, AttemptKey) async -> Result<
                FoundReservation, BackendFailure
            >,
        delete:
            @escaping @Sendable (ReservationID, PresentedCode, AttemptKey) async -> Result<
                Void, BackendFailure
            >
    ) {
        self.shop = shop
        self.queue = queue
        self.takePlace = takePlace
        self.extend = extend
        self.release = release
        self.confirm = confirm
        self.lookUp = lookUp
        self.delete = delete
    }
}
