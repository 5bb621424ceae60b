internal import CCups
internal import KioskScreens

/// A printer of its own, as it tells of itself before it has a queue.
public struct FoundPrinter: Hashable, Sendable {
    /// Make and model, or what else it is called.
    public let name: String
    /// Where it listens: ipp:// or ipps://, with host, port and path.
    public let uri: String
    /// Millimetres across the paper that is in it, or that it takes for granted; nil where it says none.
    public let roll: Int?
    /// Names of sizes by their width in millimetres, of rolls a receipt printer has; the longest each.
    public let sizes: [Int: String]
    /// Whether it takes what tickets are sent as.
    public let takesPDF: Bool
}

/// Driverless printers: IPP, with what is needed to print without a driver of theirs.
public enum PrinterSearch {
    /// ipp-usb gives each printer on USB one of these ports of this computer (ipp-usb(8), `http-min-port`).
    private static let usbPorts = 60_000...60_003
    /// Rolls of receipt printers, in millimetres.
    public static let rolls = [58, 80]

    /// Asks one printer what it is; blocks the thread for at most some seconds.
    public static func look(at uri: String) -> Result<FoundPrinter, CupsPrinterError> {
        guard let device = PrintQueue.device(uri).address else {
            return .failure(
                failure("\(uri) is no address of a printer: give ipp://HOST/ipp/print.", ""))
        }
        let resource = PrintQueue.device(uri).resource
        do throws(IPPFault) {
            let connection = try IPPConnection(to: device)
            let answer = try connection.ask(
                IPPMessage(
                    IPP_OP_GET_PRINTER_ATTRIBUTES, printer: uri,
                    attributes: [
                        "printer-make-and-model", "printer-info", "printer-name",
                        "document-format-supported", "media-supported",
                    ] + QueueMedia.attributes), at: resource)
            return .success(FoundPrinter(answer, uri: uri))
        } catch {
            return .failure(
                failure(
                    "Nothing at \(uri) answers as an IPP printer. Is it on, is its cable in, is the "
                        + "address right (its own menu or a page it prints tells it)?", "\(error)"))
        }
    }

    /// The driverless printers that DNS-SD and ipp-usb tell of; blocks the thread as long as it is told.
    public static func find(milliseconds: Int32) -> [FoundPrinter] {
        var uris = discovered(milliseconds)
        // Also where no Avahi runs, which would tell of them.
        uris += usbPorts.map { "ipp://localhost:\($0)/ipp/print" }
        var seen: Set<String> = []
        return uris.filter { seen.insert($0).inserted }.compactMap { try? look(at: $0).get() }
    }

    /// The address a queue prints to; nil where there is no such queue or no server.
    public static func device(of queue: String, server: String?) -> String? {
        let queue = PrintQueue(name: queue, server: server)
        do throws(IPPFault) {
            let connection = try IPPConnection(to: ServerAddress(server).use())
            return try connection.ask(
                IPPMessage(
                    IPP_OP_GET_PRINTER_ATTRIBUTES, printer: queue.uri, attributes: ["device-uri"]),
                at: queue.resource
            ).strings("device-uri").first
        } catch {
            return nil
        }
    }

    private static func failure(_ text: String, _ detail: String) -> CupsPrinterError {
        CupsPrinterError(code: .serverUnreachable, description: text, detail: detail)
    }

    // MARK: DNS-SD

    /// What cupsEnumDests(3) tells of printers of the network, resolved to hosts, ports and paths.
    private static func discovered(_ milliseconds: Int32) -> [String] {
        let found = Found()
        _ = withExtendedLifetime(found) {
            // The mask: what was discovered, not the server's own queues.
            cupsEnumDests(
                UInt32(CUPS_DEST_FLAGS_NONE), milliseconds, nil, 0,
                cups_ptype_t(CUPS_PRINTER_DISCOVERED.rawValue),
                { found, flags, destination in
                    guard let found, let destination,
                        flags & UInt32(CUPS_DEST_FLAGS_REMOVED) == 0
                    else { return 1 }
                    let list = Unmanaged<Found>.fromOpaque(found).takeUnretainedValue()
                    // More than a list to choose from would hold.
                    guard list.uris.count < 20 else { return 0 }
                    if let uri = PrinterSearch.resolve(destination) { list.uris.append(uri) }
                    return 1
                }, Unmanaged.passUnretained(found).toOpaque())
        }
        return found.uris
    }

    private final class Found { var uris: [String] = [] }

    /// Host, port and path of a destination; the address where the host's name is not known here.
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
        var name = text(host)
        // A name ends with a dot in DNS; one that nothing here resolves is no use to CUPS.
        if name.hasSuffix(".") { name.removeLast() }
        if let addresses = httpAddrGetList(name, AF_UNSPEC, "\(port)") {
            httpAddrFreeList(addresses)
        } else {
            guard httpAddrString(httpGetAddress(http), &host, 256) != nil else { return nil }
            name = text(host)
        }
        let scheme = httpIsEncrypted(http) != 0 ? "ipps" : "ipp"
        return "\(scheme)://\(name):\(port)\(text(resource))"
    }

    private static func text(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension FoundPrinter {
    init(_ answer: borrowing IPPMessage, uri: String) {
        let names = ["printer-make-and-model", "printer-info", "printer-name"]
        var called: String?
        for attribute in names where called == nil { called = answer.strings(attribute).first }
        name = called ?? "a printer"
        roll = QueueMedia.roll(of: answer).map { ($0.width + 50) / 100 }
        takesPDF = answer.strings("document-format-supported").contains("application/pdf")
        self.uri = uri
        sizes = Self.sizes(answer.strings("media-supported"))
    }

    /// Of names as `om_roll_80x297mm` or `custom_80x2000mm` (PWG 5101.1), those as wide as a roll.
    private static func sizes(_ names: [String]) -> [Int: String] {
        var sizes: [Int: (name: String, length: Int)] = [:]
        for name in names where name.hasSuffix("mm") && !name.hasPrefix("custom_m") {
            guard let size = name.dropLast(2).split(separator: "_").last else { continue }
            let sides = size.split(separator: "x").map { Double($0).map { Int($0.rounded()) } }
            guard sides.count == 2, let width = sides[0], let length = sides[1],
                PrinterSearch.rolls.contains(width), length > (sizes[width]?.length ?? 0)
            else { continue }
            sizes[width] = (name, length)
        }
        return sizes.mapValues(\.name)
    }
}
