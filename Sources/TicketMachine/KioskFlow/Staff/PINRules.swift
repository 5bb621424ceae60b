/// The PINs that a person may have: 6 to 8 digits, and none of those that attackers try first.
public enum PINRules {
    public static let lengths = 6...8

    /// Why a PIN is not allowed.
    public enum Refusal: Error, Codable, Hashable, Sendable, CustomStringConvertible {
        case notDigits, wrongLength, common

        public var description: String {
            switch self {
            case .notDigits: "A PIN has only digits, 6 to 8 of them: choose another."
            case .wrongLength: "A PIN has 6 to 8 digits: choose another."
            case .common: "This PIN is one of those that are tried first: choose another."
            }
        }
    }

    /// Throws the reason if the PIN is not allowed.
    public static func check(_ pin: String) throws(Refusal) {
        let digits = pin.utf8.map { Int($0) - 48 }
        guard digits.allSatisfy((0...9).contains) else { throw .notDigits }
        guard lengths.contains(digits.count) else { throw .wrongLength }
        guard !isPattern(digits), !common.contains(pin) else { throw .common }
    }

    /// A repeated digit or short group, steps of equal size, a mirror image, or doubled digits.
    private static func isPattern(_ digits: [Int]) -> Bool {
        let steps = zip(digits, digits.dropFirst()).map { (10 + $1 - $0) % 10 }
        if Set(steps).count == 1 { return true }
        for period in 1...4 where digits.count > period {
            if zip(digits, digits.dropFirst(period)).allSatisfy({ $0 == $1 }) { return true }
        }
        if digits == digits.reversed() { return true }
        let isDoubled =
            digits.count.isMultiple(of: 2)
            && stride(from: 0, to: digits.count, by: 2).allSatisfy { digits[$0] == digits[$0 + 1] }
        return isDoubled || Set(digits).count <= 2
    }

    /// The most common PINs without such a pattern, from lists of leaked PINs and paths on a keypad.
    private static let common: Set<String> = [
        "123654", "456123", "789456", "456789", "147258", "258369", "369258", "147852", "741852",
        "852963", "963852", "159753", "159357", "357159", "753159", "951753", "142536", "102030",
        "010203", "101112", "111213", "123412", "123455", "123465", "124578", "135790", "246810",
        "097531", "131415", "147963", "258456", "520131", "198765", "112358", "314159", "271828",
        "141421", "299792", "007700", "123789", "789123", "321654", "654123", "1234568", "1234560",
        "1472583", "7894561", "1478963", "3141592", "2718281", "12344321", "12345679", "14725836",
        "78945612", "15975346", "31415926", "27182818", "01234567", "11235813", "10203040",
    ]
}
