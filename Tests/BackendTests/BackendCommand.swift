import Foundation

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

    let directory: TemporaryDirectory
    /// The place of the database.
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
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

    func addShop(name: String = "Città") throws -> Ended {
        try run(
            "shop", "add", "--database", path, "--name", name, "--tag", "ROM1", "--time-zone",
            "Europe/Rome", "--hours", "Mon-Sun 00:00-24:00", "--capacity", "9", "--stay", "20",
            "--languages", "it,en")
    }

    /// A text field of a line of JSON.
    static func field(_ name: String, of line: String) throws -> String? {
        try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?[name]
            as? String
    }
}
