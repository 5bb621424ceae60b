import Foundation
import KioskFlow
import Reservations
import TestSupport
import Testing

@testable import KioskRuntime

@Suite("The last events are written beside a crash")
@MainActor
struct EventLogTests {
    private nonisolated static let prefix = "f00dfacecafe"
    private nonisolated static let code = BackendFacts.code
    private nonisolated static let capability = Capability(
        tag: ShopTag(rawValue: "CITT")!, day: BackendFacts.now.day,
        number: QueueNumber(rawValue: 42)!,
        proof: Array(101...116))
    private nonisolated static let link = capability.link(to: "https://clup.example/t")
    private nonisolated static let reservation = BackendFacts.reservation

    /// A machine that logs its events.
    @MainActor
    private final class Machine {
        var flow = KioskFlow(
            languages: ["it", "en"], isStaffKnown: true, keyPrefix: EventLogTests.prefix)
        let log: EventLog
        private var now: Duration = .seconds(1)

        init(_ log: EventLog) { self.log = log }

        func happens(_ event: KioskEvent) {
            now += .seconds(1)
            log.add(event, to: flow, at: now)
            _ = flow.handle(event, now: now)
        }

        func touches(_ actions: UserAction...) {
            for action in actions { happens(.touched(action)) }
        }

        /// The attempt that the state waits for.
        var attempt: AttemptKey {
            switch flow.state {
            case .asking(let asking): asking.attempt
            case .confirming(let confirming): confirming.key
            case .lookingUp(let looking): looking.attempt
            case .changingTurn(let changing): changing.attempt
            case .pinEntry(let entrance): entrance.attempt ?? AttemptKey("")
            case .starting, .home, .closed, .outOfService, .offer, .noTicketToday, .noVisit,
                .unresolved, .issued, .scanning, .found, .order, .delayOffers, .missedCall,
                .turnChanged, .deleting, .deleted, .codeRefused, .requestFailed, .staff:
                AttemptKey("")
            }
        }

        func opens() {
            happens(.started(KioskEvent.Kept()))
            happens(.backend(.queue(.success(BackendFacts.queue()))))
        }

        /// Events that change nothing.
        func passes(_ events: Int) {
            for _ in 0..<events { happens(.readerReported(isThere: true)) }
        }

        func issues(symbol: String? = nil) {
            var reservation = EventLogTests.reservation
            reservation.link = EventLogTests.link
            reservation.symbol = symbol
            touches(.getTicket)
            let place = FakeBackend.place(reservation.id, at: BackendFacts.now)
            happens(.backend(.place(attempt, .success(place))))
            touches(.confirm)
            happens(.backend(.confirmed(attempt, .success(reservation))))
        }
    }

    private let folder: TemporaryFolder
    private let machine: Machine

    init() throws {
        folder = try TemporaryFolder()
        machine = Machine(Self.log(folder))
        machine.opens()
    }

    private static func log(_ folder: TemporaryFolder) -> EventLog {
        EventLog(
            folder: folder.path, crashes: folder.file("crashes"), keyPrefix: prefix,
            version: "test")
    }

    private func crashes() throws -> [String] {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: folder.file("crashes"))) ?? []
        return try names.sorted().map {
            try String(contentsOfFile: folder.file("crashes/\($0)"), encoding: .utf8)
        }
    }

    /// The program has crashed and is started again: the file that it left, and the machine that it replays to.
    private func crashed() throws -> (text: String, played: KioskFlow) {
        _ = Self.log(folder)
        let text = try #require(try crashes().first)
        return (text, try Replay.play(text))
    }

    @Test("A call for help replays too, with the state that it covers")
    func help() throws {
        machine.issues()
        machine.touches(.help(.open), .help(.call))
        let key = try requireCase(HelpState.calling, of: machine.flow.help)
        machine.happens(.help(.called(key, .failure(.unanswered))))
        let call = HelpCall(
            id: HelpCallID("help-1"), machine: MachineID("door"), since: BackendFacts.now,
            going: BackendFacts.now,
            by: "Giulia")
        machine.happens(.help(.called(key, .success(call))))
        machine.happens(.help(.calls(.success(HelpCalls(now: BackendFacts.now, calls: [call])))))
        machine.touches(.help(.leave))
        machine.happens(.help(.calls(.failure(.unanswered))))
        let played = try crashed().played
        #expect(played.help.openCall == call && !played.isHelpShown)
        #expect(played.state.name == "issued")
    }

    @Test("The file of a crash replays to the same state, and contains no code, PIN or key")
    func crash() throws {
        machine.issues()
        machine.happens(.codeRead(Self.code.rawValue))
        machine.happens(.codeRead(Self.link))
        machine.happens(.codeRead("CLUP-STAFF:0123456789ABCDEFGHJKMNPQRS"))
        machine.touches(.cancel)
        machine.happens(.staffAsked)
        for digit in [8, 2, 4, 0, 9, 1] { machine.touches(.digit(digit)) }
        machine.touches(.enterCode)
        machine.happens(
            .staff(.pin(machine.attempt, .person(StaffPerson(name: "Giulia", role: .manager)))))
        let (text, played) = try crashed()
        let visit = try requireCase(KioskState.staff, of: played.state)
        #expect(visit.person.name == "Giulia" && machine.flow.state.name == "staff")
        for secret in [
            String(Self.code.rawValue.dropFirst(11)), Self.reservation.typedCode.rawValue,
            Self.prefix,
            "0123456789ABCDEFGHJKMNPQRS", String(Self.capability.rawValue.dropFirst(12)),
        ] {
            #expect(!text.contains(secret), "\(secret)")
        }
        let digits = text.matches(of: /"digit":\{"_0":(\d)\}/).map { $0.output.1 }
        #expect(digits.joined() == "739146")
    }

    @Test("A customer who collects an order replays without the order's code and digits")
    func orders() throws {
        let ticket = PickupTicket(
            code: PickupCode(rawValue: "CLUP:C:CITT7K2M9QX4T1RB8VZ0HN5EWYJ3PA")!,
            typedCode: TypedCode(rawValue: "8274650193")!)
        machine.happens(.backend(.profile(BackendFacts.profile(hasDesk: true))))
        machine.happens(.codeRead(ticket.code.rawValue))
        machine.happens(
            .backend(.orderFound(machine.attempt, .success(BackendFacts.order(.onShelf)))))
        machine.touches(.arrive)
        machine.happens(
            .backend(
                .arrived(machine.attempt, .success(BackendFacts.order(.arrived, ticket: ticket)))))
        // The next file begins with the state in which the ticket is shown, and is the older one at the end.
        machine.passes(EventLog.maxEvents)
        let (text, played) = try crashed()
        #expect(played.state.name == "issued" && machine.flow.state.name == "issued")
        #expect(text.contains("CLUP:C:CITT0000"))
        #expect(!text.contains("7K2M9QX4T1RB8VZ0HN5EWYJ3PA"))
        #expect(!text.contains(ticket.typedCode.rawValue))
    }

    @Test("A customer with more time, and one who takes a place back, replay without their code")
    func turns() throws {
        func shows(_ change: (inout FoundReservation) -> Void, _ status: ReservationStatus) {
            machine.happens(.codeRead(Self.code.rawValue))
            var found = BackendFacts.found(status, Self.reservation)
            change(&found)
            machine.happens(.backend(.found(machine.attempt, .success(found))))
        }
        let offer = DelayOffer(people: 2, wait: Self.reservation.wait)
        let half = EventLog.maxEvents / 2
        // The next file begins with the state in which the offers are shown, with the code as their proof, and is the
        // older one at the end.
        machine.passes(half - 10)
        shows({ $0.delayOffers = [offer] }, .planned)
        machine.touches(.openDelays)
        machine.passes(20)
        machine.touches(.delay(people: 2))
        machine.happens(.backend(.turnChanged(machine.attempt, .failure(.unanswered))))
        shows({ $0.reclaimBy = BackendFacts.now }, .missed)
        machine.touches(.reclaim)
        let back = BackendFacts.found(.called, Self.reservation, enterBy: BackendFacts.now)
        machine.happens(.backend(.turnChanged(machine.attempt, .success(back))))
        machine.passes(half)
        let (text, played) = try crashed()
        let changed = try requireCase(KioskState.turnChanged, of: played.state)
        #expect(changed.reservation == back && played.state == machine.flow.state)
        #expect(!text.contains(String(Self.code.rawValue.dropFirst(11))))
        let start = try #require(text.split(separator: "\n").first)
        #expect(start.contains("\"delayOffers\"") && start.contains("CLUP:1:CITT0000"))
    }

    @Test("A link that is shown and one that is read leave no secret, and replay to the same state")
    func links() throws {
        machine.issues()
        let half = EventLog.maxEvents / 2
        // The newer file begins with the state, in which the reservation is on the screen.
        machine.passes(half)
        machine.happens(.codeRead(Self.link))
        let (text, played) = try crashed()
        let refused = try requireCase(KioskState.codeRefused, of: played.state)
        #expect(refused.reason == .symbolForPhones && played.state == machine.flow.state)
        #expect(text.contains("https://clup.example/t#CITT") && text.contains("#XXXX"))
        #expect(!text.contains(Self.capability.rawValue.dropFirst(12)))
    }

    @Test("A link with a code that is shown and one that is read leave no secret, and replay")
    func codeLinks() throws {
        let symbol = Self.code.link(at: "https://clup.example")
        machine.issues(symbol: symbol)
        for text in [symbol, symbol.lowercased(), symbol.replacing("#", with: "?'")] {
            machine.happens(.codeRead(text))
            machine.touches(.leave)
        }
        let (text, flow) = try crashed()
        let played = flow.state
        let secret = Self.code.bare.dropFirst(ShopTag.length)
        // Of the code in its state the file has nothing.
        let own = try requireCase(KioskState.lookingUp, of: machine.flow.state)
        let shown = try requireCase(KioskState.lookingUp, of: played)
        #expect(own.typed == nil && shown.typed == nil && own.code != shown.code)
        #expect(text.contains("HTTPS://CLUP.EXAMPLE/T#CITT0000"))
        #expect(!text.lowercased().contains(secret.lowercased().prefix(12)))
    }

    @Test("A file that begins while a PIN is typed does not have its digits")
    func halfTypedPIN() throws {
        let half = EventLog.maxEvents / 2
        // The next file begins with the event after the third digit, and is the older one at the end.
        machine.passes(half - 6)
        machine.happens(.staffAsked)
        machine.touches(.digit(8), .digit(2), .digit(4))
        machine.passes(half + 10)
        let (text, _) = try crashed()
        let start = try #require(text.split(separator: "\n").first)
        #expect(start.contains("\"digits\":\"739\""), "\(start)")
        #expect(!start.contains("\"824\""))
    }

    @Test("The last thousand events are kept, and replay from where they begin")
    func many() throws {
        for _ in 0..<300 {
            machine.issues()
            machine.touches(.done)
        }
        let (text, played) = try crashed()
        let events = text.split(separator: "\n").count - 1
        #expect((EventLog.maxEvents / 2...EventLog.maxEvents).contains(events))
        #expect(played.state == machine.flow.state)
    }

    @Test("A program that ends normally leaves no file; the files of the last five crashes stay")
    func ends() throws {
        machine.log.end()
        _ = Self.log(folder)
        #expect(try crashes().isEmpty)
        for index in 0..<7 {
            try FileManager.default.createDirectory(
                atPath: folder.file("crashes"), withIntermediateDirectories: true)
            _ = try folder.write("x".utf8, to: "crashes/crash-\(index).jsonl")
        }
        Machine(Self.log(folder)).opens()
        _ = Self.log(folder)
        #expect(try crashes().count == 5)
    }

    @Test("A file that is not one of events is refused with the line's number")
    func malformed() throws {
        #expect(throws: Replay.Malformed.self) { try Replay.play("") }
        #expect(throws: Replay.Malformed.self) { try Replay.play("{}\n") }
    }
}
