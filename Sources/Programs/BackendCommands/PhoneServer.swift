import BackendAPI
import BackendService
import CommandSyntax
import HTTPServer
import Reservations
import TextForms

/// The server of customers' phones (rules: place-page): an address, connections, sockets and a thread of its own, so
/// that machines, displays and readers keep theirs whatever phones do.
struct PhoneServer {
    static let options: [Option] = [
        .optional(
            "phones", "ADDRESS",
            "where customers' phones are answered, with the pages of their places: 127.0.0.1:PORT, "
                + "[::1]:PORT or unix:/PATH, behind a proxy on this computer; needs --assets. Unless given, tickets "
                + "carry no symbol for phones"),
        .optional(
            "phones-url", "URL",
            "the address by which phones reach that through the proxy, as https://queue.example.it; "
                + "it is printed on tickets. Needed unless it is http:// and --phones, as for a trial on one "
                + "computer"),
        PushSending.option,
    ]

    let http: HTTPServer
    let pages: PhonePages
    /// The address of the list of shops.
    let shops: String

    /// Begins to answer phones; nil if that is not asked for. Until `service` has a value, they are asked to come again.
    static func start(
        _ arguments: Arguments, limits: HTTPLimits,
        service: @escaping @Sendable () -> BackendService?
    ) throws -> PhoneServer? {
        guard let address = try Command.listenAddress("phones", arguments) else {
            guard arguments.optional("phones-url") == nil else {
                throw CommandError.usage("--phones-url needs --phones, where phones are answered")
            }
            return nil
        }
        let url = try arguments.optional(
            "phones-url",
            or: PhoneURL.rule
        ) { PhoneURL($0) }
        guard let assets = arguments.optional("assets") else {
            throw CommandError.usage("--phones needs --assets, which has the page of a place")
        }
        let files: PhoneFiles
        do throws(StaticPages.Failure) {
            files = try PhoneFiles(directory: "\(assets)/Web/phone")
        } catch { throw CommandError.configuration("--assets: \(error.description)") }
        let http = try HTTPServer(
            listen: address, limits: limits,
            sockets: { request, decide in
                guard let service = service() else { return decide(.refused(.notYet)) }
                service.admitPhone(request, decide: decide)
            },
            handler: { request, respond in
                let respond = files.errors.answering(request, respond)
                guard let service = service() else { return respond(.notYet) }
                let counted = service.metrics.counting(request, respond)
                if let file = files.response(to: request) {
                    let page =
                        PhoneFiles.namesDevice(request.path)
                        ? service.namingDevice(file, for: request) : file
                    return counted(service.misdirectedPhone(request) ?? page)
                }
                service.handlePhone(request, respond: counted)
            })
        guard let url = url ?? PhoneURL(http.address.description) else {
            http.stop()
            throw CommandError.usage(
                "--phones-url is needed: \(http.address) is no address that a phone can open")
        }
        return PhoneServer(
            http: http,
            pages: PhonePages(
                page: url.text + PhoneFiles.page, joinPage: url.text + PhoneFiles.joinPage,
                orderPage: url.text + PhoneFiles.orderPage, host: url.host,
                maxSocketsPerShop: max(1, limits.sockets / 2)),
            shops: url.text + PhoneFiles.shopsPage)
    }
}

/// The address by which phones reach the backend: a scheme, a host and perhaps a port. Only a loopback may be without TLS:
/// a capability is a secret.
struct PhoneURL: Hashable {
    let text: String
    /// In lower case, without the port.
    let host: String

    /// The bytes of the longest address: with the page and a capability after it, it is the longest link.
    static let maxBytes =
        Capability.maxLinkBytes - PhoneFiles.page.utf8.count - 1 - Capability.length

    /// How it is given, in words for an administrator.
    static let rule =
        "give it as https://HOST or https://HOST:PORT, with \(maxBytes) characters at most"

    init?(_ text: String) {
        let text = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard text.utf8.count <= Self.maxBytes, let scheme = text.firstRange(of: "://") else {
            return nil
        }
        let authority = text[scheme.upperBound...].lowercased()
        var host = authority
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let port = Int(digits: authority[authority.index(after: colon)...]),
                (1...65_535).contains(port)
            else { return nil }
            host = String(authority[..<colon])
        }
        let isLoopback = ["localhost", "127.0.0.1", "[::1]"].contains(host)
        guard isLoopback || Self.isName(host) else { return nil }
        switch text[..<scheme.lowerBound] {
        case "https": break
        case "http" where isLoopback: break
        default: return nil
        }
        self.text = text
        self.host = host
    }

    private static func isName(_ host: String) -> Bool {
        !host.isEmpty
            && host.utf8.allSatisfy {
                $0.isASCIIDigit || $0.isASCIILowercase || "-.".utf8.contains($0)
            }
    }
}

extension WireResponse {
    /// The service is about to begin.
    fileprivate static let notYet = WireResponse(
        status: Refusal.unavailable.status, fields: [HeaderField.retryAfter: "1"])
}
