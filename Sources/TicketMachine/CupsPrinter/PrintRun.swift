internal import KioskFlow
internal import KioskRuntime
internal import KioskScreens
internal import MachineClock

/// Prints one paper: performs the actions that its watch decides.
struct PrintRun {
    let queue: PrintQueue
    let continuation: AsyncStream<PrintProgress>.Continuation

    /// A person does not notice a shorter delay, and cupsd answers each poll in a millisecond.
    private static let pollInterval = Duration.milliseconds(250)
    /// Timeout of one answer while a customer waits.
    private static let answerTimeout = Duration.milliseconds(900)
    /// With a shorter timeout, a printer without time to answer would be called offline.
    private static let minAnswerTimeout = Duration.milliseconds(300)
    /// cupsd later ends a backend that hangs with its printer, which then prints nothing.
    private static let cancelDelay = Duration.milliseconds(1_200)
    /// Timeout for submitting the job: a slower server will not print in time either.
    private static let submissionTimeout = Duration.seconds(4)

    func run(
        on media: RollMedia?, _ page: PrinterPort.Page, title: String,
        _ timeout: PrinterPort.Timeout
    ) async {
        // If a queue does not know its roll, it has not answered.
        guard let page = page(media ?? .roll80) else {
            continuation.yield(.failed(.other))
            return
        }
        let clock = queue.time
        let start = clock.now
        var watch = PrintJobWatch(timeout())
        let job: SentJob
        switch await queue.submit(page, title: title, within: Self.submissionTimeout) {
        case .success(let sent): job = sent
        case .failure(let fault):
            continuation.yield(
                .failed(fault.isNotAccepting ? .stopped : .offline, mayComeOut: fault.isUnknown))
            return
        }
        continuation.yield(.submitted(job: job.id))

        var actions: [PrintJobWatch.Action] = []
        var wasReached = false
        while true {
            while !actions.isEmpty {
                switch actions.removeFirst() {
                case .report(let progress):
                    // A trouble that the printer reported before may have changed.
                    if case .failed = progress { queue.askedStatus = nil }
                    continuation.yield(progress)
                // The answers to these two decide how the run ends; what was to be done after them is dropped, since it
                // was decided without the answer.
                case .confirm:
                    let own = await queue.printerJob(job, within: Self.answerTimeout)
                    actions = watch.confirmed(by: (try? own.get()) ?? nil)
                case .cancel:
                    actions = watch.cancelled(await cancelled(job, wasReached: wasReached))
                case .end: return
                }
            }
            do {
                try await clock.sleep(for: Self.pollInterval)
            } catch {
                actions = watch.abandoned()
                continue
            }
            watch.timeout = timeout()
            let left = PrintJobWatch.jobTimeout - (start.duration(to: clock.now))
            if left <= .zero {
                actions = watch.timePassed(to: start.duration(to: clock.now))
                continue
            }
            let limit = max(min(Self.answerTimeout, left), Self.minAnswerTimeout)
            async let printer = printerTrouble(within: limit)
            let report = await queue.job(job.id, within: limit)
            let (trouble, isReached) = await printer
            wasReached = wasReached || isReached
            let now = start.duration(to: clock.now)
            // The printer's report is handled first: it names the cause, the queue's does not.
            actions = watch.printerReported(trouble, at: now)
            switch report {
            case .success(let report): actions = watch.jobReported(report, at: now) + actions
            case .failure: actions = watch.queueUnreachable(at: now) + actions
            }
        }
    }

    /// Cancels the job and waits until CUPS's backend has cancelled it at the printer too, which happens after the
    /// server has answered.
    ///
    /// `wasReached`: the printer has answered since the job was sent, so it may have the document.
    private func cancelled(_ job: SentJob, wasReached: Bool) async -> PrintJobWatch.Cancellation {
        switch await queue.cancel(job.id, within: Self.answerTimeout) {
        case nil: return .uncertain
        case .completed: return .tooLate
        case .waiting, .processing, .stopped, .cancelled: break
        }
        let clock = queue.time
        let end = clock.now.advanced(by: Self.cancelDelay)
        while clock.now < end {
            if case .success(let queued) = await queue.report(within: Self.answerTimeout),
                !queued.busy
            {
                switch await queue.printerJob(job, within: Self.answerTimeout) {
                case .success(nil), .success(.cancelled): return .certain
                case .failure: return wasReached ? .uncertain : .certain
                case .success(.completed): return .tooLate
                case .success: break
                }
            }
            // In a cancelled task sleep returns at once; a task of its own does sleep.
            await Task { try? await clock.sleep(for: .milliseconds(50)) }.value
        }
        return .uncertain
    }

    /// The trouble that holds up the paper, and whether the printer itself has answered. The trouble is a stopped
    /// queue or one that the printer reports. The queue's own reasons count only if the printer cannot be asked,
    /// because they outlast their cause.
    private func printerTrouble(
        within limit: Duration
    ) async -> (trouble: PrinterTrouble?, isReached: Bool) {
        async let own = queue.printerReport(within: limit)
        let queued = await queue.report(within: limit)
        let answer = await own
        let isReached = if case .success = answer { true } else { false }
        if case .success(let queued) = queued, queued.stopped { return (.stopped, isReached) }
        switch answer {
        case .success(let printer): return (printer.condition.trouble, isReached)
        case .failure: return (.offline, isReached)
        case nil:
            if case .success(let queued) = queued { return (queued.condition.trouble, isReached) }
            return (nil, isReached)
        }
    }
}
