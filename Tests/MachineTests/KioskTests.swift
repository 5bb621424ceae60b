import KioskFlow
import KioskRuntime
import KioskScreens
import Reservations
import TerminalSurface
import TestSupport
import Testing

@Suite("The running machine", .timeLimit(.minutes(1)))
@MainActor
struct KioskTests {
    /// A journal on a disk that is full while `isFull`, and the touches that come next.
    @MainActor
    private final class World {
        var records: [JournalRecord] = []
        var isFull = false
        var typed: [TerminalEvent] = []
        /// What the backend and the printer were asked, with the records that the disk had by then.
        var asked: [String: [JournalRecord]] = [:]
        /// Whether the disk becomes full between the intention and the answer.
        var fillsUp = false

        func hears(_ what: String) { asked[what] = records }
    }

    private struct Full: Error {}

    private let world = World()
    private let hold = ReservationID("hold-1")

    private var issued: LocalMoment {
        LocalMoment(Moment(milliseconds: 1_795_179_600_000), offsetMinutes: 60)
    }

    private var backend: BackendPort {
        let now = issued
        let hold = hold
        let wait = WaitEstimate(expected: now, earliest: now, latest: now, peopleAhead: 0)
        let reservation = Reservation(
            id: hold, kind: .ticket, number: QueueNumber(rawValue: 42)!, shopName: "Shop",
            code: EntryCode(tag: ShopTag(rawValue: "CITT")!, random: Array(0..<16)),
            typedCode: TypedCode(rawValue: "0419384512")!, issued: now, wait: wait)
        let world = world
        return BackendPort(
            shop: {
                .success(
                    MachineProfile(
                        machine: MachineID("door"), shop: ShopID("shop"), shopName: "Shop",
                        timeZone: "Europe/Rome", languages: ["en"], now: now))
            },
            queue: {
                .success(
                    QueueStatus(
                        now: now, isOpen: true, closes: nil, opens: nil, ticketAvailable: true,
                        calling: [], waiting: 0, wait: wait))
            },
            takePlace: { _, _ in
                await MainActor.run { world.hears("place") }
                return .success(
                    HeldPlace(
                        id: hold, kind: .ticket, now: now,
                        expires: now.at(now.moment + .seconds(210)), wait: wait))
            },
            extend: { _, _ in .failure(.unanswered) },
            release: { _, _ in
                await MainActor.run { world.hears("release") }
                return .success(())
            },
            confirm: { _, _ in
                await MainActor.run {
                    world.hears("confirm")
                    world.isFull = world.fillsUp
                }
                return .success(reservation)
            },
            lookUp: { _, _ in .failure(.unanswered) }, delete: { _, _, _ in .success(()) })
    }

    private func kiosk() -> Kiosk {
        let world = world
        let journal = JournalPort(
            record: { records in
                try MainActor.assumeIsolated {
                    guard !world.isFull else { throw Full() }
                    world.records += records
                }
            }, open: { [] },
            check: { try MainActor.assumeIsolated { if world.isFull { throw Full() } } })
        return Kiosk(
            Kiosk.Parts(
                terminal: TerminalPort(
                    size: { GridSize(columns: 80, rows: 24) }, draw: { _ in },
                    read: {
                        defer { world.typed = [] }
                        return world.typed
                    }, beep: {}),
                customers: backend, background: backend,
                printer: PrinterPort(
                    condition: { .ready },
                    print: { _, _, _ in
                        Task { @MainActor in world.hears("print") }
                        return AsyncStream { $0.finish() }
                    }),
                paper: ReceiptPort(
                    matrix: { _ in QRMatrix(side: 21, dark: Array(repeating: true, count: 441))! },
                    page: { _, _ in ReceiptPage(pdf: [], width: 1, length: 1) }),
                journal: journal, wordings: [:], log: { _ in }),
            languages: ["en"], keyPrefix: "start")
    }

    @Test("A place shown while the disk was full is recorded as shown once the disk has room")
    func fullDisk() async {
        world.fillsUp = true
        let kiosk = kiosk()
        kiosk.begin()
        // Get a ticket, then Confirm.
        let isConfirmed = await eventually {
            world.typed = [.key(.choose)]
            _ = kiosk.inputReady()
            return world.isFull
        }
        #expect(isConfirmed)
        let shown = JournalRecord.shown(AttemptKey("start-2"))
        #expect(!world.records.contains(shown))
        world.isFull = false
        // The next report of the queue checks the disk again.
        let isKnown = await eventually { world.records.contains(shown) }
        #expect(isKnown)
    }

    @Test("Records are on the disk before the backend or the printer is asked")
    func order() async {
        let kiosk = kiosk()
        kiosk.begin()
        // Get a ticket, Confirm, and then the receipt is printed.
        let isPrinted = await eventually {
            world.typed = [.key(.choose)]
            _ = kiosk.inputReady()
            return world.asked["print"] != nil
        }
        #expect(isPrinted)
        let key = AttemptKey("start-2")
        #expect(world.asked["confirm"] == [.intended(key, hold)])
        let shown = world.asked["print"] ?? []
        #expect(shown.contains(.shown(key)))
        #expect(shown.contains(.printing(key)))
    }

    @Test("If a customer goes back, the backend gets the place back")
    func release() async {
        let kiosk = kiosk()
        kiosk.begin()
        let isReleased = await eventually {
            // Get a ticket once, then Back, repeated until the pause after a new screen is over.
            world.typed = [.key(world.asked["place"] == nil ? .choose : .back)]
            _ = kiosk.inputReady()
            return world.asked["release"] != nil
        }
        #expect(isReleased)
        #expect(world.records.isEmpty)
    }
}
