import CommandSyntax
import Glibc

/// `wipe`: deletes the machine's key, people, printouts and events, for a machine that goes out of use.
enum Wipe {
    static let command = Command(
        words: ["wipe"],
        summary: "make the machine forget its key, people, papers and events, for good",
        options: [.flag("yes", "do not ask first"), SetupCommand.configuration],
        notes: """
            For a machine that goes out of use. Run it as root. It stops the machine, overwrites and
            removes its key, PINs, journal, events and log, and removes its print queues with what is in
            them. It asks first. The backend does not hear of it: revoke the machine there, with the
            command that is printed.
            """
    ) { arguments in try run(arguments) }

    private static func run(_ arguments: Arguments) throws {
        let file = arguments.optional("config")
        let configuration = try Configuration(arguments)
        try configuration.check("printer2")
        let fingerprint = (try? WatchedKey(configuration).key().publicKey.fingerprint) ?? "unknown"
        print("This machine's key: \(fingerprint)")
        if !arguments.has("yes") {
            print(
                "Its key, people, papers and events are lost for good. Type \"wipe\" to go on: ",
                terminator: "")
            fflush(nil)
            guard readLine() == "wipe" else {
                print("Nothing was changed.")
                throw CommandError.reported()
            }
        }
        try stop(file ?? Configuration.defaultFile)
        // The lock is held to the end, so that no other process writes meanwhile.
        let lock =
            try access(configuration.state, F_OK) == 0 ? StateLock(state: configuration.state) : nil
        removeQueues(configuration)
        var files = try contents(configuration.state)
        files += [configuration.wrappingKeyFile, configuration.log].filter {
            access($0, F_OK) == 0 && !files.contains($0)
        }
        if configuration.state == Configuration.defaultState,
            access(InstalledMachine.credential, F_OK) == 0
        {
            files.append(InstalledMachine.credential)
        }
        for path in files { try erase(path) }
        withExtendedLifetime(lock) {}
        print(
            """
            \(files.count) files are overwritten and removed. Flash keeps what was overwritten for a while: \
            destroy the disk, or discard it whole (blkdiscard -f /dev/...), if it leaves your hands.
            At the backend, so that the key is worth nothing wherever a copy of it is:
              clup-backend machine list --database DATABASE
              clup-backend machine revoke --database DATABASE --machine MACHINE
            """)
    }

    /// Stops the unit, if this is the computer's own machine.
    private static func stop(_ file: String) throws {
        guard file == Configuration.defaultFile, access("/run/systemd/system", F_OK) == 0 else {
            return
        }
        let result = try OtherProgram.ask(["systemctl", "disable", "--now", "clup-kiosk.service"])
        guard result.status == 0 else {
            throw CommandError.failure(
                "The machine does not stop: systemctl stop clup-kiosk. Nothing was wiped.")
        }
    }

    private static func removeQueues(_ configuration: Configuration) {
        let server = configuration.cupsServer.map { ["-h", $0] } ?? []
        for queue in configuration.printerQueues {
            // A queue that does not exist, or a cupsd that does not run, has no jobs.
            _ = try? OtherProgram.ask(["cancel"] + server + ["-a", "-x", queue])
            _ = try? OtherProgram.ask(["lpadmin"] + server + ["-x", queue])
        }
    }

    /// Every file below a directory; links are not followed.
    private static func contents(_ directory: String) throws -> [String] {
        guard let names = Folder.names(in: directory) else {
            guard errno == ENOENT else {
                throw CommandError.system(errno, .failure) {
                    "\(directory) cannot be read: \($0). Run this as root (sudo)."
                }
            }
            return []
        }
        var found: [String] = []
        for name in names {
            let path = "\(directory)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: found += try contents(path)
            default: found.append(path)
            }
        }
        return found
    }

    /// Overwrites a file's bytes in place, and removes it.
    private static func erase(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        func failure() -> CommandError {
            CommandError.system(errno, .failure) {
                "\(path) cannot be wiped: \($0). "
                    + "Run this as root (sudo); what was wiped before it is gone."
            }
        }
        if status.st_mode & S_IFMT == S_IFREG {
            let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
            guard file >= 0 else { throw failure() }
            defer { close(file) }
            let zeros = [UInt8](repeating: 0, count: 1 << 16)
            var left = Int(status.st_size)
            while left > 0 {
                let count = write(file, zeros, min(left, zeros.count))
                guard count > 0 else { throw failure() }
                left -= count
            }
            guard fsync(file) == 0 else { throw failure() }
        }
        guard unlink(path) == 0 else { throw failure() }
    }
}
