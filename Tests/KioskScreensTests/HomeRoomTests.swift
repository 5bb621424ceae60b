import Reservations
import TerminalSurface
import TestSupport
import Testing

@testable import KioskFlow
@testable import KioskScreens

/// Home has room for a third button and for the invitation, with which a customer joins the queue on a phone.
@Suite("Room on Home")
struct HomeRoomTests {
    static func home(
        _ size: GridSize, _ typeface: Typeface, hasThird: Bool = true, hasSymbol: Bool = true,
        language: String = "de", _ appearance: Appearance = .normal
    ) -> Frame {
        let scene = Samples.scene(.home).with {
            $0.access.language = language
            $0.access.appearance = appearance
            $0.shop?.hasDesk = hasThird
        }
        var canvas = Canvas(
            scene, size: size, themes: .standard, typeface: typeface, wordings: Languages.all)
        canvas.invitation = hasSymbol ? Samples.phones : nil
        return Screens.laidOut(canvas) { $0.drawHome() }.frame()
    }

    static let grids = GridSize.each((64, 20), (64, 24), (96, 27), (67, 60), (80, 24), (160, 50))

    @Test(
        "A third button and a symbol do not overlap, and no button is lower than five rows",
        arguments: grids, [false, true])
    func room(_ size: GridSize, _ hasShapes: Bool) throws {
        let typeface = hasShapes ? try OwnFont.typeface() : .blocks
        for language in Languages.codes {
            for appearance in Appearance.allCases {
                let frame = Self.home(size, typeface, language: language, appearance)
                let places = frame.targets.map(\.area)
                #expect(frame.choices == [.getTicket, .findReservation, .collectOrder])
                for target in frame.targets where frame.choices.contains(target.id) {
                    #expect(target.area.rows >= 5 && target.area.columns >= 15, "\(target)")
                }
                for (index, place) in places.enumerated() {
                    #expect(
                        places[(index + 1)...].allSatisfy { $0.intersection(place).isEmpty },
                        "\(language) \(appearance) \(size)")
                }
            }
        }
    }

    @Test(
        "With the machine's own font every panel has room for the symbol",
        arguments: grids[..<4], Languages.codes)
    func symbol(_ size: GridSize, _ language: String) throws {
        let typeface = try OwnFont.typeface()
        let frame = Self.home(size, typeface, language: language)
        let white = (0..<size.rows).flatMap { row in
            (0..<size.columns).filter { frame.surface[row, $0].style == .code }
                .map { (row, $0) }
        }
        let rows = Set(white.map(\.0)), columns = Set(white.map(\.1))
        // 33 modules and the quiet zone of four at each side, two to a cell across and four down.
        #expect(columns.count >= 21 && rows.count >= 11, "\(columns.count) x \(rows.count)")
        let symbol = Rectangle(
            row: rows.min() ?? 0, column: columns.min() ?? 0, rows: rows.count,
            columns: columns.count)
        #expect(frame.targets.allSatisfy { $0.area.intersection(symbol).isEmpty })
        // All words have room, in letters of the font where it has all pieces for them.
        #expect(frame.isWhole, "\(language) \(size)")
        #expect(frame.spoken.sentences.contains(Self.sentence(in: language)))
    }

    @Test(
        "In block letters it is on a fine grid only; on no grid is it in large letters",
        arguments: grids, Languages.codes)
    func blocks(_ size: GridSize, _ language: String) {
        for appearance in Appearance.allCases {
            let frame = Self.home(size, .blocks, language: language, appearance)
            let isShown = size.columns >= 160 && appearance == .normal
            #expect(frame.spoken.sentences.contains(Self.sentence(in: language)) == isShown)
            let without = Self.home(size, .blocks, hasSymbol: false, language: language, appearance)
            #expect((frame == without) == !isShown, "\(language) \(appearance) \(size)")
            #expect(frame.isWhole)
        }
    }

    @Test("A phone reads the symbol from the screen")
    func reads() async throws {
        let size = GridSize(160, 50)
        let surface = Self.home(size, .blocks, hasThird: false).surface
        // A cell is 4 by 8 pixels; a half block is the lower half of a cell.
        let shades = (0..<8 * size.rows).flatMap { y in
            (0..<4 * size.columns).map { x -> Character in
                let cell = surface[y / 8, x / 4]
                let isInk = cell.text == "▄" && y % 8 >= 4
                let colour = isInk ? cell.style.foreground : cell.style.background
                return colour.luminance > 0.18 ? "0" : "1"
            }
        }
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "P1 \(4 * size.columns) \(8 * size.rows)\n\(String(shades))\n".utf8, to: "home.pbm")
        #expect(try await Picture.qrCodes(in: Picture.ofFile(path)) == [Samples.link])
    }

    private static func sentence(in language: String) -> String {
        let wording = Languages.all[language] ?? .english
        return wording.text(
            "You can also join the queue with your phone: scan the code on this screen.")
    }

    @Test("Only Home has an invitation, and only from a present report with a ticket")
    func whenShown() {
        var flow = KioskFlow(languages: ["en"], canSpeak: true, keyPrefix: "k")
        _ = flow.handle(.started(KioskEvent.Kept()), now: .zero)
        func link(_ status: QueueStatus?, now: Duration = .zero) -> String? {
            if let status { _ = flow.handle(.backend(.queue(.success(status))), now: .zero) }
            return Scene(flow, now: now).invitation
        }
        var status = Samples.queue(wait: Samples.wait)
        #expect(link(nil) == nil && link(status) == nil)
        status.join = Samples.link
        #expect(link(status) == Samples.link)
        let before = Scene(flow, now: .zero)
        status.join = "https://clup.example/j#CITTANOTHER"
        #expect(link(status) == status.join && Scene(flow, now: .zero) != before)
        #expect(link(nil, now: KioskTiming.maxQueueAge) == nil)
        for change in [\QueueStatus.isOpen, \.ticketAvailable] {
            var without = status
            without[keyPath: change] = false
            #expect(link(without) == nil)
        }
        #expect(link(status) == status.join)
        _ = flow.handle(.touched(.findReservation), now: .seconds(5))
        let scanning = Scene(flow, now: .seconds(5))
        #expect(scanning.invitation == nil && scanning.state != .home)
    }
}
