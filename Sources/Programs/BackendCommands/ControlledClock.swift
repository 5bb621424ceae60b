import CommandSyntax
import Dispatch
import Glibc
import Reservations
import Synchronization
import UnixSocket

/// The queue's clock of a demonstration, which is controlled through a socket (rules 29).
///
/// It stays at the time that was set, or runs at a rate from there on. Each line is a command, and is answered with
/// a line: `set 2026-11-20T08:00:00+01:00`, `rate 60`, `now`; the answer is the time, or `error` and a sentence.
final class ControlledClock: Sendable {
    private struct Hands {
        var moment: Moment
        /// The real time at which the clock showed `moment`.
        var since: ContinuousClock.Instant
        var rate: Double
    }

    /// The longest command; a longer line is not a command.
    private static let maxLineBytes = 256

    private let hands: Mutex<Hands>
    private let path: String
    private let listener: Int32
    private let queue = DispatchQueue(label: "clup.clock")
    /// Called after every change, before the command is answered.
    private let changed = Mutex<(@Sendable () -> Void)?>(nil)

    /// Listens on a unix socket that only its owner can open; the clock shows the real time and runs with it.
    init(path: String) throws {
        hands = Mutex(Hands(moment: systemNow(), since: .now, rate: 1))
        self.path = path
        guard let address = UnixSocketAddress(path: path) else {
            throw CommandError.usage("the path of the clock's socket is too long: \(path)")
        }
        unlink(path)
        let former = umask(0o177)
        let listening = address.listen(backlog: 4)
        umask(former)
        guard let listening else {
            throw CommandError.failure(
                "the clock cannot listen on \(path): \(String(cString: strerror(errno)))")
        }
        listener = listening
        accept()
    }

    var now: Moment {
        hands.withLock { hands in
            let passed = (ContinuousClock.now - hands.since) / .milliseconds(1) * hands.rate
            return Moment(milliseconds: hands.moment.milliseconds + Int64(passed))
        }
    }

    func whenChanged(_ body: @escaping @Sendable () -> Void) { changed.withLock { $0 = body } }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        unlink(path)
    }

    /// Serves one connection after the other, on a queue of its own.
    private func accept() {
        queue.async { [self] in
            while true {
                let connection = Glibc.accept(listener, nil, nil)
                if connection >= 0 {
                    serve(connection)
                    close(connection)
                } else if errno != EINTR && errno != ECONNABORTED {
                    return
                }
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
            let answer = Array((carryOut(String(decoding: line, as: UTF8.self)) + "\n").utf8)
            line = []
            guard write(connection, answer, answer.count) == answer.count else { return }
        }
    }

    private func carryOut(_ line: String) -> String {
        let words = line.split(separator: " ")
        switch (words.first, words.count) {
        case ("now", 1): break
        case ("set", 2):
            guard let moment = LocalMoment(words[1]) else {
                return "error: give the time as 2026-11-20T08:00:00+01:00"
            }
            move(to: moment.moment, rate: nil)
        case ("rate", 2):
            guard let rate = Double(words[1]), (0...10_000).contains(rate) else {
                return "error: a rate is 0 to 10000"
            }
            move(to: now, rate: rate)
        default: return "error: the commands are set TIME, rate N and now"
        }
        return LocalMoment(now, offsetMinutes: 0).description
    }

    private func move(to moment: Moment, rate: Double?) {
        hands.withLock { $0 = Hands(moment: moment, since: .now, rate: rate ?? $0.rate) }
        changed.withLock { $0 }?()
    }
}
