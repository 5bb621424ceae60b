/// One command of a program: its words, its purpose, its options, and the function that it runs.
public struct Command: Sendable {
    /// The words that name it, as "shop" and "add".
    public let words: [String]
    let summary: String
    let operands: [Operand]
    let options: [Option]
    /// The text of the help after the options.
    let notes: String
    let run: @Sendable (Arguments) throws -> Void

    /// Declares a command; an error that `run` throws becomes a sentence and a status.
    public init(
        words: [String], summary: String, operands: [Operand] = [], options: [Option] = [],
        notes: String = "", run: @escaping @Sendable (Arguments) throws -> Void
    ) {
        self.words = words
        self.summary = summary
        self.operands = operands
        self.options = options
        self.notes = notes
        self.run = run
    }

    var name: String { words.joined(separator: " ") }

    /// The command's help: its usage, the meaning of each option, and the notes.
    public func help(of program: String) -> String {
        let begin = "Usage: \(program) \(name)"
        var parts = operands.map(\.usage) + options.filter(\.isListed).map(\.usage)
        if options.contains(where: { !$0.isListed }) { parts.append("[--SETTING VALUE]...") }
        let usage = Layout.wrap(parts, first: begin, indentation: 9)
        let explained = options.filter { $0.isListed && !$0.meaning.isEmpty }
        let list = Layout.table(explained.map { ($0.form, $0.meaning) })
        return [usage, list, notes].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}
