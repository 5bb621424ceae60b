internal import BackendAPI
internal import Cryptography
internal import QueueEngine
internal import Reservations

/// A customer's phone as its browser's cookie names it: the holder of the places that it takes (rules: joining).
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
        guard let secret = Self.cookie(named: Self.name(of: pages), request),
            Crockford.isText(secret, length: Crockford.length(ofBytes: Self.secretBytes))
        else { return nil }
        self.secret = String(secret)
    }

    /// How long a device need not confirm its number again: as long as missed calls count.
    static let numberLifetime = lifetime

    /// What the browser of a request has to show that its device confirmed a number (rules: confirmed-numbers); nil if there
    /// is nothing.
    static func proofOfNumber(
        _ request: WireRequest, for use: ConfirmedFor, of pages: PhonePages
    ) -> String? {
        cookie(named: name(of: use, pages), request).map { String($0) }
    }

    private static func cookie(named name: String, _ request: WireRequest) -> Substring? {
        (request.fields[HeaderField.cookie] ?? "").split(separator: ";").lazy
            .map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix("\(name)=") }?.dropFirst(name.count + 1)
    }

    var holder: HolderID {
        let digest = SHA256.digest(Array("clup-device \(secret)".utf8))
        return HolderID("device/\(Crockford.encode(Array(digest.prefix(Self.secretBytes))))")
    }

    /// The cookie for the browser (RFC 6265 4.1): no script reads it, no other site's page sends it with a call, and no
    /// other host of the same domain sets it. A link on another site opens the page with it, which would get a second one
    /// otherwise.
    func cookie(for pages: PhonePages) -> String {
        Self.cookie(Self.name(of: pages), secret, Self.lifetime, pages)
    }

    /// The cookie that shows later that the device has confirmed a number.
    func cookie(ofNumber proof: String, for use: ConfirmedFor, _ pages: PhonePages) -> String {
        Self.cookie(Self.name(of: use, pages), proof, Self.numberLifetime, pages)
    }

    private static func cookie(
        _ name: String, _ value: String, _ lifetime: Duration, _ pages: PhonePages
    ) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(lifetime.wholeSeconds); HttpOnly; SameSite=Lax"
            + (pages.isEncrypted ? "; Secure" : "")
    }

    /// With the prefix, browsers take it from its own host over TLS only (RFC 6265bis 4.1.3.2).
    private static func name(of pages: PhonePages) -> String {
        pages.isEncrypted ? "__Host-clup-device" : "clup-device"
    }

    private static func name(of use: ConfirmedFor, _ pages: PhonePages) -> String {
        (pages.isEncrypted ? "__Host-clup-" : "clup-") + use.rawValue
    }
}

/// What a device has confirmed a number for (rules: confirmed-numbers). The SMS with a code says which it is, and a customer
/// who passes one on for messages gives away no places.
enum ConfirmedFor: String, CaseIterable {
    /// For taking places at shops that want numbers: the device holds the places of the number.
    case places = "number"
    /// For SMS about a place: the device gets no second code for the next one.
    case messages = "sms"
}
