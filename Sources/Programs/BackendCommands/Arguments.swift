/// A sentence for whoever typed the command, and the exit status that goes with it.
struct CommandError: Error, Equatable {
    /// EX_USAGE (sysexits.h): the command was typed wrongly. Other failures exit with 1.
    static let usageStatus: Int32 = 64

    let sentence: String
    let status: Int32

    /// The words of the command are wrong.
    static func usage(_ sentence: String) -> CommandError {
        CommandError(sentence: sentence, status: usageStatus)
    }

    /// The words are right, but it cannot be done.
    static func failure(_ sentence: String) -> CommandError {
        CommandError(sentence: sentence, status: 1)
    }
}

/// The options of a command line, `--name value` or `--name=value`.
struct Arguments {
    private var values: [String: String] = [:]
    private var given: Set<String> = []

    /// Takes the words behind a command; refuses whatever the command does not know.
    ///
    /// - Parameter lists: options that may be given several times, their values then separated by commas; all others
    ///   are given once.
    init(
        _ words: [String], valued: Set<String>, flags: Set<String> = [], lists: Set<String> = []
    ) throws(CommandError) {
        let options = Set(valued.union(flags).map { "--\($0)" })
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                throw .usage("\"\(word)\" is not an option; options begin with --")
            }
            let parts = word.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            guard valued.contains(name) || flags.contains(name) else {
                throw .usage(
                    "the option --\(name) does not exist here; these do: "
                        + options.sorted().joined(separator: ", "))
            }
            guard given.insert(name).inserted || lists.contains(name) else {
                throw .usage("the option --\(name) is given twice; give it once")
            }
            if flags.contains(name) {
                guard parts.count == 1 else { throw .usage("the option --\(name) takes no value") }
            } else if parts.count == 2 {
                add(String(parts[1]), to: name)
            } else if let value = rest.popFirst(), !options.contains(value) {
                // A public key may begin with two hyphens.
                add(value, to: name)
            } else {
                throw .usage(
                    "the option --\(name) needs a value, as --\(name) VALUE")
            }
        }
    }

    private mutating func add(_ value: String, to name: String) {
        values[name] = values[name].map { "\($0),\(value)" } ?? value
    }

    func has(_ name: String) -> Bool { given.contains(name) }

    func optional(_ name: String) -> String? { values[name] }

    func required(_ name: String) throws(CommandError) -> String {
        guard let value = values[name], !value.isEmpty else {
            throw .usage("the option --\(name) is missing; give it as --\(name) VALUE")
        }
        return value
    }

    /// A whole number within bounds; `standard` where the option is not given, else it is required.
    func number(
        _ name: String, _ bounds: ClosedRange<Int>, standard: Int? = nil
    ) throws(CommandError) -> Int {
        if let standard, values[name] == nil { return standard }
        let text = try required(name)
        guard let value = Int(text), bounds.contains(value) else {
            throw .usage(
                "--\(name) is \"\(text)\"; it must be a whole number from "
                    + "\(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return value
    }
}
