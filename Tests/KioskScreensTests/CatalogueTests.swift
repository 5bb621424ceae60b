import Foundation
import Reservations
import TerminalSurface
import TestSupport
import Testing

@testable import Catalogue
@testable import KioskScreens

struct CatalogueTests {
    @Test("Every catalogue has exactly the texts that the screens ask for")
    func complete() throws {
        let asked = try askedFor()
        for (language, wording) in Languages.all where language != "en" {
            let missing = asked.subtracting(wording.keys)
            let unused = wording.keys.subtracting(asked)
            #expect(missing.isEmpty, "\(language) lacks \(missing.map(\.text))")
            #expect(unused.isEmpty, "\(language) has \(unused.map(\.text)) for nothing")
        }
        let names = Languages.all.mapValues(\.name)
        #expect(
            names == [
                "de": "Deutsch", "en": "English", "es": "Español", "fr": "Français",
                "it": "Italiano",
            ])
    }

    @Test("No word of any language is wider than the narrowest button of the coarsest grid")
    func longWords() throws {
        let keys = try askedFor()
        for (language, wording) in Languages.all {
            for key in keys {
                let text = wording.text(key.text, context: key.context)
                let words = text.split { $0 == " " || $0 == "\u{A0}" }
                    .filter { !$0.contains("{") }.map { TextWidth.of(String($0)) }
                // The button of a language is at least 15 columns wide; a frame and its marks take 4.
                #expect(words.max() ?? 0 <= 19, "\(language): \(text)")
            }
        }
    }

    @Test("Days and times have each language's own form")
    func localDates() {
        let first = Samples.clock("2026-12-01T08:05:00+01:00")
        let written = Languages.all.mapValues { "\($0.day(first.day)) \($0.time(first))" }
        #expect(
            written == [
                "de": "Dienstag, 1. Dezember 08:05", "en": "Tuesday 1 December 08:05",
                "es": "martes 1 de diciembre 08:05", "fr": "mardi 1er décembre 08h05",
                "it": "martedì 1º dicembre 08:05",
            ])
    }

    /// The literal arguments of `text` and `plural` in the screens' sources, and the sentences of refusals.
    private func askedFor() throws -> Set<Strings.Key> {
        let folder = "\(Languages.root)/Sources/TicketMachine/KioskScreens"
        var keys = Set(refusals.map { Strings.Key($0, context: nil) })
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let source = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                .replacing(/"\s*\+\s*"/, with: "")
            for match in source.matches(
                of: /(?:^|[^A-Za-z])(?:text|plural)\(\s*"([^"]+)"(?:,\s*context:\s*"([^"]+)")?/)
            {
                keys.insert(
                    Strings.Key(String(match.1), context: match.2.map { String($0) }))
            }
        }
        return keys
    }

    /// The sentences of refusals are in their declaration.
    private var refusals: [String] {
        Refusal.allCases.flatMap { refusal in
            let customers = [refusal.customerSentences, refusal.orderSentences]
                .compactMap { $0 }
                .flatMap { [$0.heading, $0.advice, $0.adviceIfTyped, $0.short] }
            return customers + [refusal.staffReason].compactMap { $0 }
        }
    }

    @Test("A text without a translation is shown in English")
    func fallback() {
        let empty = Strings(language: "xx", name: "X", rule: .oneAndOther, messages: [:])
        #expect(empty.text("Code {code}", ["code": "12"]) == "Code 12")
        #expect(empty.plural("{n} second", "{n} seconds", 1) == "1 second")
        #expect(empty.plural("{n} second", "{n} seconds", 0) == "0 seconds")
    }

    @Test("A value with braces in it stays plain text")
    func values() {
        let text = Strings.english.text("{a} {b} {unknown} {", ["a": "{b}", "b": "x"])
        #expect(text == "{b} x {unknown} {")
    }

    @Test(
        "Plural rules of many languages give the forms of the gettext manual",
        arguments: [
            ("nplurals=1; plural=0;", [0, 0, 0, 0]),
            ("nplurals=2; plural=(n != 1);", [1, 0, 1, 1]),
            ("nplurals=2; plural=n>1;", [0, 0, 1, 1]),
            (
                "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && "
                    + "(n%100<10 || n%100>=20) ? 1 : 2);", [2, 0, 1, 2]
            ),
            ("nplurals=3; plural=!n ? 2 : n - 1 * 1 == 0 ? 0 : 1;", [2, 0, 1, 1]),
        ])
    func plurals(_ text: String, _ forms: [Int]) throws {
        let rule = try #require(PluralRule(text))
        #expect([0, 1, 2, 5].map(rule.form) == forms)
    }

    @Test(
        "An unsafe plural rule is refused, or gives its last form",
        arguments: [
            "", "nplurals=2;", "nplurals=0; plural=0;", "nplurals=2; plural=n +;",
            "nplurals=2; plural=system(1);", "nplurals=2; plural=(n;", "nplurals=99; plural=n;",
            "nplurals=2; plural=" + String(repeating: "(", count: 500) + "n",
            "nplurals=2; plural=" + String(repeating: "!", count: 500) + "n",
        ])
    func badPlurals(_ text: String) throws {
        #expect(PluralRule(text) == nil)
        let rule = try #require(PluralRule("nplurals=2; plural=n / 0 + n % 0 + 7;"))
        #expect(rule.form(for: 3) == 1)
    }

    @Test("A folder without catalogues, a missing one and a wrong name are named with the remedy")
    func missing() throws {
        let folder = try TemporaryFolder()
        #expect(throws: CatalogueError.self) { try Catalogue.load(folder.file("nowhere")) }
        let empty = try #require(throws: CatalogueError.self) { try Catalogue.load(folder.path) }
        #expect(empty.description.contains("compile-catalogues") && empty.path == folder.path)
        _ = try folder.write("x".utf8, to: "README.mo")
        let name = try #require(throws: CatalogueError.self) { try Catalogue.load(folder.path) }
        #expect(name.path.hasSuffix("README.mo"))
    }

    @Test("A damaged file is never accepted as a catalogue, whichever byte is missing or changed")
    func damaged() throws {
        let folder = try Languages.compiled()
        let whole = [UInt8](try Data(contentsOf: folder.url.appending(path: "it.mo")))
        let italian = try CatalogueStrings.wording(language: "it", MessageFile.read(whole))
        #expect(try italian.keys == askedFor())
        for length in stride(from: 0, to: whole.count - 1, by: 7) {
            #expect(throws: MessageFileFault.self) { try MessageFile.read(Array(whole[..<length])) }
        }
        for index in 0..<28 {
            for value in [UInt8(0x00), 0x7F, 0xFF] {
                var changed = whole
                changed[index] = value
                // With a lower count messages are missing, but none of the others is changed.
                let read = Result { () throws(MessageFileFault) in
                    try CatalogueStrings.wording(language: "it", MessageFile.read(changed))
                }
                guard case .success(let wording) = read else { continue }
                for key in wording.keys {
                    #expect(
                        wording.text(key.text, context: key.context)
                            == italian.text(key.text, context: key.context),
                        "byte \(index) is \(value)")
                }
            }
        }
        var latin = whole
        let accent = try #require(latin.lastIndex(of: 0xC3))
        latin[accent] = 0xFF
        #expect(throws: MessageFileFault.self) { try MessageFile.read(latin) }
    }

    @Test("A file of the other byte order has the same messages")
    func otherEndian() throws {
        let big = try compile("msgid \"Done\"\nmsgstr \"Fine\"\n", "--endianness=big")
        let little = try compile("msgid \"Done\"\nmsgstr \"Fine\"\n", "--endianness=little")
        #expect(big != little)
        #expect(try MessageFile.read(big) == MessageFile.read(little))
        let wording = try CatalogueStrings.wording(language: "xx", MessageFile.read(big))
        #expect(wording.text("Done") == "Fine")
    }

    @Test(
        "A translation with other values than its source is refused",
        arguments: [
            "msgid \"Code {code}\"\nmsgstr \"Codice {codice}\"\n",
            "msgid \"Code {code}\"\nmsgstr \"Codice\"\n",
            "msgid \"Done\"\nmsgstr \"Fine\u{1B}[2J\"\n",
            "msgid \"{n} x\"\nmsgid_plural \"{n} y\"\nmsgstr[0] \"{m}\"\nmsgstr[1] \"{n}\"\n",
        ])
    func wrongTexts(_ entry: String) throws {
        let bytes = try compile(entry)
        let fault = try #require(throws: MessageFileFault.self) {
            try CatalogueStrings.wording(language: "xx", MessageFile.read(bytes))
        }
        #expect(fault.description.contains("{") || fault.description.contains("control"))
    }

    @Test("A header without the language's name, the encoding or the plurals is refused")
    func header() throws {
        for field in ["X-Language-Name", "Content-Type", "Plural-Forms"] {
            let entries = [MessageFile.Entry(original: "", translation: header(without: field))]
            #expect(throws: MessageFileFault.self, "\(field)") {
                try CatalogueStrings.wording(language: "xx", entries)
            }
        }
        let whole = [MessageFile.Entry(original: "", translation: header(without: ""))]
        #expect(try CatalogueStrings.wording(language: "xx", whole).name == "Xish")
    }

    private func header(without field: String) -> String {
        [
            "Content-Type: text/plain; charset=UTF-8", "X-Language-Name: Xish",
            "Plural-Forms: nplurals=2; plural=(n != 1);",
        ].filter { field.isEmpty || !$0.hasPrefix(field) }.joined(separator: "\n") + "\n"
    }

    private func compile(_ entry: String, _ option: String = "--endianness=little") throws
        -> [UInt8]
    {
        let folder = try TemporaryFolder()
        let lines = header(without: "").split(separator: "\n").map { "\"\($0)\\n\"\n" }.joined()
        let source = try folder.write(
            "msgid \"\"\nmsgstr \"\"\n\(lines)\n\(entry)".utf8, to: "x.po")
        try Tool.succeedBlocking("msgfmt", [option, "-o", folder.file("x.mo"), source])
        return [UInt8](try Data(contentsOf: folder.url.appending(path: "x.mo")))
    }
}
