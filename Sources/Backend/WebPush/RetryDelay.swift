internal import CCurl

/// The longest time that a push service can ask for: its servers change, and customers wait for an hour at most.
private let maxRetryDelaySeconds: Int64 = 3_600

/// The time that a field `Retry-After` asks to wait, in seconds or as a date (RFC 9110 10.2.3), at most an hour; nil if
/// it is neither.
///
/// - Parameter now: seconds since 1970.
func retryDelay(_ field: String, now: Int64) -> Duration? {
    let isNumber = !field.isEmpty && field.utf8.allSatisfy { (48...57).contains($0) }
    if isNumber {
        // A number that is too large to read is more than an hour.
        return .seconds(min(Int64(field) ?? .max, maxRetryDelaySeconds))
    }
    // It reads the three forms of HTTP's dates, and -1 means that the text is none (curl_getdate(3)).
    let date = Int64(curl_getdate(field, nil))
    guard date >= 0 else { return nil }
    let (left, isTooFar) = date.subtractingReportingOverflow(now)
    return .seconds(isTooFar ? maxRetryDelaySeconds : max(0, min(left, maxRetryDelaySeconds)))
}
