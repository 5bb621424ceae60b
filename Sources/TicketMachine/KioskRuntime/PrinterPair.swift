public import KioskFlow
public import MachineClock
public import Reservations
internal import Synchronization

/// The machine's printer: none, one, or two, of which the second prints while the first cannot.
///
/// A receipt whose job failed on the first printer is printed on the second only if it is certain that the first
/// will not print it, so that there are never two receipts with one number (rules: no-printout).
public final class PrinterPair: PrinterPort {
    /// A customer without a receipt after this time is shown the code (rules: no-printout).
    private static let silenceTimeout: Duration = .seconds(5)

    private struct State {
        /// The last report of each printer by its index; they are asked every few seconds.
        var known: [Int: PrinterCondition] = [:]
        var isSwapped = false
    }

    private let printers: [any PrinterPort]
    private let names: [String]
    private let time: MachineClock
    private let log: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - printers: at most two, the preferred one first.
    ///   - names: the names of their queues.
    public init(
        _ printers: [any PrinterPort], names: [String] = [], time: MachineClock = .system,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.printers = printers
        self.names = names
        self.time = time
        self.log = log
    }

    /// Whether the staff wants the second printer to be the first, read for each receipt.
    public var isSwapped: Bool {
        get { state.withLock { $0.isSwapped } }
        set { state.withLock { $0.isSwapped = newValue } }
    }

    /// The last reports of the printers that were asked.
    public var statuses: [PrinterStatus] {
        let known = state.withLock { $0.known }
        return names.enumerated().compactMap { index, name in
            known[index].map {
                PrinterStatus(name: name, trouble: $0.trouble?.rawValue, paperLow: $0.paperLow)
            }
        }
    }

    public func condition() async -> PrinterCondition {
        switch printers.count {
        case 0: return PrinterCondition(trouble: .absent)
        case 1: return await ask(0).now
        default: break
        }
        async let one = ask(0)
        async let other = ask(1)
        let (first, standby) = (await one, await other)
        for (name, report) in [("first", first), ("second", standby)]
        where report.before.trouble != report.now.trouble {
            log("\(name) printer: \(report.now.trouble?.rawValue ?? "ready")")
        }
        return PrinterCondition(first.now, standby: standby.now)
    }

    private func ask(_ index: Int) async -> (before: PrinterCondition, now: PrinterCondition) {
        let now = await printers[index].condition()
        return state.withLock { state in
            defer { state.known[index] = now }
            return (state.known[index] ?? .ready, now)
        }
    }

    public func print(
        _ page: @escaping Page, _ title: String, _ timeout: @escaping Timeout
    ) -> AsyncStream<PrintProgress> {
        switch printers.count {
        case 0:
            AsyncStream { stream in
                stream.yield(.failed(.absent))
                stream.finish()
            }
        case 1: printers[0].print(page, title, timeout)
        default: AsyncStream(of: { await self.print(page, title, timeout, to: $0) })
        }
    }

    private func print(
        _ page: @escaping Page, _ title: String, _ timeout: @escaping Timeout,
        to customer: AsyncStream<PrintProgress>.Continuation
    ) async {
        let begin = time.now
        let (known, isSwapped) = state.withLock { ($0.known, $0.isSwapped) }
        let order = isSwapped ? [1, 0] : [0, 1]
        let (first, standby) = (printers[order[0]], printers[order[1]])
        let isAlone = known[order[1]]?.trouble != nil
        guard known[order[0]]?.trouble == nil else {
            let only = isAlone ? first : standby
            for await progress in only.print(page, title, timeout) { customer.yield(progress) }
            return
        }
        var reminder: Task<Void, any Error>?
        func remind() {
            reminder =
                reminder
                ?? Task {
                    try await time.sleep(until: begin.advanced(by: Self.silenceTimeout))
                    customer.yield(.troubled(.silent))
                }
        }
        func report(_ progress: PrintProgress) async {
            if progress.isFinal {
                // Nothing may come after the final report.
                reminder?.cancel()
                _ = await reminder?.result
            }
            customer.yield(progress)
        }
        var moves = false
        let firstTimeout = { @Sendable in isAlone ? timeout() : PrintTimeoutPolicy.untilTrouble }
        for await progress in first.print(page, title, firstTimeout) {
            switch progress {
            // The customer need not know about the trouble yet: the other printer is about to be used.
            case .troubled where !isAlone: remind()
            case .failed(let trouble, mayComeOut: false) where !isAlone && !Task.isCancelled:
                log("not printed by the first printer: \(trouble.rawValue)")
                remind()
                moves = true
            case .submitted, .troubled, .printed, .failed: await report(progress)
            }
        }
        guard moves else { return }
        for await progress in standby.print(page, title, timeout) { await report(progress) }
    }
}
