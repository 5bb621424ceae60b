extension String {
    /// Whether each byte of its UTF-8 fulfils the condition; several times as fast as `utf8.allSatisfy`, whose steps are
    /// calls.
    @inlinable public func hasOnlyBytes(where condition: (UInt8) -> Bool) -> Bool {
        let bytes = utf8Span.span
        for index in bytes.indices where !condition(bytes[index]) { return false }
        return true
    }
}
