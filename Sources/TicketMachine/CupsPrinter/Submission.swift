internal import CCups
internal import KioskScreens

/// A job that was created and waits for its document.
struct Submission: ~Copyable {
    let job: Int

    private let destination: UnsafeMutablePointer<cups_dest_t>
    private let info: OpaquePointer
    private let title: String

    /// Sent through no filter: the printer takes PDF, and cups-filters need not be installed.
    private static let format = "application/vnd.cups-pdf"

    /// Creates the job: the page's own size, unscaled, without banners.
    init(
        to queue: String, title: String, page: PaperDocument, on connection: borrowing IPPConnection
    ) throws(IPPFault) {
        let http = connection.http
        guard let destination = cupsGetNamedDest(http, queue, nil) else {
            throw IPPConnection.lastFault
        }
        guard let info = cupsCopyDestInfo(http, destination) else {
            defer { cupsFreeDests(1, destination) }
            throw IPPConnection.lastFault
        }
        var options: UnsafeMutablePointer<cups_option_t>?
        var count: Int32 = 0
        for (name, value) in [
            ("media", Self.mediaName(page)), ("print-scaling", "none"), ("job-sheets", "none,none"),
        ] {
            count = cupsAddOption(name, value, count, &options)
        }
        defer { cupsFreeOptions(count, options) }
        var job: Int32 = 0
        let status = cupsCreateDestJob(
            http, destination, info, &job, String(title.prefix(100)), count, options)
        guard status.rawValue <= IPP_STATUS_OK_EVENTS_COMPLETE.rawValue, job > 0 else {
            defer {
                cupsFreeDestInfo(info)
                cupsFreeDests(1, destination)
            }
            throw IPPConnection.lastFault
        }
        self.job = Int(job)
        self.destination = destination
        self.info = info
        self.title = title
    }

    deinit {
        cupsFreeDestInfo(info)
        cupsFreeDests(1, destination)
    }

    /// Sends the job's only document, with which it may be printed.
    func send(_ pdf: [UInt8], on connection: borrowing IPPConnection) throws(IPPFault) {
        let http = connection.http
        let id = Int32(clamping: job)
        let started = cupsStartDestDocument(
            http, destination, info, id, String(title.prefix(100)), Self.format, 0, nil, 1)
        guard started == HTTP_STATUS_CONTINUE else { throw IPPConnection.lastFault }
        let written = pdf.withUnsafeBytes { bytes in
            cupsWriteRequestData(
                http, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        let finished = cupsFinishDestDocument(http, destination, info)
        guard written == HTTP_STATUS_CONTINUE,
            finished.rawValue <= IPP_STATUS_OK_EVENTS_COMPLETE.rawValue
        else { throw IPPConnection.lastFault }
    }

    /// `Custom.80x187mm`, as CUPS names sizes of a roll (cups(1)); hundredths as decimals.
    private static func mediaName(_ page: PaperDocument) -> String {
        func millimetres(_ hundredths: Int) -> String {
            let rest = hundredths % 100
            return rest == 0
                ? "\(hundredths / 100)"
                : "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
        }
        return "Custom.\(millimetres(page.width))x\(millimetres(page.length))mm"
    }
}
