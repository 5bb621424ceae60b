public import Reservations
import TerminalSurface

/// The texts of a paper, in the customer's language.
public enum ReceiptStrings {
    /// The longest name that is set in large letters on a roll of 58 mm, in three lines.
    private static let maxNameLength = 60

    /// - Parameters:
    ///   - machine: the machine that issued it, for the staff; only the beginning of its name is printed.
    ///   - told: when the wait was estimated; nil for the moment of issue.
    ///   - isCopy: whether it was printed before; the paper then says so.
    public static func content(
        _ reservation: Reservation, qr: QRMatrix, machine: MachineID, wording: Strings,
        told: LocalMoment? = nil, isCopy: Bool = false
    ) -> ReceiptContent {
        let number = reservation.number.text
        let kind = wording.kind(reservation.visit, issued: reservation.issued)
        let wait = Wait(estimate: reservation.wait, told: told ?? reservation.issued)
        return ReceiptContent(
            banner: isCopy ? wording.text("COPY") : nil,
            shopName: PlainText.clean(reservation.shopName, limit: maxNameLength), kind: kind,
            numberLabel: wording.text("Your number"), number: number,
            facts: facts(wait, reservation, wording), qr: qr,
            typedCode: reservation.typedCode.grouped,
            instructions: instructions(reservation, wording),
            footer: wording.text(
                "Issued at {time} – {machine}",
                [
                    "time": wording.time(reservation.issued),
                    "machine": PlainText.clean(machine.rawValue, limit: 24),
                ]))
    }

    /// A page that shows what the printer can do. It cannot be taken for a ticket: no customer has its number, and no
    /// reader accepts its pattern.
    public static func test(
        machine: MachineID?, printer: Int, clock: LocalMoment?, wording: Strings
    ) -> ReceiptContent {
        let name = machine.map { machine in
            ReceiptContent.Fact(
                label: wording.text("Machine"), value: PlainText.clean(machine.rawValue, limit: 24))
        }
        let time = clock.map {
            ReceiptContent.Fact(label: wording.text("Time"), value: wording.time($0))
        }
        return ReceiptContent(
            shopName: "TEST", kind: wording.text("Test page"),
            numberLabel: wording.text("Not a ticket"), number: "TEST",
            facts: [ReceiptContent.Fact(label: wording.text("Printer"), value: String(printer))]
                + [name, time].compactMap(\.self), qr: QRMatrix(chequeredSide: 25),
            typedCode: "ABCDE 12345 àèìòù", instructions: [], footer: "TEST")
    }

    /// A short page that shows whether a new roll lies the right way round; it is no ticket.
    public static func roll(wording: Strings) -> ReceiptContent {
        ReceiptContent(
            shopName: "TEST", kind: wording.text("New roll"),
            numberLabel: wording.text("Not a ticket"), number: "TEST", facts: [],
            qr: QRMatrix(chequeredSide: 21), typedCode: "", instructions: [], footer: "TEST")
    }

    /// A badge for a staff member: its symbol and the name of the holder, whose PIN is asked all the same.
    public static func badge(name: String, qr: QRMatrix) -> ReceiptContent {
        ReceiptContent(
            shopName: PlainText.clean(name, limit: maxNameLength), kind: "CLup", numberLabel: "",
            number: "STAFF", facts: [], qr: qr, typedCode: "", instructions: [], footer: "")
    }

    private static func facts(
        _ wait: Wait, _ reservation: Reservation, _ wording: Strings
    ) -> [ReceiptContent.Fact] {
        var facts: [ReceiptContent.Fact] = []
        if let visit = reservation.visit {
            facts.append(
                ReceiptContent.Fact(
                    label: wording.text("Come at"), value: wording.time(visit.start)))
        } else if let end = reservation.enterBy {
            facts.append(
                ReceiptContent.Fact(
                    label: wording.text("Come in now"),
                    value: wording.text("by {time}", ["time": wording.time(end)])))
        } else {
            facts.append(
                ReceiptContent.Fact(
                    label: wording.text("Expected entry"), value: wording.range(wait)))
            facts.append(
                ReceiptContent.Fact(
                    label: wording.text("Expected wait"), value: wording.minutes(wait.minutes)))
        }
        facts.append(
            ReceiptContent.Fact(
                label: wording.text("Valid for"), value: wording.text("one person")))
        return facts
    }

    private static func instructions(_ reservation: Reservation, _ wording: Strings) -> [String] {
        let show = wording.text("Show this code at the entrance.")
        let cancel = wording.text("To cancel, show this ticket to the ticket machine.")
        let watch = wording.text(
            "Watch the display. When {number} is called, come in within {n} minutes.",
            ["number": reservation.number.text, "n": String(ShopPolicy.entryTimeLimitMinutes)])
        if let visit = reservation.visit {
            let come = wording.text(
                "Please be here on {day} at {time}.",
                ["day": wording.day(visit.start.day), "time": wording.time(visit.start)])
            return [come, watch, show, cancel]
        }
        return reservation.enterBy == nil ? [watch, show, cancel] : [show, cancel]
    }
}
