public import BackendAPI
internal import FoundationEssentials

/// The page of a place on a customer's phone, as it was when the server started (rules 33): one file with all its parts,
/// and the worker that lets it open without a network. `Kiosk/make-phone-page` makes both.
public struct PhoneFiles: Sendable {
    /// The path of the page.
    public static let page = "/t"
    private static let worker = "/worker.js"

    /// The page's own policy for its parts is within it, as it has their digests (CSP level 3). Its position and its
    /// wakefulness are asked for by the page itself.
    private static let security = [
        "content-security-policy":
            "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'",
        "permissions-policy":
            "camera=(), microphone=(), geolocation=(self), screen-wake-lock=(self)",
        "vary": "accept-encoding",
    ].merging(StaticPages.ofEveryPage) { $1 }

    private struct File {
        let type: String
        let bytes: [UInt8]
        let compressed: [UInt8]
        /// What names the content, so that a page that has not changed is not sent again (RFC 9110 8.8.3).
        let tag: String

        init(type: String, bytes: [UInt8], compressed: [UInt8]) {
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

    /// Reads the page of a folder, `Assets/Web/phone`, into memory.
    public init(directory: String) throws(StaticPages.Failure) {
        var files: [String: File] = [:]
        for (path, name, type) in [
            (Self.page, "t.html", "text/html; charset=utf-8"),
            (Self.worker, "worker.js", "text/javascript; charset=utf-8"),
        ] {
            guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(name)"),
                let compressed = FileManager.default.contents(atPath: "\(directory)/\(name).gz")
            else {
                throw StaticPages.Failure(
                    description: "there is no \(name) or no \(name).gz in \(directory)")
            }
            files[path] = File(type: type, bytes: Array(bytes), compressed: Array(compressed))
        }
        self.files = files
    }

    /// The page or its worker; nil for every other path.
    public func response(to request: WireRequest) -> WireResponse? {
        guard let file = files[request.path] else { return nil }
        guard request.method == "GET" || request.method == "HEAD" else {
            return .pagesAreReadOnly
        }
        var fields = Self.security
        fields["content-type"] = file.type
        let codings = request.fields["accept-encoding"] ?? ""
        let isCompressed = codings.split(separator: ",").contains(where: Self.isGzip)
        if isCompressed { fields["content-encoding"] = "gzip" }
        let tag = file.tag + (isCompressed ? "-gzip\"" : "\"")
        fields["etag"] = tag
        if request.fields["if-none-match"] == tag {
            fields["content-type"] = nil
            fields["content-encoding"] = nil
            return WireResponse(status: 304, fields: fields)
        }
        return WireResponse(
            status: 200, fields: fields, body: isCompressed ? file.compressed : file.bytes)
    }

    /// Whether an element of Accept-Encoding takes gzip (RFC 9110 12.5.3).
    private static func isGzip(_ element: Substring) -> Bool {
        let words = element.split(separator: ";").map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        return words.first == "gzip" && !words.dropFirst().contains { $0 == "q=0" }
    }
}
