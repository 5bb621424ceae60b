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
    /// The end of its validity, in seconds since 1970.
    let expires: Int64

    /// A session's ticket has three words and begins with a key.
    private static let word = "place"

    init(of reservation: ReservationID, in tag: ShopTag, now: Moment) {
        self.tag = tag
        self.reservation = reservation
        expires = now.seconds + SessionTicket.lifetime
    }

    /// Reads the ticket of a request for a socket, if this backend made it and it is still valid.
    init?(_ request: WireRequest, by signer: AnswerSigner?, now: Moment) {
        guard let words = request.ticketWords(by: signer), words.count == 4,
            words[0] == Self.word, let tag = ShopTag(rawValue: words[1]),
            let expires = Int64(words[3]), now.seconds < expires
        else { return nil }
        self.tag = tag
        reservation = ReservationID(words[2])
        self.expires = expires
    }

    func text(by signer: AnswerSigner) -> String {
        signer.authenticated("\(Self.word).\(tag).\(reservation).\(expires)")
    }
}
