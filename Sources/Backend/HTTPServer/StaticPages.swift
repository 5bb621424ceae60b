public import BackendAPI
internal import FoundationEssentials
internal import Reservations

/// The pages of displays and readers, as they were when the server started.
public struct StaticPages: Sendable {
    /// Why a folder cannot be served.
    public struct Failure: Error, CustomStringConvertible { public let description: String }

    /// The page of each role: its first path component, the second is the shop's tag.
    private static let pages = [
        "display": "display.html", "entrance": "reader.html", "checkout": "reader.html",
        "turnstile": "reader.html", "staff": "staff.html",
        "desk": "desk.html",
    ]
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "woff": "font/woff",
    ]
    private static let assets = "/web/"
    /// Allows only resources of this server, and no page within another (CSP level 3).
    private static let security = [
        "content-security-policy":
            "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "permissions-policy": "camera=(), microphone=(), geolocation=()",
    ].merging(ofEveryPage) { $1 }

    /// The fields of every page: its address goes nowhere, and no other site has its content.
    static let ofEveryPage = [
        "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-cache",
    ]

    private let files: [String: (type: String, bytes: [UInt8])]
    /// The address of the list of shops.
    private let shops: String?
    /// What a browser gets in place of a refusal.
    public let errors: ErrorPage

    /// Reads the pages of a folder, `Assets/Web`, into memory.
    ///
    /// - Parameter shops: The address of the list of shops on customers' phones, which the address of the server alone opens;
    ///   nil if phones are not answered.
    public init(directory: String, shops: String? = nil) throws(Failure) {
        var files: [String: (type: String, bytes: [UInt8])] = [:]
        let manager = FileManager.default
        for name in (try? manager.contentsOfDirectory(atPath: directory)) ?? [] {
            guard let type = Self.types[String(name.split(separator: ".").last ?? "")],
                let bytes = manager.contents(atPath: "\(directory)/\(name)")
            else { continue }
            files[name] = (type, Array(bytes))
        }
        for page in Set(Self.pages.values) where files[page] == nil {
            throw Failure(description: "there is no \(page) in \(directory)")
        }
        self.files = files
        self.shops = shops
        errors = try ErrorPage(directory: "\(directory)/phone", shops: shops)
    }

    /// The page or its part; nil for every other path.
    public func response(to request: WireRequest) -> WireResponse? {
        guard let name = Self.name(of: request.path) else {
            let page = request.path == "/" ? shops : Self.page(meantBy: request.path)
            return page.map(WireResponse.redirect)
        }
        guard request.isRead else { return .pagesAreReadOnly }
        guard let file = files[name] else { return .plainRefusal(404, "there is no such page") }
        var fields = Self.security
        fields["content-type"] = file.type
        return WireResponse(status: 200, fields: fields, body: file.bytes)
    }

    private static func name(of path: String) -> String? {
        if path.hasPrefix(assets) { return String(path.dropFirst(assets.count)) }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, ShopTag(rawValue: String(Substring(parts[2]))) != nil else {
            return nil
        }
        return pages[String(Substring(parts[1]))]
    }

    /// The path of the page that a person means who writes it in other letters, or with a slash at its end.
    private static func page(meantBy path: String) -> String? {
        let words = path.split(separator: "/").map(String.init)
        guard words.count == 2, path != assets else { return nil }
        let meant = "/\(words[0].lowercased())/\(words[1].uppercased())"
        return name(of: meant) == nil ? nil : meant
    }
}

extension WireRequest {
    var isRead: Bool { method == "GET" || method == "HEAD" }
}

extension WireResponse {
    /// The answer to a request for a page whose address is another one.
    static func redirect(to path: String) -> WireResponse {
        WireResponse(status: 302, fields: ["location": path, "cache-control": "no-store"])
    }

    /// The answer to a request that would change a page.
    static var pagesAreReadOnly: WireResponse {
        var response = plainRefusal(405, "pages are only to be read")
        response.fields["allow"] = "GET, HEAD"
        return response
    }
}
