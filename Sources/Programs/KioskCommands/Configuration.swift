import BackendClient
import Cryptography
import Glibc
import KioskScreens

/// What the machine must be told: a file of `name = value` lines, each of which `--name value` overrides.
struct Configuration {
    /// A fault in the file or on the command line, with the cure.
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    /// Every setting by name, with what it means; the order is that of `--help`.
    static let settings: [(name: String, meaning: String)] = [
        (
            "backend",
            "address of the backend: https://host, or http:// on the loopback; several servers of one "
                + "chain with commas between, asked in turn while one gives no answer"
        ),
        (
            "backend-key",
            "public key of the backend, as \"clup-backend key\" prints it; enrol keeps it"
        ),
        ("backend-ca", "file of PEM certificates to trust for https:// instead of the system's"),
        ("state", "directory for the machine's key and journal (default: \(defaultState))"),
        ("wrapping-key", "file that seals the key (default: wrapping-key in the state directory)"),
        ("printer", "name of the CUPS queue; without one the code is shown on the screen"),
        (
            "printer-device",
            "address of the receipt printer, as ipp://HOST/ipp/print: setup makes its CUPS queue, and "
                + "makes it again where CUPS has lost it"
        ),
        (
            "printer-paper",
            "width of the roll in millimetres, 58 or 80, where the printer does not say; for setup"
        ),
        ("printer2", "name of a second CUPS queue, which prints while the first cannot"),
        ("printer2-device", "address of the second printer, as printer-device"),
        ("printer2-paper", "width of the second printer's roll, as printer-paper"),
        ("cups", "CUPS server as host:port or socket (default: the system's)"),
        (
            "reader",
            "device of the code reader: /dev/serial/by-id/... or, read exclusively, "
                + "/dev/input/by-id/...-event-kbd (US keyboard); without one it types"
        ),
        ("reader-place", "where it is, for an arrow: left, right, below, above (default: below)"),
        ("speech", "on, off, or the path of espeak-ng (default: on, where it is installed)"),
        (
            "languages",
            "catalogues to offer, as it,en; the shop's own come first (default: all there are)"
        ),
        ("assets", "directory of the program's assets (default: beside the program)"),
        ("log", "file for the log (default: kiosk.log in the state directory)"),
        ("staff-key", "key of a keyboard that asks for a PIN: F1 to F12 or off (default: F10)"),
        (
            "restart-request",
            "file that is written to have the whole machine started anew (a systemd path unit looks "
                + "for it); without it maintenance mode does not offer that"
        ),
        ("leave", "\"ctrl-c\" lets Ctrl-C leave the kiosk; for demonstrations only"),
    ]
    static let defaultFile = "/etc/clup/kiosk.conf"
    static let defaultState = "/var/lib/clup-kiosk"

    private var values: [String: String] = [:]
    /// The file that was read; nil where there is none.
    private(set) var file: String?

    /// Reads the arguments after the command and the file that `--config` names.
    ///
    /// Without `--config` the file is /etc/clup/kiosk.conf, where there is one.
    init(arguments: [String]) throws {
        var overrides: [String: String] = [:]
        var file: String?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                throw Malformed(description: "\"\(argument)\" is not an option; see --help.")
            }
            let name = String(argument.dropFirst(2))
            guard name == "config" || Self.isSetting(name) else {
                throw Malformed(description: "There is no option \(argument); see --help.")
            }
            guard let value = rest.popFirst() else {
                throw Malformed(description: "\(argument) needs a value after it.")
            }
            if name == "config" { file = value } else { overrides[name] = value }
        }
        if file == nil, access(Self.defaultFile, F_OK) == 0 { file = Self.defaultFile }
        if let file { values = try Self.read(file) }
        self.file = file
        values.merge(overrides) { $1 }
    }

    /// What these settings alone say; for who puts them together.
    init(values: [String: String]) { self.values = values }

    /// Throws what is wrong with the value of a setting, where that can be told without the world.
    func check(_ name: String) throws {
        switch name {
        case "backend": _ = try backend
        case "backend-key": _ = try givenBackendKey
        case "backend-ca": _ = try authorities
        case "printer", "printer2": _ = try printerQueues
        case "reader-place": _ = try readerPlace
        case "speech": _ = try speechProgram
        case "staff-key": _ = try staffKey
        case "leave": _ = try mayLeave
        default: break
        }
    }

    var state: String { values["state"] ?? Self.defaultState }
    var wrappingKeyFile: String { values["wrapping-key"] ?? "\(state)/wrapping-key" }
    /// CUPS queues, the preferred one first; at most two.
    var printerQueues: [String] {
        get throws {
            let queues = ["printer", "printer2"].compactMap { values[$0] }
            guard values["printer2"] == nil || Set(queues).count == 2 else {
                throw Malformed(
                    description: "printer2 is for a second CUPS queue: name another one than "
                        + "printer, or leave it out.")
            }
            return queues
        }
    }
    /// Addresses of the printers that `setup` has made queues of, by the name of the queue.
    var printerDevices: [String: String] {
        var devices: [String: String] = [:]
        for setting in ["printer", "printer2"] {
            if let queue = values[setting], let device = values["\(setting)-device"] {
                devices[queue] = device
            }
        }
        return devices
    }
    var cupsServer: String? { values["cups"] }
    var reader: String? { values["reader"] }
    /// What is written to have the whole machine started anew; nil where the staff may not.
    var restartRequest: String? { values["restart-request"] }
    var log: String { values["log"] ?? "\(state)/kiosk.log" }
    var assets: String? { values["assets"] }
    var languages: [String]? {
        values["languages"].map { $0.split(separator: ",").map(String.init) }
    }

    var readerPlace: ReaderPlace {
        get throws {
            guard let text = values["reader-place"] else { return .below }
            guard let place = ReaderPlace(rawValue: text) else {
                let places = ReaderPlace.allCases.map(\.rawValue).joined(separator: ", ")
                throw Malformed(
                    description: "reader-place can only be one of \(places), not \"\(text)\".")
            }
            return place
        }
    }

    /// The program that reads screens aloud; nil for a machine without a voice.
    var speechProgram: String? {
        get throws {
            switch values["speech"] {
            case "off": return nil
            case nil, "on": return Self.found("espeak-ng")
            case let path?:
                guard path.hasPrefix("/"), access(path, X_OK) == 0 else {
                    throw Malformed(
                        description: "speech is \"on\", \"off\" or the path of a program that can "
                            + "be run; \"\(path)\" is none of them.")
                }
                return path
            }
        }
    }

    /// Whether a voice is wanted.
    var wantsSpeech: Bool { values["speech"] != "off" }

    /// The path of a program, looked for where shells look.
    private static func found(_ program: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }

    /// The number of the function key that leads to maintenance mode; nil where none does.
    var staffKey: Int? {
        get throws {
            guard let text = values["staff-key"] else { return 10 }
            if text == "off" { return nil }
            guard let number = (1...12).first(where: { text == "F\($0)" }) else {
                throw Malformed(description: "staff-key is F1 to F12 or off, not \"\(text)\".")
            }
            return number
        }
    }

    /// Whether Ctrl-C leaves the kiosk.
    var mayLeave: Bool {
        get throws {
            guard let leave = values["leave"] else { return false }
            guard leave == "ctrl-c" else {
                throw Malformed(description: "leave can only be \"ctrl-c\", not \"\(leave)\".")
            }
            return true
        }
    }

    var backend: BackendServers {
        get throws {
            guard let text = values["backend"] else {
                throw Malformed(
                    description: "No backend is configured: give --backend ADDRESS, "
                        + "or a line \"backend = ADDRESS\" in \(Self.defaultFile).")
            }
            do { return try BackendServers(text) } catch {
                throw Malformed(description: error.description)
            }
        }
    }

    /// Certificates to trust; nil for the system's.
    var authorities: String? {
        get throws {
            guard let path = values["backend-ca"] else { return nil }
            guard access(path, R_OK) == 0 else {
                throw Malformed(
                    description: "backend-ca: \(path) cannot be read: "
                        + "\(String(cString: strerror(errno))).")
            }
            return path
        }
    }

    /// The backend's key as the setting gives it; nil where it does not.
    var givenBackendKey: PublicKey? {
        get throws {
            guard let text = values["backend-key"] else { return nil }
            guard let key = PublicKey(text: text) else {
                throw Malformed(
                    description: "backend-key is not an Ed25519 public key: give the 43 "
                        + "characters that \"clup-backend key\" prints.")
            }
            return key
        }
    }

    static func isSetting(_ name: String) -> Bool {
        settings.contains { $0.name == name }
    }

    static func read(_ path: String) throws -> [String: String] {
        var values: [String: String] = [:]
        for (number, name, value) in try NamedValues.read(path, kind: "configuration") {
            guard isSetting(name) else {
                throw Malformed(
                    description: "\(path), line \(number): there is no setting \"\(name)\"; "
                        + "the settings are \(settings.map(\.name).joined(separator: ", ")).")
            }
            values[name] = value
        }
        return values
    }
}
