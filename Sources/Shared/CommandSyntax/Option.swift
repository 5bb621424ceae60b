/// An option of a command, declared once: the parser and the help are made from it.
public struct Option: Sendable {
    /// The meaning of an option that is given more than once.
    public enum Repetition: Sendable {
        case refused
        /// The value that is given last counts.
        case last
        /// All values count, in their order.
        case all
    }

    /// The name without the hyphens.
    let name: String
    /// The placeholder of the value in the help, as "FILE"; nil for an option without a value.
    let value: String?
    /// The text for the list of options in the help; empty for an option that its name explains.
    let meaning: String
    var isRequired = false
    var repetition = Repetition.refused
    /// Earlier names of the option: accepted, but not shown in the help.
    var formerNames: [String] = []
    /// Whether the command's help names it; settings of the whole program are listed once, elsewhere.
    var isListed = true

    /// An option that must be given.
    public static func required(_ name: String, _ value: String, _ meaning: String = "") -> Option {
        Option(name: name, value: value, meaning: meaning, isRequired: true)
    }

    /// An option with a value that may be left out.
    public static func optional(
        _ name: String, _ value: String, _ meaning: String = "", repetition: Repetition = .refused
    ) -> Option { Option(name: name, value: value, meaning: meaning, repetition: repetition) }

    /// An option without a value.
    public static func flag(_ name: String, _ meaning: String = "", formerly formerNames: String...)
        -> Option
    { Option(name: name, value: nil, meaning: meaning, formerNames: formerNames) }

    /// A setting of the whole program, of which the value that is given last counts.
    public static func setting(_ name: String) -> Option {
        Option(name: name, value: "VALUE", meaning: "", repetition: .last, isListed: false)
    }

    /// The option as the usage line shows it, without brackets.
    var form: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

    var usage: String {
        let usage = isRequired ? form : "[\(form)]"
        return repetition == .all ? "\(usage)..." : usage
    }
}

/// A word of a command line that belongs to no option, as the name of a file.
public struct Operand: Sendable {
    /// The placeholder in the help, as "FILE".
    let name: String
    let isRequired: Bool

    /// A word that must be given.
    public static func required(_ name: String) -> Operand { Operand(name: name, isRequired: true) }

    /// A word that may be left out; no required word follows it.
    public static func optional(_ name: String) -> Operand {
        Operand(name: name, isRequired: false)
    }

    var usage: String { isRequired ? name : "[\(name)]" }
}
