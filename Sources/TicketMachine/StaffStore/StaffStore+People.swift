internal import Cryptography
public import KioskFlow
internal import RowColumns
internal import SQLite
internal import Reservations

// The staff members of this machine: the first ones are added at the shell, then a manager changes the list on screen.
extension StaffStore {
    /// All staff members, by name.
    public func people() throws(StaffError) -> [StaffPerson] { try members().map(\.person) }

    public func members() throws(StaffError) -> [StaffMember] {
        let now = now
        return try perform { connection in
            try connection.rows("SELECT name, role, is_locked, badge FROM person ORDER BY name") {
                (
                    person: StaffPerson(name: $0.text(0), role: Self.role($0.text(1))),
                    isLocked: $0.integer(2) != 0, hasBadge: !$0.isNull(3)
                )
            }.map { row in
                let tries = try self.tries(of: row.person.name, connection, now: now)
                return StaffMember(
                    person: row.person,
                    isLocked: row.isLocked || tries.availability(now: now) == .locked,
                    hasBadge: row.hasBadge)
            }
        }
    }

    /// Adds a person; refuses a PIN that breaks the rules or belongs to another person, and a name that exists.
    public func add(_ person: StaffPerson, pin: String) throws(StaffError) {
        do { try PINRules.check(pin) } catch { throw .pin(error) }
        let name = GivenName.trimmed(person.name)
        guard GivenName.isGood(name, maxCharacters: Self.maxNameCharacters) else { throw .name }
        let digest = try self.digest(pin)
        try changing { connection in
            guard try !isThere(name, connection) else { return .taken(name) }
            let count = try connection.rows("SELECT count(*) FROM person") { $0.integer(0) }.first
            guard count ?? 0 < Int64(Self.maxPeople) else { return .tooMany }
            guard try !isTaken(digest, besides: nil, connection) else { return .pinTaken }
            try connection.run(
                "INSERT INTO person (name, role, hash) VALUES ($name, $role, $hash)",
                [
                    "$name": .text(name), "$role": .text(person.role.rawValue),
                    "$hash": .blob(digest),
                ])
            return nil
        }
    }

    /// Gives a person another PIN and resets the count of wrong attempts.
    public func reset(_ name: String, pin: String) throws(StaffError) {
        do { try PINRules.check(pin) } catch { throw .pin(error) }
        let digest = try self.digest(pin)
        try changing { connection in
            guard try !isTaken(digest, besides: name, connection) else { return .pinTaken }
            try forgetTries(of: name, connection)
            return try change(name, "UPDATE person SET hash = $value", connection, .blob(digest))
        }
    }

    /// Removes a person; their PIN and badge are worth nothing from then on.
    ///
    /// - Parameter keepsManager: whether to refuse if the person is the last manager who is not locked.
    public func remove(_ name: String, keepsManager: Bool = false) throws(StaffError) {
        try changing { connection in
            if keepsManager, try isLastManager(name, connection) { return .lastManager }
            try forgetTries(of: name, connection)
            return try change(name, "DELETE FROM person", connection)
        }
    }

    /// Makes the PIN and the badge of a person worthless until `unlock`; refuses the last manager.
    public func lock(_ name: String) throws(StaffError) {
        try changing { connection in
            if try isLastManager(name, connection) { return .lastManager }
            return try change(name, "UPDATE person SET is_locked = 1", connection)
        }
    }

    /// Lets a person try again, whether a manager or too many wrong attempts locked them.
    public func unlock(_ name: String) throws(StaffError) {
        try changing { connection in
            try forgetTries(of: name, connection)
            return try change(name, "UPDATE person SET is_locked = 0", connection)
        }
    }

    // MARK: Badges

    /// Makes a badge for a person; an older one is worth nothing from then on. Only its hash is stored.
    public func makeBadge(for name: String) throws(StaffError) -> StaffBadge {
        let badge = StaffBadge(random: RandomBytes.make(16))
        try setBadge(name, Self.hash(badge))
        return badge
    }

    /// Makes the badge of a person worthless.
    public func revokeBadge(of name: String) throws(StaffError) { try setBadge(name, nil) }

    public func holder(of badge: StaffBadge) throws(StaffError) -> StaffPerson? {
        // 128 random bits cannot be guessed, so they need no slow hash.
        let hash = Self.hash(badge)
        return try perform { connection in
            try connection.rows(
                "SELECT name, role, badge FROM person WHERE badge IS NOT NULL AND is_locked = 0"
            ) { row in (StaffPerson(name: row.text(0), role: Self.role(row.text(1))), row.blob(2)) }
            .first { Cryptography.equal($0.1, hash) }?.0
        }
    }

    private static func hash(_ badge: StaffBadge) -> [UInt8] {
        SHA256.digest(Array(badge.rawValue.utf8))
    }

    private func setBadge(_ name: String, _ hash: [UInt8]?) throws(StaffError) {
        let badge = hash.map { DatabaseValue.blob($0) } ?? .null
        try changing { try change(name, "UPDATE person SET badge = $value", $0, badge) }
    }

    // MARK: A manager's commands

    /// At least one manager who is not locked is always left.
    public func change(_ command: StaffListCommand, pin: String) -> StaffCommandAnswer {
        do {
            switch command {
            case .add(let person): try add(person, pin: pin)
            case .resetPIN(let name): try reset(name, pin: pin)
            case .lock(let name): try lock(name)
            case .unlock(let name): try unlock(name)
            case .remove(let name): try remove(name, keepsManager: true)
            case .revokeBadge(let name): try revokeBadge(of: name)
            }
            return .done
        } catch {
            switch error {
            case .pin(.common), .pinTaken: return .people(.commonPIN)
            case .pin: return .people(.pin)
            case .name: return .people(.name)
            case .taken: return .people(.taken)
            case .unknown: return .people(.unknown)
            case .tooMany: return .people(.tooMany)
            case .lastManager: return .people(.lastManager)
            case .unusable: return .people(.disk)
            }
        }
    }

    /// Runs a statement on the row of a person; returns the refusal if there is no such person.
    private func change(
        _ name: String, _ statement: String, _ connection: Connection, _ value: DatabaseValue? = nil
    ) throws -> StaffError? {
        var values = ["$name": DatabaseValue.text(name)]
        values["$value"] = value
        let changed = try connection.run("\(statement) WHERE name = $name", values)
        return changed > 0 ? nil : .unknown(name)
    }

    private func isThere(_ name: String, _ connection: Connection) throws -> Bool {
        try !connection.rows(
            "SELECT 1 FROM person WHERE name = $name", ["$name": .text(name)], read: { _ in true }
        ).isEmpty
    }

    /// Whether another person has this PIN; all persons are compared, so that the time reveals nothing.
    private func isTaken(
        _ digest: [UInt8], besides name: String?, _ connection: Connection
    ) throws -> Bool {
        let others = try connection.rows(
            "SELECT hash FROM person WHERE name <> $name", ["$name": .text(name ?? "")]
        ) { $0.blob(0) }
        return others.reduce(false) { Cryptography.equal($1, digest) || $0 }
    }

    /// Whether a person is a manager, and no other manager is unlocked.
    private func isLastManager(_ name: String, _ connection: Connection) throws -> Bool {
        let managers = try connection.rows(
            "SELECT name = $name, is_locked FROM person WHERE role = 'manager'",
            ["$name": .text(name)]
        ) { (isSame: $0.integer(0) != 0, isLocked: $0.integer(1) != 0) }
        return managers.contains(where: \.isSame)
            && !managers.contains { !$0.isSame && !$0.isLocked }
    }

    /// Makes a change in a transaction and throws the error that `body` returns.
    private func changing(_ body: (Connection) throws -> StaffError?) throws(StaffError) {
        let refusal = try perform { connection in
            try connection.transaction { try body(connection) }
        }
        if let refusal { throw refusal }
    }
}
