import KioskFlow
@testable import KioskRuntime
import KioskScreens
import MachineClock
import Reservations
import StaffStore
import TerminalSurface
import TestSupport
import Testing

@Suite("Maintenance mode while nothing answers", .timeLimit(.minutes(10)))
@MainActor
struct MaintenanceMonitorTests {
    private let time = MachineClock()
    private let machine: FakeMachine

    init() throws {
        machine = try FakeMachine(GridSize(columns: 160, rows: 60), time: time)
        try machine.store.add(StaffPerson(name: "Giulia", role: .manager), pin: "739146")
    }

    @Test("A dead printer and a dead backend are shown as dead, long before their answers")
    func complete() async {
        // Printer and backend answer after a minute.
        let dead = FakePrinter(answer: .seconds(60))
        let kiosk = machine.kiosk(FakeBackend(silence: .seconds(60)), dead) { $0.printers = [dead] }
        kiosk.begin()
        let pin = "739146".unicodeScalars.map { TerminalEvent.Key.character($0) }
        // Keys come at a person's pace.
        for key in [.function(10)] + pin + [.choose] {
            machine.press(key, on: kiosk)
            await pass(.milliseconds(500), of: time)
        }
        let isComplete = await comes(moving: time) {
            _ = kiosk.inputReady()
            return kiosk.flow.staffFacts?.backend == .silent
                && kiosk.flow.staffFacts?.printers.first?.condition?.trouble == .silent
                && kiosk.flow.staffFacts?.body != nil && kiosk.flow.staffFacts?.papers != nil
        }
        #expect(isComplete, "\(machine.terminal.shown)")
    }
}
