import Foundation
import TerminalSurface
import Testing

@testable import KioskScreens

/// The web pages have the words and the colours of the machine, although they are files of their own.
struct PagesTests {
    private static let web = "\(Languages.root)/Assets/Web"

    /// The page's texts that are a message of the machine, which may end with a full stop there.
    private static let shared = [
        "lastCalled": "Last called", "until": "by {time}", "nobodyWaits": "Nobody is waiting.",
        "noWait": "No wait at the moment",
        "noTicket": "No tickets left", "closed": "We are closed",
        "askStaff": "Please ask the staff.",
        "checking": "One moment", "delete": "Erase", "missed": "Your turn has passed",
        "closedBefore": "The shop closed before your turn", "used": "Already used",
        "otherOne": "Show another ticket, or ask the staff.", "otherShop": "Code of another shop",
        "validThere": "It is valid at the shop whose name is on the ticket.",
        "unknown": "We do not know this code", "checkDigits": "Check the digits, or ask the staff.",
        "unreadable": "This code cannot be read",
        "holdFlat": "Hold the ticket flat and still, or type the ten digits under the code.",
        "tooMany": "Too many tries", "waitMinutes": "Please wait a few minutes, or ask the staff.",
    ]

    private func text(_ name: String, _ language: String, in words: String) throws -> String {
        let line = try #require(
            words.split(separator: "\n").first { $0.hasPrefix("  \(name): {") }, "\(name)")
        let value = try #require(
            try Regex("\\b\(language): \"([^\"]+)\"").firstMatch(in: line), "\(name) \(language)")
        return String(try #require(value.output[1].substring))
    }

    @Test("A sentence of the machine has the same words on the pages, in every language")
    func words() throws {
        let words = try String(contentsOfFile: "\(Self.web)/words.js", encoding: .utf8)
        for (language, wording) in Languages.all {
            for (name, message) in Self.shared {
                let text = try text(name, language, in: words)
                let wanted = wording.text(message, ["time": "{time}"])
                #expect(wanted == text || wanted == text + ".", "\(name) in \(language)")
            }
            let clock = wording.text(
                "{hour}:{minute}", context: "time of day",
                ["hour": "{hour}", "minute": "{minute}"])
            #expect(try text("clock", language, in: words) == clock, "\(language)")
            // A sentence within one of the machine's.
            let passed = wording.text(
                "Your number was called and the time to come in is over. Please get a new ticket.")
            #expect(passed.contains(try text("newOne", language, in: words)), "\(language)")
        }
    }

    /// The colours that the pages declare, by their names.
    private func colours() throws -> [String: Colour] {
        let style = try String(contentsOfFile: "\(Self.web)/page.css", encoding: .utf8)
        return Dictionary(
            uniqueKeysWithValues: style.matches(of: /--([a-z]+): #([0-9A-Fa-f]{6});/).map {
                (String($0.1), Colour(UInt32($0.2, radix: 16) ?? 0))
            })
    }

    @Test("The pages have the colours of the machine's theme, and declare no other ones elsewhere")
    func theme() throws {
        let colours = try colours()
        let theme = Theme.dark
        let shared = [
            "ground": theme.screen.background, "text": theme.screen.foreground,
            "soft": theme.soft.foreground, "header": theme.header.foreground,
            "warning": theme.warning.foreground, "accent": theme.main.background,
            "quiet": theme.quiet.background, "ink": Style.code.foreground,
            "paper": Style.code.background,
        ]
        for (name, colour) in shared { #expect(colours[name] == colour, "\(name)") }
        #expect(Set(colours.keys).subtracting(shared.keys) == ["yes", "no"])
        for name in ["page.css", "display.css", "help.css", "reader.css", "staff.css"] {
            let style = try String(contentsOfFile: "\(Self.web)/\(name)", encoding: .utf8)
            let declared = /--[a-z]+: #[0-9A-Fa-f]{6};|\/\*(?s:.*?)\*\/|white-space/
            let rest = style.replacing(declared, with: "")
            #expect(rest.firstMatch(of: /[:, ]#[0-9A-Fa-f]{3,8}[;, )]/) == nil, "\(name)")
            let named = rest.firstMatch(of: /rgb\(|hsl\(|\b(black|white|red|green|yellow)\b/)
            #expect(named == nil, "\(name)")
        }
    }

    @Test("Every text of the pages has a contrast of 7:1 to its ground; white on a key has 4.5:1")
    func contrast() throws {
        let colours = try colours()
        func colour(_ name: String) throws -> Colour { try #require(colours[name], "\(name)") }
        let style = try String(contentsOfFile: "\(Self.web)/page.css", encoding: .utf8)
        let share = try #require(
            style.firstMatch(
                of: /--tile: color-mix\(in srgb, var\(--quiet\) (\d+)%, var\(--ground\)\);/)
        )
        let part = try #require(UInt32(share.1))
        let (quiet, ground) = (try colour("quiet"), try colour("ground"))
        func mixed(_ one: UInt8, _ other: UInt8) -> UInt32 {
            (UInt32(one) * part + UInt32(other) * (100 - part)) / 100
        }
        let tile = Colour(
            mixed(quiet.red, ground.red) << 16 | mixed(quiet.green, ground.green) << 8
                | mixed(quiet.blue, ground.blue))
        for (text, on) in [
            ("text", ground), ("soft", ground), ("header", ground), ("warning", ground),
            ("accent", ground), ("text", tile), ("soft", tile), ("accent", tile),
            ("warning", tile), ("ground", try colour("accent")), ("ground", try colour("warning")),
            ("text", try colour("yes")), ("text", try colour("no")),
        ] {
            #expect(try colour(text).contrast(with: on) >= 7, "\(text) on \(on)")
        }
        #expect(try colour("text").contrast(with: quiet) >= 4.5)
    }
}
