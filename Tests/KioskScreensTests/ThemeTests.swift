import Foundation
import TerminalSurface
import Testing

@testable import KioskScreens

struct ThemeTests {
    /// The lines of a theme of the tree.
    private func lines(_ name: String) throws -> [(name: String, value: String)] {
        try String(contentsOfFile: "\(Languages.root)/Assets/Theme/\(name).theme", encoding: .utf8)
            .split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
                let sides = line.split(separator: "=", maxSplits: 1)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                return (sides[0], sides[1])
            }
    }

    @Test("The themes of the tree are those built into the program")
    func tree() throws {
        #expect(try Theme(values: lines("normal")) == .dark)
        #expect(try Theme(values: lines("inverted")) == .light)
    }

    @Test("All letters of a large theme are bold and none is dim, and it keeps its contrast")
    func emphasized() {
        for theme in [Theme.dark, .light].map(\.emphasized) {
            #expect(theme.all.allSatisfy { $0.style.bold } && theme.soft == theme.screen)
            #expect(theme.lowContrast == nil)
        }
    }

    @Test(
        "A fault of a theme is named with its line",
        arguments: [
            ("quiet", nil, "quiet is missing"),
            ("quiet", "#FFFFFF", "\"quiet = #FFFFFF\" is not as"),
            ("quiet", "#FFFFFF on #12345", "is not as"),
            ("quiet", "#GGGGGG on #123456", "is not as"),
            ("quiet", "#FFFFFF on #-12345", "is not as"),
            ("quiet", "white on black", "is not as"),
            ("quiet", "#FFFFFF on #5A6A82 italic", "is not as"),
            ("soft", "#707070 on #000000", "\"soft\" has a contrast of 4.2:1"),
            ("quiet", "#FFFFFF on #202020", "ground of \"quiet\" has a contrast of 1.1:1"),
            ("colour", "#FFFFFF on #000000", "there is no \"colour\""),
        ] as [(String, String?, String)])
    func wrong(_ place: String, _ value: String?, _ words: String) throws {
        var values = try lines("normal").filter { $0.name != place }
        if let value { values.append((place, value)) }
        let fault = try #require(throws: ThemeFault.self) { try Theme(values: values) }
        #expect(fault.description.contains(words), "\(fault)")
    }
}
