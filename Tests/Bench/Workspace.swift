import FoundationEssentials
import Glibc
import TestSupport

/// The folder a bench works in, and the programs it measures.
final class Workspace {
    let options: Options
    let directory: String
    /// The folder that kiosks read their catalogues from.
    let assets: String
    private let programs: String
    private let parent: String
    private var ends: [() -> Void] = []

    init(_ options: Options) throws {
        self.options = options
        parent =
            options.text("directory") ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        directory = "\(parent)/clup-bench.\(getpid())"
        guard mkdir(directory, 0o711) == 0 else { throw BenchError.system("mkdir \(directory)") }
        Guardian.begins(.folder, directory)
        // Other temporary files, including those of started programs, are removed with it.
        setenv("TMPDIR", directory, 1)
        assets = options.text("assets") ?? Tool.repository.appending(path: "Assets").path
        programs = options.text("programs") ?? Self.folder(of: Self.executable)
    }

    /// Has something end before the folder is removed, in the reverse order.
    func atEnd(_ end: @escaping () -> Void) { ends.append(end) }

    /// A server of PostgreSQL that works in the folder.
    func postgres() throws -> PostgresServer {
        let server = try PostgresServer(in: "\(directory)/postgresql")
        atEnd { try? server.stop("immediate") }
        return server
    }

    /// Ends what works in the folder, and removes it.
    func remove() {
        while let end = ends.popLast() { end() }
        setenv("TMPDIR", parent, 1)
        try? FileManager.default.removeItem(atPath: directory)
        Guardian.ended(.folder, directory)
    }

    /// The path of a program that is measured.
    func program(_ name: String) throws -> String {
        let path = "\(programs)/\(name)"
        guard access(path, X_OK) == 0 else {
            throw BenchError("\(path) is missing: build it, or name its folder with --programs")
        }
        return path
    }

    static var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }

    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// The time to append 4 KiB to each of this many files and to flush them to the disk.
    func fdatasync(files: Int, times: Int) throws -> BenchSamples {
        let paths = (0..<files).map { "\(directory)/sync-\($0)" }
        let descriptors = paths.map { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        defer {
            for descriptor in descriptors { close(descriptor) }
            for path in paths { unlink(path) }
        }
        let page = [UInt8](repeating: 0x55, count: 4_096)
        return try BenchSamples.of(times) {
            for descriptor in descriptors {
                guard write(descriptor, page, page.count) == page.count,
                    Glibc.fdatasync(descriptor) == 0
                else { throw BenchError.system("fdatasync in \(directory)") }
            }
        }
    }
}
