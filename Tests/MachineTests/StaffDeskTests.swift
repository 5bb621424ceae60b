import KioskFlow
@testable import KioskRuntime
import KioskScreens
import Reservations
import TerminalSurface
import TestSupport
import Testing

extension StaffPort {
    /// Maintenance mode of a machine that stores nothing and whose backend never answers.
    static func alone(
        check: @escaping @Sendable (String, String?) async -> PINAnswer, printers: [StaffPrinter]
    ) -> StaffPort {
        StaffPort(
            check: check, gate: { _ in nil }, holder: { _ in nil },
            people: StaffPeoplePort(all: { [] }, change: { _, _ in .failed }),
            printers: printers,
            backend: StaffBackendPort(
                queue: { .failure(.unanswered) }, act: { _, _, _, _ in .failure(.unanswered) }),
            network: NetworkFacts(
                address: "https://clup.example", isEncrypted: true, isPinned: true),
            calls: { [] },
            body: {
                MachineIdentity(diskFree: 50, fingerprint: "abcd", keyDays: 3, version: "9.9")
            },
            note: { _ in }, events: { _ in [] }, papers: { _ in [] },
            settings: { MachineSettings() }, keepSettings: { _ in },
            clock: { Moment(milliseconds: 0) }, restart: {}, restartMachine: nil, key: 10)
    }
}

@Suite("Maintenance mode while nothing answers", .timeLimit(.minutes(2)))
@MainActor
struct StaffDeskTests {
    @MainActor
    private final class World {
        var typed: [TerminalEvent] = []
        var shown = ""
    }

    private let world = World()

    private func show(_ surface: Surface) {
        world.shown = (0..<surface.size.rows).map { row in
            (0..<surface.size.columns).map { surface[row, $0].text }.joined()
        }.joined(separator: "\n")
    }

    /// A fake of a dead printer, which answers a question after a minute.
    private static let dead = PrinterPort(
        condition: {
            try? await Task.sleep(for: .seconds(60))
            return .ready
        }, print: { _, _, _ in AsyncStream { $0.finish() } })

    private static func silent<Value>() async -> Result<Value, BackendFailure> {
        try? await Task.sleep(for: .seconds(60))
        return .failure(.unanswered)
    }

    private func kiosk() -> Kiosk {
        let world = world
        let backend = BackendPort(
            shop: { await Self.silent() }, queue: { await Self.silent() },
            takePlace: { _, _ in await Self.silent() }, extend: { _, _ in await Self.silent() },
            release: { _, _ in await Self.silent() }, confirm: { _, _ in await Self.silent() },
            lookUp: { _, _ in await Self.silent() }, delete: { _, _, _ in await Self.silent() })
        var staff = StaffPort.alone(
            check: { pin, _ in
                pin == "739146" ? .person(StaffPerson(name: "Giulia", role: .manager)) : .failed
            },
            printers: [
                StaffPrinter(port: Self.dead, inspect: { nil }, cancel: { _ in false })
            ])
        staff.backend.queue = { await Self.silent() }
        return Kiosk(
            Kiosk.Parts(
                terminal: TerminalPort(
                    size: { GridSize(columns: 160, rows: 60) }, draw: { self.show($0) },
                    read: {
                        defer { world.typed = [] }
                        return world.typed
                    }, beep: {}),
                customers: backend, background: backend, printer: Self.dead,
                paper: ReceiptPort(
                    matrix: { _ in QRMatrix(side: 21, dark: Array(repeating: true, count: 441))! },
                    page: { _, _ in ReceiptPage(pdf: [], width: 1, length: 1) }),
                journal: JournalPort(record: { _ in }, open: { [] }, check: {}), staff: staff,
                wordings: [:], log: { _ in }),
            languages: ["en"], keyPrefix: "start")
    }

    @Test("A dead printer and a dead backend are shown as dead, long before their answers")
    func complete() async {
        let kiosk = kiosk()
        kiosk.begin()
        var keys = "739146".unicodeScalars.map { TerminalEvent.key(.character($0)) }
        keys.append(.key(.choose))
        // Tried again if this computer was so slow that keys were ignored.
        for _ in 0..<10 {
            if case .staff = kiosk.flow.state { break }
            // Keys come at a person's pace.
            for key in [.key(.function(10))] + keys {
                world.typed = [key]
                _ = kiosk.inputReady()
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
        let isComplete = await eventually {
            _ = kiosk.inputReady()
            return kiosk.flow.staffFacts?.backend == .silent
                && kiosk.flow.staffFacts?.printers.first?.condition?.trouble == .silent
                && kiosk.flow.staffFacts?.body != nil && kiosk.flow.staffFacts?.papers != nil
        }
        #expect(isComplete, "\(world.shown)")
    }
}
