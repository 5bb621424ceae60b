internal import BackendAPI
internal import Cryptography
internal import Reservations

/// What a simulation is made of: what happens next, the callers and their calls, and the customers' papers.
extension Simulation {
    enum Event {
        case think(Int)
        case deliver(Call, try: Int)
        case timeOut(Call, try: Int)
        case pass
    }

    /// A request and its retries under one idempotency key.
    final class Call {
        enum Purpose { case hold, confirm, other, enter, exit }

        let number: Int
        let caller: Int
        let route: Route
        let body: String
        let purpose: Purpose
        let key: String
        /// The code that a door reads.
        let code: String
        var isOver = false

        init(
            _ number: Int, _ caller: Int, _ route: Route, _ body: String, _ purpose: Purpose,
            code: String = ""
        ) {
            self.number = number
            self.caller = caller
            self.route = route
            self.body = body
            self.purpose = purpose
            self.code = code
            key = "key-\(number)"
        }
    }

    struct Caller {
        let name: String
        let role: KeyRole
        let signing: SigningKey
        var hold: ReservationID?
        var isAsking = false
    }

    /// A printed ticket that a customer carries.
    struct Paper {
        let id: ReservationID
        let code: String
        var isInside = false
        var isGone = false
    }

    /// Counts of what happened, for the report of a run.
    struct Tally {
        var acknowledged = 0
        var unknown = 0
        var recovered = 0
        var deaths = 0
        var seconds = 0.0
    }
}
