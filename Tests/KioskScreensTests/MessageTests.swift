import KioskFlow
import Reservations
import TerminalSurface
import Testing

@testable import KioskScreens

/// The messages that the screens and the paper ask for while they are drawn.
struct MessageTests {
    /// A language in which every message is one character and its values.
    private struct Signs {
        let wording: Strings
        let keys: [Unicode.Scalar: Strings.Key]

        init(_ keys: Set<Strings.Key>) {
            // Canadian and Vai syllables are as wide as Latin letters, and there are more of them than messages.
            let signs = [0x1401...0x166C, 0x166F...0x167F, 0x18B0...0x18F5, 0xA500...0xA60B]
                .joined()
                .compactMap(Unicode.Scalar.init)
            precondition(keys.count <= signs.count)
            let ordered = keys.sorted { ($0.text, $0.context ?? "") < ($1.text, $1.context ?? "") }
            let signed = Dictionary(uniqueKeysWithValues: zip(signs, ordered))
            self.keys = signed
            var messages: [Strings.Key: [String]] = [:]
            for (sign, key) in signed {
                let values = Strings.placeholders(in: key.text).sorted().map { " {\($0)}" }
                let text = String(Character(sign)) + values.joined()
                messages[key] = [text, text]
            }
            wording = Strings(
                language: "xx", name: "Signs", rule: .oneAndOther, messages: messages)
        }
    }

    /// Words that are not messages: the samples' own data and words that are the same in every language.
    private static let data = Set(
        """
        Supermercato Città Studi entrance machine
        Giulia Marco Anna Maria Bergamaschi Colombo Francesca Zoë
        https http clup example org GET POST queue holds confirmation
        Piazzale Leonardo da Vinci ingresso di via Bonardi
        media jam error paused BB ms km OK CLup Language
        clup kiosk backend staff add unlock
        it en de fr es
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// The screens that show the shop's own text, and the one with every letter.
    private static let written = [
        "out-of-service-message", "out-of-service-written", "staff-letters",
    ]

    @Test("Every word on screens and paper is from a catalogue")
    func hidden() throws {
        let signs = Signs(try #require(Languages.all["it"]).keys)
        var met: Set<Strings.Key> = []
        func read(_ texts: [String], _ place: String) {
            let text = texts.joined(separator: "\n")
            met.formUnion(text.unicodeScalars.compactMap { signs.keys[$0] })
            let words = text.matches(of: /[A-Za-z\u{C0}-\u{17F}]{2,}/).map { String($0.0) }
            #expect(Set(words).subtracting(Self.data).isEmpty, "\(place)")
        }
        for (name, scene) in Samples.scenes + Samples.refusalScenes
        where !Self.written.contains(name) {
            for size in [Screens.smallest, GridSize(160, 50)] {
                let frame = scene.drawn(
                    size, in: signs.wording.language,
                    wordings: [signs.wording.language: signs.wording])
                read(
                    frame.surface.rows() + frame.spoken.sentences + frame.spoken.passing
                        + frame.spoken.choices, name)
            }
        }
        for visit in [nil, Samples.later] {
            let paper = ReceiptStrings.content(
                Samples.reservation(visit: visit), qr: Samples.qr,
                symbolForPhones: Samples.phones, symbolForCalendars: Samples.phones,
                machine: MachineID("7"),
                wording: signs.wording, isCopy: true)
            read(
                [paper.mark ?? "", paper.shopName, paper.kind, paper.numberLabel, paper.footer]
                    + ([paper.entry].compactMap { $0 } + paper.facts).flatMap {
                        [$0.label, $0.value]
                    } + paper.instructions
                    + [paper.symbolForPhones, paper.symbolForCalendars].compactMap(\.self).flatMap {
                        [$0.heading, $0.sentence]
                    }, "paper")
        }
        // The samples use most messages; with only a few of them, a missing one would not be noticed.
        #expect(met.count > signs.keys.count * 2 / 3)
    }
}
