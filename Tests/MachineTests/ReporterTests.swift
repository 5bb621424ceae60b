import KioskFlow
import KioskRuntime
import KioskScreens
import MachineClock
import Reservations
@testable import StaffStore
import TerminalSurface
import TestSupport
import Testing

/// The whole machine with its real storage of events and remote commands. The backend, printer and terminal are
/// fakes, since the subject is what the machine reports and carries out.
@Suite(
    "The machine's reports and its remote commands (rules: remote-commands)",
    .timeLimit(.minutes(10)))
@MainActor
struct ReporterTests {
    @MainActor
    private final class World {
        var reports: [MachineStatusReport] = []
        /// What the backend answers each report with; while there are none it has got the report's events.
        var commands: [RemoteCommand] = []
        var isBackendThere = true
        var restarts = 0
        var rotations = 0
        var rotationFails = false
        var placed = false
    }

    private let world = World()
    /// The time that has passed for waits after a wrong PIN.
    private let passed = Locked(Duration.seconds(100))
    private let time = MachineClock()
    private let machine: FakeMachine

    init() throws {
        machine = try FakeMachine(
            time: time,
            clock: BootClock(now: { [passed] in passed.value }, boot: { "one" }))
    }

    private var store: StaffStore { machine.store }

    private var backend: FakeBackend {
        let world = world
        var backend = FakeBackend.openShop()
        backend.onQueue = {
            await world.isBackendThere ? .success(BackendFacts.queue()) : .failure(.unanswered)
        }
        backend.onPlace = {
            await MainActor.run { world.placed = true }
            return .success(FakeBackend.place(ReservationID("h"), at: BackendFacts.now))
        }
        backend.onReport = { report in
            await MainActor.run {
                world.reports.append(report)
                let through = world.commands.isEmpty ? report.events.last?.sequence ?? 0 : 0
                return .success(
                    MachineStatusReply(
                        now: BackendFacts.now, through: through, commands: world.commands))
            }
        }
        return backend
    }

    /// A machine that has begun.
    private func kiosk() -> Kiosk {
        let world = world
        let kiosk = machine.kiosk(backend) {
            $0.printer = PrinterPair([FakePrinter()], names: ["roll"]) { _ in }
            $0.clock = BackendFacts.now.moment
            $0.onRestart = { world.restarts += 1 }
            $0.onRotate = {
                await MainActor.run {
                    world.rotations += 1
                    return world.rotationFails ? "no" : nil
                }
            }
        }
        kiosk.begin()
        return kiosk
    }

    /// Lets the backend answer each report with a command.
    private func command(
        _ kind: RemoteCommand.Kind, id: Int64, message: String? = nil, given: Int64 = 2
    ) {
        world.commands.append(
            RemoteCommand(
                id: id, kind: kind, message: message,
                given: LocalMoment(Moment(milliseconds: given), offsetMinutes: 60)))
    }

    private func note(_ count: Int) throws {
        for number in 0..<count {
            try store.note(
                MachineEvent(
                    at: BackendFacts.now.moment, person: nil, what: .peopleInside(number)))
        }
    }

    @Test("Each event is reported once, fifty at a time, and none while the backend is away")
    func once() async throws {
        try note(120)
        world.isBackendThere = false
        let kiosk = kiosk()
        // Longer than the first report takes if the backend answers.
        await pass(.seconds(30), of: time)
        #expect(world.reports.isEmpty)
        #expect(try store.unsent(200, offsetMinutes: 60).events.count >= 120)
        world.isBackendThere = true
        #expect(await comes(moving: time) { world.reports.count >= 3 })
        let reported = world.reports.flatMap { $0.events.map(\.sequence) }
        #expect(reported.count >= 120 && reported == Array(1...Int64(reported.count)))
        #expect(world.reports.allSatisfy { $0.events.count <= 50 })
        #expect(
            try await comes(moving: time) { try store.unsent(1, offsetMinutes: 60).events.isEmpty })
        let report = try #require(world.reports.last)
        #expect(report.condition.version == "9.9" && report.condition.outOfService == nil)
        #expect(report.condition.printers.map(\.name) == ["roll"] && report.condition.reader)
        withExtendedLifetime(kiosk) {}
    }

    @Test("A remote command is carried out once, however often it arrives, and acknowledged")
    func acknowledged() async throws {
        command(.outOfService, id: 5, message: "Fermé", given: 1)
        command(.rotate, id: 6)
        let kiosk = kiosk()
        // Two reports: the second one acknowledges both.
        #expect(await comes(moving: time) { world.reports.contains { $0.acknowledged == [5, 6] } })
        #expect(try store.service().message == "Fermé")
        #expect(world.rotations == 1)
        let noted = try store.events(100).map(\.what)
        #expect(noted.contains(.commanded(.outOfService)) && noted.contains(.commanded(.rotate)))
        #expect(world.reports.last?.condition.outOfService == OutOfService.staff.rawValue)
        withExtendedLifetime(kiosk) {}
    }

    @Test("Ten wrong PINs lock the machine until the backend unlocks it")
    func unlock() async throws {
        try store.add(StaffPerson(name: "Giulia", role: .manager), pin: "739146")
        for _ in 0..<10 {
            _ = await store.check("902817")
            passed.change { $0 += .seconds(4_000) }
        }
        #expect(try store.availability() == .locked)
        command(.unlock, id: 7)
        let kiosk = kiosk()
        #expect(await comes(moving: time) { world.reports.contains { $0.acknowledged == [7] } })
        #expect(try store.availability() == .open)
        #expect(try store.events(100).contains { $0.what == .commanded(.unlock) })
        withExtendedLifetime(kiosk) {}
    }

    @Test("A key that cannot be changed now is changed later: the remote command stays open")
    func rotationFails() async throws {
        world.rotationFails = true
        command(.rotate, id: 6)
        let kiosk = kiosk()
        #expect(await comes(moving: time) { world.rotations == 1 })
        #expect(try store.acknowledged().isEmpty)
        world.rotationFails = false
        #expect(try await comes(moving: time) { try store.acknowledged() == [6] })
        #expect(world.rotations == 2)
        withExtendedLifetime(kiosk) {}
    }

    @Test("A restart waits for Home, is recorded before it happens, and happens once")
    func restart() async throws {
        let kiosk = kiosk()
        let isServed = await comes(moving: time) {
            machine.press(.choose, on: kiosk)
            return world.placed
        }
        #expect(isServed)
        command(.restart, id: 7, given: 1)
        let before = world.reports.count
        // A report is due every ten seconds. A customer who touches nothing for longer would be taken back to Home.
        await pass(.seconds(11), of: time)
        #expect(await comes { world.reports.count > before })
        await pass(.seconds(1), of: time)
        #expect(world.restarts == 0)
        #expect(try store.acknowledged().isEmpty)
        let isDone = await comes(moving: time) {
            machine.press(.back, on: kiosk)
            return world.restarts > 0
        }
        #expect(isDone)
        #expect(try store.acknowledged() == [7])
        let after = world.reports.count
        #expect(await comes(moving: time) { world.reports.count > after })
        await pass(.seconds(30), of: time)
        #expect(world.restarts == 1)
    }
}
