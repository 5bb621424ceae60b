/// Who sends, as the operators of push services learn it: `sub` of RFC 8292 2.1.
public enum PushSubject {
    /// The push service of Apple's browsers, the only one that looks at the sender's address: it refuses all messages of
    /// one that names no host of the Internet (403 `BadJwtToken`).
    static let strictService = "web.push.apple.com"

    /// Ends of names that no host of the Internet has (RFC 6761, RFC 6762, RFC 8375, the reserved `internal`), and `lan`,
    /// which routers use.
    private static let privateEnds: Set<Substring> = [
        "localhost", "local", "invalid", "test", "example", "internal", "arpa", "lan",
    ]

    /// The service of the list that refuses a sender at this host; nil if all take it.
    ///
    /// - Parameter host: Of the sender's own address, in small letters and without a port; nil if there is none.
    public static func refusing(_ host: String?, among services: PushServices) -> String? {
        guard services.contains("https://\(strictService)/"), host.map(isPublicName) != true
        else { return nil }
        return strictService
    }

    private static func isPublicName(_ host: String) -> Bool {
        let labels = host.split(separator: ".")
        // An address has digits or a bracket at its end.
        guard labels.count > 1, let last = labels.last, last.allSatisfy(\.isLetter) else {
            return host.contains(".xn--")
        }
        return !privateEnds.contains(last)
    }
}
