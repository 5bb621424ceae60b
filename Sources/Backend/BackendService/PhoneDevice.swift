internal import BackendAPI
internal import Cryptography
internal import QueueEngine
internal import Reservations

/// A customer's phone as its browser's cookie names it: the holder of the places that it takes (rules 35).
///
/// The cookie proves that a place was taken on this device, so that only a digest of it is stored.
struct PhoneDevice: Hashable {
    /// The secret of the cookie: 128 bits.
    let secret: String

    private static let secretBytes = 16
    /// How long a browser keeps it after it last opened the page for joining: as long as missed calls count.
    private static let lifetime = QueueState.noShowMemory

    /// A device that has none yet.
    init() { secret = Crockford.encode(RandomBytes.make(Self.secretBytes)) }

    /// The device of a request; nil if its browser has no cookie of ours.
    init?(_ request: WireRequest, of pages: PhonePages) {
        let cookies = (request.fields[HeaderField.cookie] ?? "").split(separator: ";").map {
            $0.drop { $0 == " " }
        }
        let prefix = "\(Self.name(of: pages))="
        guard let cookie = cookies.first(where: { $0.hasPrefix(prefix) }) else { return nil }
        let secret = cookie.dropFirst(prefix.count)
        guard Crockford.isText(secret, length: Crockford.length(ofBytes: Self.secretBytes)) else {
            return nil
        }
        self.secret = String(secret)
    }

    var holder: HolderID {
        let digest = SHA256.digest(Array("clup-device \(secret)".utf8))
        return HolderID("device/\(Crockford.encode(Array(digest.prefix(Self.secretBytes))))")
    }

    /// The cookie for the browser (RFC 6265 4.1): no script reads it, no other site's page sends it with a call, and no
    /// other host of the same domain sets it. A link on another site opens the page with it, which would get a second one
    /// otherwise.
    func cookie(for pages: PhonePages) -> String {
        "\(Self.name(of: pages))=\(secret); Path=/; Max-Age=\(Self.lifetime.wholeSeconds); HttpOnly; SameSite=Lax"
            + (pages.isEncrypted ? "; Secure" : "")
    }

    /// With the prefix, browsers take it from its own host over TLS only (RFC 6265bis 4.1.3.2).
    private static func name(of pages: PhonePages) -> String {
        pages.isEncrypted ? "__Host-clup-device" : "clup-device"
    }
}
