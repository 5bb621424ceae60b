internal import CCups
internal import KioskFlow
internal import MachineClock

/// The last status of a printer without IPP, and its time. Each question is a job, so it is not asked all the time.
struct CachedStatus: Sendable {
    let condition: PrinterCondition
    let at: MachineClock.Instant

    /// A printer without trouble seldom runs out of paper soon; a printer in trouble is being repaired.
    private var lasts: Duration { condition.trouble == nil ? .seconds(60) : .seconds(3) }

    func isFresh(at now: MachineClock.Instant) -> Bool { at.duration(to: now) < lasts }
}

/// A printer without its own IPP service is asked by a job in CUPS's command language, if the queue's driver says
/// that it understands that language (`printer-commands`).
extension PrintQueue {
    static let statusJob = "clup-status"

    private static let question = Array("#CUPS-COMMAND\nReportStatus\n".utf8)

    /// Asks for the printer's state now and stores it as the queue's fresh status.
    func ask(within limit: Duration) async -> PrinterCondition {
        let condition = await answer(within: limit)
        askedStatus = CachedStatus(condition: condition, at: time.now)
        return condition
    }

    private func answer(within limit: Duration) async -> PrinterCondition {
        let end = time.now.advanced(by: limit)
        guard case .success(let job) = await sendQuestion(within: limit) else {
            return PrinterCondition(trouble: .offline)
        }
        while time.now < end {
            let rest = time.now.duration(to: end)
            guard case .success(let report) = await self.job(job, within: rest) else { break }
            switch report.state {
            case .completed:
                let queued = await self.report(within: limit)
                return (try? queued.get().condition) ?? PrinterCondition(trouble: .offline)
            case .cancelled, .stopped: return PrinterCondition(trouble: .offline)
            case .waiting, .processing: break
            }
            try? await time.sleep(for: .milliseconds(40))
        }
        _ = await cancel(job, within: limit)
        return PrinterCondition(trouble: .offline)
    }

    private func sendQuestion(within limit: Duration) async -> Result<Int, IPPFault> {
        await onQueue(
            within: limit,
            { [self] connection throws(IPPFault) in
                var request = IPPMessage(IPP_OP_PRINT_JOB, printer: uri)
                request.add("job-name", IPP_TAG_NAME, Self.statusJob)
                request.add("document-format", IPP_TAG_MIMETYPE, "application/vnd.cups-command")
                let answer = try connection.ask(request, with: Self.question, at: resource)
                guard let job = answer.integer("job-id") else {
                    throw .refused(status: 0, message: "no job-id")
                }
                return job
            })
    }
}
