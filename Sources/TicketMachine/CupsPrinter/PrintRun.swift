internal import KioskFlow
internal import KioskRuntime
internal import KioskScreens

/// Carries one paper to its end: performs what its watch decides.
struct PrintRun {
    let queue: PrintQueue
    let continuation: AsyncStream<PrintProgress>.Continuation

    /// A person sees no shorter delay, and cupsd answers each in a millisecond.
    private static let pollInterval = Duration.milliseconds(250)
    /// For one answer while a customer waits.
    private static let answer = Duration.milliseconds(900)
    /// Less would call those offline who had no time to answer.
    private static let shortestAnswer = Duration.milliseconds(300)
    /// A backend that hangs with its printer is ended by cupsd later, and then prints nothing.
    private static let settling = Duration.milliseconds(1_200)
    /// For taking the job: a server that is slower than this will not print in time either.
    private static let submission = Duration.seconds(4)

    func run(_ page: PaperDocument, title: String) async {
        defer { continuation.finish() }
        let clock = ContinuousClock()
        let start = clock.now
        var watch = PrintJobWatch()
        let job: SentJob
        switch await queue.submit(page, title: title, within: Self.submission) {
        case .success(let sent): job = sent
        case .failure(let fault):
            continuation.yield(.failed(fault.isNotAccepting ? .stopped : .offline))
            return
        }
        continuation.yield(.submitted(job: job.id))

        var actions: [PrintJobWatch.Action] = []
        while true {
            while !actions.isEmpty {
                switch actions.removeFirst() {
                case .tell(let progress): continuation.yield(progress)
                case .confirm:
                    let own = await queue.printerJob(job, within: Self.answer)
                    actions = watch.confirmed(by: own)
                case .cancel: actions = watch.cancelled(tooLate: await cancelled(job.id))
                case .end: return
                }
            }
            do {
                try await clock.sleep(for: Self.pollInterval)
            } catch {
                actions = watch.abandoned()
                continue
            }
            let patience = PrintJobWatch.patience - (clock.now - start)
            if patience <= .zero {
                actions = watch.timePassed(to: clock.now - start)
                continue
            }
            let limit = max(min(Self.answer, patience), Self.shortestAnswer)
            async let printer = printerTrouble(within: limit)
            let report = await queue.job(job.id, within: limit)
            let trouble = await printer
            let now = clock.now - start
            // The printer first: it knows why, the queue only that.
            actions = watch.printerReported(trouble, at: now)
            switch report {
            case .success(let report): actions = watch.jobReported(report, at: now) + actions
            case .failure: actions = watch.queueUnreachable(at: now) + actions
            }
        }
    }

    /// Cancels the job and waits until CUPS's backend has told the printer too, which it does after
    /// the server has answered; says whether it was completed before.
    private func cancelled(_ job: Int) async -> Bool {
        let completed = await queue.cancel(job, within: Self.answer)
        let clock = ContinuousClock()
        let end = clock.now + Self.settling
        while !completed, clock.now < end {
            guard case .success(let queued) = await queue.report(within: Self.answer), queued.busy
            else { break }
            // In a task that is cancelled, sleep returns at once: a task of its own sleeps.
            await Task { try? await clock.sleep(for: .milliseconds(50)) }.value
        }
        return completed
    }

    /// What holds the paper up: a stopped queue, or what the printer says; the queue's own reasons
    /// only where the printer cannot be asked, as they outlive what caused them.
    private func printerTrouble(within limit: Duration) async -> PrinterTrouble? {
        async let own = queue.printerReport(within: limit)
        let queued = await queue.report(within: limit)
        if case .success(let queued) = queued, queued.stopped { return .stopped }
        switch await own {
        case .success(let printer): return printer.condition.trouble
        case .failure: return .offline
        case nil:
            if case .success(let queued) = queued { return queued.condition.trouble }
            return nil
        }
    }
}
