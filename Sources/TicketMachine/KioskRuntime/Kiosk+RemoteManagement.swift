internal import KioskFlow
internal import Reservations

// Remote management: the shop sees the machine and sends it commands (rules: remote-commands).
extension Kiosk {
    /// The machine's status without its print outcomes, and the offset of its shop's clock; nil while the backend does
    /// not answer.
    func ownCondition() async -> (condition: MachineCondition, offsetMinutes: Int)? {
        guard wasAnswered, flow.service.queue != nil, let clock = flow.shopClock(now: now) else {
            return nil
        }
        let body = await parts.body()
        let condition = MachineCondition(
            version: body.version, outOfService: flow.service.outOfService?.rawValue,
            printers: parts.printer.statuses, reader: flow.isReaderThere,
            clockOffset: parts.clockOffset, diskFree: body.diskFree,
            fingerprint: body.fingerprint, keyDays: body.keyDays, readsLinks: true)
        return (condition, clock.offsetMinutes)
    }

    func take(_ command: RemoteCommand) { happened(.commanded(command, decided: service.at)) }

    /// The last decision about the machine's service, which survives a restart.
    var service: ServiceStatus {
        parts.logged("status") { try parts.staff.service() } ?? ServiceStatus()
    }

    func keep(_ service: ServiceStatus) { parts.logged("status") { try parts.staff.keep(service) } }

    /// Remembers that a remote command was carried out; returns whether that is on disk.
    @discardableResult func keepAcknowledged(_ order: Int64) -> Bool {
        parts.logged("status") { try parts.staff.keepAcknowledged(order) } != nil
    }

    /// Lets PINs be tried again. Doing it twice is harmless; if the disk accepts no writes, the command stays open.
    func unlock(_ order: Int64) {
        guard parts.logged("status", { try parts.staff.unlock() }) != nil else { return }
        keepAcknowledged(order)
        note(.commanded(.unlock))
    }

    /// Gives the machine another key. If that fails it is tried again, because the command comes with every answer
    /// until it is acknowledged. After a crash in between, the machine may make one key more; that does no harm.
    func rotate(_ order: Int64) {
        guard !isRotating else { return }
        isRotating = true
        Task {
            if let reason = await parts.rotate() {
                parts.log("the key stays: \(reason)")
            } else {
                keepAcknowledged(order)
                parts.log("the machine has another key")
                note(.commanded(.rotate))
            }
            isRotating = false
        }
    }
}
