/// The rule that chooses the form of a message for a number: `nplurals=2; plural=(n != 1);` (gettext manual, 11.2.6).
///
/// The rule is read from the catalogue, since a translator adds a language without a build, and languages have from one
/// to six forms.
public struct PluralRule: Hashable, Sendable {
    /// How many forms there are; at least 1.
    public let forms: Int
    private let expression: Expression

    /// One form for 1, the other for every other number: English, Italian, German, Spanish.
    public static let oneAndOther = PluralRule(
        forms: 2, expression: .binary(.notEqual, .number, .constant(1)))

    private init(forms: Int, expression: Expression) {
        self.forms = forms
        self.expression = expression
    }

    /// Reads the value of a catalogue's `Plural-Forms`; nil if it does not have that format.
    public init?(_ text: String) {
        // The longest rule of the manual has 170 characters.
        guard text.utf8.count <= 1_000 else { return nil }
        var forms: Int?
        var expression: Expression?
        for part in text.split(separator: ";") {
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else {
                if part.allSatisfy(\.isWhitespace) { continue }
                return nil
            }
            switch sides[0].filter({ !$0.isWhitespace }) {
            case "nplurals": forms = Int(sides[1].filter { !$0.isWhitespace })
            case "plural":
                var parser = PluralParser(sides[1])
                expression = parser.whole()
            default: return nil
            }
        }
        guard let forms, let expression, (1...10).contains(forms) else { return nil }
        self.init(forms: forms, expression: expression)
    }

    /// The index of the form for a number, 0 to `forms` - 1; the last one if the rule gives no valid index.
    public func form(for number: Int) -> Int {
        let index = expression.value(number.magnitude)
        return index < UInt(forms) ? Int(index) : forms - 1
    }

    indirect enum Expression: Hashable, Sendable {
        case number
        case constant(UInt)
        case not(Expression)
        case binary(Operator, Expression, Expression)
        case choice(Expression, Expression, Expression)

        func value(_ n: UInt) -> UInt {
            switch self {
            case .number: return n
            case .constant(let value): return value
            case .not(let operand): return operand.value(n) == 0 ? 1 : 0
            case .choice(let condition, let yes, let no):
                return condition.value(n) != 0 ? yes.value(n) : no.value(n)
            case .binary(let operation, let left, let right):
                return operation.apply(left.value(n), right.value(n))
            }
        }
    }

    enum Operator: String, Hashable, Sendable, CaseIterable {
        case or = "||", and = "&&"
        case equal = "==", notEqual = "!="
        case lessOrEqual = "<=", greaterOrEqual = ">=", less = "<", greater = ">"
        case plus = "+", minus = "-", times = "*", quotient = "/", remainder = "%"

        /// Applies C's operators on unsigned numbers; a result that C leaves undefined is 0.
        func apply(_ left: UInt, _ right: UInt) -> UInt {
            switch self {
            case .or: left != 0 || right != 0 ? 1 : 0
            case .and: left != 0 && right != 0 ? 1 : 0
            case .equal: left == right ? 1 : 0
            case .notEqual: left != right ? 1 : 0
            case .lessOrEqual: left <= right ? 1 : 0
            case .greaterOrEqual: left >= right ? 1 : 0
            case .less: left < right ? 1 : 0
            case .greater: left > right ? 1 : 0
            case .plus: left &+ right
            case .minus: left &- right
            case .times: left &* right
            case .quotient: right == 0 ? 0 : left / right
            case .remainder: right == 0 ? 0 : left % right
            }
        }

        /// The operator's precedence, as in C.
        var precedence: Int {
            switch self {
            case .or: 1
            case .and: 2
            case .equal, .notEqual: 3
            case .lessOrEqual, .greaterOrEqual, .less, .greater: 4
            case .plus, .minus: 5
            case .times, .quotient, .remainder: 6
            }
        }
    }
}

/// Parses the C subset of plural expressions by precedence climbing.
private struct PluralParser {
    private var rest: Substring
    private var depth = 0

    /// The limit of nesting: no language needs more, and deeper nesting could exhaust the stack.
    private static let maxDepth = 60

    init(_ text: Substring) { rest = text.filter { !$0.isWhitespace }[...] }

    mutating func whole() -> PluralRule.Expression? {
        guard let result = choice(), rest.isEmpty else { return nil }
        return result
    }

    private mutating func choice() -> PluralRule.Expression? {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.maxDepth, let condition = operation(from: 1) else { return nil }
        guard take("?") else { return condition }
        guard let yes = choice(), take(":"), let no = choice() else { return nil }
        return .choice(condition, yes, no)
    }

    private mutating func operation(from least: Int) -> PluralRule.Expression? {
        guard var left = operand() else { return nil }
        while let next = PluralRule.Operator.allCases.first(where: { rest.hasPrefix($0.rawValue) }),
            next.precedence >= least
        {
            rest.removeFirst(next.rawValue.count)
            guard let right = operation(from: next.precedence + 1) else { return nil }
            left = .binary(next, left, right)
        }
        return left
    }

    private mutating func operand() -> PluralRule.Expression? {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.maxDepth, let first = rest.first else { return nil }
        if take("n") { return .number }
        if take("!") { return operand().map { .not($0) } }
        if take("(") {
            guard let inner = choice(), take(")") else { return nil }
            return inner
        }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard first.isNumber, let value = UInt(digits) else { return nil }
        rest.removeFirst(digits.count)
        return .constant(value)
    }

    private mutating func take(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }
}
