import Foundation
import TestSupport
import Testing

@Suite("Set up from a file of answers")
struct SetupTests {
    @Test("An empty computer becomes a serving machine; the next run changes nothing, one a value")
    func file() async throws {
        try await ServingBackend.with(machines: []) { backend in
            try await DemoPrinter.with { printer in
                let bench = try Bench()
                let answers = """
                    backend = \(backend.address)
                    backend-key = \(try await backend.publicKey())
                    cups = \(printer.server)
                    printer = Till
                    printer-device = \(printer.description.printer)
                    reader-place = right
                    rotate = left
                    screen-millimetres = 217x136
                    manager = Giulia
                    manager-pin = 739146
                    """
                let first = try await bench.setup(answers: answers)
                // The backend does not know the key yet, and doctor names the command that adds it.
                #expect(first.status == 1 && first.output.contains("clup-backend machine add"))
                #expect(first.output.contains("Till: a TEST paper is printed."))
                #expect(first.output.contains("a roll 80 mm wide"))
                let configuration = try bench.configuration()
                #expect(configuration.contains("# kept as it is\n"))
                #expect(configuration.contains("printer = Till\n"))
                #expect(
                    try String(contentsOfFile: bench.file("session.conf"), encoding: .utf8)
                        == "CLUP_ROTATE=left\nCLUP_MILLIMETRES=217x136\n")
                let key = try #require(
                    first.output.split(separator: "\n").first { $0.utf8.count == 43 })
                try await backend.addMachine(key: String(key))
                // A server notices the change within a second.
                #expect(try await eventually { try await bench.doctor().status == 0 })

                let version = try bench.version()
                let again = try await bench.setup(answers: answers)
                #expect(again.status == 0, "\(again.output)\(again.errors)")
                #expect(!again.output.contains("is written"))
                #expect(again.output.contains("Giulia is known here already."))
                #expect(try bench.version() == version)
                #expect(try printer.papers().count == 1)

                let last = try await bench.setup(answers: "reader-place = -\nlanguages = it,en")
                #expect(last.status == 0 && last.output.contains("kiosk.conf is written"))
                let changed = try bench.configuration()
                #expect(
                    !changed.contains("reader-place") && changed.contains("languages = it,en\n"))
                #expect(changed.contains("printer = Till\n"))
            }
        }
    }

    @Test(
        "A wrong answer is reported with its line, and nothing is changed",
        arguments: [
            ("backend = queue.example.it", "https://"),
            ("backend-key = abc", "43 characters"),
            ("printer = a b", "cannot be the name of a CUPS queue"),
            ("printer-device = 192.0.2.1", "is no address of a printer"),
            ("printer-device = ipp://127.0.0.1:9/ipp/print", "answers as an IPP printer"),
            ("printer-paper = 76", "58 or 80"),
            ("reader = reader", "path from / on"),
            ("reader-place = behind", "left, right, below, above, or none"),
            ("languages = it,xx", "no catalogue \"xx\""),
            ("rotate = 90", "normal, left, right or inverted"),
            ("screen-millimetres = 217", "217x136"),
            ("manager-pin = 123456", "tried first"),
            ("manager-pin = 739146", "no manager"),
            ("enrol = perhaps", "pair, key or later"),
            ("staff-key = F13", "F1 to F12"),
            ("colour = red", "nothing called \"colour\""),
            ("backend", "not \"name = value\""),
        ])
    func wrong(line: String, sentence: String) async throws {
        let bench = try Bench()
        let isBackend = line.hasPrefix("backend =")
        try bench.answer((isBackend ? "" : "backend = http://127.0.0.1:9\n") + line)
        let before = try bench.everything()
        let result = try await bench.setup("--file", bench.answers)
        #expect(result.status != 0 && result.errors.contains(sentence), "\(result.errors)")
        #expect(try bench.everything() == before)
    }

    @Test("Without a terminal and without a file it says what is missing")
    func neither() async throws {
        let bench = try Bench()
        let result = try await bench.setup()
        #expect(result.status == 64 && result.errors.contains("--file"))
        let missing = try await bench.setup("--file", bench.file("none"))
        #expect(missing.status == 78 && missing.errors.contains("cannot be read"))
        let unknown = try await bench.setup("--fiel")
        #expect(unknown.status == 64 && unknown.errors.contains("--fiel"))
    }
}

/// A computer's configuration and state in a folder, and what `setup` does with it.
struct Bench {
    private let folder: TemporaryFolder
    private let drivers: TemporaryFolder

    /// - Parameter cups: the server that `kiosk.conf` names.
    init(cups: String? = nil) throws {
        folder = try TemporaryFolder()
        drivers = try TemporaryFolder()
        try Data(
            """
            # kept as it is
            state = \(folder.file("state"))
            assets = \(Programs.assets)
            speech = off
            \(cups.map { "cups = \($0)" } ?? "")

            """.utf8
        ).write(to: URL(filePath: folder.file("kiosk.conf")))
    }

    var answers: String { folder.file("answers") }
    var state: String { folder.file("state") }
    func file(_ name: String) -> String { folder.file(name) }

    func answer(_ lines: String) throws {
        try Data((lines + "\n").utf8).write(to: URL(filePath: answers))
    }

    /// Sets up from these answers.
    func setup(answers lines: String) async throws -> CommandResult {
        try answer(lines)
        return try await setup("--file", answers)
    }

    func setup(_ words: String...) async throws -> CommandResult {
        try await Tool.succeed(
            Tool.repository.appending(path: "Kiosk/escpos-drivers").path, [drivers.path])
        return try await Tool.run(
            Programs.kiosk, ["setup"] + words + ["--config", file("kiosk.conf")],
            environment: ["CLUP_DRIVERS": drivers.path])
    }

    func doctor(_ surroundings: [String: String] = [:]) async throws -> CommandResult {
        try await Tool.run(
            Programs.kiosk, ["doctor", "--config", file("kiosk.conf")], environment: surroundings)
    }

    func configuration() throws -> String {
        try String(contentsOfFile: file("kiosk.conf"), encoding: .utf8)
    }

    /// What changes whenever the configuration is written.
    func version() throws -> String {
        let attributes = try FileManager.default.attributesOfItem(atPath: file("kiosk.conf"))
        return "\(attributes[.systemFileNumber] ?? 0) \(attributes[.modificationDate] ?? 0)"
    }

    /// Every file with its content, except files that the next start of the computer removes.
    func everything() throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: names.filter { !$0.hasPrefix("run") }.map { name in
                (name, FileManager.default.contents(atPath: file(name)) ?? Data())
            })
    }
}
