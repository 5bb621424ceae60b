import CommandSyntax
import Glibc
import KeyFile

/// Detects that a file of the running machine was replaced on the disk: program, libraries or configuration.
@MainActor final class SelfRestart {
    /// An installation writes its files one after the other, with shorter pauses than this.
    private static let installQuietSeconds = 10
    /// The kernel writes a list of some hundred lines to say which libraries are in use.
    private static let librariesPause: Duration = .seconds(60)

    private let configuration: String?
    private let arguments: Arguments
    private let atStart: FileVersion?
    /// The version of the configuration that could not be used.
    private var refused: FileVersion?
    private var librariesSeenAt = ContinuousClock.now
    private var areLibrariesReplaced = false
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
            return Self.isUnchanged(ThisProgram.path)
        }
        return isConfigurationChanged
    }

    private func lookAtLibraries() {
        let now = ContinuousClock.now
        guard !areLibrariesReplaced, now >= librariesSeenAt + Self.librariesPause else { return }
        librariesSeenAt = now
        areLibrariesReplaced = ThisProgram.hasReplacedLibraries
    }

    /// Whether there is a changed configuration with which a start would succeed.
    private var isConfigurationChanged: Bool {
        guard let configuration, let now = FileVersion(of: configuration), now != atStart,
            now != refused, Self.isUnchanged(configuration)
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

    private static func isUnchanged(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && time(nil) - status.st_ctim.tv_sec >= installQuietSeconds
    }
}
