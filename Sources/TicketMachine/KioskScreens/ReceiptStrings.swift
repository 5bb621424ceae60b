public import KioskFlow
public import Reservations
import TerminalSurface

/// The texts of a paper, in the customer's language.
public enum ReceiptStrings {
    /// The longest name that is set in large letters on a roll of 58 mm, in three lines.
    private static let maxNameLength = 60

    /// - Parameters:
    ///   - symbolForPhones: the symbol of the reservation's link; nil for a paper without it.
    ///   - symbolForCalendars: the symbol of a visit's event; nil for a paper without it.
    ///   - machine: the machine that issued it, for the staff; only the beginning of its name is printed.
    ///   - quotedAt: when the wait was estimated; nil for the moment of issue.
    ///   - allowsDelays: whether the customer can let people go ahead (rules: more-time).
    ///   - isCopy: whether it was printed before; the paper then says so.
    public static func content(
        _ reservation: Reservation, qr: QRMatrix, symbolForPhones: QRMatrix? = nil,
        symbolForCalendars: QRMatrix? = nil, machine: MachineID, wording: Strings,
        quotedAt: LocalMoment? = nil, allowsDelays: Bool = false, isCopy: Bool = false
    ) -> ReceiptContent {
        let number = reservation.number.text
        let kind = wording.kind(reservation.visit, issued: reservation.issued)
        let wait = Wait(estimate: reservation.wait, quotedAt: quotedAt ?? reservation.issued)
        return ReceiptContent(
            mark: isCopy ? wording.text("COPY") : nil,
            shopName: PlainText.clean(reservation.shopName, limit: maxNameLength), kind: kind,
            numberLabel: wording.text("Your number"), number: number,
            entry: wording.entry(reservation, wait), facts: wording.facts(reservation, wait),
            qr: qr,
            typedCode: reservation.typedCode.grouped,
            instructions: wording.instructions(reservation, allowsDelays: allowsDelays),
            symbolForPhones: symbolForPhones.map(wording.symbolForPhones),
            symbolForCalendars: symbolForCalendars.map(wording.symbolForCalendars),
            footer: wording.footer(reservation.issued, machine))
    }

    /// The paper of a customer who collects an order.
    ///
    /// - Parameters:
    ///   - symbolForPhones: the symbol of the order's link; nil for a paper without it.
    ///   - machine: the machine that issued it, for the staff; only the beginning of its name is printed.
    ///   - isCopy: whether it was printed before; the paper then says so.
    public static func content(
        _ arrived: ArrivedOrder, qr: QRMatrix, symbolForPhones: QRMatrix? = nil,
        machine: MachineID, wording: Strings, isCopy: Bool = false
    ) -> ReceiptContent {
        let order = arrived.order
        return ReceiptContent(
            mark: isCopy ? wording.text("COPY") : nil,
            shopName: PlainText.clean(order.shopName, limit: maxNameLength),
            kind: wording.name(of: order), numberLabel: wording.text("Your number"),
            number: arrived.number.text, entry: wording.entry(order),
            facts: [.init(label: wording.text("Parcels"), value: String(order.parcels))], qr: qr,
            typedCode: arrived.ticket.typedCode.grouped,
            instructions: [
                wording.text("Watch the display: it will show your number and the desk."),
                wording.text("Show this code at the collection desk."),
            ] + (arrived.ticket.symbol.map { _ in [wording.scanToFollowOrder] } ?? []),
            symbolForPhones: symbolForPhones.map(wording.symbolForPhonesOfOrder),
            footer: wording.footer(order.now, machine))
    }

    /// A page that shows what the printer can do. It cannot be taken for a ticket: no customer has its number, and no
    /// reader accepts its pattern.
    public static func test(
        machine: MachineID?, printer: Int, clock: LocalMoment?, wording: Strings
    ) -> ReceiptContent {
        var facts = [ReceiptContent.Fact(label: wording.text("Printer"), value: String(printer))]
        if let machine {
            let name = PlainText.clean(machine.rawValue, limit: 24)
            facts.append(ReceiptContent.Fact(label: wording.text("Machine"), value: name))
        }
        if let clock {
            let time = wording.time(clock)
            facts.append(ReceiptContent.Fact(label: wording.text("Time"), value: time))
        }
        return ReceiptContent(
            shopName: "TEST", kind: wording.text("Test page"),
            numberLabel: wording.text("Not a ticket"), number: "TEST", facts: facts,
            qr: QRMatrix(chequeredSide: 25), typedCode: "ABCDE 12345 àèìòù", footer: "TEST")
    }

    /// A short page that shows whether a new roll lies the right way round; it is no ticket.
    public static func roll(wording: Strings) -> ReceiptContent {
        ReceiptContent(
            shopName: "TEST", kind: wording.text("New roll"),
            numberLabel: wording.text("Not a ticket"), number: "TEST",
            qr: QRMatrix(chequeredSide: 21), footer: "TEST")
    }

    /// A badge for a staff member: its symbol and the name of the holder, whose PIN is asked all the same.
    public static func badge(name: String, qr: QRMatrix) -> ReceiptContent {
        ReceiptContent(
            shopName: PlainText.clean(name, limit: maxNameLength), kind: "CLup", numberLabel: "",
            number: "STAFF", qr: qr, footer: "")
    }
}

extension Strings {
    fileprivate func footer(_ issued: LocalMoment, _ machine: MachineID) -> String {
        text(
            "Issued at {time} – {machine}",
            ["time": time(issued), "machine": PlainText.clean(machine.rawValue, limit: 24)])
    }

    /// Where the order is, or when it should be at the desk; nil if that is not known.
    fileprivate func entry(_ order: PickupOrder) -> ReceiptContent.Fact? {
        if let desk = order.desk {
            return .init(label: text("Collect at"), value: text("desk {n}", ["n": String(desk)]))
        }
        return order.wait.map {
            .init(
                label: text("Expected collection"),
                value: range(Wait(estimate: $0, quotedAt: order.now)))
        }
    }

    fileprivate func entry(_ reservation: Reservation, _ wait: Wait) -> ReceiptContent.Fact {
        if let visit = reservation.visit {
            return .init(label: text("Come at"), value: time(visit.start))
        }
        if let end = reservation.enterBy {
            return .init(
                label: text("Come in now"), value: text("by {time}", ["time": time(end)]))
        }
        return .init(label: text("Expected entry"), value: range(wait))
    }

    fileprivate func facts(_ reservation: Reservation, _ wait: Wait) -> [ReceiptContent.Fact] {
        let person = ReceiptContent.Fact(label: text("Valid for"), value: text("one person"))
        guard reservation.visit == nil, reservation.enterBy == nil else { return [person] }
        return [.init(label: text("Expected wait"), value: minutes(wait.minutes)), person]
    }

    fileprivate func symbolForPhones(_ qr: QRMatrix) -> ReceiptContent.SymbolForPhones {
        .init(
            qr: qr, heading: text("On your phone"),
            sentence: text(
                "Scan this small QR code to follow your place from anywhere. At the door you need the large one."
            ))
    }

    fileprivate func symbolForPhonesOfOrder(_ qr: QRMatrix) -> ReceiptContent.SymbolForPhones {
        .init(
            qr: qr, heading: text("On your phone"),
            sentence: text("Scan this small QR code to follow your order on your phone."))
    }

    fileprivate func symbolForCalendars(_ qr: QRMatrix) -> ReceiptContent.SymbolForPhones {
        .init(
            qr: qr, heading: text("For your calendar"),
            sentence: text(
                "Scan this QR code with your phone to put the visit into your calendar. At the door you need the large one."
            ))
    }

    fileprivate func instructions(_ reservation: Reservation, allowsDelays: Bool) -> [String] {
        let show = text("Show this code at the entrance.")
        let cancel = text("To cancel, show this ticket to the ticket machine.")
        if reservation.visit == nil, reservation.enterBy != nil { return [show, cancel] }
        let follow = reservation.symbol.map { _ in [scanToFollow] } ?? []
        let watch = text(
            "Watch the display. When {number} is called, come in within {n} minutes.",
            ["number": reservation.number.text, "n": String(ShopPolicy.entryTimeLimitMinutes)])
        guard let visit = reservation.visit else {
            let change = text(
                "To get more time or to cancel, show this ticket to the ticket machine.")
            return [watch, show] + follow + [allowsDelays ? change : cancel]
        }
        let come = text(
            "Please be here on {day} at {time}.",
            ["day": day(visit.start.day), "time": time(visit.start)])
        return [come, watch, show] + follow + [cancel]
    }

    /// What a phone does with the one symbol of an order.
    var scanToFollowOrder: String {
        text("Scan the code with your phone to follow your order.")
    }

    /// What a phone does with the one symbol of a place.
    var scanToFollow: String {
        text("Scan the code with your phone to follow your place from anywhere.")
    }
}
