import Foundation
import TestSupport
import Testing

/// The packages of this project, built once for all tests.
enum Packages {
    /// Their folder, with the names of the `.deb` files in it.
    static let built = Task {
        let folder = Tool.repository.appending(path: ".build/packages").path
        try await Tool.succeed(
            Tool.repository.appending(path: "Kiosk/package").path, ["--no-build", folder])
        return folder
    }

    static func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".deb") }.sorted()
    }
}

/// A fresh Debian 12 in a folder: changes to it are removed with it, the root below it stays.
final class FreshDebian: Sendable {
    private let folder: TemporaryFolder
    private let holder: RunningProgram

    private init(lower: String, packages: String) async throws {
        folder = try TemporaryFolder()
        let ready = folder.file("ready")
        for name in ["upper", "work", "root"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true)
        }
        // The mounts belong to this process and end with it.
        let script = """
            set -e
            mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
            mount -t proc proc "$2/root/proc"
            mkdir -p "$2/root/packages"
            mount --bind "$3" "$2/root/packages"
            touch "$2/ready"
            exec sleep infinity
            """
        holder = try Tool.start(
            "unshare", ["--mount", "sh", "-c", script, "-", lower, folder.path, packages],
            errors: folder.file("errors"))
        try await holder.waits("a root", log: folder.file("errors")) {
            FileManager.default.fileExists(atPath: ready)
        }
    }

    static func with(_ body: (FreshDebian) async throws -> Void) async throws {
        let packages = try await Packages.built.value
        let lower = try await Tool.succeed(
            Tool.repository.appending(path: "Kiosk/package-root").path, [packages])
        try await ending(
            FreshDebian(
                lower: lower.trimmingCharacters(in: .whitespacesAndNewlines), packages: packages),
            by: { await $0.holder.stop() }, after: body)
    }

    /// One with all of our packages.
    static func installed(_ body: (FreshDebian) async throws -> Void) async throws {
        try await with { debian in
            try await debian.install()
            try await body(debian)
        }
    }

    /// Installs all of our packages; only Chromium is missing in the root.
    func install() async throws {
        try await succeed("dpkg -i --force-depends /packages/*.deb")
        let broken = try await run("apt-get check 2>&1").output
        let missing = broken.split(separator: "\n").filter { $0.contains("Depends:") }
        #expect(missing.allSatisfy { $0.contains("chromium") }, "\(broken)")
    }

    /// Runs a shell's command as root in it.
    func run(_ command: String) async throws -> CommandResult {
        try await Tool.run(
            "nsenter",
            [
                "--target", "\(holder.pid)", "--mount", "chroot", folder.file("root"),
                "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8",
                "DEBIAN_FRONTEND=noninteractive", "sh", "-c", command,
            ])
    }

    /// The command line that runs a command as root in it, in a terminal, for a shell outside.
    func command(_ command: String) -> String {
        "nsenter --target \(holder.pid) --mount chroot \(folder.file("root")) env -i "
            + "TERM=screen-256color LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \(command)"
    }

    /// Starts a program that keeps running, waits until another command succeeds, and returns the process.
    func start(_ command: String, ready: String) async throws -> String {
        let pid = try await succeed(
            "mkdir -p /run/cups; \(command) </dev/null 2>/dev/null & echo $!")
        guard try await eventually({ try await run(ready).status == 0 })
        else { throw TestSupportError("\(command) does not begin: \(ready)") }
        return pid.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @discardableResult
    func succeed(_ command: String) async throws -> String {
        let result = try await run(command)
        guard result.status == 0 else {
            throw TestSupportError("\(command): \(result.status)\n\(result.errors)\(result.output)")
        }
        return result.output
    }

    /// Every file, user and group in it, except what dpkg itself stores and logs.
    func contents() async throws -> Set<String> {
        let files = try await succeed(
            """
            find / -xdev \\( -path /proc -o -path /sys -o -path /packages -o -path /var/lib/dpkg \
                -o -path /var/log -o -path /var/cache -o -path /dev -o -path /tmp \\) -prune \
                -o -print
            """)
        let users = try await succeed("getent passwd; getent group")
        return Set((files + users).split(separator: "\n").map(String.init))
    }
}
