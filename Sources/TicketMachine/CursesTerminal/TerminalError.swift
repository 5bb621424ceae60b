/// The reason why the terminal cannot be used; nothing was written to it when this is thrown.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case notATerminal, localeNotUTF8, unknownTerminal, cannotBePainted, failed
    }

    public let code: Code
    /// A sentence that names the fault and its remedy.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
