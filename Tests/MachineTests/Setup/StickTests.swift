import Foundation
import TestSupport
import Testing

@Suite("A stick with answers that the administrator has signed")
struct StickTests {
    private let bench: Bench
    private var stick: String { bench.file("stick") }
    private var signed: String { "\(stick)/clup-setup.conf" }
    private var keys: String { bench.file("keys") }
    private var keyFile: String { bench.file("setup.key") }

    init() throws {
        bench = try Bench()
        try FileManager.default.createDirectory(
            atPath: stick, withIntermediateDirectories: false)
    }

    /// Signs answers as an administrator, puts them on the stick, and returns the public key.
    @discardableResult
    private func sign(
        _ lines: String, serial: String = "1", machine: String = "any", keys: String? = nil
    ) async throws -> String {
        try bench.answer("serial = \(serial)\nmachine = \(machine)\n\(lines)")
        let key = try await Tool.succeed(
            Programs.kiosk, ["setup", "sign", bench.answers, "--keys", keys ?? self.keys])
        try? FileManager.default.removeItem(atPath: signed)
        try FileManager.default.moveItem(atPath: bench.file("clup-setup.conf"), toPath: signed)
        return key.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func trust(_ key: String) throws {
        try Data("# the administrator\n\(key)\n".utf8).write(to: URL(filePath: keyFile))
    }

    private func plugIn() async throws -> CommandResult {
        // Run as the unit does, without the mount.
        try await Tool.run(
            Tool.repository.appending(path: "Kiosk/debian/lib/apply-stick").path,
            [
                stick, "--key", keyFile, "--applied", bench.file("applied"), "--config",
                bench.file("kiosk.conf"),
            ], environment: ["CLUP_RUN": bench.file("run"), "CLUP_PROGRAM": Programs.kiosk])
    }

    private let answers = "backend = http://127.0.0.1:9\nenrol = later"

    private func edit(_ change: (inout String) -> Void) throws {
        var text = try String(contentsOfFile: signed, encoding: .utf8)
        change(&text)
        try Data(text.utf8).write(to: URL(filePath: signed))
    }

    /// Checks that the stick is refused with this sentence and that nothing changes.
    private func refuses(_ sentence: String) async throws {
        let before = try bench.everything()
        let result = try await plugIn()
        #expect(result.status != 0 && result.errors.contains(sentence), "\(result.errors)")
        #expect(try bench.everything() == before)
    }

    @Test("Answers are taken unless they are older ones or are for another computer")
    func taken() async throws {
        try trust(try await sign(answers, serial: "7", machine: ProcessInfo.processInfo.hostName))
        let first = try await plugIn()
        // doctor reports that there is no key yet.
        #expect(first.status == 1 && first.output.contains("kiosk.conf is written"))
        #expect(try bench.configuration().contains("backend = http://127.0.0.1:9\n"))
        // Until doctor finds no fault, the same stick may be tried again.
        #expect(try await plugIn().output.contains("The stick's answers are taken"))
        try await sign(answers + "\nlanguages = it", serial: "7")
        try await refuses("other answers with serial 7")
        try await sign(answers, serial: "6")
        try await refuses("older (serial 6)")
        try await sign(answers, serial: "8", machine: "another")
        try await refuses("for the machine \"another\"")
        try await sign(answers + "\nlanguages = it", serial: "8")
        #expect(try await plugIn().output.contains("kiosk.conf is written"))
        // Another administrator's key has a count of its own.
        try trust(try await sign(answers, serial: "1", keys: bench.file("others")))
        #expect(try await plugIn().output.contains("The stick's answers are taken"))
    }

    @Test("Unsigned answers, or those of another signer, are refused, whatever is changed in them")
    func refused() async throws {
        let key = try await sign(answers)
        try await refuses("takes no stick")
        try trust("nonsense")
        try await refuses("holds no public key")
        try trust(key)
        try edit { $0 = String($0.prefix { $0 != "%" }).replacingOccurrences(of: ":9", with: ":8") }
        try await refuses("not signed by this machine's administrator")
        try edit { $0.append("backend-key = -\n") }
        try await refuses("is not signed")
        try await sign(answers)
        try edit { $0 = $0.split(separator: "\n").dropLast().joined(separator: "\n") + "\n" }
        try await refuses("is not signed")
        try await sign(answers)
        // Lines are added before the signed part.
        try edit { $0 = "assets = /tmp\n" + $0 }
        try await refuses("not signed by this machine's administrator")
        try await sign(answers, keys: bench.file("others"))
        try await refuses("not signed by this machine's administrator")
        try FileManager.default.removeItem(atPath: signed)
        try await refuses("cannot be read")
        try FileManager.default.createSymbolicLink(
            atPath: signed, withDestinationPath: bench.answers)
        try await refuses("cannot be read")
        try FileManager.default.removeItem(atPath: signed)
        try Data(count: 70_000).write(to: URL(filePath: signed))
        try await refuses("longer than 64 KiB")
    }

    @Test(
        "Answers that a machine would refuse are not signed",
        arguments: [
            ("machine = any\nbackend = http://127.0.0.1:9", "serial"),
            ("serial = 1\nbackend = http://127.0.0.1:9", "machine"),
            ("serial = 0\nmachine = any", "whole number"),
            ("serial = 1\nmachine = any\nrotate = up", "rotate"),
        ])
    func notSigned(lines: String, sentence: String) async throws {
        try bench.answer(lines)
        let result = try await Tool.run(
            Programs.kiosk, ["setup", "sign", bench.answers, "--keys", keys])
        #expect(result.status == 78 && result.errors.contains(sentence), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: bench.file("clup-setup.conf")))
    }
}
