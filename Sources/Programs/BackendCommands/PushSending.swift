import BackendService
import CommandSyntax
import Cryptography
import Reservations
import WebPush

/// The sending of notices to the browsers of customers' phones (rules: notices).
struct PushSending {
    static let option = Option.optional(
        "push-services", "HOST,...",
        "sends notices to phones that ask for them, through these push services of browsers: "
            + "fcm.googleapis.com,updates.push.services.mozilla.com,web.push.apple.com,"
            + "*.notify.windows.com. Each is the name of a host, with *. for all below it, or an "
            + "address as https://push.example.it:8443, which may be one of your own network. Needs "
            + "--phones. No notices unless given")

    /// The most connections to push services at once.
    static let maxConnections = 64

    let pushes: NoticePushes
    private let sender: PushSender

    /// Prepares the sending; nil if that is not asked for.
    ///
    /// The key that browsers subscribe with follows from the backend's own, so that all servers of a database have the same
    /// one. After a change of the backend's key, phones subscribe with the new one when their page is opened.
    ///
    /// - Parameters:
    ///   - signer: Of the backend's own key.
    ///   - log: Gets a line if a push service will refuse the sender.
    ///   - now: The real time.
    static func prepare(
        _ arguments: Arguments, signer: AnswerSigner, phones: PhonePages?, log: ServiceLog,
        now: @escaping @Sendable () -> Moment
    ) throws -> PushSending? {
        let hint = "give names of hosts, separated by commas, or addresses as https://HOST:PORT"
        guard
            let services = try arguments.optional(
                "push-services", or: hint, { PushServices($0) })
        else { return nil }
        guard let phones else {
            throw CommandError.usage("--push-services needs --phones, where phones are answered")
        }
        guard let key = key(of: signer) else {
            throw CommandError.failure("no key for notices follows from the backend's key")
        }
        // A push service reaches the sender by this (RFC 8292 2.1); a trial on one computer has no address for it.
        let subject = phones.isEncrypted ? phones.page : nil
        let host = subject == nil ? nil : phones.host
        if let service = PushSubject.refusing(host, among: services) {
            log.note("push-subject", ["service": service, "subject": subject ?? "none"])
        }
        let sender = PushSender(services: services, key: key, subject: subject) {
            now().milliseconds.flooredQuotient(by: 1_000)
        }
        let pushes = NoticePushes(publicKey: key.publicKey, services: services) { push in
            await sender.send(push)
        }
        return PushSending(pushes: pushes, sender: sender)
    }

    /// The first of a series of secrets that is a scalar of the curve, which is the first one but in one case of four
    /// thousand million.
    private static func key(of signer: AnswerSigner) -> VapidKey? {
        (0..<8).lazy.compactMap {
            VapidKey(secret: signer.proof(of: "web-push \($0)", bytes: 32))
        }.first
    }

    func stop() { sender.stop() }
}
