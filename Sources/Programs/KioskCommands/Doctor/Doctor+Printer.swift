import CupsPrinter
import KioskFlow

extension Doctor {
    /// - Parameter device: the printer for which `setup` made the queue; nil if the queue was made by hand.
    static func printer(
        _ queue: String, server: String?, device: String?, _ part: String
    ) -> Finding {
        // Faults of the setup come first: a missing queue would later look like a printer that is off.
        let printer = CupsPrinter(queue: queue, server: server)
        let fault = waiting { await PrinterSetup.fault(of: printer) }
        if let fault, fault.code == .queueUnknown, let device {
            return .weak(
                "CUPS has lost the queue \(queue) of \(device), as when the power is cut soon after it was "
                    + "made: clup-kiosk setup printer\(part == "printer" ? "" : " --second") makes it again."
            )
        }
        if let fault { return .weak(fault.description) }
        let condition = waiting { await printer.condition() }
        if let trouble = condition.trouble { return .weak("\(queue): \(trouble.remedy)") }
        if condition.paperLow { return .weak("\(queue): the paper is nearly out.") }
        switch printer.insight {
        case .always: return .good(queue)
        case .byTheMinute:
            return .good("\(queue); without IPP of its own, so that it is asked once a minute.")
        case .whilePrinting:
            return .weak(
                "\(queue): its state is known only while it prints, so that a customer does not "
                    + "learn in time that the paper is out. A printer with IPP, or the driver "
                    + "clup-escpos, reports it.")
        }
    }
}

extension PrinterTrouble {
    var remedy: String {
        switch self {
        case .noPaper: "there is no paper: put in a new roll."
        case .jam: "the paper is jammed: open the printer and take it out."
        case .coverOpen: "the cover is open: close it."
        case .absent: "none is configured."
        case .offline:
            "the printer cannot be reached: is it on, is its cable in, is CUPS running, "
                + "is the queue's name right?"
        case .stopped: "the queue is stopped: run cupsenable and cupsaccept."
        case .other: "the printer reports an error: look at its own display."
        case .silent: "the printer does not answer."
        }
    }
}
