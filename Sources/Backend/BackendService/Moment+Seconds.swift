internal import Reservations

extension Moment {
    /// The whole seconds since 1970.
    var seconds: Int64 { milliseconds.flooredQuotient(by: 1_000) }
}
