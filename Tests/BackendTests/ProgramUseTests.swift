import Foundation
import Testing

@Suite("A wrong use of clup-backend")
struct ProgramUseTests {
    /// Wrong uses of one kind of command: the words, the exit status, and what the sentence contains.
    ///
    /// `PATH` is a database with a shop, `NONE` a place where nothing is, and `PROGRAM` a file that is no database.
    struct Uses: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let cases: [(words: String, status: Int32, sentence: String)]
    }

    private static let local = "serve --database PATH --listen 127.0.0.1:0"
    private static let exception = "shop hours-exception add --database PATH --closed"
    private static let machine = "machine add --database PATH --shop ROM1 --name n"
    private static let pair = "machine pair --database PATH --shop ROM1 --name n"
    private static let shop =
        "shop add --database PATH --name N --tag NNNN --time-zone Europe/Rome"
        + " --hours Mon_08:00-20:00 --capacity 9 --stay 20"

    /// The words are separated by blanks; one that has a blank itself is written with `_`.
    static let uses = [
        Uses(
            testDescription: "without a command",
            cases: [("", 64, "a command is missing"), ("brew", 64, "\"brew\" does not exist")]),
        Uses(
            testDescription: "serve",
            cases: [
                ("serve", 64, "--database is missing"),
                ("serve --database", 64, "--database needs a value"),
                ("serve --database --listen", 64, "--database needs a value"),
                ("serve --databas PATH", 64, "--databas does not exist"),
                ("serve PATH", 64, "is not an option"),
                ("serve --database PATH --database PATH", 64, "given twice"),
                ("serve --database PATH --name a --name b:1", 64, "without ports"),
                ("serve --database PATH --behind-proxy=yes", 64, "takes no value"),
                ("serve --database PATH --listen 8080", 64, "--listen is \"8080\""),
                ("serve --database PATH --rate-limit -1", 64, "--rate-limit is \"-1\""),
                ("serve --database PATH --code-limit x", 64, "--code-limit is \"x\""),
                ("serve --database PATH --listen 0.0.0.0:0", 1, "--behind-proxy"),
                ("serve --database PATH --metrics 9100", 64, "--metrics is \"9100\""),
                ("\(local) --metrics 0.0.0.0:0", 1, "--metrics: "),
                ("serve --database PATH --log-level loud", 64, "--log-level is \"loud\""),
                ("serve --database NONE", 1, "there is no database at NONE"),
                ("serve --database postgresql://u:p4ss@h/d", 1, "must not hold a password"),
                ("serve --database postgresql://u:p4ss@h:x/d?a", 1, "is not understood"),
            ]),
        Uses(
            testDescription: "shop",
            cases: [
                ("shop", 64, "shop add"),
                ("\(shop) --visit-share 101", 64, "--visit-share is \"101\""),
                ("shop list --database postgresql:///y?host=/no", 75, "cannot be reached"),
                ("shop list --database NONE", 1, "there is no database at NONE"),
                ("\(exception) --shop ROM2 --day 2026-12-25", 1, "no shop \"ROM2\""),
                ("\(exception) --shop ROM1 --day 2026-02-30", 64, "--day is"),
            ]),
        Uses(
            testDescription: "database and key",
            cases: [
                ("database backup --database PATH", 64, "--to is missing"),
                ("database backup --database PATH --to PATH", 1, "already"),
                ("database backup --database NONE --to NONE", 1, "no database at"),
                ("database backup --database postgresql://x/y --to NONE", 1, "pg_dump"),
                ("database restore --database PATH --from NONE", 1, "no backup at"),
                ("database restore --database PATH --from PROGRAM", 1, "not a"),
                ("database check --database NONE", 1, "there is no database at NONE"),
                ("database prune --database PATH --keep-days 60", 64, "--keep-days is"),
                ("key --database postgresql:///y", 64, "--state is missing"),
            ]),
        // A public key may begin like an option.
        Uses(
            testDescription: "machine",
            cases: [
                ("\(machine) --key x", 64, "--key is not"),
                ("\(machine) --key --x", 64, "--key is not"),
                ("machine revoke --database PATH --machine x", 1, "no machine \"x\""),
                ("\(pair) --code 1234_567", 64, "eight digits"),
                ("\(pair) --code 1234_5678", 1, "no machine shows the code 12345678"),
            ]),
    ]

    @Test("It ends with a sentence that names it and with its exit status", arguments: uses)
    func ends(_ uses: Uses) throws {
        let backend = try BackendCommand.withShop()
        let none = backend.directory.path + "/none"
        func placed(_ word: String) -> String {
            word.replacing("PATH", with: backend.path).replacing("NONE", with: none)
                .replacing("PROGRAM", with: BackendCommand.program.path)
        }
        for (line, status, sentence) in uses.cases {
            let words = line.split(separator: " ").map { String($0).replacing("_", with: " ") }
            let ended = try backend.run(words.map(placed))
            #expect(ended.status == status, "\(line)")
            #expect(ended.errors.contains(placed(sentence)), "\(line): \(ended.errors)")
            #expect(!ended.errors.contains("p4ss"))
        }
        #expect(!FileManager.default.fileExists(atPath: none), "no file was made by mistake")
        // The shop is as it was.
        #expect(try backend.addShop().errors.contains("the tag ROM1"))
        #expect(try backend.command("shop list").output.split(separator: "\n").count == 1)
    }
}
