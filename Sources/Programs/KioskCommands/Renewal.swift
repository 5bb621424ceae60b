import CommandSyntax
import Glibc
import KioskRuntime

/// What of the running machine has been replaced on the disk: program, libraries, configuration.
@MainActor
final class Renewal {
    /// An installation puts its files there one after the other, within less than this.
    private static let settling = 10

    private let configuration: String?
    private let arguments: Arguments
    private let atStart: [Int]?
    /// The version of the configuration that was found to be of no use.
    private var refused: [Int]?
    private let log: @Sendable (String) -> Void

    /// - Parameter arguments: those of the command, which a new start would be given again.
    init(
        _ configuration: Configuration, arguments: Arguments,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.configuration = configuration.file
        self.arguments = arguments
        self.log = log
        atStart = configuration.file.flatMap(Self.version)
    }

    func port(begin: @escaping @MainActor @Sendable () -> Void) -> RenewalPort {
        RenewalPort(isWaiting: { self.isWaiting }, begin: begin)
    }

    private var isWaiting: Bool {
        if RunningProgram.isReplaced || RunningProgram.hasReplacedLibraries {
            return Self.isSettled(RunningProgram.path)
        }
        return isConfiguredAnew
    }

    /// Whether there is another configuration, and one that a start would not fail with.
    private var isConfiguredAnew: Bool {
        guard let configuration, let now = Self.version(configuration), now != atStart,
            now != refused, Self.isSettled(configuration)
        else { return false }
        do {
            _ = try Machine(Configuration(arguments))
            return true
        } catch {
            refused = now
            log("the configuration has changed, but cannot be used: \(error)")
            return false
        }
    }

    private static func isSettled(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && time(nil) - status.st_ctim.tv_sec >= settling
    }

    /// Inode and moment of change.
    private static func version(_ path: String) -> [Int]? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return [Int(status.st_ino), status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}

/// The file this program was started from.
enum RunningProgram {
    /// What the kernel appends to the name of a file that is not there any more (proc(5)).
    private static let mark = " (deleted)"

    private static var link: String {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &text, text.count)
        return String(
            decoding: text.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether another one has been put in its place.
    static var isReplaced: Bool { link.hasSuffix(mark) }

    /// What is to be started in its place.
    static var path: String {
        let link = link
        guard link.hasSuffix(mark) else { return link }
        return String(link.dropLast(mark.count))
    }

    /// Whether a library that is in use has been replaced, as by a security update (proc(5), maps).
    static var hasReplacedLibraries: Bool {
        guard let maps = fopen("/proc/self/maps", "re") else { return false }
        defer { fclose(maps) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, maps) >= 0, let line {
            let text = String(cString: line).trimmed
            if text.hasSuffix(mark), text.contains("/lib/"), text.contains(".so") { return true }
        }
        return false
    }
}
