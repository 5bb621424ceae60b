import Foundation
import TestSupport
import Testing

/// A hostile name of a shop, and the part of it that may be visible.
struct HostileName: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let name: String
    /// The name on the screen's first line; a longer one is cut.
    let shown: String

    /// - Parameter what: a name for the test's own output, which the hostile name must not disturb.
    init(_ what: String, _ name: String, shown: String = "") {
        testDescription = what
        self.name = name
        self.shown = shown
    }
}

@Suite("A shop whose name is an attack [fault 58]")
struct HostileNameFaultTests {
    /// Adds a shop of this name to a new database.
    private func add(_ name: String, in folder: TemporaryFolder) async throws -> CommandResult {
        try await Tool.run(
            ServingBackend.program,
            [
                "shop", "add", "--database", folder.file("shops.sqlite"), "--name", name, "--tag",
                "EVIL", "--time-zone", "Europe/Rome", "--hours", "Mon-Sun 00:00-24:00",
                "--capacity", "9", "--stay", "20",
            ])
    }

    private static let refusedNames = [
        HostileName("title", "\u{1B}]0;title\u{7}Shop"), HostileName("C1", "Shop\u{9B}2J"),
        HostileName("CR LF", "Sh\r\nop"), HostileName("BS", "Sh\u{8}op"),
        HostileName("HT", "Sh\top"), HostileName("right to left", "\u{202E}pohS"),
        HostileName("isolate", "Sh\u{2066}op"), HostileName("line separator", "Sh\u{2028}op"),
        HostileName("marks", "e" + String(repeating: "\u{301}", count: 40)),
        HostileName("length", String(repeating: "x", count: 10_000)),
        HostileName("ESC p", "\u{1B}p\u{1}\u{19}"), HostileName("GS V", "\u{1D}V\u{1}"),
        HostileName("no width", "Sh\u{200B}op"), HostileName("byte order", "Sh\u{FEFF}op"),
    ]

    @Test(
        "A name that would move, hide or reorder the text beside it is refused with a sentence",
        arguments: ["shop", "machine", "device"], refusedNames)
    func refused(what: String, _ hostile: HostileName) async throws {
        let folder = try TemporaryFolder()
        let database = folder.file("shops.sqlite")
        var result: CommandResult
        if what == "shop" {
            result = try await add(hostile.name, in: folder)
            #expect(!FileManager.default.fileExists(atPath: database))
        } else {
            #expect(try await add("Mercato", in: folder).status == 0)
            let key = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
            result = try await Tool.run(
                ServingBackend.program,
                [
                    what, "add", "--database", database, "--shop", "ROM1", "--name", hostile.name,
                    "--key", key,
                ] + (what == "device" ? ["--role", "display"] : []))
        }
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.contains("--name must be 1 to 80 characters"), "\(result.errors)")
        #expect(
            result.errors.unicodeScalars.allSatisfy {
                $0 == "\n" || (0x20...0x7E).contains($0.value)
            })
    }

    @Test(
        "A name that only looks like a command is a name like any other",
        arguments: [
            "'; DROP TABLE shop;--", "{{7*7}} ${7*7}", "<script>alert(1)</script>", "%s%n%x",
            "Bio 🛒 👩‍👩‍👧‍👦 🇮🇹", "Café São João", "../../etc/passwd", "$(reboot)", "بقالة",
        ])
    func taken(name: String) async throws {
        struct Line: Decodable { let name: String }
        let folder = try TemporaryFolder()
        let result = try await add(name, in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let listed = try await Tool.succeed(
            ServingBackend.program, ["shop", "list", "--database", folder.file("shops.sqlite")])
        #expect(try JSONDecoder().decode(Line.self, from: Data(listed.utf8)).name == name)
    }

    static let names = [
        HostileName(
            "terminal", "\u{1B}]0;owned\u{7}Mer\u{9B}31mca\u{9B}2Jto\r\nUno\u{8}\tDue\u{1B}c",
            shown: "]0;ownedMer31mca2Jto Uno Duec"),
        HostileName(
            "letters",
            "Merc\u{202E}ato\u{202C} Piazza🛒👩‍👩‍👧‍👦 e" + String(repeating: "\u{301}", count: 40),
            shown: "Mercato Piazza"),
        HostileName(
            "length", String(repeating: "Mercato ", count: 1_250), shown: "Mercato Mercato Mercato"),
        HostileName(
            "languages", "'; DROP TABLE shop;-- {{7*7}} <script>%s%n",
            shown: "'; DROP TABLE shop;-- {{7*7}} <script>%s%n"),
        HostileName(
            "printer", "\u{1B}p\u{0}\u{19}Mer\u{1D}V\u{1}cato\u{1B}@ Uno\u{10}\u{14}\u{1}",
            shown: "pMerVcato@ Uno"),
    ]

    /// An answer with the shop's name replaced, if it has one.
    private static func renamed(_ answer: [UInt8], _ name: String) -> [UInt8] {
        let (head, body) = HTTPBytes.split(answer)
        guard
            var fields = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
            fields["shopName"] != nil,
            let status = String(decoding: head, as: UTF8.self).split(separator: " ").dropFirst()
                .first.flatMap({ Int($0) })
        else { return answer }
        fields["shopName"] = name
        let changed = (try? JSONSerialization.data(withJSONObject: fields)) ?? Data()
        return HTTPBytes.answer(status, String(decoding: changed, as: UTF8.self))
    }

    private func expectClean(_ text: String, _ what: String) {
        let controls = text.unicodeScalars.filter {
            switch $0.properties.generalCategory {
            case .control: $0 != "\n" && $0 != "\u{C}"
            case .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        #expect(controls.isEmpty, "\(what) has \(controls)")
        #expect(!text.contains("\u{301}\u{301}\u{301}"), "\(what)")
    }

    @Test("Sent by a backend, it is shown, printed and logged clean and cut", arguments: names)
    func sent(_ hostile: HostileName) async throws {
        try await FaultyKiosk.with { kiosk in
            let name = hostile.name
            kiosk.proxy.inject(.rewrite { Self.renamed($0, name) })
            try await kiosk.started { screen in
                let home = try await screen.shows(FaultWords.home, hostile.shown)
                expectClean(home, "the screen")
                let lines = home.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.count == 25 && lines[0].contains(hostile.shown))
                // The clock at the end of the line has kept its place.
                #expect(lines[0].contains(/\d\d:\d\d/))
                #expect(try await !screen.title().contains("owned"))
                try await kiosk.confirm(on: screen)
                expectClean(try await screen.shows(FaultWords.printed), "the screen")
                #expect(try await eventually { try !kiosk.product.papers().isEmpty })
            }
            let paper = try #require(try kiosk.product.papers().first)
            let text = try await Tool.succeed("pdftotext", ["-layout", paper, "-"])
            expectClean(text, "the paper")
            func letters(_ text: String) -> String { text.filter { !$0.isWhitespace } }
            #expect(letters(text).contains(letters(hostile.shown)), "\(text)")
            #expect(letters(text).utf8.count < 1_000)
            #expect(try await Picture.entryCodes(onPage: paper) == kiosk.product.codes())
            let log = try String(
                contentsOfFile: "\(kiosk.product.services.state)/kiosk.log", encoding: .utf8)
            expectClean(log, "the log")
            let doctor = kiosk.product.kioskWords("doctor", ["backend": kiosk.proxy.address])
            let said = try await Tool.run(doctor[0], Array(doctor.dropFirst()))
            expectClean(said.output, "doctor")
            #expect(said.output.contains(hostile.shown.prefix(10)))
        }
    }
}
