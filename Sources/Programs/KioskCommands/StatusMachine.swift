import BackendClient
import Cryptography
import Dispatch
import KioskFlow
import KioskJournal
import KioskRuntime
import StaffStore

extension Machine {
    /// The ports for remote status and remote commands.
    ///
    /// - Parameter background: the client for the machine's polls, whose connection the reports share.
    func status(
        store: StaffStore, journal: KioskJournal, background: BackendClient,
        printers: PrinterStatusCache, log: Log
    ) -> StatusPort {
        @Sendable func logged<Value>(_ body: () throws -> Value) -> Value? {
            do { return try body() } catch {
                log.write("status: \(error)")
                return nil
            }
        }
        return StatusPort(
            send: { await background.report($0, $1) },
            unsent: { count in logged { try store.unsent(count) } ?? UnsentEvents(memory: "none") },
            sent: { through in logged { try store.sent(through: through) } },
            papers: { day in logged { try journal.fates(from: day) } ?? [] },
            unknownPapers: { logged { try journal.unknownPapers() } ?? 0 },
            copied: { key, day in logged { try journal.copied(key, on: day) } },
            obeyed: { logged { try store.obeyed() } ?? [] },
            keepObeyed: { order in logged { try store.keepObeyed(order) } != nil },
            service: { logged { try store.service() } ?? ServiceStatus() },
            keepService: { service in logged { try store.keep(service) } },
            rotate: { [self] in
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        do {
                            _ = try Rotate.rotate(self)
                            continuation.resume(returning: nil)
                        } catch {
                            continuation.resume(returning: "\(error)")
                        }
                    }
                }
            }, unlock: { logged { try store.unlock() } != nil },
            printers: { printers.printers }, clockOffset: { [clock] in Int(clock.offset) })
    }
}
