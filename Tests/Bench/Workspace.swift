import FoundationEssentials
import Glibc

/// The folder a bench works in, and the programs it measures.
final class Workspace {
    let directory: String
    private let programs: String

    init(_ options: Options) throws {
        let parent =
            options.text("directory") ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        directory = "\(parent)/clup-bench.\(getpid())"
        guard mkdir(directory, 0o711) == 0 else { throw BenchError.system("mkdir \(directory)") }
        Guardian.begins(folder: directory)
        programs = options.text("programs") ?? Self.folder(of: Self.executable)
    }

    /// Takes the folder away, once nothing that was started works in it any more.
    func remove() {
        try? FileManager.default.removeItem(atPath: directory)
        Guardian.ended(folder: directory)
    }

    /// Makes a file in the folder; answers its path.
    func file(_ name: String, _ text: String) throws -> String {
        let path = "\(directory)/\(name)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
            throw BenchError.system(path)
        }
        return path
    }

    /// The path of a program that is measured.
    func program(_ name: String) throws -> String {
        let path = "\(programs)/\(name)"
        guard access(path, X_OK) == 0 else {
            throw BenchError("\(path) is missing: build it, or name its folder with --programs")
        }
        return path
    }

    /// A file of the source tree this program was built in, or that it was copied into.
    func source(_ name: String) -> String? {
        var folder = Self.folder(of: Self.executable)
        while !folder.isEmpty {
            if access("\(folder)/\(name)", F_OK) == 0 { return "\(folder)/\(name)" }
            folder = Self.folder(of: folder)
        }
        return nil
    }

    static var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }

    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// How long writing 4 KiB to the end of each of so many files and having them on the disk takes.
    func fdatasync(files: Int, times: Int) throws -> Samples {
        let paths = (0..<files).map { "\(directory)/sync-\($0)" }
        let descriptors = paths.map { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        defer {
            for descriptor in descriptors { close(descriptor) }
            for path in paths { unlink(path) }
        }
        let page = [UInt8](repeating: 0x55, count: 4_096)
        return try Samples.of(times) {
            for descriptor in descriptors {
                guard write(descriptor, page, page.count) == page.count,
                    Glibc.fdatasync(descriptor) == 0
                else { throw BenchError.system("fdatasync in \(directory)") }
            }
        }
    }
}
