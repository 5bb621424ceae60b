public import CommandSyntax
import Cryptography
import FoundationEssentials
import Glibc
import PostgresStore
public import ReservationStore
import Reservations
import SQLiteStore

/// The system's real time clock (clock_gettime(2)).
func systemNow() -> Moment {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Moment(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
}

/// The place that `--database` names.
enum DatabasePlace {
    case file(String)
    case postgresql(PostgresAddress)

    /// - Parameter option: the option that names it.
    init(_ arguments: Arguments, option: String = "database") throws {
        let text = try arguments.required(option)
        if PostgresAddress.isOne(text) {
            self = .postgresql(try PostgresAddress(text, password: try Self.password()))
        } else if text.contains("://") {
            throw CommandError.usage(
                "--\(option) is \"\(text)\"; give the path of a file, or postgresql://...")
        } else {
            self = .file(text)
        }
    }

    /// The systemd credential `database-password`; without it libpq looks for its password file.
    private static func password() throws(StoreError) -> String? {
        guard let folder = getenv("CREDENTIALS_DIRECTORY").map({ String(cString: $0) }),
            access("\(folder)/database-password", F_OK) == 0
        else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: "\(folder)/database-password")) else {
            throw StoreError(
                .refused, operation: "read a credential",
                "the credential database-password cannot be read")
        }
        // A file that an editor wrote ends with a line end, which is no part of the password.
        var password = String(decoding: data, as: UTF8.self)
        while password.last?.isNewline == true { password.removeLast() }
        return password
    }

    func open(for purpose: SQLiteDatabase.Purpose) throws(StoreError) -> sending any Database {
        switch self {
        case .file(let path): return try SQLiteDatabase.open(path: path, for: purpose)
        case .postgresql(let address): return try PostgresDatabase.open(address)
        }
    }

    /// Whether there is a database; of PostgreSQL only a connection shows it.
    var mayExist: Bool { if case .file(let path) = self { access(path, F_OK) == 0 } else { true } }

    /// Refuses a file that is not there, which SQLite would make.
    func requireExistence() throws {
        guard case .file(let path) = self, !mayExist else { return }
        throw CommandError.failure(
            "there is no database at \(path); `clup-backend shop add` makes one")
    }
}

extension Administration {
    /// Opens the database; makes one if there is none and `mayCreate` is true.
    convenience init(_ arguments: Arguments, mayCreate: Bool = false) throws {
        let place = try DatabasePlace(arguments)
        if !mayCreate { try place.requireExistence() }
        self.init(database: try place.open(for: .administer), actor: Self.user, now: systemNow)
    }

    /// The user who typed the command, as the system knows them (getpwuid(3)); with sudo, the user behind it too.
    private static var user: String {
        let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) }
        let name = user ?? "user \(getuid())"
        return getenv("SUDO_USER").map { "\(name) for \(String(cString: $0))" } ?? name
    }

    /// The key by which machines know this backend; nil before it had a key.
    func knownBackendKey() throws(StoreError) -> PublicKey? {
        try backendKey().flatMap(PublicKey.init(bytes:))
    }

    func keep(_ key: PublicKey) throws(StoreError) {
        try keepBackendKey(key.bytes, keyID: key.keyID)
    }

    /// The shop that `--shop` names by its identifier or its tag.
    func shop(_ arguments: Arguments) throws -> Shop {
        let name = try arguments.required("shop")
        let shops = try shops()
        guard let shop = shops.first(where: { $0.id.rawValue == name || $0.tag.rawValue == name })
        else {
            throw CommandError.failure(
                "there is no shop \"\(name)\" in this database; `clup-backend shop list` shows "
                    + "which there are")
        }
        return shop
    }
}

/// One line of the output: an object of JSON, in which a field without a value is left out.
struct JSONLine: Encodable, ExpressibleByDictionaryLiteral {
    private struct Content: Encodable {
        let value: any Encodable

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private var contents: [String: Content] = [:]

    init(dictionaryLiteral fields: (String, (any Encodable)?)...) {
        for case (let name, let value?) in fields { contents[name] = Content(value: value) }
    }

    static func + (left: JSONLine, right: JSONLine) -> JSONLine {
        var line = left
        line.contents.merge(right.contents) { $1 }
        return line
    }

    func encode(to encoder: any Encoder) throws { try contents.encode(to: encoder) }
}

func printJSON(_ line: JSONLine) { printJSON(of: line) }

/// Prints one value as one line of JSON on the standard output, at once.
func printJSON(of value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return }
    print(String(decoding: data, as: UTF8.self))
    fflush(nil)
}

extension StoreError: CommandFailure {
    /// Temporary if the store is busy, full or cannot be reached.
    public var status: CommandSyntax.ExitStatus {
        switch code {
        case .busy, .full, .overloaded, .lost, .conflict, .stopped: .temporary
        case .inputOutput, .corrupt, .notOurs, .newer, .readOnly, .missing, .served, .constraint,
            .unknownShop, .refused, .other:
            .failure
        }
    }
}
