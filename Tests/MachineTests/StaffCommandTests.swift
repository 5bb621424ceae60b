import Foundation
import KioskFlow
import StaffStore
import TestSupport
import Testing

@Suite("The staff list at the machine's shell: clup-kiosk staff")
struct StaffCommandTests {
    private let folder: TemporaryFolder
    private var state: String { folder.file("state") }

    init() throws { folder = try TemporaryFolder() }

    /// Runs `staff` with a PIN as the line that it reads.
    private func staff(_ words: [String], pin: String = "") async throws -> CommandResult {
        let program = ([Programs.kiosk, "staff"] + words + ["--state", state])
            .map { "'\($0)'" }.joined(separator: " ")
        return try await Tool.run("sh", ["-c", "echo '\(pin)' | \(program)"])
    }

    @Test("Listing an empty list makes no file, nor does a command for a missing person")
    func reading() async throws {
        let list = try await staff(["list"])
        #expect(
            list.status == 0 && list.output.isEmpty
                && list.errors.contains("no member of staff yet"))
        let unlock = try await staff(["unlock"])
        #expect(unlock.status == 0 && unlock.errors.contains("no member of staff yet"))
        for words in [["reset"], ["lock"], ["remove"], ["badge"], ["unlock"]] {
            let result = try await staff(words + ["Giulia"], pin: "739146")
            #expect(result.status == 1, "\(words)")
            #expect(result.errors.contains("nobody called Giulia"), "\(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: state))
    }

    @Test("A command at the shell is among the machine's events once it is done")
    func events() async throws {
        for (words, pin) in [
            (["add", "Giulia", "--role", "manager"], "739146"), (["add", "Marco"], "824091"),
            (["reset", "Marco"], "50713926"), (["lock", "Marco"], ""), (["unlock", "Marco"], ""),
            (["unlock"], ""), (["badge", "Marco", "--pdf", folder.file("badge.pdf")], ""),
            (["badge", "Marco", "--revoke"], ""), (["remove", "Marco"], ""),
        ] {
            let result = try await staff(words, pin: pin)
            #expect(result.status == 0, "\(words): \(result)")
        }
        #expect(try await staff(["lock", "Giulia"]).status == 1)
        let refused = try await staff(["add", "Luca"], pin: "123456")
        #expect(refused.status == 1 && refused.errors.contains("tried first: choose another."))
        let events = try StaffStore(path: "\(state)/staff.sqlite").events(20)
        #expect(
            events.reversed().map { "\($0.what.text.kind) \($0.what.text.detail)" } == [
                "person-added Giulia (manager)", "person-added Marco (staff)", "pin-reset Marco",
                "person-locked Marco", "person-unlocked Marco", "pins-unlocked ",
                "badge-made Marco", "badge-revoked Marco", "person-removed Marco",
            ])
        #expect(events.allSatisfy { $0.person == "clup-kiosk staff" })
    }

    @Test("A terminal that reports no touch is named")
    func noTouch() async throws {
        let words = "doctor --backend http://127.0.0.1:9 --assets '\(Programs.assets)'"
        for (type, isReported) in [("vt100", true), ("xterm-256color", false)] {
            let command = "TERM=\(type) '\(Programs.kiosk)' \(words) --state '\(state)'"
            try await TmuxTerminal.with(columns: 150, rows: 25, command: command) { screen in
                let text = try await screen.shows(
                    "terminal: 150 x", "disk:")
                #expect(text.contains("reports no touch") == isReported, "\(text)")
            }
        }
    }
}
