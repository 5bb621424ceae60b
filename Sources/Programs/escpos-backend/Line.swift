import Glibc

/// Bytes to and from the printer; neither direction waits for the other.
struct Line {
    private let descriptor: Int32
    private var outgoing: [UInt8] = []
    private var sent = 0

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    var waiting: Int { outgoing.count - sent }
    var isEmpty: Bool { waiting == 0 }

    mutating func send(_ bytes: [UInt8]) { outgoing += bytes }

    /// Sends the bytes that the printer accepts, and answers those that it sent within so many milliseconds; nil if
    /// the connection is down.
    mutating func exchange(within limit: Int32) -> [UInt8]? {
        let events = POLLIN | (isEmpty ? 0 : POLLOUT)
        var watched = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        guard poll(&watched, 1, limit) >= 0 else { return errno == EINTR ? [] : nil }
        let happened = Int32(watched.revents)
        if happened & POLLOUT != 0 {
            let count = outgoing[sent...].withUnsafeBytes {
                write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno != EAGAIN, errno != EINTR { return nil }
            sent += max(count, 0)
            if isEmpty {
                outgoing = []
                sent = 0
            }
        }
        guard happened & (POLLIN | POLLHUP | POLLERR) != 0 else { return [] }
        var heard = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &heard, heard.count)
        // There was something to read, but no bytes came: the other end has closed.
        if count == 0 { return nil }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        return Array(heard.prefix(count))
    }

    /// Sends the remaining bytes, as far as the printer accepts them within so many milliseconds.
    mutating func flush(within limit: Int32) {
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(Int64(limit))
        while !isEmpty, clock.now < end { guard exchange(within: 50) != nil else { return } }
    }
}
