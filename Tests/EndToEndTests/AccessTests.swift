import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Accessible use")
struct AccessTests {
    private static let program = Tool.program("clup-kiosk")

    @Test("A whole ticket by ear: the screens, the keys, the number and the code; silence at Home")
    func heard() async throws {
        try await Product.with { product in
            let folder = try TemporaryFolder()
            // In place of espeak-ng: it records the text that it should say, and runs until it is ended.
            let voice = try folder.writeProgram(
                """
                #!/bin/sh
                { echo "[$*]"; cat; echo; } >> \(folder.file("heard"))
                sleep 600
                """, to: "fake-espeak-ng")
            func heard() -> String {
                (try? String(contentsOfFile: folder.file("heard"), encoding: .utf8)) ?? ""
            }
            func hears(_ words: String...) async throws {
                let isHeard = await eventually {
                    words.allSatisfy(heard().contains)
                }
                try #require(isHeard, "\(words) in \(heard())")
            }
            func speaking() async throws -> Int {
                try await Tool.run("pgrep", ["-f", "sh \(voice)"]).output
                    .split(separator: "\n").count
            }
            try await product.kiosk(rows: 25, settings: ["speech": voice]) { screen in
                try await screen.shows(Words.home, "Ascolta")
                #expect(heard().isEmpty)
                // The speech button is in the foot line, before Help.
                try await screen.press("BTab", "BTab", "Enter")
                try await hears("[-v it -s 150 -a 100 --stdin]", "Prendi un biglietto")
                try await screen.press("Enter")
                try await hears("-a 200")
                try await screen.press("Tab", "Tab")
                // Only the button is read.
                try await hears("--stdin]\nPrendi un biglietto: ")
                try await screen.press("Enter")
                try await hears("Conferma")
                // The voice before it ends when the next one begins.
                #expect(try await eventually { try await speaking() == 1 })
                try await screen.press("Enter", shows: Words.issued)
                let code = try await product.rows("SELECT typed_code FROM reservation")
                try await hears(
                    "0 0 1", code[0].prefix(4).map { String($0) }.joined(separator: " "))
                try await screen.press("Enter", shows: Words.home, "Ascolta")
                #expect(try await eventually { try await speaking() == 0 })
            }
        }
    }

    @Test("A machine that starts while the backend is away speaks the shop's language all the same")
    func languages() async throws {
        try await Product.with { product in
            let configured = " --languages it,en,de,fr,es"
            let command = product.kiosk().replacing(configured, with: "")
            try #require(command != product.kiosk())
            // The backend has not reported the shop's language yet, so the machine speaks the most widely known one.
            try await TmuxTerminal.with(
                columns: 80, rows: 25, command: command + " --backend http://127.0.0.1:1"
            ) { try await $0.shows("cannot give tickets just now") }
            try await TmuxTerminal.with(columns: 80, rows: 25, command: command) {
                try await $0.shows(Words.home)
            }
            try await TmuxTerminal.with(
                columns: 80, rows: 25, command: command + " --backend http://127.0.0.1:1"
            ) { try await $0.shows("non può dare biglietti") }
        }
    }

    @Test(
        "A wrong theme or catalogue is named at the start, by run and by doctor",
        arguments: [
            ("Theme/normal.theme", "screen = #FFFFFF on #000000\n", "soft, warning"),
            ("Theme/normal.theme", "screen\n", "line 1: \"screen\" is not \"name = value\""),
            ("Theme/dark.theme", "screen = #FFFFFF on #000000\n", "no other"),
            ("Locale/it.mo", "rubbish", "no compiled message file"),
        ])
    func wrongAssets(_ file: String, _ content: String, _ words: String) async throws {
        let folder = try TemporaryFolder()
        let assets = folder.file("assets")
        let tree = Tool.repository.appending(path: "Assets").path
        try await Tool.succeed("cp", ["-r", tree, assets])
        try content.write(toFile: "\(assets)/\(file)", atomically: true, encoding: .utf8)
        let state = folder.file("state")
        try await Tool.succeed(Self.program, ["enrol", "--state", state])
        let settings = ["--state", state, "--backend", "http://127.0.0.1:1", "--assets", assets]
        for command in ["run", "doctor"] {
            let result = try await Tool.run(Self.program, [command] + settings)
            let said = result.output + result.errors
            #expect(result.status != 0, "\(command)")
            #expect(said.contains(words) && said.contains("\(assets)/\(file)"), "\(said)")
        }
        // The machine did not start in part: there is no journal and no log.
        #expect(!FileManager.default.fileExists(atPath: "\(state)/journal.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: "\(state)/kiosk.log"))
    }
}
