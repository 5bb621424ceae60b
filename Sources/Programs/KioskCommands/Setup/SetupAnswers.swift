import CommandSyntax
import ESCPOS
import CupsPrinter
import Glibc
import KioskFlow

/// The answers of `setup` by name: settings of the machine, and actions that are done once.
///
/// A setting without an answer stays as it is; `-` removes it.
struct SetupAnswers {
    /// Names in addition to those of `Setting.all`, with their meanings.
    static let own: [(name: String, meaning: String)] = [
        ("test-paper", "yes or no: print a TEST paper (default: yes where a queue was made)"),
        ("rotate", "how the screen is turned: normal, left, right or inverted"),
        (
            "screen-millimetres",
            "width and height of the screen, as 217x136, if it reports none or wrong ones"
        ),
        (
            "enrol",
            "how the backend gets to know a machine without a key: pair (a code is shown), key (its "
                + "public key is printed; give backend-key) or later"
        ), ("manager", "name of a manager, who may use everything in maintenance mode"),
        ("manager-pin", "the manager's PIN, 6 to 8 digits, while there is no such manager"),
        ("start", "yes or no: let the machine start with the computer (default: yes)"),
    ]
    /// Names that are different in the session's file, which a shell and systemd read.
    static let ofSession = ["rotate": "CLUP_ROTATE", "screen-millimetres": "CLUP_MILLIMETRES"]
    static let none = "-"
    private static let rolls = PrinterSearch.rolls.map(String.init)
    /// The answers that have a few values only.
    private static let choices = [
        "printer-paper": rolls, "printer2-paper": rolls, "test-paper": ["yes", "no"],
        "start": ["yes", "no"], "rotate": ["normal", "left", "right", "inverted"],
        "enrol": ["pair", "key", "later"],
    ]

    private(set) var values: [String: String] = [:]

    init() {}

    /// Reads a file of `name = value` lines; errors are reported with their line.
    init(file path: String) throws {
        try self.init(KeyValueFile(path, kind: "file of answers").values, path: path)
    }

    init(_ lines: [(number: Int, name: String, value: String)], path: String) throws {
        for (number, name, value) in lines {
            do { try take(name, value) } catch {
                throw CommandError.configuration("\(path), line \(number): \(error)")
            }
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// Accepts a valid answer; throws the fault of any other.
    mutating func take(_ name: String, _ value: String) throws {
        guard Configuration.isSetting(name) || Self.own.contains(where: { $0.name == name }) else {
            throw CommandError.configuration(
                "there is nothing called \"\(name)\"; see clup-kiosk setup --help.")
        }
        // A value in a file of lines must not start another line, nor move a terminal's cursor.
        guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw CommandError.configuration("\(name): control characters cannot stand in a value.")
        }
        if value != Self.none || name == "manager" || name == "manager-pin" {
            try Self.check(name, value)
        }
        values[name] = value
    }

    private static func check(_ name: String, _ value: String) throws {
        if let words = choices[name], !words.contains(value) {
            let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
            throw CommandError.configuration("\(name) can only be \(list), not \"\(value)\".")
        }
        switch name {
        case "printer", "printer2": try checkQueue(value)
        case "printer-device", "printer2-device": _ = try PrinterKind(device: value)
        case "screen-millimetres": _ = try PanelCommand.size(value)
        case "manager":
            guard value.count <= 40, value != none else {
                throw CommandError.configuration("manager: a name has 1 to 40 letters.")
            }
        case "manager-pin":
            do { try PINRules.check(value) } catch {
                throw CommandError.configuration("manager-pin: \(error)")
            }
        case "reader", "state", "log", "assets", "wrapping-key", "restart-request":
            guard value.hasPrefix("/") else {
                throw CommandError.configuration(
                    "\(name) is a path from / on, as /dev/clup/reader, not \"\(value)\".")
            }
        case "languages": _ = try MachineAdapters.catalogues(Configuration(values: [name: value]))
        default: try Configuration(values: [name: value]).check(name)
        }
    }

    private static func checkQueue(_ name: String) throws {
        let isPlain = name.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && !"/#?'\"\\,".utf8.contains($0)
        }
        guard isPlain, name.utf8.count <= 127, !name.isEmpty, !name.hasPrefix("-") else {
            throw CommandError.configuration(
                "\"\(name)\" cannot be the name of a CUPS queue: letters, digits, - and _, "
                    + "no spaces.")
        }
    }
}

/// The connection of a queue to a printer.
enum PrinterKind: Hashable {
    /// IPP Everywhere: the printer reports its capabilities to CUPS, and its paper is read while it is idle.
    case driverless
    /// A receipt printer with a language of its own, printed to by a driver of this product.
    case escpos

    /// Schemes of CUPS's backends for printers without IPP (`lpinfo -v`).
    private static let raw = ["usb", "socket", "serial", "parallel", "lpd"]

    init(device uri: String) throws {
        let scheme = uri.prefix { $0 != ":" }
        if scheme == "ipp" || scheme == "ipps" {
            guard uri.hasPrefix("\(scheme)://"), uri.count > scheme.count + 3,
                !uri.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F })
            else {
                throw CommandError.configuration(
                    "\"\(uri)\" is no address of a printer: give ipp://HOST/ipp/print."
                )
            }
            self = .driverless
        } else if DeviceAddress(uri) != nil {
            self = .escpos
        } else if Self.raw.contains(String(scheme)) {
            throw CommandError.configuration(
                "\"\(uri)\" is a printer without IPP: give escpos://HOST on the network, "
                    + "escpos:/dev/usb/lp0 on USB, or escpos:/dev/ttyUSB0?baud=38400 on a serial line."
            )
        } else {
            throw CommandError.configuration(
                "\"\(uri)\" is no address of a printer: give ipp://HOST/ipp/print, or "
                    + "escpos://HOST for one without IPP.")
        }
    }
}
