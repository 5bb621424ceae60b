import CommandSyntax
import Testing

@Suite("Arguments: a command accepts only what it declares")
struct ArgumentsTests {
    private static let options: [Option] = [
        .required("database", "FILE"), .optional("count", "N"), .flag("replace", formerly: "anew"),
        .optional("name", "NAME", repetition: .all), .setting("state"),
    ]

    private func parse(_ words: String...) throws(CommandError) -> Arguments { try parse(words) }

    private func parse(_ words: [String]) throws(CommandError) -> Arguments {
        try Arguments(
            words, options: Self.options, operands: [.required("ANSWERS"), .optional("PLACE")])
    }

    private func error(_ words: String...) -> CommandError? {
        #expect(throws: CommandError.self) { try parse(words) }
    }

    @Test("A value follows its option, or an equals sign")
    func values() throws {
        let apart = try parse("a", "--database", "x")
        #expect(apart.optional("database") == "x" && apart.optional("count") == nil)
        let joined = try parse("a", "--database=x=y")
        #expect(joined.optional("database") == "x=y")
        // It may begin with two hyphens unless it is an option of the command.
        #expect(try parse("a", "--database", "--x").optional("database") == "--x")
    }

    @Test(
        "What is wrong is named in a sentence",
        arguments: [
            ("a --database --count 1", "the option --database needs a value, as --database VALUE"),
            (
                "a --database x --count 1 --count=2",
                "the option --count is given twice; give it once"
            ),
            ("--database x", "ANSWERS is missing; give it as a word"),
            ("a b c --database x", "\"c\" is not an option; options begin with --"),
            ("a", "the option --database is missing; give it as --database VALUE"),
            ("a --database=", "the option --database is missing; give it as --database VALUE"),
            ("a --database x --replace=yes", "the option --replace takes no value"),
        ])
    func wrong(line: String, sentence: String) {
        let words = line.split(separator: " ").map(String.init)
        #expect(throws: CommandError.usage(sentence)) { try parse(words) }
    }

    @Test("A former name is accepted for the present option, and no message lists it")
    func formerNames() throws {
        #expect(try parse("a", "--database", "x", "--anew").has("replace"))
        #expect(try !parse("a", "--database", "x").has("replace"))
        let wrong = error("--amew")?.description
        #expect(wrong?.contains("--replace") == true && wrong?.contains("--anew") == false)
        let twice = error("a", "--database", "x", "--anew", "--replace")
        #expect(twice?.description.contains("given twice") == true)
    }

    @Test("A repeated option is joined, or the last value counts, as declared")
    func repetition() throws {
        let arguments = try parse(
            "a", "--database", "x", "--name", "b", "--name=c", "--state", "1", "--state", "2")
        #expect(arguments.optional("name") == "b,c" && arguments.optional("state") == "2")
        // Words without hyphens are operands, as many as the command takes.
        #expect(try parse("a", "--database", "x", "b").operands == ["a", "b"])
    }

    @Test("A number is whole and within its bounds, or has a default")
    func numbers() throws {
        let given = try parse("a", "--database", "x", "--count", "7")
        #expect(try given.number("count", 1...9) == 7)
        #expect(throws: CommandError.self) { try given.number("count", 1...6) }
        let absent = try parse("a", "--database", "x")
        #expect(try absent.number("count", 1...9, standard: 3) == 3)
        #expect(throws: CommandError.self) { try absent.number("count", 1...9) }
        let wrong = try parse("a", "--database", "x", "--count", "1.5")
        #expect(throws: CommandError.self) { try wrong.number("count", 1...9) }
    }
}
