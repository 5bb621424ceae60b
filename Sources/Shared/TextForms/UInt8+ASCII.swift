// Inlined in other modules, since parsers ask for every byte.
extension UInt8 {
    /// 0 to 9.
    @inlinable public var isASCIIDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }

    /// a to z.
    @inlinable public var isASCIILowercase: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
    }

    /// A to Z.
    @inlinable public var isASCIIUppercase: Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }

    /// A to Z and a to z.
    @inlinable public var isASCIILetter: Bool { isASCIILowercase || isASCIIUppercase }
}

extension StringProtocol {
    /// Whether it has nothing but the digits 0 to 9, and at least one.
    @inlinable public var isASCIIDigits: Bool { !isEmpty && utf8.allSatisfy(\.isASCIIDigit) }
}
