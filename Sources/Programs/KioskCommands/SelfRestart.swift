import CommandSyntax
import KeyFile
import MachineClock

/// Detects that a file of the running machine was replaced on the disk: program, libraries or configuration.
@MainActor final class SelfRestart {
    /// An installation writes its files one after the other, with shorter pauses than this.
    private static let installPause: Duration = .seconds(10)
    /// The kernel writes a list of some hundred lines to say which libraries are in use.
    private static let librariesPause: Duration = .seconds(60)

    private let configuration: String?
    private let arguments: Arguments
    private let atStart: FileVersion?
    /// The version of the configuration that could not be used.
    private var refused: FileVersion?
    private let time = MachineClock.system
    private var librariesSeenAt = MachineClock.system.now
    private var areLibrariesReplaced = false
    /// The version of the replaced file that was seen last, and since when. The time in the file would be of no use: the
    /// computer's clock may have been set since.
    private var seen: (version: FileVersion, since: MachineClock.Instant)?
    private let log: @Sendable (String) -> Void

    /// - Parameter arguments: those of the command, which a new start would get again.
    init(
        _ configuration: Configuration, arguments: Arguments,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.configuration = configuration.file
        self.arguments = arguments
        self.log = log
        atStart = configuration.file.flatMap(FileVersion.init(of:))
    }

    /// Whether another version is completely installed, with which a start would succeed.
    var isWaiting: Bool {
        lookAtLibraries()
        if ThisProgram.isReplaced || areLibrariesReplaced {
            return FileVersion(of: ThisProgram.path).map(isComplete) ?? false
        }
        return isConfigurationChanged
    }

    private func lookAtLibraries() {
        let now = time.now
        guard !areLibrariesReplaced, librariesSeenAt.duration(to: now) >= Self.librariesPause
        else { return }
        librariesSeenAt = now
        areLibrariesReplaced = ThisProgram.hasReplacedLibraries
    }

    /// Whether there is a changed configuration with which a start would succeed.
    private var isConfigurationChanged: Bool {
        guard let configuration, let now = FileVersion(of: configuration), now != atStart,
            now != refused, isComplete(now)
        else { return false }
        do {
            _ = try MachineAdapters(Configuration(arguments))
            return true
        } catch {
            refused = now
            log("the configuration has changed, but cannot be used: \(error)")
            return false
        }
    }

    /// Whether a file has stayed as it is for longer than an installation pauses.
    private func isComplete(_ version: FileVersion) -> Bool {
        let now = time.now
        guard let seen, seen.version == version else {
            seen = (version, now)
            return false
        }
        return seen.since.duration(to: now) >= Self.installPause
    }
}
