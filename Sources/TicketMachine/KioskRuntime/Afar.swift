internal import KioskFlow
internal import Reservations

// The machine as the shop sees and orders it from afar (rules 25).
extension Kiosk {
    /// What the machine knows of itself without its disk; nil while the backend does not answer.
    func ownReport(_ status: StatusPort) async -> MachineReport? {
        guard wasAnswered, flow.queue != nil, let clock = flow.shopClock(now: now),
            let body = await parts.staff?.body()
        else { return nil }
        return MachineReport(
            body: body, outOfService: flow.outOfService, printers: status.printers(),
            isReaderThere: flow.isReaderThere, clockOffset: status.clockOffset(),
            offsetMinutes: clock.offsetMinutes, papers: [], events: UnsentEvents(memory: ""),
            obeyed: [])
    }

    /// Hands an order to the flow.
    func take(_ order: ShopOrder, _ status: StatusPort) {
        let decided = status.service().at
        happened { $0.ordered(order, decided: decided, now: $1) }
    }

    /// The backend's clock as far as it is known.
    var backendTime: Moment? {
        guard let clock = parts.staff?.clock(), let status = parts.status else { return nil }
        return clock + .seconds(status.clockOffset())
    }

    func keep(_ order: ShopOrder) {
        switch order.deed {
        case .outOfService(let message):
            parts.status?.keepService(
                ServiceDecision(isPutOut: true, message: message, at: order.given))
        case .inService: parts.status?.keepService(ServiceDecision(at: order.given))
        case .restart, .rotate, .unlock: break
        }
    }

    /// Lets PINs be tried again. Done twice it does no more; where the disk takes nothing the order stays open.
    func unlock(_ order: Int64) {
        guard let status = parts.status, status.unlock() else { return }
        _ = status.keepObeyed(order)
        note(.ordered, "unlock")
    }

    /// Gives the machine another key. What fails is tried again: the order comes with every answer until it
    /// is carried out. After a crash in between, the machine may get one key more; that does no harm.
    func rotate(_ order: Int64) {
        guard !isRotating, let status = parts.status else { return }
        isRotating = true
        Task {
            if let reason = await status.rotate() {
                parts.log("the key stays: \(reason)")
            } else {
                _ = status.keepObeyed(order)
                parts.log("the machine has another key")
                note(.ordered, "rotate")
            }
            isRotating = false
        }
    }
}
