/// The Authorization fields that are used for some hours each, one for each origin.
struct VapidTokens {
    /// Half of what RFC 8292 2 allows, so that a clock that is wrong by hours does no harm.
    static let validitySeconds: Int64 = 12 * 3_600
    /// A token that ends sooner is replaced: a push service may be that far ahead.
    static let leastRestSeconds: Int64 = 6 * 3_600
    /// More than push services have hosts; beyond that all are forgotten, since a caller can invent names below a host.
    static let maxOrigins = 128

    let key: VapidKey
    let subject: String?
    private var fields: [String: (field: String, expires: Int64)] = [:]

    init(key: VapidKey, subject: String?) {
        self.key = key
        self.subject = subject
    }

    var count: Int { fields.count }

    /// - Parameter now: seconds since 1970; a token is also replaced if this goes back.
    mutating func field(for origin: String, now: Int64) -> String {
        let rests = Self.leastRestSeconds...Self.validitySeconds
        if let known = fields[origin], rests.contains(known.expires - now) { return known.field }
        if fields[origin] == nil, fields.count >= Self.maxOrigins { fields = [:] }
        let expires = now + Self.validitySeconds
        let field = key.authorization(for: origin, subject: subject, expires: expires)
        fields[origin] = (field, expires)
        return field
    }
}
