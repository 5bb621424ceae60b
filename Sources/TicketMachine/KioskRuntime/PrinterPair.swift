internal import KioskFlow
internal import Synchronization

extension PrinterPort {
    /// Combines two printers: the second prints while the first cannot.
    ///
    /// A receipt whose job failed on the first printer is printed on the second only if it is certain that the first
    /// will not print it, so that there are never two receipts with one number (rules 15).
    ///
    /// - Parameter isSwapped: whether the staff wants the second printer to be the first, read for each receipt.
    public static func pair(
        _ first: PrinterPort, standby: PrinterPort,
        isSwapped: @escaping @Sendable () -> Bool = { false },
        log: @escaping @Sendable (String) -> Void
    ) -> PrinterPort {
        let pair = PrinterPair(first: first, standby: standby, isSwapped: isSwapped, log: log)
        return PrinterPort(
            condition: { await pair.condition() },
            print: { page, title, patience in
                AsyncStream { continuation in
                    let task = Task {
                        await pair.print(page, title, patience, to: continuation)
                        continuation.finish()
                    }
                    continuation.onTermination = { end in
                        if case .cancelled = end { task.cancel() }
                    }
                }
            })
    }
}

private final class PrinterPair: Sendable {
    /// A customer without a receipt after this time is shown the code (rules 15).
    private static let silenceTimeout: Duration = .seconds(5)

    private let first: PrinterPort
    private let standby: PrinterPort
    private let isSwapped: @Sendable () -> Bool
    private let log: @Sendable (String) -> Void
    /// The last report of each printer; they are asked every few seconds.
    private let known = Mutex((first: PrinterCondition.ready, standby: PrinterCondition.ready))

    init(
        first: PrinterPort, standby: PrinterPort, isSwapped: @escaping @Sendable () -> Bool,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.first = first
        self.standby = standby
        self.isSwapped = isSwapped
        self.log = log
    }

    func condition() async -> PrinterCondition {
        async let one = first.condition()
        async let other = standby.condition()
        let now = (first: await one, standby: await other)
        let before = known.withLock { known in
            defer { known = now }
            return known
        }
        for (name, old, new) in [
            ("first", before.first, now.first), ("second", before.standby, now.standby),
        ] where old.trouble != new.trouble {
            log("\(name) printer: \(new.trouble?.rawValue ?? "ready")")
        }
        return PrinterCondition(now.first, standby: now.standby)
    }

    func print(
        _ page: @escaping PrinterPort.Page, _ title: String,
        _ patience: @escaping PrinterPort.Patience,
        to customer: AsyncStream<PrintProgress>.Continuation
    ) async {
        let begin = ContinuousClock.now
        let isSwapped = isSwapped()
        let said = known.withLock { $0 }
        let known = isSwapped ? (first: said.standby, standby: said.first) : said
        let (first, standby) = isSwapped ? (standby, first) : (first, standby)
        guard known.first.trouble == nil else {
            let only = known.standby.trouble == nil ? standby : first
            for await progress in only.print(page, title, patience) { customer.yield(progress) }
            return
        }
        let isAlone = known.standby.trouble != nil
        var reminder: Task<Void, any Error>?
        func remind() {
            reminder =
                reminder
                ?? Task {
                    try await ContinuousClock().sleep(until: begin + Self.silenceTimeout)
                    customer.yield(.troubled(.silent))
                }
        }
        func tell(_ progress: PrintProgress) async {
            if progress.isFinal {
                // Nothing may come after the final report.
                reminder?.cancel()
                _ = await reminder?.result
            }
            customer.yield(progress)
        }
        var moves = false
        let firstPatience = { @Sendable in isAlone ? patience() : PrintTimeoutPolicy.untilTrouble }
        for await progress in first.print(page, title, firstPatience) {
            switch progress {
            // The customer need not know about the trouble yet: the other printer is about to be used.
            case .troubled where !isAlone: remind()
            case .failed(let trouble, mayComeOut: false) where !isAlone && !Task.isCancelled:
                log("not printed by the first printer: \(trouble.rawValue)")
                remind()
                moves = true
            case .submitted, .troubled, .printed, .failed: await tell(progress)
            }
        }
        guard moves else { return }
        for await progress in standby.print(page, title, patience) { await tell(progress) }
    }
}
