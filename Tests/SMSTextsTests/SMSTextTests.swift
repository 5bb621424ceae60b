import Foundation
import Reservations
import Testing

@testable import SMSTexts

@Suite("Texts of SMS")
struct SMSTextTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Texts.txt")
    private static let languages = ["en", "it", "de", "fr", "es"]
    private static let now = LocalMoment(Moment(milliseconds: 1_795_179_600_123), offsetMinutes: 60)
    private static let later = now.at(now.moment + .minutes(15))
    private static let link = "https://clup.example.it/t#CITT0K2G001A0123456789ABCDEFGHJKMNPQ"

    private static let code = TypedCode(rawValue: "0419384512")!

    private static func number(_ value: Int) -> QueueNumber { QueueNumber(rawValue: value)! }

    /// Every text, by a name for its case.
    private static func texts(_ number: QueueNumber) -> [(name: String, text: SMSText)] {
        let notices = NoticeKind.allCases.flatMap { kind in
            [
                (kind.rawValue, .notice(kind, number, nil)),
                ("\(kind.rawValue), time", .notice(kind, number, now)),
            ] as [(String, SMSText)]
        }
        return [("code", .code("042042")), ("join code", .joinCode("042042"))] + notices + [
            ("give back", .giveBack(number, word: "4821")),
            ("wait", .wait(number, people: 5, earliest: now, latest: later, word: "0042")),
            ("wait for one", .wait(number, people: 1, earliest: now, latest: now, word: "0042")),
            ("wait for ten", .wait(number, people: 10, earliest: now, latest: later, word: "0042")),
            ("waits", .waits(number, earliest: now, latest: later)),
            ("waits, one time", .waits(number, earliest: now, latest: now)),
            ("no later", .noLater(number)),
            ("ticket", .ticket(number, earliest: now, latest: later, code)),
            ("called ticket", .calledTicket(number, nil, code)),
            ("called ticket, time", .calledTicket(number, now, code)),
            ("visit", .visit(number, now, code)),
            ("visit given back", .visitGivenBack(number, now)), ("ended", .ended(number)),
            ("stopped", .stopped), ("answer on page", .answerOnPage(number)),
            ("explanation", .explanation),
        ]
    }

    @Test("Every text in every language is the one that was read by its editor")
    func golden() throws {
        var lines: [String] = []
        // What does not depend on a time, on answers or on a link is written once.
        var seen: Set<String> = []
        for (name, text) in Self.texts(Self.number(24)) {
            for (answers, later, link) in [
                (true, false, nil), (true, true, nil), (false, true, nil),
                (false, false, Self.link),
            ] as [(Bool, Bool, String?)] {
                let said = Self.languages.map {
                    text.text(
                        in: $0, of: "Esselunga", hasAnswers: answers, offersLater: later,
                        link: link)
                }
                guard seen.insert(said[0]).inserted else { continue }
                let means =
                    answers
                    ? later ? ", later" : "" : link == nil ? ", no answers" : ", no answers, link"
                lines.append("## \(name)\(means)")
                lines += zip(Self.languages, said).map { "\($0): \($1)" }
            }
        }
        let new = lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["CLUP_DRAW_EXPECTED"] == "1" {
            try new.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let old = try String(contentsOf: Self.file, encoding: .utf8)
        for (old, new) in zip(old.split(separator: "\n"), new.split(separator: "\n")) {
            #expect(old == new)
        }
        #expect(old == new)
    }

    @Test("Every text fits into one SMS, whatever name, number and link, and loses no character")
    func fits() {
        let names =
            ["A", "Supermercato Città Studi", "Магазин", "超市", "👨‍👩‍👧‍👦", "", " ", "{number} {link}"]
            + ["W", "€", "ß", "A b ", "Öé ", "超", "{", "…"].map { String(repeating: $0, count: 80) }
        let links =
            [nil, Self.link]
            + [119, 120, 121, 2_000].map { "https://" + String(repeating: "x", count: $0 - 8) }
            + [
                "https://ex.it/~~~~[]#x", "https://ex.it/" + String(repeating: "~", count: 106),
                "https://ç.it/",
            ]
        var count = 0
        for (name, text) in Self.texts(Self.number(1)) + Self.texts(Self.number(999_999)) {
            let hasLink = name.hasPrefix("question")
            for language in Self.languages + ["xx"] {
                for name in names {
                    for (answers, link) in [(true, nil)]
                        + (hasLink ? links : [nil]).map({ (false, $0) })
                    {
                        let said = text.text(
                            in: language, of: name, hasAnswers: answers,
                            offersLater: count % 2 == 0, link: link)
                        count += 1
                        guard let septets = GSM7.septets(said), (1...160).contains(septets) else {
                            Issue.record("\(said)")
                            continue
                        }
                        // What a reader needs is never cut.
                        if !Self.isWhole(said, text, language, answers, link) {
                            Issue.record("\(said)")
                        }
                    }
                }
            }
        }
        #expect(count > 10_000, "\(count)")
    }

    /// Whether a text has all of its values, and no name of one.
    private static func isWhole(
        _ said: String, _ text: SMSText, _ language: String, _ hasAnswers: Bool, _ link: String?
    ) -> Bool {
        func spelled(_ moment: LocalMoment) -> String {
            let time = "\(moment.time)"
            return language == "fr" ? time.replacing(":", with: "h") : time
        }
        let needs: [String]
        switch text {
        case .code(let code), .joinCode(let code): needs = [code] + (hasAnswers ? ["STOP."] : [])
        case .notice(let kind, let number, let time):
            let hasTime = [.called, .later, .missed].contains(kind) && time != nil
            let isLinked =
                kind == .question && !hasAnswers
                && link.flatMap { GSM7.septets($0) }.map { $0 <= 120 } == true
            needs =
                [number.text] + (hasTime ? [spelled(now)] : []) + (isLinked ? [link ?? ""] : [])
        case .giveBack(let number, let word): needs = [number.text, word]
        case .wait(let number, _, let earliest, let latest, let word):
            needs = [number.text, word, spelled(earliest), spelled(latest)]
        case .waits(let number, let earliest, let latest):
            needs = [number.text, spelled(earliest), spelled(latest)]
        case .noLater(let number), .ended(let number), .answerOnPage(let number):
            needs = [number.text]
        case .ticket(let number, let earliest, let latest, let code):
            needs = [number.text, spelled(earliest), spelled(latest), code.grouped]
        case .calledTicket(let number, let time, let code):
            needs = [number.text, code.grouped] + (time.map { [spelled($0)] } ?? [])
        case .visit(let number, let start, let code):
            needs = [number.text, "\(start.day.day)", spelled(start), code.grouped]
        case .visitGivenBack(let number, let start):
            needs = [number.text, "\(start.day.day)", spelled(start)]
        case .stopped: needs = ["START."]
        case .explanation: needs = ["STOP "]
        }
        return needs.allSatisfy(said.contains)
    }

    @Test("No phrase has a question mark in place of a letter, or a name that no value has")
    func phrases() {
        let known = ["code", "number", "time", "day", "link", "word", "people", "when"]
        for phrase in SMSWords.Phrase.allCases {
            #expect(phrase.texts.count == Self.languages.count, "\(phrase)")
            for text in phrase.texts {
                #expect(GSM7.septets(text) != nil, "\(text)")
                let names = text.matches(of: /\{(\w+)\}/).map { String($0.output.1) }
                #expect(Set(names).isSubset(of: known), "\(text)")
                #expect(
                    !names.isEmpty || phrase == .stopped || phrase == .explanation, "\(text)")
                // The same values in every language.
                let first = phrase.texts[0].matches(of: /\{(\w+)\}/).map { String($0.output.1) }
                #expect(names.sorted() == first.sorted(), "\(text)")
            }
        }
    }

    @Test(
        "A name is shortened at the end of a word, or within its first one, and left out if nothing of it can be read",
        arguments: [
            ("Esselunga", 9, "Esselunga"), ("Esselunga", 8, "Esselun."), ("Esselunga", 4, "Ess."),
            ("Esselunga", 3, ""), ("Supermercato Città Studi", 23, "Supermercato Città"),
            ("Supermercato Città Studi", 12, "Supermercato"),
            ("Supermercato Città", 11, "Supermerca."),
            ("Frutta & Verdura", 12, "Frutta"), ("Rossi, Bianchi", 10, "Rossi"), ("Coop", -5, ""),
            ("Супермаркет Spar", 30, "Spar"), ("Pane 🥖 Vino", 30, "Pane Vino"), ("超市", 30, ""),
            ("Ay?", 30, "Ay?"), ("5 €", 4, "5 €"), ("€€", 3, ""), ("\u{A0}a  b\n", 30, "a b"),
        ])
    func shortened(_ name: String, room: Int, expected: String) {
        #expect(ShopNameText.shortened(name, to: room) == expected)
    }

    @Test("The keywords that the texts print are understood as what they say")
    func keywords() throws {
        let number = Self.number(24)
        func answer(_ text: SMSText, _ language: String, after mark: Regex<Substring>) throws
            -> [SMSAnswer?]
        {
            let said = text.text(in: language, of: "x", hasAnswers: true, link: nil)
            return said.matches(of: mark).map { SMSAnswer(String($0.output)) }
        }
        let capitals = /\b(?!SMS)[A-ZÄ]{2,}(?: \d{4})?/
        for language in Self.languages {
            for code in [SMSText.code("123456"), .joinCode("123456")] {
                #expect(try answer(code, language, after: capitals).contains(.stop))
            }
            let question = SMSText.notice(.question, number, Self.now)
            #expect(try answer(question, language, after: capitals) == [.yes, .no(word: nil)])
            #expect(
                try answer(.giveBack(number, word: "4821"), language, after: capitals)
                    == [.no(word: "4821"), .yes])
            let wait = SMSText.wait(
                number, people: 2, earliest: Self.now, latest: Self.later, word: "4821")
            #expect(try answer(wait, language, after: capitals) == [.later(word: "4821")])
        }
    }

    @Test(
        "French writes the time as the page does, with an h and without a zero before the hour",
        arguments: [
            ("14:00", "14h00"), ("08:05", "8h05"), ("00:30", "0h30"), ("10:07", "10h07"),
            ("20:00", "20h00"),
        ])
    func frenchClock(_ time: String, expected: String) throws {
        let moment = try #require(LocalMoment("2026-11-26T\(time):00+01:00"))
        let called = SMSText.notice(.called, Self.number(24), moment)
        func said(_ text: SMSText, _ language: String) -> String {
            text.text(in: language, of: "Coop", hasAnswers: true, link: nil)
        }
        #expect(said(called, "fr").hasSuffix("Vous pouvez entrer jusqu'à \(expected)."))
        #expect(said(called, "it").hasSuffix("Puoi entrare fino alle \(time)."))
        let waits = SMSText.waits(
            Self.number(24), earliest: moment, latest: moment.at(moment.moment + .minutes(60)))
        #expect(said(waits, "fr").contains("viendra entre \(expected) et "))
        #expect(said(waits, "de").contains("zwischen \(time) und "))
    }
}
