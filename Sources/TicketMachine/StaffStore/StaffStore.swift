internal import Cryptography
internal import Dispatch
public import KioskFlow
public import KioskRuntime
internal import SQLite

/// The staff members of this machine, their wrong PINs, and its events: a file of its own in the state directory,
/// durable when a call returns.
///
/// All PINs are hashed with one salt of the machine: an attempt costs one hash however many people there are, so that
/// the time reveals neither to colleagues nor to attackers how many there are.
public final class StaffStore: StaffPort {
    private static let schemaVersion = 3
    /// The name under which attempts without a badge are counted.
    static let keypad = ""
    /// More people than a shop has, because every list needs a limit.
    public static let maxPeople = 50
    static let maxNameCharacters = 40

    private let connection: GuardedConnection<Void>
    private let clock: BootClock
    /// One check at a time, because each takes 32 MiB.
    private let checks = DispatchQueue(label: "clup.staff.pin")

    /// Opens or creates the file.
    public init(path: String, clock: BootClock = .system) throws(StaffError) {
        self.clock = clock
        do {
            let connection = try Connection(path: path)
            try Self.migrate(connection)
            self.connection = GuardedConnection(connection)
        } catch { throw .unusable(path: path, error) }
        try restoreFailedAttempts()
    }

    // MARK: Attempts

    /// Whether an attempt is allowed now, at the keypad alone or by the holder of a badge.
    public func availability(of holder: String? = nil) throws(StaffError) -> PINGuard.Availability {
        let now = clock.now()
        return try perform {
            try self.tries(of: holder ?? Self.keypad, $0, now: now).availability(now: now)
        }
    }

    public func availabilityAnswer(of holder: String? = nil) -> PINAnswer? {
        do {
            guard try !people().isEmpty else { return .noStaff }
            switch try availability(of: holder) {
            case .open: return nil
            case .wait(let wait): return .early(wait: wait)
            case .locked: return .locked
            }
        } catch { return .failed }
    }

    public func unlock() throws(StaffError) { _ = try perform { try $0.run("DELETE FROM tries") } }

    /// Finds the person who has a PIN, on another thread and one check at a time; the attempt is counted on disk
    /// before.
    ///
    /// The holder of a badge has a count of their own, so that a stranger at the keypad cannot lock them out. All
    /// attempts without a badge share one count.
    public func check(_ pin: String, holder: String? = nil) async -> PINAnswer {
        await withCheckedContinuation { continuation in
            checks.async { continuation.resume(returning: self.checked(pin, holder)) }
        }
    }

    private func checked(_ pin: String, _ holder: String?) -> PINAnswer {
        do {
            guard try !people().isEmpty else { return .noStaff }
            let who = holder ?? Self.keypad
            switch try begin(who) {
            case .locked: return .locked
            case .wait(let wait): return .early(wait: wait)
            case .open: break
            }
            let digest = try digest(pin)
            let found = try perform { connection in
                try connection.rows("SELECT name, role, hash, is_locked FROM person") { row in
                    (
                        person: StaffPerson(name: row.text(0), role: Self.role(row.text(1))),
                        hash: row.blob(2), isLocked: row.integer(3) != 0
                    )
                }
            }
            // All persons are compared, so that the time does not reveal the position in the list.
            let match = found.reduce(nil as (person: StaffPerson, isLocked: Bool)?) {
                Cryptography.equal($1.hash, digest) ? ($1.person, $1.isLocked) : $0
            }
            if let match, holder == nil || match.person.name == holder {
                // It counts as wrong: a locked person's PIN opens nothing and resets nothing.
                if match.isLocked { return .personLocked }
                try succeeded(who, match.person)
                return .person(match.person)
            }
            switch try availability(of: holder) {
            case .open: return .wrong(wait: .zero)
            case .wait(let wait): return .wrong(wait: wait)
            case .locked: return .locked
            }
        } catch { return .failed }
    }

    /// Counts an attempt; the count is on disk when this returns.
    private func begin(_ who: String) throws(StaffError) -> PINGuard.Availability {
        let now = clock.now()
        return try perform { connection in
            try connection.transaction {
                var tries = try self.tries(of: who, connection, now: now)
                let availability = tries.begin(now: now)
                try self.keep(tries, of: who, connection)
                return availability
            }
        }
    }

    /// A right PIN resets its own count; a manager with a badge resets that of the keypad too.
    private func succeeded(_ who: String, _ person: StaffPerson) throws(StaffError) {
        _ = try perform { connection in
            try forgetTries(of: who, connection)
            if person.role == .manager { try forgetTries(of: Self.keypad, connection) }
        }
    }

    func forgetTries(of who: String, _ connection: Connection) throws {
        try connection.run("DELETE FROM tries WHERE who = $who", ["$who": .text(who)])
    }

    func tries(of who: String, _ connection: Connection, now: Duration) throws -> PINGuard {
        let boot = clock.boot()
        return try connection.rows(
            "SELECT failures, opens_ms, boot FROM tries WHERE who = $who", ["$who": .text(who)]
        ) { row in
            PINGuard(
                failures: Int(row.integer(0)), opens: .milliseconds(row.integer(1)),
                isSameBoot: row.text(2) == boot, now: now)
        }.first ?? .untouched
    }

    private func keep(_ tries: PINGuard, of who: String, _ connection: Connection) throws {
        let (seconds, atto) = tries.opens.components
        // The time is rounded up: a wait is never shorter than was shown.
        let milliseconds = seconds * 1_000 + (atto + 999_999_999_999_999) / 1_000_000_000_000_000
        try connection.run(
            "INSERT INTO tries (who, failures, opens_ms, boot) "
                + "VALUES ($who, $failures, $opens, $boot) "
                + "ON CONFLICT (who) DO UPDATE SET failures = excluded.failures, "
                + "opens_ms = excluded.opens_ms, boot = excluded.boot",
            [
                "$who": .text(who), "$failures": .integer(Int64(tries.failures)),
                "$opens": .integer(milliseconds), "$boot": .text(clock.boot()),
            ])
    }

    /// A wait that began before the last start of the system begins again now, not at the first attempt.
    private func restoreFailedAttempts() throws(StaffError) {
        let now = clock.now()
        try perform { connection in
            try connection.transaction {
                for who in try connection.rows("SELECT who FROM tries", read: { $0.text(0) }) {
                    try keep(try tries(of: who, connection, now: now), of: who, connection)
                }
            }
        }
    }

    var now: Duration { clock.now() }

    // MARK: The file

    func digest(_ pin: String) throws(StaffError) -> [UInt8] {
        let hash = try perform { connection in
            try connection.rows("SELECT passes, memory, salt FROM hashing") { row in
                PasswordHash(
                    passes: Int(row.integer(0)), memory: Int(row.integer(1)), salt: row.blob(2))
            }.first
        }
        guard let hash else { throw .unusable(path: "", reason: "it has no salt") }
        do { return try hash.digest(pin) } catch {
            throw .unusable(path: "", reason: error.description)
        }
    }

    static func role(_ text: String) -> StaffPerson.Role {
        StaffPerson.Role(rawValue: text) ?? .staff
    }

    private static func migrate(_ connection: Connection) throws {
        try connection.transaction {
            let version = try connection.rows("PRAGMA user_version") { Int($0.integer(0)) }.first
            guard version ?? 0 <= schemaVersion else {
                throw StaffError.unusable(
                    path: "", reason: "it was written by a newer version of clup-kiosk")
            }
            guard version ?? 0 < schemaVersion else { return }
            if version == 0 { try first(connection) }
            if version ?? 0 < 2 { try remote(connection) }
            try connection.execute(badges)
            try connection.execute("PRAGMA user_version = \(schemaVersion)")
        }
    }

    /// Schema 3: locks and badges of people, a count of attempts for each badge, settings.
    private static let badges = """
        ALTER TABLE person ADD COLUMN is_locked BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE person ADD COLUMN badge BLOB;
        CREATE TABLE tries (
          who TEXT PRIMARY KEY COLLATE NOCASE, failures BIGINT NOT NULL, opens_ms BIGINT NOT NULL,
          boot TEXT NOT NULL);
        INSERT INTO tries (who, failures, opens_ms, boot)
          SELECT '', failures, opens_ms, boot FROM try;
        DROP TABLE try;
        CREATE TABLE setting (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
        """

    /// Schema 2: what the backend has of the events, and the remote commands that were carried out.
    private static func remote(_ connection: Connection) throws {
        try connection.execute(
            """
            ALTER TABLE service ADD COLUMN message TEXT;
            ALTER TABLE service ADD COLUMN decided_ms BIGINT;
            CREATE TABLE sending (memory TEXT NOT NULL, through BIGINT NOT NULL);
            CREATE TABLE obeyed (id BIGINT PRIMARY KEY);
            """)
        try connection.run(
            "INSERT INTO sending (memory, through) VALUES ($memory, 0)",
            ["$memory": .text(RequestSigner.makeNonce())])
    }

    private static func first(_ connection: Connection) throws {
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
            INSERT INTO service (is_out) VALUES (0);
            INSERT INTO try (failures, opens_ms, boot) VALUES (0, 0, '');
            """)
        let hash = PasswordHash.make()
        try connection.run(
            "INSERT INTO hashing (passes, memory, salt) VALUES ($passes, $memory, $salt)",
            [
                "$passes": .integer(Int64(hash.passes)), "$memory": .integer(Int64(hash.memory)),
                "$salt": .blob(hash.salt),
            ])
    }

    func perform<Result>(_ body: (Connection) throws -> Result) throws(StaffError) -> Result {
        do {
            return try connection.withLock(body)
        } catch {
            throw .unusable(error)
        }
    }
}
