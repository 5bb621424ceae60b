import Cryptography
import Glibc
import KeyFile
import KioskFlow
import KioskJournal
import KioskRuntime
import Reservations
import StaffStore

extension Machine {
    /// What maintenance mode needs, made of the machine's parts.
    static func staff(
        _ configuration: Configuration, key inUse: KeyInUse, store: StaffStore,
        journal: KioskJournal, log: Log, restart: @escaping @MainActor @Sendable () -> Void
    ) throws -> StaffPort {
        let state = configuration.state
        let key = SealedKey.ofMachine(state: state).path
        @Sendable func logged<Value>(_ body: () throws -> Value) -> Value? {
            do { return try body() } catch {
                log.write("staff: \(error)")
                return nil
            }
        }
        return StaffPort(
            check: { await store.check($0) },
            printers: try configuration.printerQueues.map {
                printer([$0], server: configuration.cupsServer) { log.write($0) }
            },
            body: {
                MachineBody(
                    diskFree: diskFree(state),
                    fingerprint: (try? inUse.key().publicKey.fingerprint) ?? "-",
                    keyDays: days(since: key),
                    version: CommandLine.version)
            },
            note: { event in logged { try store.note(event) } },
            events: { count in logged { try store.events(count) } ?? [] },
            papers: { since in logged { try journal.papers(since: since) } ?? [] },
            clock: { Moment(milliseconds: KioskJournal.systemClock()) },
            restart: restart, key: try configuration.staffKey)
    }

    /// What other users than root may still write, of all there is (statvfs(3)).
    static func diskFree(_ path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
        return Int(status.f_bavail * 100 / status.f_blocks)
    }

    private static func days(since file: String) -> Int? {
        var status = stat()
        guard stat(file, &status) == 0 else { return nil }
        return max(0, (time(nil) - status.st_mtim.tv_sec) / 86_400)
    }
}
