internal import BackendAPI
internal import Cryptography
internal import Reservations

/// A ticket that opens the WebSocket of a place: its address would be in logs, so that the capability cannot be in it.
///
/// Only the backend can make it, and every server of a database accepts it; it is valid for a moment. A reader of
/// logs who uses it meanwhile sees the place.
struct PlaceTicket: Hashable {
    let tag: ShopTag
    let reservation: ReservationID
    /// A digest of the capability for which it was made: it opens nothing once the place has another one.
    let link: String
    /// The end of its validity, in seconds since 1970.
    let expires: Int64

    /// A session's ticket has three words and begins with a key.
    private static let word = "place"

    init(of reservation: ReservationID, _ capability: Capability, now: Moment) {
        tag = capability.tag
        self.reservation = reservation
        link = Self.digest(of: capability)
        expires = now.seconds + SessionTicket.lifetime
    }

    /// Reads the ticket of a request for a socket, if this backend made it and it is still valid.
    init?(_ request: WireRequest, by signer: AnswerSigner?, now: Moment) {
        guard let words = request.ticketWords(by: signer), words.count == 5,
            words[0] == Self.word, let tag = ShopTag(rawValue: words[1]),
            let expires = Int64(words[4]), now.seconds < expires
        else { return nil }
        self.tag = tag
        link = words[3]
        reservation = ReservationID(words[2])
        self.expires = expires
    }

    func text(by signer: AnswerSigner) -> String {
        signer.authenticated("\(Self.word).\(tag).\(reservation).\(link).\(expires)")
    }

    /// Whether it was made for this capability.
    func opens(_ capability: Capability) -> Bool { link == Self.digest(of: capability) }

    private static func digest(of capability: Capability) -> String {
        let digest = SHA256.digest(Array("clup-ticket \(capability.rawValue)".utf8))
        return Crockford.encode(Array(digest.prefix(10)))
    }
}
