extension BidirectionalCollection {
    /// The elements without those at both ends for which `isBlank` is true.
    @inlinable public func trimmed(while isBlank: (Element) -> Bool) -> SubSequence {
        let end = lastIndex { !isBlank($0) }.map(index(after:)) ?? startIndex
        return self[..<end].drop(while: isBlank)
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    public var trimmed: String { String(trimmed(while: \.isWhitespace)) }
}
