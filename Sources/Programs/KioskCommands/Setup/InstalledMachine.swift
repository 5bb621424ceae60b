import CommandSyntax
import CupsPrinter
import FoundationEssentials
import Glibc
import KeyFile
import Reservations

/// The present configuration and state of this computer.
struct InstalledMachine {
    static let credential = "/etc/clup/machine-key.cred"

    var settings: SettingsFile
    /// The settings of the session's unit, among them the orientation of the screen.
    var session: SettingsFile
    let configuration: Configuration

    /// - Parameter file: the configuration; the session's file is beside it.
    init(file: String) throws {
        settings = try SettingsFile(path: file)
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
        session = try SettingsFile(path: "\(folder)/session.conf", isShell: true)
        configuration = Configuration(
            values: access(file, F_OK) == 0 ? try Configuration.read(file) : [:])
    }

    func value(_ name: String) -> String? {
        if let name = SetupAnswers.ofSession[name] { return session.value(name) }
        switch name {
        case "printer-device", "printer2-device":
            // CUPS may have lost the queue, or may not run.
            return settings.value(String(name.prefix { $0 != "-" })).flatMap {
                PrinterSearch.device(of: $0, server: configuration.cupsServer)
            } ?? settings.value(name)
        default: return settings.value(name)
        }
    }

    var hasKey: Bool { get throws { try SealedKey.ofMachine(state: configuration.state).exists } }

    /// The machine's name at the backend; nil if it has none, or if the backend does not answer.
    func machineName(_ configuration: Configuration) -> MachineID? {
        struct Report: Decodable { let machine: String? }
        guard (try? hasKey) == true, let program = try? Self.program(configuration),
            let found = try? OtherProgram.ask(program + ["doctor", "--json"] + options),
            let line = found.said.split(whereSeparator: \.isNewline).last(where: {
                $0.hasPrefix("{")
            })
        else { return nil }
        let report = try? JSONDecoder().decode(Report.self, from: Data(line.utf8))
        return report?.machine.map { MachineID($0) }
    }

    func managers() throws -> [String] { try people().filter { $0.role == "manager" }.map(\.name) }

    func knows(_ person: String) throws -> Bool { try people().contains { $0.name == person } }

    private func people() throws -> [(role: String, name: String)] {
        guard access(StaffSubcommand.path(configuration), F_OK) == 0 else { return [] }
        let list = try OtherProgram.ask(
            try Self.program(configuration) + ["staff", "list"] + options)
        return list.said.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t").map(String.init)
            return parts.count >= 2 ? (parts[0], parts[1]) : nil
        }
    }

    /// The options that select this configuration for a command.
    var options: [String] { ["--config", settings.path] }

    /// The words that run this program as the owner of the state directory, whichever user runs the setup.
    static func program(_ configuration: Configuration) throws -> [String] {
        let own = [ThisProgram.path]
        guard geteuid() == 0 else { return own }
        var state = stat()
        if stat(configuration.state, &state) != 0 {
            // A package that was purged and installed again has made it already; otherwise it is made here.
            guard let user = getpwnam("clup-kiosk"),
                configuration.state == Configuration.defaultState
            else { return own }
            guard mkdir(configuration.state, 0o700) == 0,
                chown(configuration.state, user.pointee.pw_uid, user.pointee.pw_gid) == 0,
                stat(configuration.state, &state) == 0
            else {
                throw CommandError.system(errno) {
                    "The state directory \(configuration.state) cannot be made: " + "\($0)."
                }
            }
        }
        guard state.st_uid != 0 else { return own }
        // This is done as in the unit: the key is sealed under a credential if there is one.
        if access(credential, F_OK) == 0, access("/run/systemd/system", F_OK) == 0 {
            return [
                "systemd-run", "--quiet", "--wait", "--collect", "--uid=\(state.st_uid)",
                isatty(STDIN_FILENO) == 1 ? "--pty" : "--pipe",
                "--property=LoadCredentialEncrypted=\(WrappingKey.ofMachine):\(credential)",
            ] + own
        }
        // This uses setpriv(1) and not runuser(1): no session, no log entry, no shell.
        return ["setpriv", "--reuid=\(state.st_uid)", "--regid=\(state.st_gid)", "--init-groups"]
            + own
    }
}
