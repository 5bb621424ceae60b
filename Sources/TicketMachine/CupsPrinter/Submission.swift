internal import CCups
internal import KioskScreens

/// A job as its queue and its printer identify it.
struct SentJob: Hashable, Sendable {
    let id: Int
    /// A part of the job's name by which the printer lists it, because the printer has numbers of its own.
    let tag: String
}

/// A job that was created and waits for its document.
struct Submission: ~Copyable {
    let job: SentJob

    private let destination: UnsafeMutablePointer<cups_dest_t>
    private let info: OpaquePointer

    /// The formats sent do not go through a filter, so cups-filters need not be installed.
    private static let pdfFormat = "application/vnd.cups-pdf"

    /// Creates the job with the page's own size, unscaled, without banners.
    init(
        to queue: String, title: String, page: ReceiptPage, on connection: borrowing IPPConnection
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
        ] { count = cupsAddOption(name, value, count, &options) }
        defer { cupsFreeOptions(count, options) }
        let tag = "clup-" + String(UInt64.random(in: .min ... .max), radix: 36)
        // A name has 255 bytes (RFC 8011 5.1.3) and no control characters.
        let plain = title.unicodeScalars.filter {
            ![.control, .format].contains($0.properties.generalCategory)
        }
        let name = String(String.UnicodeScalarView(plain.prefix(50))) + " " + tag
        var job: Int32 = 0
        let status = cupsCreateDestJob(http, destination, info, &job, name, count, options)
        guard status.rawValue <= IPP_STATUS_OK_EVENTS_COMPLETE.rawValue, job > 0 else {
            defer {
                cupsFreeDestInfo(info)
                cupsFreeDests(1, destination)
            }
            throw IPPConnection.lastFault
        }
        self.job = SentJob(id: Int(job), tag: tag)
        self.destination = destination
        self.info = info
    }

    deinit {
        cupsFreeDestInfo(info)
        cupsFreeDests(1, destination)
    }

    /// Sends the job's only document, after which the job may be printed.
    ///
    /// `formats`: the formats that the queue takes.
    func send(
        _ page: ReceiptPage, to formats: [String], on connection: borrowing IPPConnection
    ) throws(IPPFault) {
        let http = connection.http
        let (document, format) =
            switch page.content {
            case .pdf(let bytes): (bytes, Self.pdfFormat)
            case .dots(let dots):
                (
                    try PWGRaster.bytes(of: dots, on: page, as: .init(for: formats)),
                    PWGRaster.Form(for: formats).rawValue
                )
            }
        let started = cupsStartDestDocument(
            http, destination, info, Int32(clamping: job.id), job.tag, format, 0, nil, 1)
        guard started == HTTP_STATUS_CONTINUE else { throw IPPConnection.lastFault }
        let written = document.withUnsafeBytes { bytes in
            cupsWriteRequestData(
                http, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        let finished = cupsFinishDestDocument(http, destination, info)
        guard written == HTTP_STATUS_CONTINUE,
            finished.rawValue <= IPP_STATUS_OK_EVENTS_COMPLETE.rawValue
        else { throw IPPConnection.lastFault }
    }

    /// The size of the page as CUPS names it, for example `Custom.80x187mm` (cups(1)), with hundredths as decimals.
    private static func mediaName(_ page: ReceiptPage) -> String {
        func millimetres(_ hundredths: Int) -> String {
            let rest = hundredths % 100
            return rest == 0
                ? "\(hundredths / 100)" : "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
        }
        return "Custom.\(millimetres(page.width))x\(millimetres(page.length))mm"
    }
}
