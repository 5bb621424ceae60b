internal import TextForms

/// The address of a backend: `https://host[:port]`, or `http://` on the loopback only.
public struct BackendAddress: Hashable, Sendable, CustomStringConvertible {
    public let isSecure: Bool
    /// Host and, unless it is the scheme's default, port; lower case, as a signature covers it.
    public let authority: String

    /// What is wrong with an address, in words for the person who configures the machine.
    public struct Malformed: Error, Hashable, CustomStringConvertible {
        public let description: String
    }

    public init(_ text: String) throws(Malformed) {
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else {
            throw Malformed(
                description: "The backend's address \"\(text)\" must begin with https://, "
                    + "or with http:// on the loopback.")
        }
        isSecure = scheme == "https://"
        var rest = text.dropFirst(scheme.count).lowercased()
        if rest.hasSuffix("/") { rest.removeLast() }
        let (host, port) = Self.split(rest)
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isHostCharacter), port != .some(nil) else {
            throw Malformed(
                description: "The backend's address \"\(text)\" is not "
                    + "https://host or https://host:port; a path does not belong to it.")
        }
        guard isSecure || ["127.0.0.1", "localhost", "[::1]"].contains(host) else {
            throw Malformed(
                description:
                    "The backend's address \"\(text)\" would send everything in the clear: "
                    + "use https:// for any host but the loopback.")
        }
        let isDefault = port == nil || port == .some(isSecure ? 443 : 80)
        authority = isDefault ? host : "\(host):\(port.flatMap(\.self) ?? 0)"
    }

    public var description: String { (isSecure ? "https://" : "http://") + authority }

    /// Host and port; the port is nil if the text contains none, and `.some(nil)` if it is invalid.
    private static func split(_ text: String) -> (host: String, port: Int??) {
        guard let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") else {
            return (text, nil)
        }
        let digits = text[text.index(after: colon)...]
        let port = Int(digits).flatMap {
            (1...65_535).contains($0) && !digits.hasPrefix("+") ? $0 : nil
        }
        return (String(text[..<colon]), .some(port))
    }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || byte.isASCIILowercase
            || [0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F].contains(byte)
    }
}
