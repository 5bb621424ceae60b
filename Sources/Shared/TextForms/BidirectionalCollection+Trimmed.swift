extension BidirectionalCollection {
    /// The elements without those at both ends for which `isBlank` is true.
    public func trimmed(while isBlank: (Element) -> Bool) -> SubSequence {
        let end = lastIndex { !isBlank($0) }.map(index(after:)) ?? startIndex
        return self[..<end].drop(while: isBlank)
    }
}
