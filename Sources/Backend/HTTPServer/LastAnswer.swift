internal import BackendAPI
internal import CMicroHTTPD
private import Glibc

/// The last answer on a connection, as the bytes on the wire; written past MHD where MHD takes no answer, or where its own
/// would be wrong.
struct LastAnswer: Sendable {
    private let bytes: [UInt8]

    init(_ response: WireResponse) {
        let reason = MHD_get_reason_phrase_for(UInt32(response.status)).map { String(cString: $0) }
        var head = "HTTP/1.1 \(response.status) \(reason ?? "")\r\nconnection: close\r\n"
        for (name, value) in response.fields { head += "\(name): \(value)\r\n" }
        head += "content-length: \(response.body.count)\r\n\r\n"
        bytes = Array(head.utf8) + response.body
    }

    /// Writes what the kernel takes at once: a client that reads nothing keeps no thread waiting.
    func sendNow(to socket: Int32) {
        _ = bytes.withUnsafeBytes {
            send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
    }

    /// Sends it and ends the connection in both directions, so that nothing follows it.
    fileprivate func end(_ socket: Int32) {
        sendNow(to: socket)
        shutdown(socket, Int32(SHUT_RDWR))
    }

    // MARK: - Refusals that MHD makes itself

    fileprivate static let malformed = LastAnswer(.refusal(.malformed, "the request is not HTTP"))
    fileprivate static let tooLarge = LastAnswer(.refusal(.tooLarge, "the body is too large"))
    fileprivate static let headTooLarge = LastAnswer(
        .refusal(.headTooLarge, "the head is too large"))
    fileprivate static let otherVersion = LastAnswer(
        .refusal(.versionNotSupported, "HTTP/1.1 is spoken here"))
}

/// Answers in place of MHD, which is about to refuse a request before any service sees it: with a problem of the contract,
/// once.
///
/// MHD 0.9.75 has documents of its own in HTML. If it refuses a head that is whole, as for a Content-Length that is no
/// number, it carries on as with a request that has an answer, and writes the head of that answer a second time. Some
/// refusals of a large head it does not send at all. Whatever MHD writes afterwards finds the connection ended.
func answerRefusal(connection: OpaquePointer?, status: UInt32) {
    guard let connection else { return }
    let answer: LastAnswer =
        switch status {
        case 413: .tooLarge
        case 414, 431: .headTooLarge
        case 505: .otherVersion
        default: .malformed
        }
    answer.end(clup_mhd_socket(connection))
}
