import BackendClient
import Cryptography
import CupsPrinter
import Glibc
import KeyFile
import KioskFlow
import KioskJournal
import KioskRuntime
import Reservations
import StaffStore
import Synchronization

extension Machine {
    /// The printer that the staff has chosen to print first; read for each printout.
    final class PrinterChoice: Sendable {
        private let second: Mutex<Bool>

        init(_ store: StaffStore) { second = Mutex((try? store.settings())?.printer == 1) }

        var isSwapped: Bool {
            get { second.withLock { $0 } }
            set { second.withLock { $0 = newValue } }
        }
    }

    /// The ports of maintenance mode, made from the machine's parts.
    func staff(
        _ configuration: Configuration, store: StaffStore, choice: PrinterChoice,
        journal: KioskJournal, log: Log, restart: @escaping @MainActor @Sendable () -> Void
    ) throws -> StaffPort {
        let state = configuration.state
        let key = SealedKey.ofMachine(state: state).path
        let request = configuration.restartRequest
        @Sendable func logged<Value>(_ body: () throws -> Value) -> Value? {
            do { return try body() } catch {
                log.write("staff: \(error)")
                return nil
            }
        }
        return StaffPort(
            check: { await store.check($0, holder: $1) },
            gate: { store.gateAnswer(of: $0) },
            holder: { badge in logged { try store.holder(of: badge) } ?? nil },
            people: StaffPeoplePort(
                all: { logged { try store.members() } ?? [] },
                change: { deed, pin in store.change(deed, pin: pin) }),
            printers: configuration.printerQueues.map {
                CupsPrinter(queue: $0, server: configuration.cupsServer).staffPrinter
            },
            backend: backendClient().staffPort,
            network: NetworkFacts(
                address: servers.current.description, isEncrypted: servers.current.isSecure,
                isPinned: backendPin.isPinned),
            calls: { [calls] in calls.last },
            body: { [keyInUse] in
                MachineIdentity(
                    diskFree: Self.diskFree(state),
                    fingerprint: (try? keyInUse.key().publicKey.fingerprint) ?? "-",
                    keyDays: Self.days(since: key), version: Edition.version,
                    isUpdateWaiting: RunningProgram.isReplaced, mayRestart: request != nil)
            },
            note: { event in logged { try store.note(event) } },
            events: { count in logged { try store.events(count) } ?? [] },
            papers: { since in logged { try journal.papers(since: since) } ?? [] },
            settings: { logged { try store.settings() } ?? MachineSettings() },
            keepSettings: { settings in
                choice.isSwapped = settings.printer == 1
                logged { try store.keep(settings) }
            },
            clock: { Moment(milliseconds: KioskJournal.systemClock()) },
            restart: restart,
            restartMachine: request.map { path in
                { @Sendable () async -> Bool in
                    log.write("stopped: restart of the machine asked for by the staff")
                    return Self.write(path)
                }
            },
            key: configuration.staffKey)
    }

    /// Writes the file that requests a restart; answers whether it exists.
    private static func write(_ path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { return false }
        defer { close(file) }
        let words = "restart\n"
        return words.withCString { Glibc.write(file, $0, words.utf8.count) } == words.utf8.count
    }

    /// The percentage of the file system that users other than root may still write (statvfs(3)).
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
