private import Dispatch
internal import FoundationEssentials
internal import Metrics
internal import Reservations
private import Synchronization

/// One line of JSON for each event, without codes, keys or bodies.
///
/// Lines are written on a queue of their own, so that a full pipe or disk never holds up a request (faults 39).
public final class ServiceLog: Sendable {
    /// The most lines of one event and reason in a second; further ones are counted, and the next line says how
    /// many.
    static let perSecond = 5
    /// Lines that wait for a slow reader; further ones are lost.
    static let maxWaiting = 256

    /// How important an event is; less important events are left out first.
    public enum Level: String, Comparable, CaseIterable, Sendable {
        /// A decision or a normal operation of the server.
        case info
        /// A request that was refused, or a limit that was reached.
        case warning
        /// A fault that keeps the server from its work.
        case error

        public static func < (left: Level, right: Level) -> Bool {
            allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
        }
    }

    /// The event of every request that is answered 401.
    static let notAuthentic = "not-authentic"

    private struct Line: Encodable {
        var time: String
        var level: String
        var event: String
        var detail: [String: String]
        var suppressed: Int?
    }

    private struct Count {
        var second: Int64 = 0
        var written = 0
        var suppressed = 0
    }

    private struct State {
        var counts: [String: Count] = [:]
        var waiting = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "clup.backend.log", qos: .utility)
    private let write: @Sendable (String) -> Void
    private let level: Level
    /// How often each event came with its reason or "", including those that were not written.
    let counts = Tally<[Label]>()

    /// `write` gets each line without its line end, on a queue of the log's own, except for events below `level`.
    public init(level: Level = .info, write: @escaping @Sendable (String) -> Void) {
        self.level = level
        self.write = write
    }

    /// Notes an event with a name such as `store-unavailable`; names and the detail `reason` are few and fixed.
    public func note(_ event: String, _ detail: [String: String] = [:], level: Level = .warning) {
        let reason = detail["reason"] ?? ""
        counts.count([Label("event", event), Label("reason", reason)])
        guard self.level <= level else { return }
        let date = Date()
        let kind = "\(event) \(reason)"
        let second = Int64(date.timeIntervalSince1970)
        let suppressed: Int? = state.withLock { state in
            var count = state.counts[kind] ?? Count()
            defer { state.counts[kind] = count }
            if count.second != second {
                count.second = second
                count.written = 0
            }
            guard count.written < Self.perSecond, state.waiting < Self.maxWaiting else {
                count.suppressed += 1
                return nil
            }
            count.written += 1
            state.waiting += 1
            defer { count.suppressed = 0 }
            return count.suppressed
        }
        guard let suppressed else { return }
        let line = Line(
            time: Moment(milliseconds: second * 1_000).utcText, level: level.rawValue, event: event,
            detail: detail, suppressed: suppressed > 0 ? suppressed : nil)
        queue.async { [self] in
            write(JSONText.string(line))
            state.withLock { $0.waiting -= 1 }
        }
    }

    /// Returns when everything noted so far is written, or after a second: the reader may be stuck.
    public func flush() {
        let isWritten = DispatchSemaphore(value: 0)
        queue.async { isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + 1)
    }
}
