import Foundation
import TestSupport

/// An environment in which commands of a guide run one after the other: the two programs, a database with a shop and a
/// machine, a staff member, and values for the words in capitals of the guides.
final class GuideShell {
    /// The input of a command that asks for a PIN.
    private static let pin = "50713926"

    private let folder: TemporaryFolder
    /// Of the two servers of a guide.
    private let ports: [ReservedPort]
    private var environment: [String: String] = [:]
    /// Addresses and files of a real installation, with those that replace them here.
    private var phrases: [(String, with: String)] = []
    private var words: [(String, with: String)] = []
    private var servers: [RunningProgram] = []

    /// - Parameters:
    ///   - answers: the example of a file of answers.
    ///   - commands: the commands to run; a database or staff member that they make is not made beforehand.
    init(answers: String, for commands: String) async throws {
        func need(_ words: String...) -> Bool { words.contains(where: commands.contains) }
        folder = try TemporaryFolder()
        ports = [try ReservedPort(), try ReservedPort()]
        try makeFolders(answers)
        environment = [
            "PATH": "\(folder.file("bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "")",
            "HOME": folder.path,
        ]
        phrases = [
            ("proxy check", with: "proxy check --nginx \(folder.file("nginx"))"),
            ("staff badge Giulia", with: "staff badge Giulia --pdf badge.pdf"),
            ("/var/lib/clup-backend/backend.sqlite", with: folder.file("file.sqlite")),
            ("/var/lib/clup/backend.sqlite", with: folder.file("file.sqlite")),
            ("/var/lib/clup", with: folder.file("lib")),
            ("/etc/clup", with: folder.file("lib")), ("/etc/nginx", with: folder.file("nginx")),
            // The package installs the examples there (Kiosk/debian/clup-backend.examples).
            (
                "/usr/share/doc/clup-backend/examples/nginx",
                with: Tool.repository.appending(path: "Kiosk/nginx").path
            ),
            ("127.0.0.1:8480", with: ports[0].address),
            ("127.0.0.1:9480", with: ports[1].address),
            // The example runs the script that changes the time; the tests that the guide runs with it are replaced.
            ("Tests/at-time", with: Tool.repository.appending(path: "Tests/at-time").path),
            ("swift test --skip-build --filter QueueEngineTests", with: "date"),
        ]
        words = [
            ("FILE", with: folder.file("file.sqlite")), ("COPY", with: folder.file("copy")),
            ("ANSWERS", with: folder.file("answers")), ("DIRECTORY", with: folder.file("base")),
            ("NAME", with: "till"), ("KEY", with: try await newKey()),
        ]
        if need("postgresql://", "$URL") { try usePostgres() }
        if need("clup-kiosk staff"), !need("staff add") {
            // The staff members that the guides name.
            for (person, pin) in [("Giulia", "739146"), ("Marco", "824091")] {
                try await run("echo \(pin) | clup-kiosk staff add \(person) --role manager")
            }
        }
        if need("FILE", "$URL", "BACKENDKEY"), !need("shop add") { try await addShop() }
        if need("--device window") {
            let options = "--shop CITT --role display --name window"
            try await run("clup-backend device add --database FILE \(options) --key \(newKey())")
        }
    }

    private func makeFolders(_ answers: String) throws {
        let files = FileManager.default
        for name in ["bin", "nginx/conf.d", "Assets", "Kiosk", "lib"] {
            try files.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true)
        }
        for (path, copy) in [
            ("Assets/Locale", "Assets/Locale"),
            ("Kiosk/compile-catalogues", "Kiosk/compile-catalogues"),
            ("Kiosk/make-font", "Kiosk/make-font"),
            ("Kiosk/nginx/clup-backend.conf", "nginx/conf.d/clup-backend.conf"),
        ] {
            try files.copyItem(
                atPath: Tool.repository.appending(path: path).path, toPath: folder.file(copy))
        }
        // The guide to the backend asks for this file.
        _ = try folder.write(
            "worker_rlimit_nofile 8192;\nevents { worker_connections 4096; }\n".utf8,
            to: "nginx/nginx.conf")
        _ = try folder.write("\(answers)\nserial = 1\nmachine = any\n".utf8, to: "answers")
        try files.createSymbolicLink(
            atPath: folder.file("bin/clup-backend"),
            withDestinationPath: Tool.program("clup-backend"))
        // The computer of the tests may be a ticket machine itself, which must not be changed.
        let kiosk = try folder.write(
            """
            #!/bin/sh
            case $1 in setup) ;; *) set -- "$@" --state '\(folder.file("state"))' ;; esac
            exec '\(Tool.program("clup-kiosk"))' "$@"

            """.utf8, to: "bin/clup-kiosk")
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: kiosk)
    }

    private func usePostgres() throws {
        let server = try PostgresServer.shared()
        let empty = "'\(try server.database())'"
        let name = "guide_\(UUID().uuidString.prefix(8).lowercased())"
        environment.merge(
            ["PGHOST": server.folder, "PGUSER": "clup", "URL": try server.database()]
        ) { $1 }
        phrases += [
            ("createuser clup", with: "createuser \(name)"),
            ("--owner clup", with: "--owner \(name)"),
            ("template0 clup", with: "template0 \(name)"),
            ("\"postgresql://clup@db.example.it/clup?sslmode=verify-full\"", with: empty),
            (
                "\"postgresql://clup@db1.example.it,db2.example.it/clup?sslmode=verify-full\"",
                with: empty
            ),
        ]
    }

    /// Adds a shop and a machine with the names that the guides use.
    private func addShop() async throws {
        let databases = ["FILE"] + (environment["URL"] == nil ? [] : ["$URL"])
        for database in databases {
            try await run(
                """
                clup-backend shop add --database "\(database)" --name Prova --tag CITT \
                --time-zone Europe/Rome --hours "Mon-Sun 00:00-24:00" --capacity 9 --stay 20
                """)
        }
        try await run(
            "clup-backend machine add --database FILE --shop CITT --name till --key \(newKey())")
        let key = try await run("clup-backend key --database FILE")
        let audit = try await run("clup-backend audit verify --database FILE")
        words += [
            ("BACKENDKEY", with: try field("key", of: key)),
            ("HEAD", with: try field("head", of: audit)),
        ]
    }

    /// The public key of another machine, without a leading dash, which would look like an option.
    private func newKey() async throws -> String {
        while true {
            let output = try await run(
                "'\(Tool.program("clup-kiosk"))' enrol --state machine-\(UUID().uuidString)")
            let lines = output.components(separatedBy: "\n")
            guard let key = lines.first(where: { $0.count == 43 }) else {
                throw TestSupportError("no key: \(output)")
            }
            if !key.hasPrefix("-") { return key }
        }
    }

    private func field(_ name: String, of line: String) throws -> String {
        let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let value = fields?[name] as? String else {
            throw TestSupportError("no \(name): \(line)")
        }
        return value
    }

    /// Runs a command to its end, or a server until it is ready; returns the output.
    @discardableResult
    func run(_ command: String) async throws -> String {
        if let set = command.wholeMatch(of: /(\w+)=(\w+)/) {
            environment[String(set.output.1)] = String(set.output.2)
            return ""
        }
        var text = phrases.reduce(command) { $0.replacing($1.0, with: $1.with) }
        for (word, value) in words {
            text.replace(try Regex("\\b\(word)\\b"), with: value)
        }
        let isServer = text.hasPrefix("clup-backend serve ")
        if isServer {
            text = "exec \(text)" + (text.contains("--listen") ? "" : " --listen 127.0.0.1:0")
        }
        let output = folder.file("output-\(UUID().uuidString)")
        let errors = folder.file("errors")
        let process = try Tool.start(
            "bash", ["-euc", "cd '\(folder.path)'; exec < <(echo \(Self.pin)); \(text)"],
            environment: environment, output: output, errors: errors)
        func said(_ path: String) -> String {
            String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        }
        if isServer {
            servers.append(process)
            _ = await eventually { said(output).contains("listening") || !process.isRunning }
        } else {
            await process.end()
        }
        guard isServer ? process.isRunning : process.endStatus == 0 else {
            throw TestSupportError(
                "\(text): status \(process.endStatus ?? -1)\n\(said(errors))\(said(output))")
        }
        return said(output)
    }

    /// Ends the servers; returns the first status that is not success, if there is one.
    func end() async -> Int32 {
        for server in servers { await server.stop() }
        return servers.compactMap(\.endStatus).first { $0 != 0 } ?? 0
    }
}
