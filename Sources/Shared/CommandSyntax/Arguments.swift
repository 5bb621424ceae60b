/// The options and operands of a command line: `--name value`, `--name=value`, `--name` and words without hyphens.
public struct Arguments: Sendable {
    private var values: [String: [String]] = [:]
    /// The words that belong to no option, in their order.
    public private(set) var operands: [String] = []

    /// Parses the words after a command; refuses options that the command does not declare.
    public init(
        _ words: [String], options: [Option], operands expected: [Operand] = []
    ) throws(CommandError) {
        let listed = options.map { "--\($0.name)" }.sorted()
        let known = Set(options.flatMap { [$0.name] + $0.formerNames }.map { "--\($0)" })
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                guard operands.count < expected.count else {
                    throw .usage("\"\(word)\" is not an option; options begin with --")
                }
                operands.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            guard
                let option = options.first(where: {
                    $0.name == name || $0.formerNames.contains(name)
                })
            else {
                let others =
                    listed.isEmpty
                    ? "there are none" : "these do: " + listed.joined(separator: ", ")
                throw .usage("the option --\(name) does not exist here; \(others)")
            }
            guard values[option.name] == nil || option.repetition != .refused else {
                throw .usage("the option --\(name) is given twice; give it once")
            }
            if option.value == nil {
                guard parts.count == 1 else { throw .usage("the option --\(name) takes no value") }
                values[option.name] = []
            } else if parts.count == 2 {
                add(String(parts[1]), to: option)
            } else if let value = rest.popFirst(), !known.contains(value) {
                // A public key may begin with two hyphens.
                add(value, to: option)
            } else {
                throw .usage("the option --\(name) needs a value, as --\(name) VALUE")
            }
        }
        for option in options where option.isRequired { _ = try required(option.name) }
        if expected.count > operands.count, expected[operands.count].isRequired {
            throw .usage("\(expected[operands.count].name) is missing; give it as a word")
        }
    }

    private mutating func add(_ value: String, to option: Option) {
        values[option.name] = (option.repetition == .all ? values[option.name] ?? [] : []) + [value]
    }

    /// Whether the option was given.
    public func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option, several with commas between; nil if it was not given.
    public func optional(_ name: String) -> String? {
        values[name].map { $0.joined(separator: ",") }
    }

    /// The value of an option that must have been given.
    public func required(_ name: String) throws(CommandError) -> String {
        guard let value = optional(name), !value.isEmpty else {
            throw .usage("the option --\(name) is missing; give it as --\(name) VALUE")
        }
        return value
    }

    /// The value of an option as `parse` reads it; nil if the option was not given.
    ///
    /// - Parameter hint: what to give instead of a value that cannot be read.
    public func optional<Value>(
        _ name: String, or hint: String, _ parse: (String) -> Value?
    ) throws(CommandError) -> Value? {
        guard has(name) else { return nil }
        return try required(name, or: hint, parse)
    }

    /// The value of an option that must have been given, as `parse` reads it.
    public func required<Value>(
        _ name: String, or hint: String, _ parse: (String) -> Value?
    ) throws(CommandError) -> Value {
        let text = optional(name) ?? ""
        guard let value = parse(text) else { throw .usage("--\(name) is \"\(text)\"; \(hint)") }
        return value
    }

    /// A whole number within bounds; `standard` if the option is not given, otherwise it is required.
    public func number(
        _ name: String, _ bounds: ClosedRange<Int>, standard: Int? = nil
    ) throws(CommandError) -> Int {
        if let standard, !has(name) { return standard }
        _ = try required(name)
        let range = "\(bounds.lowerBound) to \(bounds.upperBound)"
        return try required(name, or: "it must be a whole number from \(range)") { text in
            Int(text).flatMap { bounds.contains($0) ? $0 : nil }
        }
    }
}
