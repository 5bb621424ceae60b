public import BackendAPI
public import Reservations

/// The calls of the contract by their names.
extension Route {
    public static let machine = API.machine.route()
    public static let machineKey = API.machineKey.route()
    public static let machineStatus = API.machineStatus.route()
    public static let queue = API.queue.route()
    public static let holds = API.holds.route()
    public static let lookup = API.lookup.route()
    public static let entries = API.entries.route()
    public static let exits = API.exits.route()
    public static let staffActions = API.staffActions.route()
    public static let staffQueue = API.staffQueue.route()
    public static let help = API.help.route()
    public static let helpCalls = API.helpCalls.route()
    public static let orderLookup = API.orderLookup.route()
    public static let sessions = API.sessions.route()
    public static let turns = API.turns.route()
    public static let pairings = API.pairings.route()

    public static func holdExtension(_ id: ReservationID) -> Route { API.holdExtension.route(id) }
    public static func hold(_ id: ReservationID) -> Route { API.hold.route(id) }
    public static func holdConfirmation(_ id: ReservationID) -> Route {
        API.holdConfirmation.route(id)
    }
    public static func helpAcknowledgement(_ id: HelpCallID) -> Route {
        API.helpAcknowledgement.route(id)
    }
    public static func helpMute(_ id: HelpCallID) -> Route { API.helpMute.route(id) }
    public static func helpCall(_ id: HelpCallID) -> Route { API.helpCall.route(id) }
    public static func orderArrival(_ id: OrderID) -> Route { API.orderArrival.route(id) }
    public static let deskOrders = API.deskOrders.route()
    public static let handovers = API.handovers.route()
    public static func deskStep(_ id: OrderID) -> Route { API.deskStep.route(id) }
    public static func orderAnnouncement(_ reference: String) -> Route {
        API.orderAnnouncement.route(reference: reference)
    }
    public static func orderCancellation(_ reference: String) -> Route {
        API.orderCancellation.route(reference: reference)
    }
    public static func delay(_ id: ReservationID) -> Route { API.delay.route(id) }
    public static func reclaim(_ id: ReservationID) -> Route { API.reclaim.route(id) }
    public static func reservation(_ id: ReservationID) -> Route { API.reservation.route(id) }
}
