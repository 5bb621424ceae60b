import Foundation
import KioskFlow
import Reservations
import SQLite
@testable import StaffStore
import Synchronization
import TestSupport
import Testing

@Suite("The machine's staff and their PINs")
struct StaffStoreTests {
    /// A boot clock that the test sets.
    private final class Clock: Sendable {
        let state = Mutex((now: Duration.seconds(100), boot: "one"))

        var clock: BootClock {
            BootClock(
                now: { self.state.withLock { $0.now } }, boot: { self.state.withLock { $0.boot } })
        }

        func waits(_ time: Duration) { state.withLock { $0.now += time } }

        func restarts() { state.withLock { $0 = (.seconds(1), $0.boot + "x") } }
    }

    private let folder: TemporaryFolder
    private let clock = Clock()
    private let giulia = StaffPerson(name: "Giulia", role: .manager)
    private let marco = StaffPerson(name: "Marco", role: .staff)

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> StaffStore {
        try StaffStore(path: folder.file("staff.sqlite"), clock: clock.clock)
    }

    private func withGiulia() throws -> StaffStore {
        let store = try open()
        try store.add(giulia, pin: "739146")
        return store
    }

    private func withGiuliaAndMarco() throws -> StaffStore {
        let store = try withGiulia()
        try store.add(marco, pin: "50713926")
        return store
    }

    /// Types a wrong PIN ten times, whatever the wait after each.
    private func failsTenTimes(at store: StaffStore, holder: String? = nil) async {
        for _ in 0..<10 {
            #expect(await store.check("824091", holder: holder) != .person(giulia))
            clock.waits(.seconds(3_600))
        }
    }

    /// Whether a text is in the files of the list.
    private func isStored(_ text: String) -> Bool {
        ["", "-wal"].contains { end in
            let bytes = FileManager.default.contents(atPath: folder.file("staff.sqlite\(end)"))
            return bytes?.range(of: Data(text.utf8)) != nil
        }
    }

    @Test("A person is recognised by the PIN, also after a restart, and not after removal")
    func person() async throws {
        #expect(await (try open()).check("739146") == .noStaff)
        _ = try withGiuliaAndMarco()
        let store = try open()
        #expect(try store.people().map(\.name) == ["Giulia", "Marco"])
        #expect(await store.check("739146") == .person(giulia))
        #expect(await store.check("50713926") == .person(marco))
        try store.remove("giulia")
        #expect(await store.check("739146") == .wrong(wait: .zero))
        #expect(throws: StaffError.self) { try store.remove("Giulia") }
    }

    @Test("A used name, a used PIN, a name of controls and a PIN against the rules are refused")
    func refusals() throws {
        let store = try withGiulia()
        func refusal(_ name: String, _ pin: String) -> StaffError? {
            #expect(throws: StaffError.self, "\(name)") {
                try store.add(StaffPerson(name: name, role: .staff), pin: pin)
            }
        }
        for name in [
            "", "a\u{1B}[2J", String(repeating: "a", count: 41), "Mar\u{202E}oc", "Mar\u{9B}co",
            "Mar\u{2028}co", "e" + String(repeating: "\u{301}", count: 40),
        ] { _ = refusal(name, "824091") }
        let taken = refusal("GIULIA", "824091")
        #expect(taken?.description.contains("already somebody called GIULIA") == true)
        for (pin, words) in [
            ("739146", "Somebody else on this machine has this PIN already: choose another."),
            ("123456", "one of those that are tried first: choose another."),
            ("73914", "A PIN has 6 to 8 digits: choose another."),
            ("739146123", "A PIN has 6 to 8 digits: choose another."),
            ("73914a", "only digits"), ("", "A PIN has 6 to 8 digits: choose another."),
        ] {
            #expect(refusal("Marco", pin)?.description.contains(words) == true, "\(pin)")
        }
        #expect(try store.people() == [giulia])
    }

    @Test("The file contains no PIN, and its hash differs on another machine")
    func atRest() throws {
        _ = try withGiulia()
        #expect(!isStored("739146") && isStored("Giulia"))
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.file("staff.sqlite"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("Wrong PINs are counted over restarts of the program, and a power cycle shortens no wait")
    func counting() async throws {
        _ = try withGiulia()
        for expected in [Duration.zero, .zero, .seconds(30)] {
            #expect(await (try open()).check("824091") == .wrong(wait: expected))
        }
        // Even the right PIN is not checked during the wait.
        #expect(await (try open()).check("739146") == .early(wait: .seconds(30)))
        clock.waits(.seconds(20))
        #expect(try open().availability() == .wait(.seconds(10)))
        clock.restarts()
        #expect(try open().availability() == .wait(.seconds(30)))
        clock.waits(.seconds(29))
        #expect(await (try open()).check("739146") == .early(wait: .seconds(1)))
        clock.waits(.seconds(1))
        #expect(await (try open()).check("739146") == .person(giulia))
        #expect(await (try open()).check("824091") == .wrong(wait: .zero))
    }

    @Test("Ten wrong PINs in a row lock the keypad, over power cycles, until it is unlocked")
    func lock() async throws {
        let store = try withGiulia()
        await failsTenTimes(at: store)
        #expect(await store.check("739146") == .locked)
        clock.restarts()
        clock.waits(.seconds(100_000))
        #expect(await (try open()).check("739146") == .locked)
        try open().unlock()
        #expect(await store.check("739146") == .person(giulia))
    }

    @Test("The holder of a badge has a separate count: wrong PINs at the keypad lock no holder out")
    func ownCount() async throws {
        let store = try withGiuliaAndMarco()
        let badge = try store.makeBadge(for: "Giulia")
        #expect(try store.holder(of: badge) == giulia)
        await failsTenTimes(at: store)
        #expect(await store.check("739146") == .locked)
        // The badge of one person with the PIN of another opens nothing.
        #expect(await store.check("50713926", holder: "Giulia") == .wrong(wait: .zero))
        #expect(await (try open()).check("739146", holder: "Giulia") == .person(giulia))
        // A manager who came in with a badge has made the keypad usable again.
        #expect(await store.check("50713926") == .person(marco))
        await failsTenTimes(at: store, holder: "Giulia")
        #expect(await store.check("739146", holder: "Giulia") == .locked)
        #expect(try store.members().map(\.isLocked) == [true, false])
        try store.unlock("Giulia")
        #expect(await store.check("739146", holder: "Giulia") == .person(giulia))
    }

    @Test("A badge is known by its hash, replaced by a new one, revoked, locked with its holder")
    func badges() async throws {
        let store = try withGiuliaAndMarco()
        let old = try store.makeBadge(for: "Marco")
        let badge = try store.makeBadge(for: "marco")
        #expect(try store.holder(of: old) == nil)
        #expect(try open().holder(of: badge)?.name == "Marco")
        #expect(!isStored(badge.rawValue))
        try store.lock("Marco")
        #expect(try store.holder(of: badge) == nil)
        #expect(await store.check("50713926") == .personLocked)
        try store.unlock("Marco")
        #expect(try store.holder(of: badge)?.name == "Marco")
        try store.revokeBadge(of: "Marco")
        #expect(try store.holder(of: badge) == nil)
        #expect(throws: StaffError.self) { try store.makeBadge(for: "Nobody") }
    }

    @Test("A manager can neither lock nor remove the last manager who is not locked")
    func lastManager() throws {
        let store = try withGiuliaAndMarco()
        #expect(store.change(.lock("Giulia"), pin: "") == .people(.lastManager))
        #expect(store.change(.remove("giulia"), pin: "") == .people(.lastManager))
        let zoe = StaffPerson(name: "Zoë", role: .manager)
        #expect(store.change(.add(zoe), pin: "123456") == .people(.commonPIN))
        #expect(store.change(.add(zoe), pin: "739146") == .people(.commonPIN))
        #expect(store.change(.add(zoe), pin: "824091") == .done)
        #expect(store.change(.lock("Giulia"), pin: "") == .done)
        #expect(store.change(.remove("Zoë"), pin: "") == .people(.lastManager))
        #expect(store.change(.unlock("Giulia"), pin: "") == .done)
        #expect(store.change(.remove("Zoë"), pin: "") == .done)
        #expect(store.change(.resetPIN("Giulia"), pin: "50713926") == .people(.commonPIN))
        #expect(store.change(.resetPIN("Giulia"), pin: "739146") == .done)
        #expect(store.change(.resetPIN("Nobody"), pin: "60817294") == .people(.unknown))
    }

    @Test("Settings are kept over a restart, and a list of the first version is converted")
    func settingsAndFirstVersion() async throws {
        let connection = try Connection(path: folder.file("staff.sqlite"))
        try connection.execute(
            """
            CREATE TABLE person (
              name TEXT PRIMARY KEY COLLATE NOCASE, role TEXT NOT NULL, hash BLOB NOT NULL);
            CREATE TABLE hashing (passes BIGINT, memory BIGINT, salt BLOB);
            CREATE TABLE try (failures BIGINT, opens_ms BIGINT, boot TEXT);
            CREATE TABLE event (
              id INTEGER PRIMARY KEY, at_ms BIGINT NOT NULL, person TEXT, kind TEXT NOT NULL,
              detail TEXT NOT NULL);
            CREATE TABLE service (is_out BIGINT);
            INSERT INTO service (is_out) VALUES (1);
            INSERT INTO try (failures, opens_ms, boot) VALUES (10, 0, 'one');
            INSERT INTO person (name, role, hash) VALUES ('Ada', 'manager', x'00');
            INSERT INTO event (at_ms, kind, detail) VALUES (5, 'fault', 'N1');
            PRAGMA user_version = 1;
            """)
        let store = try open()
        #expect(try store.availability() == .locked)
        #expect(try store.people() == [StaffPerson(name: "Ada", role: .manager)])
        #expect(try store.service() == ServiceStatus(isPutOut: true))
        #expect(try store.unsent(50, offsetMinutes: 60).events.map(\.kind) == ["fault"])
        #expect(try store.settings() == MachineSettings())
        let wanted = MachineSettings(
            volume: 9, hasLightTheme: true, printer: 1, language: "de")
        try store.keep(wanted)
        #expect(try open().settings() == wanted)
    }

    /// Writes down events, every second one of Giulia.
    private func note(_ numbers: ClosedRange<Int>, in store: StaffStore) throws {
        for number in numbers {
            try store.note(
                MachineEvent(
                    at: Moment(milliseconds: Int64(number)),
                    person: number.isMultiple(of: 2) ? "Giulia" : nil, what: .peopleInside(number)))
        }
    }

    @Test("Events are kept over a restart, newest first, at most a thousand")
    func events() throws {
        let store = try open()
        try note(0...1_004, in: store)
        let events = try open().events(2_000)
        #expect(events.count == 1_000)
        #expect(events.first?.what == .peopleInside(1_004) && events.first?.person == "Giulia")
        #expect(events.last?.what == .peopleInside(5) && events.last?.person == nil)
    }

    @Test("Events wait until the backend has them, and are reported once; lost ones are counted")
    func unsent() throws {
        let store = try open()
        try note(1...3, in: store)
        let first = try store.unsent(2, offsetMinutes: 60)
        #expect(first.events.map(\.sequence) == [1, 2] && first.through == 0 && first.dropped == 0)
        #expect(first.events.map(\.kind) == ["people-inside", "people-inside"])
        #expect(first.events.map(\.detail) == ["1", "2"])
        // A restart loses nothing, and an answered event is not reported twice.
        #expect(try open().unsent(2, offsetMinutes: 60) == first)
        try store.sent(through: 2)
        let rest = try open().unsent(50, offsetMinutes: 60)
        #expect(rest.events.map(\.sequence) == [3])
        #expect(rest.memory == first.memory && !first.memory.isEmpty)
        // The backend is away while more events happen than are kept.
        try note(4...1_010, in: store)
        let late = try store.unsent(50, offsetMinutes: 60)
        #expect(late.events.first?.sequence == 11 && late.events.count == 50)
        #expect(late.dropped == 8)
        // A backend that lost its data gets the kept events again.
        try store.sent(through: 1_010)
        #expect(try store.unsent(50, offsetMinutes: 60).events.isEmpty)
        try store.sent(through: 0)
        #expect(try store.unsent(50, offsetMinutes: 60).events.first?.sequence == 11)
    }

    @Test("Acknowledged remote commands and decisions about the service survive a restart")
    func orders() throws {
        let store = try open()
        #expect(try store.service() == ServiceStatus())
        let decision = ServiceStatus(
            isPutOut: true, message: "Fermé", at: Moment(milliseconds: 5))
        try store.keep(decision)
        for order in [3, 1, 2, 2] as [Int64] { try store.keepAcknowledged(order) }
        #expect(try open().service() == decision)
        #expect(try open().acknowledged() == [1, 2, 3])
        for order in 4...20 as ClosedRange<Int64> { try store.keepAcknowledged(order) }
        #expect(try open().acknowledged() == Array(13...20))
    }

    @Test("Two people who try at once have no more tries than one")
    func together() async throws {
        let first = try withGiulia()
        let second = try open()
        let answers = await withTaskGroup(of: PINAnswer.self) { group in
            for number in 0..<8 {
                group.addTask { await (number % 2 == 0 ? first : second).check("824091") }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let wrong = answers.filter { if case .wrong = $0 { true } else { false } }
        #expect(wrong.count == 3, "\(answers)")
    }
}
