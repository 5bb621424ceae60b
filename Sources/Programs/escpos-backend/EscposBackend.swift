import ESCPOS
import Glibc
import Synchronization

/// A CUPS backend for receipt printers that use ESC/POS instead of IPP: backend(7).
///
/// It takes an image of the ticket (PWG or CUPS raster), communicates with the printer in both directions and reports
/// its status to CUPS. A ticket that cannot be printed is discarded, never kept for later.
enum EscposBackend {
    /// The meaning of an exit status for cupsd (cups/backend.h).
    enum Status: Int32 {
        case done = 0
        case usage = 1
        /// The job is ended; neither it nor the queue waits (CUPS_BACKEND_CANCEL).
        case jobEnded = 5
    }

    /// Set by SIGTERM: the job has been cancelled.
    static let isCancelled = Atomic<Bool>(false)

    static func run(_ words: [String]) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGTERM) { _ in EscposBackend.isCancelled.store(true, ordering: .relaxed) }
        guard words.count > 1 else {
            DeviceList.print()
            return Status.done.rawValue
        }
        guard (6...7).contains(words.count) else {
            CupsMessage.usage()
            return Status.usage.rawValue
        }
        let name = environment("DEVICE_URI") ?? words[0]
        guard let address = DeviceAddress(name) else {
            CupsMessage.error(
                "\"\(name)\" is no printer's address: escpos://HOST[:PORT] or "
                    + "escpos:/dev/PATH[?baud=RATE].")
            return Status.jobEnded.rawValue
        }
        let driver = DriverSettings(file: environment("PPD"))
        do throws(DocumentError) {
            let isQuestion = environment("CONTENT_TYPE") == "application/vnd.cups-command"
            let pages =
                isQuestion
                ? []
                : try Document.pages(
                    of: words.count == 7 ? words[6] : nil, dots: driver.dots,
                    copies: Int(words[4]) ?? 1)
            if isQuestion, !driver.answers { return Status.done.rawValue }
            return Conversation(address: address, pages: pages, answers: driver.answers)
                .run().rawValue
        } catch {
            CupsMessage.error(error.description)
            return Status.jobEnded.rawValue
        }
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
