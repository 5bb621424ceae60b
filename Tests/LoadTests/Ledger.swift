import Glibc
import Synchronization
import TestSupport
import Testing

/// All requests of a run with their outcomes, and the figures that are printed of them.
final class Ledger: Sendable {
    private struct State {
        var exchanges: [Exchange] = []
        var tickets: [Duration] = []
        var codes: [String] = []
        var refusals: [String: Int] = [:]
    }

    private let state = Mutex(State())

    func begin(_ exchange: Exchange) -> Int {
        state.withLock {
            $0.exchanges.append(exchange)
            return $0.exchanges.count - 1
        }
    }

    func end(_ index: Int, _ outcome: Exchange.Outcome) {
        state.withLock {
            $0.exchanges[index].outcome = outcome
            $0.exchanges[index].ended = .now
        }
    }

    /// Records a ticket as its customer got it, with the code on the paper.
    func issued(code: String, after time: Duration) {
        state.withLock {
            $0.tickets.append(time)
            $0.codes.append(code)
        }
    }

    func refused(_ problem: String) { state.withLock { $0.refusals[problem, default: 0] += 1 } }

    var exchanges: [Exchange] { state.withLock { $0.exchanges } }
    /// How many calls whose path ends so were sent after a moment, and answered with a status.
    func answered(
        _ status: Int, _ path: String, since: ContinuousClock.Instant? = nil
    ) -> Int {
        exchanges.count {
            guard case .answered(status, _) = $0.outcome else { return false }
            return $0.path.hasSuffix(path) && since.map { [asked = $0.asked] in asked > $0 } ?? true
        }
    }

    var codes: [String] { state.withLock { $0.codes } }
    var refusals: [String: Int] { state.withLock { $0.refusals } }

    /// The results of a run; a confirmation is identified by its idempotency key, however often it is sent.
    struct Figures: Sendable {
        var asked = 0
        var acknowledged = 0
        /// The confirmations of which at least one try got no answer.
        var unknown = 0
        /// The unknown confirmations that were answered in the end.
        var recovered = 0
        /// The time from the customer's touch to the number, all tries together.
        var times: [Duration] = []
    }

    var figures: Figures {
        let (exchanges, tickets) = state.withLock { ($0.exchanges, $0.tickets) }
        var figures = Figures()
        let confirmations = exchanges.filter { $0.path.hasSuffix("/confirmation") }
        for tries in Dictionary(grouping: confirmations, by: \.key).values {
            figures.asked += 1
            let isAcknowledged = tries.contains {
                if case .answered(200..<300, _) = $0.outcome { true } else { false }
            }
            let isUnknown = tries.contains { $0.outcome == .unknown }
            figures.acknowledged += isAcknowledged ? 1 : 0
            figures.unknown += isUnknown ? 1 : 0
            figures.recovered += isUnknown && isAcknowledged ? 1 : 0
        }
        figures.times = tickets
        return figures
    }

    /// Checks the run with the checker, prints its figures, and returns them.
    @discardableResult
    func judge(
        _ name: String, _ chain: LoadChain, seed: UInt64? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Figures {
        let rows = try await Checker.rows(database: chain.database)
        let history = try await QueueHistory(database: chain.database, limits: chain.limits)
        // Every customer with a number also got a paper.
        let help = try await Checker.helpRows(database: chain.database)
        let violations = Checker(
            exchanges, rows: rows, papers: codes, help: help, history: history
        ).violations()
        let figures = figures
        let choices = seed.map { ", seed \($0)" } ?? ""
        print(
            "load: \(name), \(chain.engine.rawValue)\(choices): \(figures.asked) asked, "
                + "\(figures.acknowledged) acknowledged, \(figures.unknown) unknown, "
                + "\(figures.recovered) of them recovered; \(figures.times.spread); "
                + "refused \(refusals); "
                + "\(Checker.Invariant.letters): \(violations.isEmpty ? "hold" : "\(violations.count) broken")"
        )
        fflush(nil)
        #expect(
            violations.isEmpty, "\(name)\(choices): \(violations.prefix(10))",
            sourceLocation: sourceLocation)
        return figures
    }
}

extension [Duration] {
    /// The longest of this part of the shortest times.
    func milliseconds(_ part: Double) -> String {
        let index = Swift.min(count - 1, Int(Double(count) * part))
        return isEmpty ? "0 ms" : "\(Int(sorted()[index] / .milliseconds(1))) ms"
    }

    var spread: String {
        "half within \(milliseconds(0.5)), 99 in 100 within \(milliseconds(0.99)), worst \(milliseconds(1))"
    }
}
