internal import KioskFlow
internal import Reservations

// Remote management: the shop sees the machine and sends it commands (rules 25).
extension Kiosk {
    /// The machine's status and the offset of its shop's clock; nil while the backend does not answer.
    func ownCondition(
        _ status: StatusPort
    ) async -> (condition: MachineCondition, offsetMinutes: Int)? {
        guard wasAnswered, flow.service.queue != nil, let clock = flow.shopClock(now: now),
            let body = await parts.staff?.body()
        else { return nil }
        let condition = MachineCondition(
            version: body.version, outOfService: flow.service.outOfService?.rawValue,
            printers: status.printers(), reader: flow.isReaderThere,
            clockOffset: status.clockOffset(), diskFree: body.diskFree,
            fingerprint: body.fingerprint, keyDays: body.keyDays)
        return (condition, clock.offsetMinutes)
    }

    /// Passes a command to the flow.
    func take(_ command: RemoteCommand, _ status: StatusPort) {
        let decided = status.service().at
        happened(.commanded(command, decided: decided))
    }

    /// The backend's clock, as far as it is known.
    var backendTime: Moment? {
        guard let clock = parts.staff?.clock(), let status = parts.status else { return nil }
        return clock + .seconds(status.clockOffset())
    }

    /// Remembers what a remote command decided about the machine's service.
    func keep(_ command: RemoteCommand) {
        parts.status?.keepService(
            ServiceStatus(
                isPutOut: command.kind == .outOfService, message: command.message,
                at: command.given.moment))
    }

    /// Lets PINs be tried again. Doing it twice is harmless; if the disk accepts no writes, the command stays open.
    func unlock(_ order: Int64) {
        guard let status = parts.status, status.unlock() else { return }
        _ = status.keepObeyed(order)
        note(.commanded(.unlock))
    }

    /// Gives the machine another key. If that fails it is tried again, because the command comes with every answer
    /// until it is acknowledged. After a crash in between, the machine may make one key more; that does no harm.
    func rotate(_ order: Int64) {
        guard !isRotating, let status = parts.status else { return }
        isRotating = true
        Task {
            if let reason = await status.rotate() {
                parts.log("the key stays: \(reason)")
            } else {
                _ = status.keepObeyed(order)
                parts.log("the machine has another key")
                note(.commanded(.rotate))
            }
            isRotating = false
        }
    }
}
