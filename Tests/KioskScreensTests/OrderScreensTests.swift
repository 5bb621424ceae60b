import Reservations
import TerminalSurface
import Testing

@testable import KioskFlow
@testable import KioskScreens

@Suite(
    "Screens and paper of an order that is collected (rules: order-arrivals) [Click-And-Collect UC10]"
)
struct OrderScreensTests {
    @Test(
        "Home has two choices, with a desk three; the upper one, which most want, is the ticket",
        arguments: ScreensTests.sizes, Languages.codes)
    func home(_ size: GridSize, _ language: String) throws {
        let without = Samples.named("home").drawn(size, in: language)
        let with = Samples.named("home-desk").drawn(size, in: language)
        #expect(without.choices == [.getTicket, .findReservation])
        #expect(without.focus == .getTicket)
        let upper = GridPosition(row: size.rows / 2 - 4, column: size.columns / 2)
        #expect(without.action(at: upper) == .getTicket)
        let find = try #require(without.area(of: .findReservation))
        let ticket = try #require(without.area(of: .getTicket))
        #expect(ticket.end < find.row && ticket.rows >= find.rows)
        #expect(with.choices == [.getTicket, .findReservation, .collectOrder])
        #expect(with.focus == .getTicket)
        // Getting a ticket is the largest button.
        let areas = with.targets.prefix(3).map { $0.area.rows * $0.area.columns }
        #expect(areas[0] > areas[1] && areas[0] > areas[2], "\(language) at \(size)")
    }

    @Test("A short wait is a range of whole minutes, a long one is rounded as the waits of tickets")
    func waits() {
        func shown(_ earliest: Int, _ latest: Int) -> [String] {
            func after(_ minutes: Int) -> LocalMoment {
                Samples.noon.at(Samples.noon.moment + .minutes(minutes))
            }
            let wait = WaitEstimate(
                expected: after((earliest + latest) / 2), earliest: after(earliest),
                latest: after(latest), peopleAhead: 1)
            let order = Samples.order(.onShelf, wait: wait)
            return Samples.found(order).drawn().spoken.sentences
        }
        #expect(shown(6, 9).contains("6–9 minutes"))
        #expect(shown(6, 9).contains("Your wait is about"))
        #expect(shown(7, 7).contains("7 minutes"))
        #expect(shown(0, 4).contains("up to 4 minutes"))
        #expect(shown(0, 1).contains("up to 1 minute"))
        #expect(shown(20, 40).contains("30 minutes"))
    }

    @Test("The order has its name, parcels and day; without a known wait there is no promise")
    func facts() {
        let one = Samples.found(Samples.order(.onShelf, parcels: 1)).drawn().spoken.sentences
        #expect(one.contains("Order 4711, 1 parcel"))
        #expect(!one.joined().contains("minute"))
        let promised = Samples.order(.promised, promised: Samples.tomorrow.start)
        let said = Samples.found(promised).drawn().spoken.sentences
        #expect(said.contains("Your order will be ready tomorrow from"))
        let long = String(repeating: "A", count: OrderReference.maxCharacters)
        for size in ScreensTests.sizes {
            for language in Languages.codes {
                for state in OrderState.allCases {
                    var order = Samples.order(
                        state, reference: long, parcels: 20,
                        number: state.isHere ? 123_456 : nil, wait: Samples.shortWait,
                        desk: state == .called ? 20 : nil)
                    order.ticket = nil
                    let frame = Samples.found(order).drawn(size, in: language)
                    #expect(frame.surface.lost == 0, "\(state) in \(language) at \(size)")
                }
            }
        }
    }

    @Test("An order that cannot be asked for has no button for it, and one way on")
    func wayOn() {
        for (name, scene) in Samples.orderScenes {
            guard case .order(let found) = scene.state else { continue }
            let expected: Set<UserAction> = found.isChoice ? [.arrive, .cancel] : [.done]
            #expect(Set(scene.drawn().choices) == expected, "\(name)")
        }
    }

    @Test("The machine's own font has large letters for the number of an order, wherever it begins")
    func ownFont() throws {
        let typeface = try OwnFont.typeface()
        for value in [1, 17, 102, 345, 678, 999, 1_234, 56_789] {
            let words = PickupNumber(rawValue: value)!.text
            for columns in 24...120 {
                let room = GridSize(columns: columns, rows: 12)
                let set = try #require(
                    typeface.value(words, fitting: room, isLarge: false, lines: 1),
                    "\(words) in \(columns) columns")
                #expect(set.rows >= TypeSize.title.rows)
            }
        }
        for (name, scene) in Samples.orderScenes where name.hasPrefix("order-issued") {
            for panel in ["1280x800", "1080x1920", "1024x768"] {
                let grid = try #require(
                    Pictures.panels[panel].flatMap { PanelFont($0, coarsest: Screens.smallest) }
                ).grid
                let height = scene.drawn(grid, .normal, typeface).heights.all["C-017"] ?? 0
                #expect(height > 2, "\(name) on \(panel)")
            }
        }
    }

    @Test("The ticket has number, reference, parcels, time and code, and nothing of the goods")
    func paper() {
        let paper = Samples.paper(of: Samples.arrived(), in: "it")
        #expect(paper.shopName == "Supermercato Città Studi" && paper.kind == "Ordine 4711")
        #expect(paper.numberLabel == "Il tuo numero" && paper.number == "C-017")
        #expect(paper.entry == .init(label: "Ritiro previsto", value: "14:10–14:15"))
        #expect(paper.facts == [.init(label: "Pacchi", value: "3")])
        #expect(paper.typedCode == "0419 384 512" && paper.mark == nil)
        #expect(
            paper.instructions == [
                "Guarda il tabellone: mostrerà il tuo numero e il banco ritiri.",
                "Mostra questo codice al banco ritiri.",
            ])
        #expect(paper.footer == "Emesso alle 14:05 – door-1")
        #expect(paper.symbolForPhones == nil && paper.symbolForCalendars == nil)
        let linked = Samples.paper(of: Samples.arrived(), symbolForPhones: Samples.qr)
        #expect(linked.symbolForPhones?.sentence.contains("follow your order") == true)
    }

    @Test("A copy of the ticket says so, and names the desk once the order is called")
    func copy() throws {
        let order = Samples.order(.called, number: 17, desk: 2)
        let arrived = try #require(ArrivedOrder(order, ticket: Samples.pickupTicket))
        let copy = Samples.paper(of: arrived, isCopy: true)
        #expect(copy.mark == "COPY")
        #expect(copy.entry == .init(label: "Collect at", value: "desk 2"))
        #expect(Samples.paper(of: Samples.arrived(wait: nil)).entry == nil)
    }

    @Test("An order's ticket that may be missing is found or printed again, and not given up")
    func missing() {
        let choices = Samples.named("staff-missing-order").drawn().choices
        #expect(choices.contains(.reprint(.neverCame)) && choices.contains(.cancel))
        #expect(
            !choices.contains {
                if case .staff(.ask(.paper(.giveBack, _))) = $0 { true } else { false }
            })
    }

    @Test("A refused code has the sentences of what was looked for", arguments: Languages.codes)
    func refusals(_ language: String) throws {
        let wording = Languages.all[language] ?? .english
        for refusal in Samples.orderRefusals {
            let frame = Samples.named("order-refused-\(refusal.rawValue)").drawn(in: language)
            let heading = try #require(refusal.orderSentences?.heading)
            #expect(frame.spoken.sentences.first == wording.text(heading), "\(refusal)")
        }
    }
}
