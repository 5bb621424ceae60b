import CPseudoTerminal
import Glibc

/// A new pseudo-terminal (pty(7)).
public struct PseudoTerminalDevice: Sendable {
    /// The descriptor of the test's side.
    public let master: Int32
    /// The path of the side that a program opens.
    public let path: String

    public init() throws {
        var name = [CChar](repeating: 0, count: 128)
        master = clup_open_terminal(&name, name.count)
        guard master >= 0 else {
            throw TestSupportError("no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        path = String(
            decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
