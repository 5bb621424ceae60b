import Glibc

/// The socket that moves the clock of a backend (`clup-backend serve --clock control:PATH`).
public final class ClockControl: Sendable {
    private let descriptor: Int32

    public init(_ path: String) throws { descriptor = try UnixStream.connected(to: path) }

    deinit { close(descriptor) }

    /// Sends a command, and returns when it was carried out.
    public func carryOut(_ command: String) throws {
        try UnixStream.send(Array((command + "\n").utf8), to: descriptor)
        var answer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &answer, answer.count)
        guard count > 0, !answer.starts(with: Array("error".utf8)) else {
            let said = String(decoding: answer.prefix(max(0, count)), as: UTF8.self)
            throw TestSupportError("the clock refused \(command): \(said)")
        }
    }
}
