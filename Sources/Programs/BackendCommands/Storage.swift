import CommandSyntax
import Cryptography
import FoundationEssentials
import Glibc
import PostgresStore
import ReservationStore
import Reservations
import SQLiteStore

/// The system's real time clock (clock_gettime(2)).
func systemNow() -> Moment {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Moment(
        milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
}

/// The place that `--database` names.
enum DatabasePlace {
    case file(String)
    case postgresql(PostgresAddress)

    /// - Parameter option: the option that names it.
    init(_ arguments: Arguments, option: String = "database") throws(CommandError) {
        let text = try arguments.required(option)
        guard PostgresAddress.isOne(text) else {
            guard !text.contains("://") else {
                throw .usage(
                    "--\(option) is \"\(text)\"; give the path of a file, or postgresql://...")
            }
            self = .file(text)
            return
        }
        do throws(StoreError) {
            self = .postgresql(try PostgresAddress(text, password: try Self.password()))
        } catch {
            throw .store(error)
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
        return String(decoding: data, as: UTF8.self).trimmingSuffix(while: \.isNewline)
    }

    func open(for purpose: SQLiteDatabase.Purpose) throws(CommandError) -> sending any Database {
        do throws(StoreError) {
            switch self {
            case .file(let path): return try SQLiteDatabase.open(path: path, for: purpose)
            case .postgresql(let address): return try PostgresDatabase.open(address)
            }
        } catch {
            throw .store(error)
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(while isGone: (Character) -> Bool) -> String {
        var rest = self[...]
        while let last = rest.last, isGone(last) { rest.removeLast() }
        return String(rest)
    }
}

/// The administrator's view of the database, with its errors as sentences.
struct AdminStore {
    private let administration: Administration

    /// Opens the database; makes one if there is none and `mayCreate` is true.
    init(_ arguments: Arguments, mayCreate: Bool = false) throws(CommandError) {
        let place = try DatabasePlace(arguments)
        if case .file(let path) = place, !mayCreate, access(path, F_OK) != 0 {
            throw .failure("there is no database at \(path); `clup-backend shop add` makes one")
        }
        administration = Administration(
            database: try place.open(for: .administer), actor: Self.user,
            now: systemNow)
    }

    /// The user who typed the command, as the system knows them (getpwuid(3)); with sudo, the user behind it too.
    private static var user: String {
        let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) }
        let name = user ?? "user \(getuid())"
        return getenv("SUDO_USER").map { "\(name) for \(String(cString: $0))" } ?? name
    }

    func perform<Result>(
        _ body: (Administration) throws(StoreError) -> Result
    ) throws(CommandError) -> Result {
        do throws(StoreError) {
            return try body(administration)
        } catch {
            throw .store(error)
        }
    }

    func shops() throws(CommandError) -> [Shop] {
        try perform { administration throws(StoreError) in try administration.shops() }
    }

    func isDemonstration() throws(CommandError) -> Bool {
        try perform { store throws(StoreError) in try store.isDemonstration() }
    }

    func machineKeys() throws(CommandError) -> [MachineKeyRecord] {
        try perform { administration throws(StoreError) in try administration.machineKeys() }
    }

    /// The key by which machines know this backend; nil before it had a key.
    func backendKey() throws(CommandError) -> PublicKey? {
        try perform { store throws(StoreError) in try store.backendKey() }
            .flatMap(PublicKey.init(bytes:))
    }

    func keep(backendKey key: PublicKey) throws(CommandError) {
        try perform { store throws(StoreError) in
            try store.keepBackendKey(key.bytes, keyID: key.keyID)
        }
    }

    /// The shop that `--shop` names by its identifier or its tag.
    func shop(_ arguments: Arguments) throws(CommandError) -> Shop {
        let name = try arguments.required("shop")
        let shops = try shops()
        guard let shop = shops.first(where: { $0.id.rawValue == name || $0.tag.rawValue == name })
        else {
            throw .failure(
                "there is no shop \"\(name)\" in this database; `clup-backend shop list` tells "
                    + "which there are")
        }
        return shop
    }
}

/// Prints one value as one line of JSON on the standard output, at once.
func printJSON(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return }
    print(String(decoding: data, as: UTF8.self))
    fflush(nil)
}

extension CommandError {
    /// Temporary if the store is busy, full or cannot be reached.
    static func store(_ error: StoreError) -> CommandError {
        switch error.code {
        case .busy, .full, .overloaded, .lost, .conflict, .stopped:
            .temporary(error.description)
        case .inputOutput, .corrupt, .notOurs, .newer, .readOnly, .missing, .served, .constraint,
            .unknownShop, .refused, .other:
            .failure(error.description)
        }
    }
}
