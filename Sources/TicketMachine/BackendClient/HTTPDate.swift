internal import CCurl
internal import Glibc

/// The `Date` field of an answer (RFC 9110 5.6.7).
enum HTTPDate {
    /// Seconds since 1970; nil if the text is no date (curl_getdate(3)).
    static func seconds(_ text: String) -> Int64? {
        let seconds = curl_getdate(text, nil)
        return seconds < 0 ? nil : Int64(seconds)
    }

    static var now: Int { time(nil) }
}
