internal import CCups
internal import KioskFlow
internal import KioskRuntime
internal import KioskScreens
internal import MachineClock
internal import Synchronization

struct PrinterReport: Sendable {
    /// Whether a job is being processed.
    var busy: Bool
    var stopped: Bool
    var accepting: Bool
    var reasons: [String]
    var formats: [String]

    /// State and reasons as one value: a stop without a known reason still counts as a stop.
    var condition: PrinterCondition {
        let reasons = PrinterReasons(reasons)
        let halted = stopped || !accepting ? PrinterTrouble.stopped : nil
        return PrinterCondition(trouble: reasons.trouble ?? halted, paperLow: reasons.paperLow)
    }
}

/// A queue of a CUPS server and the printer behind it. Each is asked by a worker of its own, because a printer that
/// hangs must not block questions to the queue.
final class PrintQueue: Sendable {
    /// The most jobs to be cancelled about which the server has not answered yet; there are never so many.
    private static let maxOrphanJobs = 64
    /// The most calls that may wait; more would mean that the other end hangs.
    static let maxQueuedCalls = 16

    let name: String
    /// The configured server, for messages; nil means libcups's own choice.
    let server: String?

    let time: MachineClock
    private let cups: BoundedWorker
    private let device: BoundedWorker
    private let known = Mutex(Known())

    private struct Known {
        var media: RollMedia?
        var device: Device?
        /// The formats that the queue takes; `formats` are those of the printer itself.
        var queueFormats: [String] = []
        var formats: [String] = []
        var canBeAsked = false
        var status: CachedStatus?
        var orphans: [Int] = []
    }

    /// The printer's own IPP service; `address` is nil if the printer cannot be asked.
    struct Device: Hashable, Sendable {
        var uri: String
        var address: IPPAddress?
        var resource = "/"

        /// Whether the printer is behind our own backend, which takes its dots.
        var isEscpos: Bool { uri.hasPrefix("escpos:") }
    }

    init(name: String, server: String?, time: MachineClock = .system) {
        self.name = name
        self.server = server
        self.time = time
        cups = BoundedWorker(
            label: "clup.cups.queue", maxQueuedCalls: Self.maxQueuedCalls, time: time)
        device = BoundedWorker(
            label: "clup.cups.printer", maxQueuedCalls: Self.maxQueuedCalls, time: time)
    }

    /// The roll and the form in which the printer takes a page.
    var media: RollMedia? {
        known.withLock { known in
            guard var media = known.media else { return nil }
            let isPDF = known.formats.isEmpty || known.formats.contains("application/pdf")
            media.form = known.device?.isEscpos == true || !isPDF ? .dots : .pdf
            return media
        }
    }
    var printer: Device? { known.withLock { $0.device } }
    /// Whether the queue's driver can ask the printer for its state (`ReportStatus`).
    var canBeAsked: Bool { known.withLock { $0.canBeAsked } }
    /// The last answer to such a question.
    var askedStatus: CachedStatus? {
        get { known.withLock { $0.status } }
        set { known.withLock { $0.status = newValue } }
    }

    // MARK: The queue

    /// The queue's state; stores its media and its printer's address.
    func report(within limit: Duration) async -> Result<PrinterReport, IPPFault> {
        await onQueue(within: limit) { [self] connection throws(IPPFault) in
            let answer = try connection.ask(
                IPPMessage(
                    IPP_OP_GET_PRINTER_ATTRIBUTES, printer: uri,
                    attributes: [
                        "printer-state", "printer-state-reasons", "printer-is-accepting-jobs",
                        "device-uri", "document-format-supported", "printer-commands",
                    ] + QueueMedia.attributes), at: resource)
            let media = QueueMedia.roll(of: answer)
            let device = answer.strings("device-uri").first.map(Self.device)
            let formats = answer.strings("document-format-supported")
            let commands = answer.strings("printer-commands")
            known.withLock { known in
                known.media = media ?? known.media
                known.device = device ?? known.device
                known.queueFormats = formats
                known.canBeAsked = commands.contains("ReportStatus")
            }
            return PrinterReport(answer)
        }
    }

    func job(_ id: Int, within limit: Duration) async -> Result<JobReport, IPPFault> {
        await onQueue(within: limit) { [self] connection throws(IPPFault) in
            try job(id, on: connection)
        }
    }

    private func job(
        _ id: Int, on connection: borrowing IPPConnection
    ) throws(IPPFault) -> JobReport {
        var request = IPPMessage(IPP_OP_GET_JOB_ATTRIBUTES, printer: uri)
        request.add("job-id", id)
        return JobReport(try connection.ask(request, at: "/jobs/"))
    }

    /// Cancels a job and returns its state after that; nil if there was no answer. In that case the job is cancelled
    /// again at the next occasion.
    func cancel(_ id: Int, within limit: Duration) async -> JobReport.State? {
        let done = await onQueue(within: limit, evenLate: true) {
            [self] connection throws(IPPFault) in try cancel(id, on: connection)
        }
        return try? done.get()
    }

    @discardableResult
    private func cancel(
        _ id: Int, on connection: borrowing IPPConnection
    ) throws(IPPFault) -> JobReport.State {
        // The job is remembered until the server has answered.
        remember(id)
        var request = IPPMessage(IPP_OP_CANCEL_JOB, printer: uri)
        request.add("job-id", id)
        do throws(IPPFault) { _ = try connection.ask(request, at: "/jobs/") } catch .refused(_, _) {
            // The job has ended already, or the server has forgotten it.
            forget(id)
            return (try? job(id, on: connection))?.state ?? .cancelled
        }
        forget(id)
        return .cancelled
    }

    private func remember(_ id: Int) {
        known.withLock { known in
            let full = known.orphans.count >= Self.maxOrphanJobs
            guard !full, !known.orphans.contains(id) else { return }
            known.orphans.append(id)
        }
    }

    private func forget(_ id: Int) {
        known.withLock { known in known.orphans.removeAll { $0 == id } }
    }

    /// Sends a page as a job of its own; a job that cannot be finished is cancelled.
    func submit(
        _ page: ReceiptPage, title: String, within limit: Duration
    ) async -> Result<SentJob, IPPFault> {
        await onQueue(
            within: limit,
            late: { [self] result in
                guard case .success(let job) = result else { return }
                // No customer waits for this paper any more.
                remember(job.id)
                Task { _ = await report(within: limit) }
            },
            { [self] connection throws(IPPFault) in
                let submission = try Submission(to: name, title: title, page: page, on: connection)
                do throws(IPPFault) {
                    try submission.send(
                        page, to: known.withLock { $0.queueFormats }, on: connection)
                } catch {
                    remember(submission.job.id)
                    _ = try? cancel(submission.job.id, on: connection)
                    throw error
                }
                return submission.job
            })
    }

    /// Jobs that have not ended, at most twenty, the next one first.
    func openJobs(within limit: Duration) async -> Result<[QueuedJob], IPPFault> {
        await onQueue(within: limit) { [self] connection throws(IPPFault) in
            var request = IPPMessage(
                IPP_OP_GET_JOBS, printer: uri, attributes: ["job-id", "job-name"])
            request.setJobs(completed: false, atMost: 20)
            let answer = try connection.ask(request, at: resource)
            let ids = answer.everyInteger("job-id")
            let names = answer.everyString("job-name")
            guard ids.count == names.count else { return [] }
            return zip(ids, names).filter { $1 != Self.statusJob }.map { id, name in
                // The tag by which we recognise a job of ours means nothing to staff members.
                let words = name.split(separator: " ").filter { !$0.hasPrefix("clup-") }
                return QueuedJob(id: id, title: words.joined(separator: " "))
            }
        }
    }

    func queueNames(within limit: Duration) async -> Result<[String], IPPFault> {
        await onQueue(within: limit) { [self] connection throws(IPPFault) in
            let answer = try connection.ask(
                IPPMessage(IPP_OP_CUPS_GET_PRINTERS, printer: uri, attributes: ["printer-name"]),
                at: "/")
            return Array(answer.everyString("printer-name").prefix(20))
        }
    }

    func onQueue<Value: Sendable>(
        within limit: Duration, evenLate: Bool = false,
        late: @escaping @Sendable (Result<Value, IPPFault>) -> Void = { _ in },
        _ work: @escaping @Sendable (borrowing IPPConnection) throws(IPPFault) -> Value
    ) async -> Result<Value, IPPFault> {
        await cups.result(within: limit, evenLate: evenLate, late: late) {
            [self] () throws(IPPFault) in
            let connection = try IPPConnection(to: IPPAddress(server: server))
            for id in known.withLock({ $0.orphans }) { try cancel(id, on: connection) }
            return try work(connection)
        }
    }

    // MARK: The printer

    /// The printer's own report; nil if it has no IPP service of its own.
    func printerReport(within limit: Duration) async -> Result<PrinterReport, IPPFault>? {
        await onPrinter(within: limit) { [self] printer, connection throws(IPPFault) in
            let report = PrinterReport(
                try connection.ask(
                    IPPMessage(
                        IPP_OP_GET_PRINTER_ATTRIBUTES, printer: printer.uri,
                        attributes: [
                            "printer-state", "printer-state-reasons", "printer-is-accepting-jobs",
                            "document-format-supported",
                        ]), at: printer.resource))
            known.withLock { $0.formats = report.formats }
            return report
        }
    }

    /// The printer's state of a job of ours, open or completed; nil if the printer does not know the job, or has no IPP
    /// service of its own.
    func printerJob(
        _ job: SentJob, within limit: Duration
    ) async -> Result<JobReport.State?, IPPFault> {
        let found = await onPrinter(within: limit) {
            printer, connection throws(IPPFault) -> JobReport.State? in
            for completed in [false, true] {
                var request = IPPMessage(
                    IPP_OP_GET_JOBS, printer: printer.uri, attributes: ["job-name", "job-state"])
                // The last jobs come first (RFC 8011 4.2.6.2); other hosts may print on this printer too.
                request.setJobs(completed: completed, atMost: 20)
                let answer = try connection.ask(request, at: printer.resource)
                let ours = answer.jobStates().first { $0.name.contains(job.tag) }
                if let ours { return ours.state }
            }
            return nil
        }
        return found ?? .success(nil)
    }

    private func onPrinter<Value: Sendable>(
        within limit: Duration,
        _ work: @escaping @Sendable (Device, borrowing IPPConnection) throws(IPPFault) -> Value
    ) async -> Result<Value, IPPFault>? {
        guard let printer, let address = printer.address else { return nil }
        return await device.result(within: limit) { () throws(IPPFault) in
            try work(printer, try IPPConnection(to: address))
        }
    }

    static func device(_ uri: String) -> Device {
        guard uri.hasPrefix("ipp://") || uri.hasPrefix("ipps://") else { return Device(uri: uri) }
        // HTTP_MAX_URI and HTTP_MAX_HOST of cups/http.h.
        var scheme = [CChar](repeating: 0, count: 32)
        var user = [CChar](repeating: 0, count: 256)
        var host = [CChar](repeating: 0, count: 256)
        var path = [CChar](repeating: 0, count: 1_024)
        var port: Int32 = 0
        let status = httpSeparateURI(
            HTTP_URI_CODING_ALL, uri, &scheme, 32, &user, 256, &host, 256, &port, &path, 1_024)
        guard status.rawValue >= HTTP_URI_STATUS_OK.rawValue else { return Device(uri: uri) }
        // The part after "?" is for CUPS's backend.
        let plain = uri.prefix { $0 != "?" }
        let resource = String(buffer: path).prefix { $0 != "?" }
        return Device(
            uri: String(plain),
            address: IPPAddress(
                host: String(buffer: host), port: Int(port), encrypted: uri.hasPrefix("ipps:")),
            resource: String(resource))
    }

    // MARK: Names

    /// CUPS refuses spaces, "/", "#" and "?" in names (lpadmin(8)); all other special characters are percent-encoded.
    var resource: String {
        let hex = Array("0123456789ABCDEF")
        return name.utf8.reduce(into: "/printers/") { path, byte in
            let plain = Character(Unicode.Scalar(byte))
            if byte < 0x80, plain.isLetter || plain.isNumber || "-._".contains(plain) {
                path.append(plain)
            } else {
                path += "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
            }
        }
    }

    var uri: String { "ipp://localhost\(resource)" }
}
