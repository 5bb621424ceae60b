import CFuzzer
import Cryptography
import Glibc

/// Gives made-up bytes to one parser, until its time is over or something breaks (libFuzzer).
///
/// `clup-fuzz PARSER [libFuzzer's options] [corpus folders]`; `Tests/fuzz` builds and runs it.
@main
struct FuzzProgram {
    typealias Parser = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

    static let parsers: [(name: String, run: Parser)] = [
        ("bodies", { Foreign.run($0, $1, Bodies.read) }),
        ("answers", { Foreign.run($0, $1, Answers.read) }),
        ("signatures", { Foreign.run($0, $1, Signatures.read) }),
        ("codes", { Foreign.run($0, $1, Codes.read) }),
        ("names", { Foreign.run($0, $1, Names.read) }),
        ("catalogue", { Foreign.run($0, $1, CatalogueFile.read) }),
        ("printer", { Foreign.run($0, $1, PrinterAnswer.read) }),
        ("http", { Foreign.run($0, $1, Requests.read) }),
        ("websocket", { Foreign.run($0, $1, Frames.read) }),
    ]

    static func main() {
        guard let name = CommandLine.arguments.dropFirst().first,
            let parser = parsers.first(where: { $0.name == name })
        else {
            for parser in parsers { print(parser.name) }
            return
        }
        do { try Cryptography.start() } catch { fatalError("\(error)") }
        signal(SIGPIPE, SIG_IGN)
        var words: [UnsafeMutablePointer<CChar>?] =
            ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map { strdup($0) }
        var count = CInt(words.count)
        words.append(nil)
        let status = words.withUnsafeMutableBufferPointer { words in
            var start = words.baseAddress
            return LLVMFuzzerRunDriver(&count, &start, parser.run)
        }
        exit(status)
    }
}

/// What came from outside.
enum Foreign {
    static func run(
        _ data: UnsafePointer<UInt8>?, _ count: Int, _ parse: ([UInt8]) -> Void
    ) -> CInt {
        parse(Array(UnsafeBufferPointer(start: data, count: count)))
        return 0
    }

    /// Cuts bytes at 0xFF, which stands in no text, into so many texts; what is missing is empty.
    static func texts(_ bytes: [UInt8], _ count: Int) -> [String] {
        var parts = bytes.split(
            separator: 0xFF, maxSplits: count - 1, omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        while parts.count < count { parts.append("") }
        return parts
    }
}
