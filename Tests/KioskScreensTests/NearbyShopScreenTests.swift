import Reservations
import TerminalSurface
import Testing

@testable import KioskFlow
@testable import KioskScreens

@Suite("The line about another shop (rules: nearby-shop)")
struct NearbyShopScreenTests {
    private static let grids = GridSize.each((64, 20), (80, 24), (96, 27), (67, 60), (160, 50))

    private static let states: [KioskState] = [.home, .noTicketToday, .noVisit]

    private static func frame(
        _ state: KioskState, _ nearby: NearbyShop?, _ size: GridSize, language: String = "en",
        _ appearance: Appearance = .normal, typeface: Typeface = .blocks
    ) -> Frame {
        let queue = Samples.queue(wait: state == .home ? Samples.long : nil, nearby: nearby)
        return Samples.scene(state, queue: queue).drawn(size, in: language, appearance, typeface)
    }

    @Test(
        "No button moves or changes when the line comes, goes or changes", arguments: grids,
        [false, true])
    func still(_ size: GridSize, _ hasShapes: Bool) throws {
        let typeface = hasShapes ? try OwnFont.typeface() : .blocks
        for language in Languages.codes {
            for appearance in Appearance.allCases {
                for state in Self.states {
                    let frames = [nil, Samples.nearby, Samples.nearbyWithLongName].map {
                        Self.frame(
                            state, $0, size, language: language, appearance, typeface: typeface)
                    }
                    for frame in frames {
                        #expect(frame.targets == frames[0].targets, "\(language) \(size)")
                        #expect(frame.isWhole)
                    }
                }
            }
        }
    }

    @Test(
        "Each language says where, how far and how long",
        arguments: [
            ("en", "Città Studi 2, 600 m away: wait of about 8 minutes", "3 km", "1.2 km"),
            ("it", "Città Studi 2, a 600 m: attesa di circa 8 minuti", "3 km", "1,2 km"),
            ("de", "Città Studi 2, 600 m entfernt: etwa 8 Minuten Wartezeit", "3 km", "1,2 km"),
            ("fr", "Città Studi 2, à 600 m\u{A0}: environ 8 minutes d’attente", "3 km", "1,2 km"),
            ("es", "Città Studi 2, a 600 m: espera aproximada de 8 minutos", "3 km", "1,2 km"),
        ])
    func words(_ language: String, _ line: String, _ far: String, _ between: String) throws {
        for state in Self.states {
            for size in Self.grids.dropFirst() {
                func text(_ shop: NearbyShop) -> String {
                    Self.frame(state, shop, size, language: language).text
                }
                #expect(text(Samples.nearby).contains(line), "\(state.name) \(size)")
                #expect(text(Samples.nearbyWithLongName).contains(far))
                #expect(text(Samples.nearbyWithoutWait).contains(between))
            }
        }
    }

    @Test(
        "Metres are rounded to hundreds, and minutes as on all screens",
        arguments: [
            (0, 0, "100 m away: no wait now"), (149, 1, "100 m away: wait of about 1 minute"),
            (150, 9, "200 m away: wait of about 9 minutes"),
            (949, 11, "900 m away: wait of about 15 minutes"),
            (951, 60, "1 km away: wait of about 1 hour"),
            (1_049, 61, "1 km away: wait of about 1 h 5 min"),
            (4_960, 30, "5 km away: wait of about 30 minutes"),
        ])
    func rounded(_ metres: Int, _ minutes: Int, _ words: String) throws {
        let shop = NearbyShop(name: "Lambrate", metres: metres, minutes: minutes)
        let text = Self.frame(.home, shop, Self.grids[1]).text
        #expect(text.contains("Lambrate, \(words)"))
    }

    @Test("An impossible report of another shop is not shown, and the machine serves as before")
    func impossible() {
        for shop in [
            NearbyShop(name: "A", metres: -1, minutes: 5),
            NearbyShop(name: "A", metres: 5_001, minutes: 5),
            NearbyShop(name: "A", metres: 5, minutes: -1),
            NearbyShop(name: "A", metres: 5, minutes: 1_441),
            NearbyShop(name: "A", metres: .max, minutes: .min),
            NearbyShop(name: "", metres: 5, minutes: 5),
            NearbyShop(name: " \u{200B}\u{202E}\n", metres: 5, minutes: 5),
        ] {
            var status = Samples.queue(wait: Samples.long)
            status.nearby = shop
            #expect(status.isPlausible && QueueFacts(status).nearby == nil, "\(shop)")
            for state in Self.states {
                #expect(
                    Self.frame(state, shop, Self.grids[1]) == Self.frame(state, nil, Self.grids[1]))
            }
        }
    }

    @Test("No name leaves its row, hides the rest of the line, or writes in another direction")
    func attack() {
        for name in [
            String(repeating: "CLUP GRATIS ", count: 50), String(repeating: "界", count: 200),
            "\u{1B}[2J\u{1B}]0;x\u{7}Lambrate\u{202E}\u{2067}\n\r\tGRATIS",
            "L" + String(repeating: "\u{0301}", count: 500) + "ambrate e un nome molto lungo",
            "{distance} {wait} {shop}",
        ] {
            let shop = NearbyShop(name: name, metres: 600, minutes: 8)
            for state in Self.states {
                for size in Self.grids.dropFirst() {
                    let (with, without) = (
                        Self.frame(state, shop, size), Self.frame(state, nil, size)
                    )
                    let rows = (0..<size.rows).filter { row in
                        (0..<size.columns).contains {
                            with.surface[row, $0] != without.surface[row, $0]
                        }
                    }
                    let shown = with.text
                    #expect(
                        shown.contains("600 m away: wait of about 8 minutes"), "\(name) \(size)")
                    #expect(rows.count == 1, "\(name) \(rows)")
                    #expect(
                        shown.unicodeScalars.allSatisfy {
                            $0 == "\n"
                                || $0.value >= 0x20 && !(0x202A...0x202E ~= $0.value)
                                    && !(0x2066...0x2069 ~= $0.value)
                        })
                    #expect(with.isWhole)
                }
            }
        }
    }

    @Test("An old report names no shop, and an offer keeps the line that it came with")
    func age() {
        let queue = Samples.queue(wait: Samples.long, nearby: Samples.nearby)
        let old = Samples.scene(.home, queue: queue).with { $0.queueAge = 40 }.drawn()
        #expect(!old.text.contains("600 m") && old.spoken.passing.isEmpty)
        var offer = Samples.offer(Samples.long, nearby: Samples.nearby)
        offer.queue = QueueFacts(
            Samples.queue(wait: Samples.long, nearby: Samples.nearbyWithoutWait))
        let shown = offer.drawn(Self.grids[4]).text
        #expect(
            shown.contains("600 m away: wait of about 8 minutes") && !shown.contains("Lambrate"))
    }

    @Test("A voice says it in whole metres with the screen, and not again when it changes")
    func spoken() {
        for state in Self.states {
            let first = Self.frame(state, Samples.nearbyWithoutWait, Self.grids[1]).spoken
            let line = "Lambrate, 1200 metres away: no wait now"
            #expect(first.newSentences(after: nil).contains(line))
            let next = Self.frame(state, Samples.nearby, Self.grids[1]).spoken
            #expect(next.newSentences(after: first).isEmpty)
        }
        let offer = Samples.offer(Samples.long, nearby: Samples.nearby)
        let said = offer.drawn(Self.grids[4]).spoken
        #expect(!said.newSentences(after: nil).contains { $0.contains("Studi 2") })
    }
}
