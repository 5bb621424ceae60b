import BackendClient
import CommandSyntax
import Cryptography
import Glibc
import KioskScreens

/// The machine's configuration: a file of `name = value` lines, each of which `--name value` overrides; read once.
struct Configuration: Sendable {
    static let defaultFile = "/etc/clup/kiosk.conf"
    static let defaultState = "/var/lib/clup-kiosk"
    static let options = [Option.setting("config")] + Setting.all.map { .setting($0.name) }

    /// The file that was read; nil if there is none.
    private(set) var file: String?
    /// The faults of values by the names of their settings; a command checks the settings that it uses.
    private var faults: [String: CommandError] = [:]

    /// The backend's servers; nil if none is configured.
    var backend: BackendServers?
    /// The backend's key as the setting gives it; nil if it does not.
    var givenBackendKey: PublicKey?
    /// A file of certificates to trust; nil for the system's.
    var authorities: String?
    var state = Configuration.defaultState
    var givenWrappingKeyFile: String?
    var printer: String?
    var printerDevice: String?
    var printerPaper: String?
    var printer2: String?
    var printer2Device: String?
    var printer2Paper: String?
    var cupsServer: String?
    var reader: String?
    var readerPlace: ReaderPlace? = .below
    var wantsSpeech = true
    var givenSpeechProgram: String?
    var languages: [String]?
    /// Whether the terminal has the machine's own font.
    var hasOwnFont = false
    var assets: String?
    var givenLog: String?
    /// The number of the function key that opens maintenance mode; nil if none does.
    var staffKey: Int? = 10
    /// Which of F1 to F12 is the customers' *Help*; nil for none.
    var helpKey: Int? = 1
    /// The file that is written to have the whole computer restarted; nil if the staff may not do that.
    var restartRequest: String?
    /// Whether Ctrl-C leaves the kiosk.
    var mayLeave = false

    var wrappingKeyFile: String { givenWrappingKeyFile ?? "\(state)/wrapping-key" }
    var log: String { givenLog ?? "\(state)/kiosk.log" }
    /// CUPS queues, the preferred one first; at most two.
    var printerQueues: [String] { [printer, printer2].compactMap { $0 } }
    /// Addresses of the printers for which `setup` has made queues, by the name of the queue.
    var printerDevices: [String: String] {
        var devices: [String: String] = [:]
        for (queue, device) in [(printer, printerDevice), (printer2, printer2Device)] {
            if let queue, let device { devices[queue] = device }
        }
        return devices
    }
    /// The program that reads screens aloud; nil for a machine without a voice.
    var speechProgram: String? { wantsSpeech ? givenSpeechProgram ?? Self.found("espeak-ng") : nil }

    /// Takes the settings among the arguments and those of the file that `--config` names: /etc/clup/kiosk.conf
    /// unless given, if it is there.
    init(_ arguments: Arguments) throws {
        file = arguments.optional("config")
        if file == nil, access(Self.defaultFile, F_OK) == 0 { file = Self.defaultFile }
        let lines = try file.map(Self.read) ?? [:]
        var options: [String: String] = [:]
        for setting in Setting.all { options[setting.name] = arguments.optional(setting.name) }
        take(lines.merging(options) { $1 }, fromCommandLine: Set(options.keys))
    }

    /// Only the given settings, for a caller that puts them together.
    init(values: [String: String]) { take(values, fromCommandLine: []) }

    private mutating func take(_ values: [String: String], fromCommandLine options: Set<String>) {
        func fault(_ error: CommandError, of names: String...) -> CommandError {
            options.isDisjoint(with: names) ? error : error.with(.usage)
        }
        for setting in Setting.all {
            guard let value = values[setting.name] else { continue }
            do throws(CommandError) { try setting.take(&self, value) } catch {
                faults[setting.name] = fault(error, of: setting.name)
            }
        }
        if printer2 != nil, Set(printerQueues).count < 2 {
            faults["printer2"] = fault(
                .configuration(
                    "printer2 is for a second CUPS queue: name another one than printer, or leave "
                        + "it out."), of: "printer", "printer2")
        }
    }

    func check(_ names: String...) throws(CommandError) {
        for name in names { if let fault = faults[name] { throw fault } }
    }

    func checkAll() throws(CommandError) { for setting in Setting.all { try check(setting.name) } }

    func neededBackend() throws(CommandError) -> BackendServers {
        try check("backend")
        guard let backend else {
            throw .configuration(
                "No backend is configured: give --backend ADDRESS, or a line "
                    + "\"backend = ADDRESS\" in \(Self.defaultFile).")
        }
        return backend
    }

    /// The path of a program, searched for in PATH as shells do.
    private static func found(_ program: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    static func isSetting(_ name: String) -> Bool { Setting.all.contains { $0.name == name } }

    static func read(_ path: String) throws -> [String: String] {
        var values: [String: String] = [:]
        for (number, name, value) in try KeyValueFile(path, kind: "configuration").values {
            guard isSetting(name) else {
                throw CommandError.configuration(
                    "\(path), line \(number): there is no setting \"\(name)\"; the settings are "
                        + "\(Setting.all.map(\.name).joined(separator: ", ")).")
            }
            values[name] = value
        }
        return values
    }
}
