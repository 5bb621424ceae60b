public import BackendAPI
internal import FoundationEssentials
internal import Reservations
internal import TextForms

/// The pages for customers' phones, as they were when the server started: the page of a place and the list of the phone's
/// places (rules: place-page), with the worker that lets both open without a network and shows notices
/// (rules: notices), the page for joining the queue (rules: joining, elsewhere), the list of shops, and the page of
/// orders (rules: order-pages). Each page is one file with all that it always needs; what offers notices, SMS (rules: sms)
/// and slots (rules: visits), and what else a place's page offers, is apart. `Kiosk/make-phone-page` makes them.
public struct PhoneFiles: Sendable {
    /// The path of the page of a place.
    public static let page = "/t"
    /// The path of the same page in the link of a place's symbol, which has capitals only (rules: code-links).
    public static let codePage = "/T"
    /// The path of the page for joining.
    public static let joinPage = "/j"
    /// The path of the same page for customers who are elsewhere, without the tag of the shop.
    public static let remotePage = "/join/"
    /// The path of the same page for booking a visit (rules: visits), without the tag of the shop.
    public static let visitPage = "/visit/"
    /// The path of the page that lists shops.
    public static let shopsPage = "/shops"
    /// The path of the page that lists the places which the phone remembers [UC6, UC7].
    public static let placesPage = "/places"
    /// The path of the page of an order, and of the phone's list of orders (rules: order-pages).
    public static let orderPage = "/orders"
    /// The path of the same page in the link of an order's symbol.
    public static let orderCodePage = "/C"
    /// The path of the script that reads the file of a customer's own calendar in the page.
    private static let calendarReader = "/calendar-reader.js"
    private static let script = "text/javascript; charset=utf-8"
    /// The path of each file, its name, its type, and whether it is compressed.
    private static let served = [
        (page, "t.html", "text/html; charset=utf-8", true),
        (codePage, "t.html", "text/html; charset=utf-8", true),
        (joinPage, "j.html", "text/html; charset=utf-8", true),
        (shopsPage, "s.html", "text/html; charset=utf-8", true),
        (placesPage, "p.html", "text/html; charset=utf-8", true),
        (orderPage, "o.html", "text/html; charset=utf-8", true),
        (orderCodePage, "o.html", "text/html; charset=utf-8", true),
        ("/extras.js", "t-extras.js", script, true),
        ("/arrival.js", "t-arrival.js", script, true),
        ("/opening.js", "t-opening.js", script, true),
        ("/question.js", "t-question.js", script, true),
        ("/sms.js", "t-sms.js", script, true),
        ("/visit.js", "t-visit.js", script, true),
        ("/calendar-check.js", "t-calendar-check.js", script, true),
        (calendarReader, "t-calendar-reader.js", script, true),
        ("/worker.js", "t-worker.js", script, true),
        ("/notices.js", "t-notices.js", script, true),
        // The page on an iPhone's Home Screen.
        ("/manifest.json", "manifest.json", "application/manifest+json", false),
        ("/icon.png", "icon.png", "image/png", false),
    ]

    /// The page's own policy for its parts is within it, as it has their digests (CSP level 3). Its position and its
    /// wakefulness are asked for by the page itself.
    private static let security = [
        "content-security-policy":
            "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'",
        "permissions-policy":
            "camera=(), microphone=(), geolocation=(self), screen-wake-lock=(self)",
        "vary": "accept-encoding",
    ].merging(StaticPages.ofEveryPage) { $1 }

    /// How a file is compressed: the name of the coding in requests and answers, and the end of the file's name.
    private enum Coding: String, CaseIterable {
        // The first one that a client takes is the one that it gets.
        case brotli = "br"
        case gzip

        var fileEnd: String { self == .gzip ? ".gz" : ".br" }
    }

    private struct File {
        let type: String
        let bytes: [UInt8]
        let compressed: [Coding: [UInt8]]
        /// What names the content, so that a page that has not changed is not sent again (RFC 9110 8.8.3).
        let tag: String

        init(type: String, bytes: [UInt8], compressed: [Coding: [UInt8]]) {
            self.type = type
            self.bytes = bytes
            self.compressed = compressed
            // FNV-1a: two versions of one file differ, and no harm is done if a stranger makes equal ones.
            let hash = bytes.reduce(14_695_981_039_346_656_037 as UInt64) {
                ($0 ^ UInt64($1)) &* 1_099_511_628_211
            }
            tag = "\"\(String(hash, radix: 16))"
        }
    }

    private let files: [String: File]
    /// What a browser gets in place of a refusal.
    public let errors: ErrorPage

    /// Reads the pages of a folder, `Assets/Web/phone`, into memory.
    public init(directory: String) throws(StaticPages.Failure) {
        var files: [String: File] = [:]
        for (path, name, type, isCompressed) in Self.served {
            func read(_ end: String) throws(StaticPages.Failure) -> [UInt8] {
                let path = "\(directory)/\(name)\(end)"
                guard let bytes = FileManager.default.contents(atPath: path) else {
                    throw StaticPages.Failure(description: "there is no file \(path)")
                }
                return Array(bytes)
            }
            var compressed: [Coding: [UInt8]] = [:]
            for coding in isCompressed ? Coding.allCases : [] {
                compressed[coding] = try read(coding.fileEnd)
            }
            files[path] = File(type: type, bytes: try read(""), compressed: compressed)
        }
        self.files = files
        errors = try ErrorPage(directory: directory, shops: Self.shopsPage)
    }

    /// Whether a path is that of a page on which places are taken: at the door, elsewhere, or for a visit.
    public static func namesDevice(_ path: String) -> Bool {
        path == joinPage || path.hasPrefix(remotePage) || path.hasPrefix(visitPage)
    }

    /// A page or a part of one; nil for every other path.
    public func response(to request: WireRequest) -> WireResponse? {
        guard let file = Self.name(ofFileAt: request.path).flatMap({ files[$0] }) else {
            return Self.page(meantBy: request.path).map(WireResponse.redirect)
        }
        guard request.isRead else { return .pagesAreReadOnly }
        var fields = Self.security
        if request.path == Self.calendarReader {
            // A worker has the policy that comes with it (CSP level 3): this one can send nothing.
            fields["content-security-policy"] = "default-src 'none'"
        }
        fields["content-type"] = file.type
        let codings = request.fields["accept-encoding"] ?? ""
        let coding = Coding.allCases.first {
            file.compressed[$0] != nil && Self.takes($0, codings)
        }
        fields["content-encoding"] = coding?.rawValue
        let tag = file.tag + (coding.map { "-\($0.rawValue)\"" } ?? "\"")
        fields["etag"] = tag
        if request.fields["if-none-match"].map({ Self.names(tag, in: $0) }) == true {
            fields["content-type"] = nil
            fields["content-encoding"] = nil
            return WireResponse(status: 304, fields: fields)
        }
        return WireResponse(
            status: 200, fields: fields,
            body: coding.flatMap { file.compressed[$0] } ?? file.bytes)
    }

    /// The path of the file for a path, which is that of the page for joining if a shop's tag follows; nil if that is no
    /// tag.
    private static func name(ofFileAt path: String) -> String? {
        guard let page = [remotePage, visitPage].first(where: path.hasPrefix) else { return path }
        return ShopTag(rawValue: path.dropFirst(page.count).uppercased()) == nil ? nil : joinPage
    }

    /// The path of the page that a person means who writes a path as on a poster: in small or capital letters, perhaps with a
    /// slash at its end, or the address of the server alone.
    private static func page(meantBy path: String) -> String? {
        guard path != "/" else { return shopsPage }
        var words = path.split(separator: "/").map(String.init)
        guard let first = words.first?.lowercased(), words.count <= 2 else { return nil }
        words[0] = first
        let meant = "/" + words.joined(separator: "/")
        // In capitals, /T and /C are pages of their own; there is no other page at /c.
        let named = meant == orderCodePage.lowercased() ? orderCodePage : meant
        let pages = [Self.page, joinPage, shopsPage, placesPage, orderPage, orderCodePage]
        return pages.contains(named) || name(ofFileAt: named) == joinPage ? named : nil
    }

    /// Whether If-None-Match names a tag, by the weak comparison, or any tag (RFC 9110 13.1.2).
    private static func names(_ tag: String, in condition: String) -> Bool {
        condition.split(separator: ",").contains { element in
            let named = element.trimmed { $0 == " " || $0 == "\t" }
            return named == "*" || named == tag || named == "W/\(tag)"
        }
    }

    /// Whether Accept-Encoding names a coding, and does not rule it out (RFC 9110 12.5.3).
    private static func takes(_ coding: Coding, _ accepted: String) -> Bool {
        accepted.split(separator: ",").contains { element in
            let words = element.split(separator: ";").map {
                $0.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            return words.first == coding.rawValue && !words.dropFirst().contains { $0 == "q=0" }
        }
    }
}
