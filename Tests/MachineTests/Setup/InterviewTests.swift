import Foundation
import TestSupport
import Testing

@Suite("Setup by a person at a terminal")
struct InterviewTests {
    private func command(_ bench: Bench) -> String {
        "\(Programs.kiosk) setup --config \(bench.file("kiosk.conf"))"
    }

    /// Waits for a question, and answers it.
    private static func answer(
        _ question: String, _ answer: String, on screen: TmuxTerminal
    ) async throws {
        try await screen.shows(question)
        try await screen.types(answer)
    }

    @Test("Questions, a corrected answer, pairing by a code, a test print: then the machine works")
    func whole() async throws {
        try await ServingBackend.with(machines: []) { backend in
            try await DemoPrinter.with { printer in
                // The demo's queue is removed, since setup is to make it.
                try await printer.administer("lpadmin", "-x", "Receipt")
                let bench = try Bench()
                let configuration = try bench.configuration() + "cups = \(printer.server)\n"
                try Data(configuration.utf8).write(to: URL(filePath: bench.file("kiosk.conf")))
                try await TmuxTerminal.with(columns: 100, rows: 60, command: command(bench)) {
                    screen in
                    for (question, answer) in [
                        ("The backend's address", "queue.example.it"),
                        ("https://", backend.address),
                        ("The backend's public key", ""),
                        ("pair, key or later [pair]", ""),
                        ("The receipt printer:", "ipp://127.0.0.1:9/ipp/print"),
                        ("answers as an IPP printer", printer.description.printer),
                        ("A second one", ""),
                        ("The reader's number", ""),
                        ("Where the reader is", "left"),
                        ("Languages at the screen", "it,en"),
                        ("How the screen is turned", ""),
                        ("width and height in mm", ""),
                        ("Name of the first manager", "Giulia"),
                        ("PIN of 6 to 8 digits:", "123456"),
                        ("tried first", "739146"),
                        ("The same again", "739146"),
                    ] { try await Self.answer(question, answer, on: screen) }
                    try await screen.shows("Write these settings")
                    // Nothing was written so far.
                    #expect(try bench.configuration() == configuration)
                    #expect(!FileManager.default.fileExists(atPath: bench.state))
                    #expect(!(try await screen.text()).contains("739146"))
                    try await screen.types("yes")
                    let text = try await screen.shows("At the backend, as its user")
                    let line = try #require(
                        text.split(separator: "\n").first { $0.contains("--code ") })
                    let code = try #require(line.split(separator: " ").last)
                    try await backend.pairMachine(code: String(code))
                    try await screen.shows(
                        "This machine is in", "a TEST paper is printed", "ok backend:", "status 0")
                }
                #expect(try bench.configuration().contains("reader-place = left\n"))
                #expect(try bench.configuration().contains("printer = Receipt\n"))
                #expect(try printer.papers().count == 1)
            }
        }
    }

    @Test("Ctrl-C, Ctrl-D and a last \"no\" leave everything unchanged, the terminal too")
    func left() async throws {
        let bench = try Bench()
        let before = try bench.everything()
        for way in ["C-c", "C-d"] {
            try await TmuxTerminal.with(columns: 100, rows: 40, command: command(bench)) { screen in
                try await Self.answer("The backend's address", "http://127.0.0.1:9", on: screen)
                try await screen.shows("The backend's public key")
                try await screen.press(way)
                let left = try await screen.shows("Nothing was changed.", "icanon")
                #expect(!left.contains("-echo ") && !left.contains("status 0"))
            }
        }
        #expect(try bench.everything() == before)
        // Stops at the staff's question, with a PIN half typed that is not shown, and at the last one.
        _ = try await bench.setup(answers: "backend = http://127.0.0.1:9\nenrol = key")
        let made = try bench.everything()
        for isLast in [false, true] {
            try await TmuxTerminal.with(columns: 100, rows: 40, command: command(bench)) { screen in
                for question in [
                    "The backend's address", "The backend's public key",
                    "The receipt printer", "The reader's number", "Where the reader is",
                    "Languages at", "How the screen", "width and height",
                ] { try await Self.answer(question, "", on: screen) }
                try await Self.answer("first manager", "Giulia", on: screen)
                try await screen.shows("PIN of 6 to 8 digits:")
                if isLast {
                    try await screen.types("739146")
                    try await Self.answer("The same again", "739146", on: screen)
                    try await Self.answer("Write these settings", "no", on: screen)
                } else {
                    try await screen.types("7391", end: "")
                    try await screen.press("C-c")
                }
                let left = try await screen.shows("Nothing was changed.", "icanon")
                #expect(!left.contains("-echo ") && !left.contains("7391"))
            }
        }
        #expect(try bench.everything() == made)
    }
}
