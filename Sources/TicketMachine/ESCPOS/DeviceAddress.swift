/// The address of a printer without IPP: `escpos://HOST[:PORT]` or `escpos:/dev/PATH[?baud=RATE]`.
public enum DeviceAddress: Hashable, Sendable {
    /// The port is 9100 if none is given, at which network printers listen.
    case network(host: String, port: Int)
    /// A device file of the kernel such as `/dev/usb/lp0`; for a serial line also its speed.
    case file(path: String, baud: Int?)

    /// Speeds to which the switches of printers can be set.
    public static let speeds = [4_800, 9_600, 19_200, 38_400, 57_600, 115_200]

    /// Reads the URI of a printer; nil for any other text.
    public init?(_ uri: String) {
        guard uri.hasPrefix("escpos:") else { return nil }
        let place = uri.dropFirst("escpos:".count)
        guard place.hasPrefix("//") else {
            self.init(file: place)
            return
        }
        let authority = place.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        var host = authority
        var port: Int? = 9_100
        // An IPv6 address may contain colons, as in [::1]:9100.
        let name = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[name...].lastIndex(of: ":") {
            host = authority[..<colon]
            port = Int(authority[authority.index(after: colon)...])
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, let port, (1...65_535).contains(port) else { return nil }
        self = .network(host: String(host), port: port)
    }

    private init?(file place: Substring) {
        let path = place.prefix { $0 != "?" }
        guard path.hasPrefix("/dev/"), !path.contains("/../") else { return nil }
        guard path.count < place.count else {
            self = .file(path: String(path), baud: nil)
            return
        }
        let option = place.dropFirst(path.count + 1)
        guard option.hasPrefix("baud="), let baud = Int(option.dropFirst(5)),
            Self.speeds.contains(baud)
        else { return nil }
        self = .file(path: String(path), baud: baud)
    }
}
