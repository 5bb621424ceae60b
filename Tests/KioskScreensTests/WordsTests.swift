import Foundation
import KioskFlow
import Reservations
import TerminalSurface
import Testing

@testable import KioskScreens

/// The words themselves: those a native speaker would choose, with one word for each thing.
struct WordsTests {
    /// Words for a thing that has another word in their language, or words that mean something different.
    private static let unwanted: [String: [String]] = [
        "en": [
            "[Dd]elet", "(your|this|the code of a) paper", "before you\\b", "Touch what", "at once",
            "(for|look for|write down) your place", "(now|in),? until", "It says", "anew",
            "disk takes", "[Ii]ts holder", "\\bcame in\\b", "\\bwent out\\b",
        ],
        "it": [
            "fogliett", "[Ee]limina(re|ta|to)?\\b(?! per)", "[Ee]liminazione", "\\bdisplay\\b",
            "Silenzio", "^Fine$", "prima di te", "Restituiamo", "Annotiamo", "^Dice$", "si danno",
            // The customer is addressed as "tu", never as "Lei" or in the infinitive.
            "\\b([Rr]iprovi|[Tt]orni|[Gg]uardi|[Ee]ntri|[Ss]i rivolga|[Aa]spetti|[Pp]renda)\\b",
            "(^|[:,] )([Dd]igitare|[Aa]ttendere|[Tt]occare|[Uu]sare|[Cc]ontrollare)\\b",
        ],
        "de": [
            "Personalausweis", "\\bBeleg", "\\bZettel", "\\bBesuch", "\\bLaden", "\\bLeute\\b",
            "\\bgerufen", "\\bRuf\\b", "Außer Dienst", "\\bAbbruch\\b", "\\bbinnen\\b",
            "\\bSchlange",
            "\\bGehen\\b", "[Gg]elöscht", "[Ll]öschen", "\\b(hinein|heraus|hinaus)gegangen",
            "hereingekommen", "Platte nimmt", "Wunsch antippen", "\\bRuhe\\b",
            "[Nn]icht getan",
        ],
        "fr": [
            "Travaux", "(votre|ce|du) papier(?! dans)", "[Ll]e papier (n’|est|dira|à)",
            "[Ss]upprim(er|é|ons)(?! pour de bon|s pour)", "\\bmachine(?!\\})", "\\bmuette",
            "remarche",
            "\\bfaux\\b", "Elle dit", "^PIN\\b",
            "\\b([Ll]e|[Uu]n|[Cc]e|[Vv]otre|[Nn]ouveau|[Dd]es|[Aa]ucun|dix|[Ll]es|de) PIN\\b",
            "^Vous entrez",
        ],
        "es": [
            "[Ss]ucesos?\\b", "[Ee]limin", "[Bb]orr(ar|ad|ó|a)\\b", "\\bunos \\{wait",
            "([Ss]u|este|del) papel\\b", "[Rr]esponsable", "[Ee]quivocad", "Silencio",
            "espera nadie", "personas? antes\\.", "solo funciona", "^Dice$",
        ],
    ]

    @Test("Each thing has one word: no replaced word is left on screens and paper")
    func screens() throws {
        for (language, patterns) in Self.unwanted {
            // The English texts are the names of the messages in every catalogue.
            let path = "\(Languages.root)/Assets/Locale/\(language == "en" ? "it" : language).po"
            let field = try Regex(
                language == "en"
                    ? #"(?m)^msgid(?:_plural)? "(.+)"$"# : #"(?m)^msgstr(?:\[\d\])? "(.+)"$"#)
            let texts = try String(contentsOfFile: path, encoding: .utf8)
                .matches(of: field).compactMap { $0.output[1].substring.map { String($0) } }
            #expect(texts.count > 400)
            try expectNone(of: patterns, in: texts, language)
        }
    }

    @Test("The web pages use the words of screens and paper")
    func pages() throws {
        let path = "\(Languages.root)/Assets/Web/words.js"
        let words = try String(contentsOfFile: path, encoding: .utf8)
        for (language, patterns) in Self.unwanted {
            let texts = try words.matches(of: Regex("\\b\(language): \"([^\"]+)\"")).compactMap {
                $0.output[1].substring.map { String($0) }
            }
            #expect(texts.count > 30)
            try expectNone(of: patterns, in: texts, language)
        }
    }

    private func expectNone(of patterns: [String], in texts: [String], _ language: String) throws {
        for pattern in patterns {
            let unwanted = try Regex(pattern)
            for text in texts {
                #expect(text.firstMatch(of: unwanted) == nil, "\(language) /\(pattern)/: \(text)")
            }
        }
    }

    @Test("A customer who cancels keeps the place or gives it up; the focus is on keeping")
    func answers() throws {
        let sizes = GridSize.each((64, 20), (80, 24), (80, 25), (160, 50), (67, 58))
        for size in sizes {
            for (language, wording) in Languages.all {
                for (name, scene) in Samples.scenes {
                    guard case .found(let match) = scene.state else { continue }
                    for appearance in Appearance.allCases {
                        let frame = scene.drawn(size, in: language, appearance)
                        let place = "\(name) in \(language) at \(size)"
                        #expect(frame.focus == .cancel, "\(place)")
                        let yes = Set(frame.spoken.choices)
                        let words: [[String]] =
                            match.delayOffers.isEmpty
                            ? [
                                ["Keep my place", "nothing changes"],
                                ["Yes, cancel it", "your number will no longer be valid"],
                            ]
                            : [["Keep my place"], ["I need more time"], ["Cancel the reservation"]]
                        let choices = words.map { one in
                            one.map {
                                wording.text($0, context: $0.hasPrefix("Yes") ? "reservation" : nil)
                            }.joined(separator: ": ")
                        }
                        #expect(yes == Set(choices), "\(place)")
                        // Neither is larger than the other.
                        let widths = frame.targets.filter { target in
                            [.cancel, .giveUp].contains(target.id)
                        }.map(\.area.columns)
                        #expect((widths.max() ?? 0) - (widths.min() ?? 0) <= 2, "\(place)")
                        let theme = Themes.standard.theme(for: appearance, isLight: false)
                        for target in frame.targets {
                            let corner = frame.surface[target.area.row, target.area.column]
                            #expect(
                                corner.style.background != theme.main.background,
                                "\(target.id) of \(place) is yellow")
                        }
                    }
                }
            }
        }
    }

    @Test("Counts have the right plural form, and one has the singular")
    func counts() throws {
        let italian = try #require(Languages.all["it"])
        func more(_ wording: Strings, _ rest: Int) -> String {
            wording.plural(
                "{label}, and {n} more", "{label}, and {n} more", rest, ["label": "041"])
        }
        #expect(more(italian, 1) == "041, e 1 altro" && more(italian, 2) == "041, e altri 2")
        let french = try #require(Languages.all["fr"])
        #expect(more(french, 1) == "041, et 1 autre" && more(french, 2) == "041, et 2 autres")
        let german = try #require(Languages.all["de"])
        #expect(more(german, 1) == "041, und 1 weitere Nummer")
        #expect(more(.english, 1) == "041, and 1 more")
        // The centre's field begins in row 11; the touch is one column and one row from its middle.
        let said = Samples.named("staff-touch-test").withSession {
            $0.touches = [TouchMark(row: 13, column: 40, rows: 25, columns: 80)]
        }.drawn(GridSize(80, 25)).spoken.sentences
        #expect(said.last?.contains("1 column and 1 row from") == true, "\(said)")
    }

    @Test("If a PIN is locked, the help names the page as its button does")
    func pageNames() throws {
        for (language, wording) in Languages.all {
            let frame = Samples.named("staff-entrance-locked-badge")
                .drawn(GridSize(80, 25), in: language)
            let help = frame.spoken.sentences.joined(separator: " ")
            #expect(help.contains(wording.name(.people)), "\(language): \(help)")
        }
    }

    @Test("A range of times on the paper has no word for \"about\" before it")
    func ranges() throws {
        for (language, about) in [
            "it": "verso", "de": "etwa", "fr": "vers", "es": "hacia", "en": "about",
        ] {
            let entry = try #require(Samples.paper(in: language).entry)
            #expect(!entry.label.contains(about), "\(language)")
            #expect(entry.value.contains("–") && !entry.value.contains(about), "\(language)")
        }
    }
}
