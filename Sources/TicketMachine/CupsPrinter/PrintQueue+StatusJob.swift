internal import CCups
internal import KioskFlow

/// What a printer without IPP said, and when: each question is a job, so it is not asked all the time.
struct CachedStatus: Sendable {
    let condition: PrinterCondition
    let at: ContinuousClock.Instant

    /// A printer at rest seldom runs out of paper; one in trouble is being looked after.
    private var lasts: Duration { condition.trouble == nil ? .seconds(60) : .seconds(3) }

    var isFresh: Bool { ContinuousClock.now - at < lasts }
}

/// Printers that have no IPP of their own are asked by a job of CUPS's command language, which the
/// queue's driver understands where it says so (`printer-commands`).
extension PrintQueue {
    /// Its name among the queue's jobs.
    static let statusJob = "clup-status"

    private static let question = Array("#CUPS-COMMAND\nReportStatus\n".utf8)

    /// How the printer is now; what the queue has heard of it is fresh after this.
    func ask(within limit: Duration) async -> PrinterCondition {
        let condition = await answer(within: limit)
        askedStatus = CachedStatus(condition: condition, at: .now)
        return condition
    }

    private func answer(within limit: Duration) async -> PrinterCondition {
        let clock = ContinuousClock()
        let end = clock.now + limit
        guard case .success(let job) = await sendQuestion(within: limit) else {
            return PrinterCondition(trouble: .offline)
        }
        while clock.now < end {
            let rest = end - clock.now
            guard case .success(let report) = await self.job(job, within: rest) else { break }
            switch report.state {
            case .completed:
                let queued = await self.report(within: limit)
                return (try? queued.get().condition) ?? PrinterCondition(trouble: .offline)
            case .cancelled, .stopped: return PrinterCondition(trouble: .offline)
            case .waiting, .processing: break
            }
            try? await clock.sleep(for: .milliseconds(40))
        }
        _ = await cancel(job, within: limit)
        return PrinterCondition(trouble: .offline)
    }

    private func sendQuestion(within limit: Duration) async -> Result<Int, IPPFault> {
        await onQueue(
            within: limit,
            { [self] connection throws(IPPFault) in
                var request = IPPMessage(IPP_OP_PRINT_JOB, printer: uri)
                request.setDocument(
                    named: Self.statusJob, format: "application/vnd.cups-command")
                let answer = try connection.ask(request, with: Self.question, at: resource)
                guard let job = answer.integer("job-id") else {
                    throw .refused(status: 0, message: "no job-id")
                }
                return job
            })
    }
}
