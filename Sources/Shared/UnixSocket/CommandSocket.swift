internal import Dispatch
internal import Glibc

/// A unix socket (unix(7)) that only its owner can open: each line is a command, and is answered with a line.
public final class CommandSocket: Sendable {
    /// The system call that failed, and its reason.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// The longest command; the connection of a longer one is closed.
    private static let maxLineBytes = 256

    private let path: String
    private let listener: Int32
    private let queue = DispatchQueue(label: "clup.commands")
    private let answer: @Sendable (String) -> String

    /// Listens until `stop`.
    ///
    /// - Parameter answer: makes the line of an answer, without its end, from a command; one after the other.
    public init(path: String, answer: @escaping @Sendable (String) -> String) throws(Failure) {
        guard let address = UnixSocketAddress(path: path) else {
            throw Failure(description: "the path is empty or too long")
        }
        unlink(path)
        let former = umask(0o177)
        let listening = address.listen(backlog: 4)
        umask(former)
        guard let listening else {
            throw Failure(description: String(cString: strerror(errno)))
        }
        self.path = path
        self.answer = answer
        listener = listening
        queue.async { [self] in accept() }
    }

    public func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        unlink(path)
    }

    /// Serves one connection after the other.
    private func accept() {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            if connection >= 0 {
                // A program that replaces itself ends the connection too.
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                serve(connection)
                close(connection)
            } else if errno != EINTR && errno != ECONNABORTED {
                return
            }
        }
    }

    private func serve(_ connection: Int32) {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(connection, &byte, 1) == 1 {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                if line.count > Self.maxLineBytes { return }
                continue
            }
            let answer = Array((answer(String(decoding: line, as: UTF8.self)) + "\n").utf8)
            line = []
            guard write(connection, answer, answer.count) == answer.count else { return }
        }
    }
}
