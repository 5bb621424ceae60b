import KioskFlow
import KioskScreens
import Reservations
import StaffStore
import TerminalSurface
import TestSupport
import Testing

@testable import KioskRuntime

@Suite(
    "The running machine gives a paper that was photographed another code (rules 11)",
    .timeLimit(.minutes(10)))
@MainActor
struct RunningNewCodeTests {
    private nonisolated static let now = LocalMoment(
        Moment(milliseconds: 1_795_179_600_000), offsetMinutes: 60)
    private nonisolated static let former = EntryCode(
        tag: ShopTag(rawValue: "CITT")!, random: Array(0..<16))
    private nonisolated static let key = AttemptKey("old-1")
    private nonisolated static let paper = IssuedPaper(
        key: key, number: .queue(QueueNumber(rawValue: 42)!), issued: now.moment,
        outcome: .printed, code: .reservation(former),
        typedCode: TypedCode(rawValue: "0419384512")!)
    private nonisolated static let renewed = Reservation(
        id: ReservationID("hold-1"), kind: .ticket, number: QueueNumber(rawValue: 42)!,
        shopName: "Shop",
        code: EntryCode(tag: ShopTag(rawValue: "CITT")!, random: Array(16..<32)),
        typedCode: TypedCode(rawValue: "7419384512")!, issued: now,
        wait: WaitEstimate(expected: now, earliest: now, latest: now, peopleAhead: 3))

    @MainActor
    private final class World {
        var records: [JournalRecord] = []
        var printed: [ReceiptContent] = []
        var asked: [AttemptKey] = []
    }

    private let world = World()
    private let terminal = FakeTerminal()
    private let folder: TemporaryFolder
    private let store: StaffStore

    init() throws {
        folder = try TemporaryFolder()
        store = try StaffStore(path: folder.file("staff.sqlite"))
    }

    private func kiosk(
        _ printer: FakePrinter, _ answer: BackendAnswer<Reservation>
    ) async -> Kiosk {
        let world = world
        var backend = FakeBackend.openShop(at: Self.now)
        backend.onRenewal = { key in
            await MainActor.run { world.asked.append(key) }
            return answer
        }
        let journal = FakeJournal { records in
            MainActor.assumeIsolated { world.records += records }
        }
        let receipts = FakeReceipts(onPage: { content in
            Task { @MainActor in world.printed.append(content) }
        })
        let kiosk = Kiosk(
            FakeParts(
                terminal: terminal, customers: backend,
                printer: PrinterPair([printer]) { _ in }, paper: receipts, journal: journal,
                staff: store), languages: ["en"], keyPrefix: "start")
        kiosk.begin()
        _ = await eventually { kiosk.flow.state == .home }
        return kiosk
    }

    @Test("The new code is on the disk before it is printed, as a ticket of its own and no copy")
    func prints() async {
        let kiosk = await kiosk(FakePrinter(progress: [.printed]), .success(Self.renewed))
        kiosk.renewCode(of: Self.paper, by: "Giulia", attempt: AttemptKey("touch-1"))
        #expect(await eventually { world.records.contains(.printed(Self.key)) })
        #expect(world.records.first == .issued(Self.key, .reservation(Self.renewed)))
        #expect(world.printed.map(\.number) == ["042"] && world.printed.first?.mark == nil)
        #expect(world.printed.first?.typedCode == "7419 384 512")
        // Another touch asks for the same, also of another person.
        kiosk.renewCode(of: Self.paper, by: "Luca", attempt: AttemptKey("touch-2"))
        #expect(await eventually { world.asked.count == 2 })
        #expect(Set(world.asked).count == 1)
    }

    @Test(
        "A ticket that the printer refuses is one that was not printed, and the staff prints it again"
    )
    func fails() async {
        let kiosk = await kiosk(
            FakePrinter(progress: [.failed(.jam)]), .success(Self.renewed))
        kiosk.renewCode(of: Self.paper, by: "Giulia", attempt: AttemptKey("touch-1"))
        #expect(await eventually { world.records.contains(.notPrinted(Self.key, .jam)) })
        #expect(!world.records.contains(.printed(Self.key)))
    }

    @Test("A printer that cannot print leaves the former code valid")
    func noPaper() async {
        let looks = Locked(0)
        let printer = FakePrinter(onCondition: {
            looks.change { $0 += 1 }
            return PrinterCondition(trouble: .noPaper)
        })
        let kiosk = await kiosk(printer, .success(Self.renewed))
        // The machine looks at its printer in between too.
        for number in 1...3 {
            let before = looks.value
            kiosk.renewCode(of: Self.paper, by: "Giulia", attempt: AttemptKey("touch-\(number)"))
            #expect(await eventually { looks.value > before })
        }
        #expect(world.asked.isEmpty && world.records.isEmpty && world.printed.isEmpty)
    }

    @Test("Without an answer nothing is printed, and the paper keeps what it had")
    func unanswered() async {
        let kiosk = await kiosk(FakePrinter(), .failure(.unanswered))
        kiosk.renewCode(of: Self.paper, by: "Giulia", attempt: AttemptKey("touch-1"))
        #expect(await eventually { world.asked.count == 1 })
        #expect(world.records.isEmpty && world.printed.isEmpty)
    }
}
