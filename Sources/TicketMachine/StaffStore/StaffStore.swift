internal import Cryptography
internal import Dispatch
internal import Glibc
public import KioskFlow
internal import SQLite
private import Synchronization

/// Who may look after this machine, how many PINs were wrong, and what happened: a file of its own in
/// the state directory, durable when a call returns.
///
/// All PINs are hashed with one salt of the machine: a try costs one hash however many people there are,
/// so that neither a colleague's nor an attacker's time tells how many.
public final class StaffStore: Sendable {
    private static let schemaVersion = 2
    /// More than a shop has; what grows has an end.
    public static let mostPeople = 50
    static let longestName = 40

    private let connection: Mutex<Guarded>
    private let clock: BootClock
    /// One check at a time: each takes 32 MiB.
    private let checks = DispatchQueue(label: "clup.staff.pin")

    /// `Connection` belongs to one thread at a time; the mutex around it sees to that.
    struct Guarded: @unchecked Sendable {
        let connection: Connection
    }

    /// Opens or makes the file.
    public init(path: String, clock: BootClock = .system) throws(StaffError) {
        self.clock = clock
        // A million PINs are soon tried by who can read the hashes: for the machine's user only, as what
        // SQLite keeps beside the file then is too.
        close(Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        chmod(path, 0o600)
        do {
            let connection = try Connection(path: path)
            try Self.migrate(connection)
            self.connection = Mutex(Guarded(connection: connection))
        } catch {
            throw .unusable(path: path, reason: String(describing: error))
        }
        // A wait that another start of the system began goes on in this one from now, not from a try.
        let now = clock.now()
        try perform { connection in
            try connection.transaction { try keep(try tries(connection, now: now), connection) }
        }
    }

    // MARK: People

    /// Everybody, by name.
    public func people() throws(StaffError) -> [StaffPerson] {
        try perform { connection in
            try connection.rows("SELECT name, role FROM person ORDER BY name") { row in
                StaffPerson(name: row.text(0), role: Self.role(row.text(1)))
            }
        }
    }

    /// Adds a person; refuses a PIN against the rules, one that is taken, and a name that is.
    public func add(_ person: StaffPerson, pin: String) throws(StaffError) {
        do { try PINRules.check(pin) } catch { throw .pin(error) }
        let name = person.name
        // A letter with its accents has a few scalars, a pile of them is meant to cover other lines.
        let isPlain =
            name.allSatisfy { $0.unicodeScalars.count <= 4 }
            && name.unicodeScalars.allSatisfy {
                switch $0.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
        guard !name.isEmpty, name.count <= Self.longestName, isPlain, name.first != " " else {
            throw .name
        }
        let digest = try self.digest(pin)
        let refusal: StaffError? = try perform { connection in
            try connection.transaction {
                func count(_ text: String, _ values: [String: SQLiteValue] = [:]) throws -> Int64 {
                    try connection.rows(text, values) { $0.integer(0) }.first ?? 0
                }
                let same = try count(
                    "SELECT count(*) FROM person WHERE name = $name", ["$name": .text(name)])
                guard same == 0 else { return .taken(name) }
                guard try count("SELECT count(*) FROM person") < Int64(Self.mostPeople) else {
                    return .tooMany
                }
                let taken = try connection.rows("SELECT hash FROM person") { $0.blob(0) }
                guard !taken.contains(where: { Cryptography.equal($0, digest) }) else {
                    return .pin(.common)
                }
                try connection.run(
                    "INSERT INTO person (name, role, hash) VALUES ($name, $role, $hash)",
                    [
                        "$name": .text(name), "$role": .text(person.role.rawValue),
                        "$hash": .blob(digest),
                    ])
                return nil
            }
        }
        if let refusal { throw refusal }
    }

    /// Removes a person; the PIN is worth nothing from then on.
    public func remove(_ name: String) throws(StaffError) {
        let removed = try perform { connection in
            try connection.run("DELETE FROM person WHERE name = $name", ["$name": .text(name)])
        }
        guard removed > 0 else { throw .unknown(name) }
    }

    // MARK: Tries

    /// What a try would meet now.
    public func gate() throws(StaffError) -> PINGuard.Gate {
        let now = clock.now()
        return try perform { try self.tries($0, now: now).gate(now: now) }
    }

    /// Forgets all wrong tries.
    public func unlock() throws(StaffError) {
        try perform { try self.keep(.untouched, $0) }
    }

    /// Whose PIN it is; off the caller's thread, one at a time, the try counted on the disk before.
    public func check(_ pin: String) async -> PINAnswer {
        await withCheckedContinuation { continuation in
            checks.async { continuation.resume(returning: self.checked(pin)) }
        }
    }

    private func checked(_ pin: String) -> PINAnswer {
        do {
            guard try !people().isEmpty else { return .nobody }
            switch try begin() {
            case .locked: return .locked
            case .wait(let wait): return .early(wait: wait)
            case .open: break
            }
            let digest = try digest(pin)
            let found = try perform { connection in
                try connection.rows("SELECT name, role, hash FROM person") { row in
                    (StaffPerson(name: row.text(0), role: Self.role(row.text(1))), row.blob(2))
                }
            }
            // Everybody is compared: who comes first in the list is not told by the time it takes.
            let person = found.reduce(nil as StaffPerson?) {
                Cryptography.equal($1.1, digest) ? $1.0 : $0
            }
            if let person {
                try unlock()
                return .person(person)
            }
            switch try gate() {
            case .open: return .wrong(wait: .zero)
            case .wait(let wait): return .wrong(wait: wait)
            case .locked: return .locked
            }
        } catch {
            return .failed
        }
    }

    /// Counts a try; it is on the disk when this returns.
    private func begin() throws(StaffError) -> PINGuard.Gate {
        let now = clock.now()
        return try perform { connection in
            try connection.transaction {
                var tries = try self.tries(connection, now: now)
                let gate = tries.begin(now: now)
                try self.keep(tries, connection)
                return gate
            }
        }
    }

    private func tries(_ connection: Connection, now: Duration) throws -> PINGuard {
        let boot = clock.boot()
        return try connection.rows("SELECT failures, opens_ms, boot FROM try") { row in
            PINGuard(
                failures: Int(row.integer(0)), opens: .milliseconds(row.integer(1)),
                isSameBoot: row.text(2) == boot, now: now)
        }.first ?? .untouched
    }

    private func keep(_ tries: PINGuard, _ connection: Connection) throws {
        let (seconds, atto) = tries.opens.components
        // Rounded up: a wait is never shorter than it was said to be.
        let milliseconds = seconds * 1_000 + (atto + 999_999_999_999_999) / 1_000_000_000_000_000
        try connection.run(
            "UPDATE try SET failures = $failures, opens_ms = $opens, boot = $boot",
            [
                "$failures": .integer(Int64(tries.failures)), "$opens": .integer(milliseconds),
                "$boot": .text(clock.boot()),
            ])
    }

    // MARK: The file

    private func digest(_ pin: String) throws(StaffError) -> [UInt8] {
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

    private static func role(_ text: String) -> StaffPerson.Role {
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
            try afar(connection)
            try connection.execute("PRAGMA user_version = \(schemaVersion)")
        }
    }

    /// What the backend has of the events, and orders that were carried out.
    private static func afar(_ connection: Connection) throws {
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
                "$passes": .integer(Int64(hash.passes)),
                "$memory": .integer(Int64(hash.memory)),
                "$salt": .blob(hash.salt),
            ])
    }

    func perform<Result>(_ body: (Connection) throws -> Result) throws(StaffError) -> Result {
        do {
            return try connection.withLock { try body($0.connection) }
        } catch {
            throw .unusable(path: "", reason: String(describing: error))
        }
    }
}
