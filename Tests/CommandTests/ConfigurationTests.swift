import CommandSyntax
import Foundation
import Testing

@testable import KioskCommands

@Suite("The machine's configuration: one table, read once")
struct ConfigurationTests {
    private func configuration(_ words: String...) throws -> Configuration {
        try Configuration(Arguments(words, options: Configuration.options))
    }

    private func file(_ text: String) throws -> String {
        let path = NSTemporaryDirectory() + "/\(UUID()).conf"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test("Every setting has a typed field, and the command line overrides the file")
    func fields() throws {
        let path = try file(
            """
            backend = http://127.0.0.1:1, http://127.0.0.1:2
            state = /a
            staff-key = off
            printer = A
            printer2 = B
            printer2-device = escpos://b
            reader-place = left
            languages = it,en
            speech = off
            leave = ctrl-c
            """)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let read = try configuration("--config", path, "--state", "/b", "--staff-key=F3")
        try read.checkAll()
        #expect(try read.neededBackend().addresses.count == 2)
        #expect(read.state == "/b" && read.log == "/b/kiosk.log" && read.staffKey == 3)
        #expect(read.wrappingKeyFile == "/b/wrapping-key")
        #expect(read.printerQueues == ["A", "B"] && read.printerDevices == ["B": "escpos://b"])
        #expect(read.readerPlace == .left && read.languages == ["it", "en"])
        #expect(read.mayLeave && !read.wantsSpeech && read.speechProgram == nil)
    }

    @Test("A machine without a code reader says so, so that no screen asks for one")
    func noReader() throws {
        let path = try file("reader-place = none\n")
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try configuration("--config", path).readerPlace == nil)
    }

    @Test(
        "A wrong value is an error of the command line, or of the file that holds it",
        arguments: [
            ("backend", "ftp://x"), ("backend-key", "x"), ("backend-ca", "/nowhere"),
            ("reader-place", "behind"), ("speech", "espeak"), ("staff-key", "F13"),
            ("help-key", "1"),
            ("leave", "me"), ("printer2", "A"),
        ])
    func faults(name: String, value: String) throws {
        let path = try file("printer = A\n\(name) = \(value)\n")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let inFile = try configuration("--config", path)
        let fault = #expect(throws: CommandError.self) { try inFile.check(name) }
        #expect(fault?.status == .configuration)
        let whole = #expect(throws: CommandError.self) { try inFile.checkAll() }
        #expect(whole == fault)
        let onCommandLine = try configuration("--printer", "A", "--\(name)", value)
        let usage = #expect(throws: CommandError.self) { try onCommandLine.check(name) }
        #expect(usage?.status == .usage && usage?.description == fault?.description)
        // The fault does not stop a command that does not use the setting.
        try inFile.check("cups", "reader")
    }

    @Test("Without a backend the machine is not configured")
    func noBackend() throws {
        let error = #expect(throws: CommandError.self) {
            try Configuration(values: [:]).neededBackend()
        }
        #expect(error?.status == .configuration)
    }

    @Test("The guide's table explains every setting in the words of the program's table")
    func guide() throws {
        let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = try String(
            contentsOf: top.appending(path: "Kiosk/machine.md"), encoding: .utf8)
        let rows = Setting.all.map { "| `\($0.name)` | \($0.explanation) |" }
        #expect(
            guide.contains(
                "| setting | meaning |\n| --- | --- |\n" + rows.joined(separator: "\n") + "\n\n"))
        let example = try String(
            contentsOf: top.appending(path: "Kiosk/debian/etc/kiosk.conf"), encoding: .utf8)
        let lines = example.matches(of: #/(?m)^(?:# )?([a-z0-9-]+) = /#)
        #expect(lines.count > 3)
        for line in lines { #expect(Configuration.isSetting(String(line.output.1))) }
    }
}
