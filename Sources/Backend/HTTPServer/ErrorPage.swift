public import BackendAPI
internal import FoundationEssentials

/// The page that a person sees at a wrong address, or while the service is busy; programs get the refusal itself.
///
/// `Kiosk/make-phone-page` makes its file.
public struct ErrorPage: Sendable {
    private let address: [UInt8]
    private let busy: [UInt8]

    /// Reads the page of a folder, `Assets/Web/phone`.
    ///
    /// - Parameter shops: The address of the list of shops, to which the page leads; nil if customers' phones are not answered.
    public init(directory: String, shops: String?) throws(StaticPages.Failure) {
        let path = "\(directory)/e.html"
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw StaticPages.Failure(description: "there is no file \(path)")
        }
        var text = String(decoding: bytes, as: UTF8.self)
        text.replace(#"href="/shops""#, with: shops.map { "href=\"\($0)\"" } ?? "hidden")
        address = Array(text.utf8)
        busy = Array(text.replacing(#"data-cause="address""#, with: #"data-cause="busy""#).utf8)
    }

    /// The answers to a request, of which those that refuse a page to a browser become this page.
    public func answering(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) -> @Sendable (WireResponse) -> Void {
        guard request.asksForPage else { return respond }
        return { respond(shown($0)) }
    }

    private func shown(_ response: WireResponse) -> WireResponse {
        guard response.status >= 400 else { return response }
        var fields = response.fields
        fields.merge(StaticPages.ofEveryPage) { $1 }
        fields["content-type"] = "text/html; charset=utf-8"
        fields["content-security-policy"] = "frame-ancestors 'none'"
        fields["cache-control"] = "no-store"
        let isBusy = response.status == 429 || response.status >= 500
        return WireResponse(
            status: response.status, fields: fields, body: isBusy ? busy : address)
    }
}

extension WireRequest {
    /// Whether a browser opens its address. Scripts, pictures and programs do not ask for this type; machines sign.
    fileprivate var asksForPage: Bool {
        isRead && fields["signature"] == nil
            && fields["accept"]?.lowercased().contains("text/html") == true
    }
}
