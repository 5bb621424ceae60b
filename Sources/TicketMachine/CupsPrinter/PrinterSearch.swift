internal import CCups

/// A printer's own description, before it has a queue.
public struct FoundPrinter: Hashable, Sendable {
    /// Make and model, or another name.
    public let name: String
    /// The printer's address: ipp:// or ipps://, with host, port and path.
    public let uri: String
    /// Millimetres across the paper in the printer, or across its default paper; nil if it reports none.
    public let roll: Int?
    /// The widths in millimetres of the receipt rolls that the printer knows.
    public let rolls: Set<Int>
    /// Whether the printer takes a format of tickets.
    public let takesTickets: Bool

    /// A printer without IPP, which cannot describe itself; it is used with our own driver.
    public init(escpos uri: String) {
        self.uri = uri
        name = "ESC/POS receipt printer"
        roll = nil
        rolls = []
        takesTickets = true
    }
}

/// Searches for driverless printers: IPP printers that need no driver of their maker.
public enum PrinterSearch {
    /// The ports of this computer of which ipp-usb gives one to each USB printer (ipp-usb(8), `http-min-port`).
    private static let usbPorts = 60_000...60_003
    /// Widths of receipt printers' rolls, in millimetres.
    public static let rolls = [58, 80]

    /// Asks one printer for its description; blocks the thread for at most some seconds.
    public static func look(at uri: String) throws(CupsPrinterError) -> FoundPrinter {
        let device = PrintQueue.device(uri)
        guard let address = device.address else {
            throw CupsPrinterError(
                code: .serverUnreachable,
                description: "\(uri) is no address of a printer: give ipp://HOST/ipp/print.")
        }
        do throws(IPPFault) {
            let connection = try IPPConnection(to: address)
            let answer = try connection.ask(
                IPPMessage(
                    IPP_OP_GET_PRINTER_ATTRIBUTES, printer: uri,
                    attributes: [
                        "printer-make-and-model", "printer-info", "printer-name",
                        "document-format-supported", "media-supported",
                    ] + QueueMedia.attributes), at: device.resource)
            return FoundPrinter(answer, uri: uri)
        } catch {
            throw CupsPrinterError(
                code: .serverUnreachable,
                description:
                    "Nothing at \(uri) answers as an IPP printer. Is it on, is its cable in, is "
                    + "the address right (its own menu or a page it prints shows it)?")
        }
    }

    /// The driverless printers that DNS-SD and ipp-usb report; blocks the thread for this time and for the answers.
    public static func find(milliseconds: Int32) -> [FoundPrinter] {
        var uris = discovered(milliseconds)
        // These ports are asked even without Avahi, which would report them.
        uris += usbPorts.map { "ipp://localhost:\($0)/ipp/print" }
        var seen: Set<String> = []
        return uris.filter { seen.insert($0).inserted }.compactMap { try? look(at: $0) }
    }

    /// The address to which a queue prints; nil if there is no such queue or no server.
    public static func device(of queue: String, server: String?) -> String? {
        let queue = PrintQueue(name: queue, server: server)
        let answer = try? IPPConnection(to: IPPAddress(server: server)).ask(
            IPPMessage(
                IPP_OP_GET_PRINTER_ATTRIBUTES, printer: queue.uri, attributes: ["device-uri"]),
            at: queue.resource)
        return answer?.strings("device-uri").first
    }

    // MARK: DNS-SD

    /// The network printers that cupsEnumDests(3) reports, resolved to hosts, ports and paths.
    private static func discovered(_ milliseconds: Int32) -> [String] {
        let found = Found()
        _ = withExtendedLifetime(found) {
            // The mask selects discovered printers, not the server's own queues.
            cupsEnumDests(
                UInt32(CUPS_DEST_FLAGS_NONE), milliseconds, nil, 0,
                cups_ptype_t(CUPS_PRINTER_DISCOVERED.rawValue),
                { found, flags, destination in
                    guard let found, let destination, flags & UInt32(CUPS_DEST_FLAGS_REMOVED) == 0
                    else { return 1 }
                    let list = Unmanaged<Found>.fromOpaque(found).takeUnretainedValue()
                    // A longer list would be too long to choose from.
                    guard list.uris.count < 20 else { return 0 }
                    if let uri = PrinterSearch.resolve(destination) { list.uris.append(uri) }
                    return 1
                }, Unmanaged.passUnretained(found).toOpaque())
        }
        return found.uris
    }

    private final class Found { var uris: [String] = [] }

    /// Host, port and path of a destination, with the address if this computer cannot resolve the host's name.
    private static func resolve(_ destination: UnsafeMutablePointer<cups_dest_t>) -> String? {
        var resource = [CChar](repeating: 0, count: 1_024)
        let http = cupsConnectDest(
            destination, UInt32(CUPS_DEST_FLAGS_DEVICE), 2_000, nil, &resource, resource.count,
            nil, nil)
        guard let http else { return nil }
        defer { httpClose(http) }
        var host = [CChar](repeating: 0, count: 256)
        guard httpGetHostname(http, &host, 256) != nil else { return nil }
        let port = httpAddrPort(httpGetAddress(http))
        var name = String(buffer: host)
        // A name ends with a dot in DNS; CUPS cannot use a name that this computer does not resolve.
        if name.hasSuffix(".") { name.removeLast() }
        if let addresses = httpAddrGetList(name, AF_UNSPEC, "\(port)") {
            httpAddrFreeList(addresses)
        } else {
            guard httpAddrString(httpGetAddress(http), &host, 256) != nil else { return nil }
            name = String(buffer: host)
        }
        let scheme = httpIsEncrypted(http) != 0 ? "ipps" : "ipp"
        return "\(scheme)://\(name):\(port)\(String(buffer: resource))"
    }
}

extension String {
    /// The text in a buffer that C has filled, up to the zero at its end.
    init(buffer: [CChar]) {
        self.init(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension FoundPrinter {
    init(_ answer: borrowing IPPMessage, uri: String) {
        let names = ["printer-make-and-model", "printer-info", "printer-name"]
        var called: String?
        for attribute in names where called == nil { called = answer.strings(attribute).first }
        name = called ?? "a printer"
        roll = QueueMedia.roll(of: answer).map { ($0.width + 50) / 100 }
        takesTickets = !Set(answer.strings("document-format-supported"))
            .isDisjoint(with: CupsPrinter.formats)
        self.uri = uri
        rolls = Self.rolls(answer.strings("media-supported"))
    }

    /// The widths in names such as `om_roll_80x297mm` or `custom_80x2000mm` (PWG 5101.1), only those of rolls.
    private static func rolls(_ names: [String]) -> Set<Int> {
        var rolls: Set<Int> = []
        for name in names where name.hasSuffix("mm") && !name.hasPrefix("custom_m") {
            guard let size = name.dropLast(2).split(separator: "_").last else { continue }
            let sides = size.split(separator: "x").map { Double($0).map { Int($0.rounded()) } }
            guard sides.count == 2, let width = sides[0], let length = sides[1], length > 0 else {
                continue
            }
            rolls.insert(width)
        }
        return rolls.intersection(PrinterSearch.rolls)
    }
}
