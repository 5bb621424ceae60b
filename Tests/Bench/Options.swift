import Glibc

/// A sentence for the user of the bench, and the exit status that goes with it.
struct BenchError: Error {
    let sentence: String
    var status: Int32 = 1

    init(_ sentence: String) { self.sentence = sentence }

    /// The command line was wrong: EX_USAGE (sysexits.h).
    static func usage(_ sentence: String) -> BenchError {
        var error = BenchError(sentence)
        error.status = EX_USAGE
        return error
    }

    /// A system call has just failed.
    static func system(_ operation: String) -> BenchError {
        BenchError("\(operation): \(String(cString: strerror(errno)))")
    }
}

/// `--name value` pairs and flags, each accessed by its name.
struct Options {
    static let measuring: Set = [
        "programs", "directory", "seconds", "starts", "touches", "taps", "confirmations", "idle",
        "printer", "assets", "grid", "faults", "troubles", "days", "pause", "start-when",
        "database", "reservations", "hours", "seed", "machines", "pages", "notices", "orders",
    ]
    static let customers: Set = [
        "backend", "state", "first", "every", "entrance", "checkout", "stay",
    ]
    static let invitation: Set = ["backend", "state", "symbol"]
    static let collectors: Set = ["backend", "state", "desk", "orders"]
    static let faultyBackend: Set = ["backend", "fault"]

    private var values: [String: String] = [:]

    init(_ words: [String], _ valued: Set<String>, flags: Set<String> = []) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            let name = String(word.dropFirst(2))
            guard word.hasPrefix("--"), valued.contains(name) || flags.contains(name) else {
                throw BenchError.usage("there is no option \"\(word)\" here; see --help")
            }
            if flags.contains(name) {
                values[name] = "yes"
            } else if let value = rest.popFirst() {
                values[name] = value
            } else {
                throw BenchError.usage("\(word) needs a value after it")
            }
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }

    func text(_ name: String) -> String? { values[name] }

    func required(_ name: String) throws -> String {
        guard let value = values[name] else {
            throw BenchError.usage("--\(name) is missing; see --help")
        }
        return value
    }

    /// The engine of `--database`.
    enum Engine: String {
        case sqlite, postgresql
    }

    func engine() throws -> Engine {
        guard let engine = Engine(rawValue: text("database") ?? "sqlite") else {
            throw BenchError.usage("--database is sqlite or postgresql")
        }
        return engine
    }

    func number(_ name: String, standard: Int) throws -> Int {
        guard let text = values[name] else { return standard }
        guard let number = Int(text), (1...1_000_000).contains(number) else {
            throw BenchError.usage("--\(name) must be a whole number from 1 to 1000000")
        }
        return number
    }
}
