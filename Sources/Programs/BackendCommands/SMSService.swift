import BackendAPI
import BackendService
import ChildProcess
import CommandSyntax
import Cryptography
import Glibc
import HTTPServer
import KeyFile
import Reservations
import SMSGateway
import TextForms

/// The SMS of customers: the gateway that sends them, and where their answers arrive (rules: sms, sms-answers).
struct SMSService {
    static let options: [Option] = [
        .optional(
            "sms-kannel", "URL",
            "sends SMS to customers who ask for them, through Kannel's sendsms: "
                + "http://127.0.0.1:13013/cgi-bin/sendsms, for example. Needs --phones, --sms-secrets and "
                + "--sms-prefixes; each shop has SMS once `shop change --sms-per-day` says how many"
        ),
        .optional(
            "sms-command", "PATH",
            "sends them through a program instead, which gets the number in the first line of its input "
                + "and the text in the rest (UTF-8), and ends with 0 if it took the SMS, with 75 to be "
                + "asked again later, and with another status if it never will. Needs --phones and "
                + "--sms-prefixes"),
        .optional(
            "sms-prefixes", "PREFIX,...",
            "the beginnings of the telephone numbers to which SMS are sent, as +39,+41; others are "
                + "refused, as they may be expensive"),
        .optional(
            "sms-sender", "TEXT",
            "the sender that Kannel is asked to show: a number, or up to 11 letters and digits; the "
                + "gateway's own unless given"),
        .optional(
            "sms-secrets", "FILE",
            "a file that its owner alone can read, with lines as \"kannel-user NAME\", "
                + "\"kannel-password PASSWORD\" and \"answer-secret SECRET\""),
        .optional(
            "sms-answers", "ADDRESS",
            "where the gateway passes on what customers answer, as "
                + "GET /sms?secret=SECRET&from=NUMBER&text=TEXT&id=ID in UTF-8: 127.0.0.1:PORT, [::1]:PORT or "
                + "unix:/PATH. The secret is the file's. Unless given, customers are not asked to answer"
        ),
        .optional(
            "sms-answers-from", "IP,...",
            "the IPv4 addresses of the gateway, if a proxy of this computer passes its calls on and names it in "
                + "X-Real-IP; only this computer unless given"),
    ]

    /// The most files that are open at once for the gateway: messages on their way, calls with answers, and what the
    /// server for these needs itself.
    static let maxFiles = 2 * 8 + Int(maxAnswerConnections) + 8
    private static let maxAnswerConnections: UInt32 = 32

    let sending: SMSSending
    private let gateway: any MessageGateway
    private let answers: HTTPServer?

    /// Whether a gateway is named.
    static func isAsked(by arguments: Arguments) -> Bool {
        ["sms-kannel", "sms-command"].contains { arguments.optional($0) != nil }
    }

    /// Prepares the sending, and begins to take answers once `service` has a value; nil if no gateway is named.
    static func start(
        _ arguments: Arguments, hasPhones: Bool,
        service: @escaping @Sendable () -> BackendService?
    ) throws -> SMSService? {
        let kannel = arguments.optional("sms-kannel")
        let command = arguments.optional("sms-command")
        guard isAsked(by: arguments) else {
            for name in [
                "sms-prefixes", "sms-sender", "sms-secrets", "sms-answers", "sms-answers-from",
            ]
            where arguments.optional(name) != nil {
                throw CommandError.usage("--\(name) needs --sms-kannel or --sms-command")
            }
            return nil
        }
        guard kannel == nil || command == nil else {
            throw CommandError.usage("give --sms-kannel or --sms-command, and not both")
        }
        guard hasPhones else {
            throw CommandError.usage("SMS need --phones, where customers give their numbers")
        }
        let prefixes = try prefixes(arguments)
        let secrets = try SMSSecrets(arguments)
        let gateway: any MessageGateway
        if let kannel {
            gateway = try self.gateway(kannel, secrets, arguments)
        } else {
            let program = try AdministratorProgram(option: "sms-command", arguments)
            gateway = CommandGateway(program: program?.path ?? "")
        }
        let answers = try answerServer(arguments, secrets, service: service)
        return SMSService(
            sending: SMSSending(prefixes: prefixes, hasAnswers: answers != nil) { message in
                await gateway.send(message)
            }, gateway: gateway, answers: answers)
    }

    private static func prefixes(_ arguments: Arguments) throws -> [String] {
        let prefixes = (arguments.optional("sms-prefixes") ?? "")
            .split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        guard prefixes.allSatisfy(PhoneNumber.isPrefix) else {
            throw CommandError.usage(
                "--sms-prefixes are the beginnings of telephone numbers, separated by commas, as +39,+41"
            )
        }
        if let unknown = prefixes.first(where: { !PhoneNumber.isServed(prefix: $0) }) {
            throw CommandError.usage(
                "--sms-prefixes: no mobile numbers are known that begin with \(unknown); those of "
                    + "countries of Europe are")
        }
        return prefixes
    }

    private static func gateway(
        _ url: String, _ secrets: SMSSecrets, _ arguments: Arguments
    ) throws -> any MessageGateway {
        guard let user = secrets["kannel-user"], let password = secrets["kannel-password"] else {
            throw CommandError.usage(
                "--sms-kannel needs --sms-secrets, a file with kannel-user and kannel-password")
        }
        guard let address = KannelAddress(url) else {
            throw CommandError.usage(
                "--sms-kannel is an address as http://127.0.0.1:13013/cgi-bin/sendsms; without https it is "
                    + "one of a private network")
        }
        let sender = arguments.optional("sms-sender")
        guard sender.map(KannelAccount.isSender) ?? true else {
            throw CommandError.usage("--sms-sender is a number, or up to 11 letters and digits")
        }
        guard let account = KannelAccount(user: user, password: password, sender: sender) else {
            throw CommandError.usage(
                "--sms-secrets: Kannel's user and password have up to 100 letters, digits and signs each"
            )
        }
        return KannelGateway(address, account: account)
    }

    /// Where answers arrive; nil if they do not.
    var answerAddress: ListenAddress? { answers?.address }

    func stop() {
        answers?.stop()
        gateway.stop()
    }

    // MARK: - Answers

    private static func answerServer(
        _ arguments: Arguments, _ secrets: SMSSecrets,
        service: @escaping @Sendable () -> BackendService?
    ) throws -> HTTPServer? {
        guard let address = try Command.listenAddress("sms-answers", arguments) else {
            guard arguments.optional("sms-answers-from") == nil else {
                throw CommandError.usage("--sms-answers-from needs --sms-answers")
            }
            return nil
        }
        guard let secret = secrets["answer-secret"], secret.utf8.count >= minSecretBytes else {
            throw CommandError.usage(
                "--sms-answers needs --sms-secrets, a file with an answer-secret of \(minSecretBytes) characters at least"
            )
        }
        // No telephone can answer a name.
        if let sender = arguments.optional("sms-sender"), sender.contains(where: \.isLetter) {
            throw CommandError.usage(
                "--sms-answers needs a number as --sms-sender, to which customers can answer")
        }
        let gateways = try arguments.optional(
            "sms-answers-from", or: "give IPv4 addresses, separated by commas"
        ) {
            addresses($0)
        }
        var limits = HTTPLimits()
        limits.connections = maxAnswerConnections
        limits.drain = .seconds(1)
        do throws(HTTPServerError) {
            return try HTTPServer(listen: address, limits: limits) { request, respond in
                let reply = { @Sendable (status: Int) in
                    respond(WireResponse(status: status, fields: ["content-type": "text/plain"]))
                }
                guard request.path == "/sms" else { return reply(404) }
                guard request.method == "GET" else { return reply(405) }
                let form = SMSForm(request.query)
                guard (gateways ?? [""]).contains(request.client),
                    Cryptography.equal(Array((form["secret"] ?? "").utf8), Array(secret.utf8))
                else { return reply(403) }
                guard let sender = form["from"], let text = form["text"] else { return reply(400) }
                // The gateway sends it again later.
                guard let service = service() else { return reply(503) }
                service.takeSMSAnswer(from: sender, text: text, id: form["id"]) { isTaken in
                    reply(isTaken ? 200 : 503)
                }
            }
        } catch { throw CommandError.failure("--sms-answers: \(error.description)") }
    }

    /// The addresses of a list as requests have them; a caller of this computer itself has none.
    private static func addresses(_ text: String) -> Set<String>? {
        var addresses: Set<String> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var address = in_addr()
            guard inet_pton(AF_INET, String(part), &address) == 1 else { return nil }
            addresses.insert(part == "127.0.0.1" ? "" : String(part))
        }
        return addresses
    }

    /// Many tries a second take ages for so many characters.
    private static let minSecretBytes = 16
}

/// The secrets that the gateway and the backend share, each a line with its name, a blank and the secret.
private struct SMSSecrets {
    private var values: [String: String] = [:]

    init(_ arguments: Arguments) throws {
        guard let path = arguments.optional("sms-secrets") else { return }
        let bytes: [UInt8]
        do throws(KeyFileError) {
            bytes = try PrivateFile.read(path, maxBytes: Self.maxBytes)
        } catch .notPrivate {
            throw CommandError.configuration(
                "--sms-secrets: others can read \(path); let its owner alone: chmod 600 \(path)")
        } catch {
            throw CommandError.configuration(
                "--sms-secrets: \(path) cannot be read: it is a short file of this user or of root, and no link"
            )
        }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1).map { String($0) }
            guard words.count == 2, Self.names.contains(words[0]) else {
                throw CommandError.configuration(
                    "--sms-secrets: a line of \(path) is none of kannel-user NAME, kannel-password PASSWORD "
                        + "and answer-secret SECRET")
            }
            values[words[0]] = words[1]
        }
    }

    private static let maxBytes = 4_096
    private static let names: Set<String> = ["kannel-user", "kannel-password", "answer-secret"]

    subscript(name: String) -> String? { values[name] }
}

/// The fields of a query as HTML forms write them (https://url.spec.whatwg.org/#urlencoded-parsing); the first of a name
/// counts.
private struct SMSForm {
    private var values: [String: String] = [:]

    init(_ query: String) {
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Self.decoded(parts[0]),
                let value = Self.decoded(parts[1]), values[name] == nil
            else { continue }
            values[name] = value
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// Nil if the text is not well formed.
    private static func decoded(_ text: Substring) -> String? {
        let encoded = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PercentEncoding.bytes(encoded).map(SMSBytes.text)
    }
}
