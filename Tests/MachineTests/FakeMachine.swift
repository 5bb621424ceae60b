import KioskFlow
import KioskScreens
import MachineClock
import StaffStore
import TerminalSurface
import TestSupport

@testable import KioskRuntime

/// A running machine whose parts are fakes: what its disk has, what it printed, and keys for it.
@MainActor
final class FakeMachine {
    private struct Full: Error {}

    let terminal: FakeTerminal
    let store: StaffStore
    private let folder: TemporaryFolder
    private let time: MachineClock
    /// What the disk has.
    private(set) var records: [JournalRecord] = []
    /// Whether nothing more can be written to it.
    var isFull = false
    private(set) var printed: [ReceiptContent] = []

    init(
        _ size: GridSize = GridSize(columns: 80, rows: 24), time: MachineClock = .system,
        clock: BootClock? = nil
    ) throws {
        terminal = FakeTerminal(size)
        self.time = time
        folder = try TemporaryFolder()
        let path = folder.file("staff.sqlite")
        store =
            try clock.map { try StaffStore(path: path, clock: $0) } ?? StaffStore(path: path)
    }

    /// A machine of a backend that has not begun.
    func kiosk(
        _ backend: FakeBackend, _ printer: FakePrinter = FakePrinter(),
        _ change: (inout FakeParts) -> Void = { _ in }
    ) -> Kiosk {
        let journal = FakeJournal { [self] records in
            try MainActor.assumeIsolated {
                guard !isFull else { throw Full() }
                self.records += records
            }
        }
        var parts = FakeParts(
            terminal: terminal, customers: backend, printer: PrinterPair([printer]) { _ in },
            paper: receipts(), journal: journal, staff: store)
        change(&parts)
        return Kiosk(parts, languages: ["en"], keyPrefix: "start", time: time)
    }

    func receipts(onCode: @escaping @Sendable (String) -> Void = { _ in }) -> FakeReceipts {
        FakeReceipts(
            onPage: { content in Task { @MainActor in self.printed.append(content) } },
            onCode: onCode)
    }

    /// A machine of a backend that is at Home.
    func atHome(
        _ backend: FakeBackend, _ printer: FakePrinter = FakePrinter(),
        _ change: (inout FakeParts) -> Void = { _ in }
    ) async -> Kiosk {
        let kiosk = kiosk(backend, printer, change)
        kiosk.begin()
        _ = await eventually { kiosk.flow.state == .home && kiosk.flow.shop != nil }
        return kiosk
    }

    func press(_ key: TerminalEvent.Key, on kiosk: Kiosk) {
        terminal.typed = [.key(key)]
        _ = kiosk.inputReady()
    }

    /// Presses a key again and again until something holds.
    func press(
        _ key: TerminalEvent.Key, on kiosk: Kiosk, until isTrue: () -> Bool
    ) async -> Bool {
        await eventually {
            if isTrue() { return true }
            press(key, on: kiosk)
            return isTrue()
        }
    }
}
