import CommandSyntax
import Reservations
import Synchronization
import UnixSocket

/// The queue's clock of a demonstration, which is controlled through a socket (rules: demonstration-clock).
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

    private let hands: Mutex<Hands>
    private let socket = Mutex<CommandSocket?>(nil)
    /// Called after every change, before the command is answered.
    private let changed = Mutex<(@Sendable () -> Void)?>(nil)

    /// Listens on a unix socket that only its owner can open; the clock shows the real time and runs with it.
    init(path: String) throws {
        hands = Mutex(Hands(moment: systemNow(), since: .now, rate: 1))
        do throws(CommandSocket.Failure) {
            let socket = try CommandSocket(path: path) { [weak self] in
                self?.carryOut($0) ?? "error: the clock has ended"
            }
            self.socket.withLock { $0 = socket }
        } catch {
            throw CommandError.failure("the clock cannot listen on \(path): \(error)")
        }
    }

    var now: Moment {
        hands.withLock { hands in
            let passed = (ContinuousClock.now - hands.since) / .milliseconds(1) * hands.rate
            return Moment(milliseconds: hands.moment.milliseconds + Int64(passed))
        }
    }

    func whenChanged(_ body: @escaping @Sendable () -> Void) { changed.withLock { $0 = body } }

    func stop() { socket.withLock { $0 }?.stop() }

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
