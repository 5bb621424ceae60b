import Cryptography
import Foundation
import SQLite
import TestSupport
import Testing

/// The program that was built together with these tests, in a folder with a database, which is removed with it.
struct BackendCommand {
    /// How a run ended.
    struct Ended {
        let status: Int32
        let output: String
        let errors: String
    }

    static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "clup-backend")

    let directory: TemporaryFolder
    /// The place of the database.
    let path: String

    init() throws {
        directory = try TemporaryFolder()
        path = directory.path + "/database"
    }

    /// With a shop in the database.
    static func withShop() throws -> BackendCommand {
        let program = try BackendCommand()
        let added = try program.addShop()
        guard added.status == 0 else { throw RawClient.Failure(operation: added.errors) }
        return program
    }

    func run(_ words: String...) throws -> Ended { try run(words) }

    /// Runs a command on the database, written as a person types it, with further words that may have blanks.
    func command(
        _ line: String, _ words: [String] = [], environment: [String: String] = [:]
    ) throws -> Ended {
        let typed = line.split(separator: " ").map(String.init)
        return try run(typed + words + ["--database", path], environment: environment)
    }

    func command(_ line: String, _ word: String, _ words: String...) throws -> Ended {
        try command(line, [word] + words)
    }

    /// - Parameter input: What the program reads, at most as much as a pipe holds.
    func run(
        _ words: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> Ended {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = Self.program
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = errors
        if let input {
            let pipe = Pipe()
            pipe.fileHandleForWriting.write(Data(input.utf8))
            try pipe.fileHandleForWriting.close()
            process.standardInput = pipe
        }
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Ended(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaint, as: UTF8.self))
    }

    func addShop(name: String = "Città", capacity: Int = 9, stay: Int = 20) throws -> Ended {
        try command(
            "shop add --tag ROM1 --time-zone Europe/Rome --languages it,en --name", name, "--hours",
            "Mon-Sun 00:00-24:00", "--capacity", "\(capacity)", "--stay", "\(stay)")
    }

    /// Adds a machine with this key.
    func addMachine(_ name: String = "north", _ key: PublicKey) throws -> Ended {
        try command("machine add --shop ROM1 --name \(name) --key=\(key.text)")
    }

    /// The database itself, and the identifier of its shop.
    func database() throws -> (connection: Connection, shop: String) {
        let connection = try Connection(path: path, opening: .existing)
        return try (
            connection, #require(connection.rows("SELECT shop_id FROM shop") { $0.text(0) }.first)
        )
    }

    /// A text field of a line of JSON.
    static func field(_ name: String, of line: String) throws -> String? {
        try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?[name]
            as? String
    }
}
