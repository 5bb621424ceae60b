import Reservations
import TestSupport
import Testing

@testable import KioskFlow

@Suite("Collect an order (rules: order-codes, order-arrivals) [Click-And-Collect UC10]")
struct OrderFlowTests {
    private static let code = Facts.pickupTicket.code
    private static let typed = Facts.pickupTicket.typedCode

    // MARK: The code

    @Test("Home leads to the code of an order only where the shop has a desk")
    func home() throws {
        let machine = FlowMachine.atHome().touching(.collectOrder)
        #expect(machine.flow.state == .home && machine.effects.isEmpty)
        let asking = FlowMachine.askingForOrder()
        let scanning = try requireCase(KioskState.scanning, of: asking.flow.state)
        #expect(scanning.sought == .order && scanning.digits.isEmpty)
    }

    @Test("A symbol says itself what it is of, wherever it is read", arguments: Sought.allCases)
    func symbols(_ sought: Sought) throws {
        var issued = FlowMachine.arriving()
        issued.answersArrival(.success(Facts.arrived(at: issued.now)))
        issued.prints(.printed)
        let reservations = FlowMachine.atHomeWithDesk().touched(.findReservation)
        for var machine in [
            .atHomeWithDesk(), .askingForOrder(), reservations, issued,
            .showing(Facts.order(.handedOver)),
        ] {
            let (text, expected): (String, ReadCode) =
                switch sought {
                case .order: (Self.code.rawValue, .order(.entry(Self.code)))
                case .reservation: (Facts.code.rawValue, .reservation(.entry(Facts.code)))
                }
            machine.scans(text)
            let looking = try requireCase(KioskState.lookingUp, of: machine.flow.state)
            #expect(looking.code == expected && looking.typed == nil)
            #expect(machine.effects.last == .backend(.lookUp(expected, looking.attempt)))
        }
    }

    @Test("Ten typed digits are of what the customer has chosen", arguments: Sought.allCases)
    func typed(_ sought: Sought) throws {
        var machine = FlowMachine.atHomeWithDesk().touching(sought.search)
        machine.types(Self.typed.rawValue)
        let looking = try requireCase(KioskState.lookingUp, of: machine.flow.state)
        #expect(looking.code.sought == sought && looking.typed == Self.typed.rawValue)
        #expect(looking.code.text == Self.typed.rawValue)
    }

    @Test("A shop without a desk, and an older backend, is not asked about an order")
    func noDesk() throws {
        let machine = FlowMachine.scanned(Self.code.rawValue)
        let refused = try requireCase(KioskState.codeRefused, of: machine.flow.state)
        #expect(refused.reason == .unsupportedKind && refused.sought == .order)
        #expect(machine.effects.isEmpty)
    }

    @Test(
        "A refusal says what is wrong with the code; *Try again* asks for an order again",
        arguments: [
            Refusal.notFound, .otherShop, .unreadableCode, .tooManyRequests, .unsupportedKind,
        ])
    func refused(_ refusal: Refusal) throws {
        var machine = FlowMachine.askingForOrder().reading(Self.code.rawValue)
        machine.answersOrder(.failure(.refusal(refusal)))
        let refused = try requireCase(KioskState.codeRefused, of: machine.flow.state)
        #expect(refused.reason == refusal && refused.sought == .order)
        #expect(refusal.sentences(for: .order) != nil)
        machine.touchesLater(.collectOrder)
        #expect(try machine.shown(KioskState.scanning).sought == .order)
    }

    @Test(
        "The code of another shop's order has a sentence of its own (Click-And-Collect UC10, exception 1)"
    )
    func otherShop() {
        #expect(
            Refusal.otherShop.orderSentences?.heading
                != Refusal.otherShop.customerSentences?.heading)
    }

    @Test("A lost answer to the look-up has changed nothing")
    func lookUpLost() throws {
        var machine = FlowMachine.askingForOrder().reading(Self.code.rawValue)
        machine.answersOrder(.failure(.unanswered))
        let failed = try requireCase(KioskState.requestFailed, of: machine.flow.state)
        #expect(failed.change == nil && failed.reason == .network)
    }

    @Test("An answer for a reservation does not answer the look-up of an order, nor the reverse")
    func foreignAnswers() {
        var machine = FlowMachine.askingForOrder().reading(Self.code.rawValue)
        let before = machine.flow.state
        machine.answersLookUp(.success(Facts.found()))
        #expect(machine.flow.state == before)
        var other = FlowMachine.scanning().reading(Facts.code.rawValue)
        let looking = other.flow.state
        other.answersOrder(.success(Facts.order(.onShelf)))
        #expect(other.flow.state == looking)
        var arriving = FlowMachine.arriving()
        arriving.answersConfirmation(.failure(.refusal(.holdExpired)))
        #expect(arriving.flow.state.name == "confirming" && arriving.effects.isEmpty)
        var confirming = FlowMachine.confirming()
        confirming.answersArrival(.success(Facts.arrived(at: confirming.now)))
        #expect(confirming.flow.state.name == "confirming" && confirming.effects.isEmpty)
    }

    // MARK: The order by its state

    @Test(
        "Only an order that is ready can be asked for; its screen ends after three minutes with a warning",
        arguments: [OrderState.promised, .onShelf])
    func ready(_ state: OrderState) throws {
        var machine = FlowMachine.showing(Facts.order(state, isReady: true))
        let found = try requireCase(KioskState.order, of: machine.flow.state)
        #expect(found.isChoice && found.closes == nil)
        machine.waits(.seconds(140))
        #expect(machine.flow.warning(now: machine.now) != nil)
        machine.touches(nil)
        #expect(machine.flow.warning(now: machine.now) == nil)
        machine.goesHome(after: .seconds(180))
        #expect(!machine.effects.contains { if case .journal = $0 { true } else { false } })
    }

    @Test(
        "An order in any other state is shown and nothing is asked; the screen ends by itself",
        arguments: OrderState.allCases)
    func shown(_ state: OrderState) throws {
        var machine = FlowMachine.showing(Facts.order(state, isReady: false))
        let found = try requireCase(KioskState.order, of: machine.flow.state)
        #expect(!found.isChoice)
        machine.touches(.arrive, expecting: [])
        #expect(machine.flow.state.name == "order")
        // Whose number is on the screen has longer to copy it.
        let time = state.isHere ? KioskTiming.shownOnly : KioskTiming.finished
        machine.touches(nil)
        #expect(machine.flow.countdown(now: machine.now) == Int(time.components.seconds))
        machine.goesHome(after: time)
    }

    // MARK: The staff's reader test

    @Test("The reader test knows the code of an order, and looks it up only where there is a desk")
    func readerTest() throws {
        var machine = FlowMachine.inside(.staff, on: .reader).reading(Self.code.rawValue)
        #expect(machine.effects.isEmpty)
        #expect(try machine.staffSession().reads.first?.kind == .orderCode)
        #expect(try machine.staffSession().reads.first?.verdict == .refused(.unsupportedKind))
        machine.does(.backend(.profile(Facts.shopWithDesk)))
        machine.scans(Self.code.rawValue.lowercased())
        machine.expectAsked { .tryCode(.order(.entry(Self.code)), $0) }
    }

    @Test("The number of an order is read back from the list of events as it was written")
    func events() {
        for number in [SlipNumber.pickup(Facts.pickupNumber), .queue(QueueNumber(rawValue: 42)!)] {
            #expect(SlipNumber(text: number.text) == number)
            for what in [
                MachineEvent.What.number(.found, number), .reprint(number, .torn),
            ] {
                #expect(MachineEvent.What(kind: what.text.kind, detail: what.text.detail) == what)
            }
        }
        for text in ["C-", "C-0", "C--1", "c-017", "D-017", "-17", ""] {
            #expect(SlipNumber(text: text) == nil, "\(text)")
        }
    }
}
