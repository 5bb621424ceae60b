import CBenchFloors
import FoundationEssentials
import KioskScreens
import QRCode
import Reservations
import TestSupport
import TicketPaper

/// Measures the QR symbol and the printed page.
enum PaperBench {
    /// Runs in a new process for each first page, because a process loads its fonts only once.
    static let firstPageCommand = "measure-first-page"

    private static let code = "CLUP:1:BNCH0123456789ABCDEFGHJKMNPQRS"
    /// 80 x 120 mm in points.
    private static let page = (width: 226.8, height: 340.2)

    private struct First: Codable {
        let page: Int64
        let empty: Int64
    }

    static func run(_: Workspace, _ report: Report) throws {
        Progress.say("paper ...")
        let symbol = try BenchSamples.of(2_000) { _ = try QRCode.matrix(of: code) }
        let library = BenchSamples.of(2_000) { _ = clup_floor_qr(code) }
        report.figure(
            "paper.qr-matrix", symbol.percentile(50) / 1e3, "us",
            floor: Floor("QRcode_encodeString alone", library.percentile(50) / 1e3),
            n: symbol.count)

        var first = BenchSamples()
        var empty = BenchSamples()
        for _ in 0..<10 {
            let line = try Tool.succeedBlocking(Workspace.executable, [firstPageCommand])
            let times = try JSONDecoder().decode(First.self, from: Data(line.utf8))
            first.add(times.page)
            empty.add(times.empty)
        }
        report.time("paper.first-page", 50, of: first, floor: ("cairo's first empty page", empty))

        let content = try content()
        let pages = try BenchSamples.of(500) { _ = try TicketPaper.page(content, on: .roll80) }
        let empties = BenchSamples.of(500) { _ = clup_floor_empty_pdf(page.width, page.height) }
        report.times("paper.page", of: pages, floor: ("cairo's empty page", empties))
    }

    /// Makes one page and one empty page, the only ones of this process, and prints both times.
    static func printFirstPage() throws {
        let before = Clock.monotonic
        guard clup_floor_empty_pdf(page.width, page.height) > 0 else {
            throw BenchError("cairo makes no page")
        }
        let between = Clock.monotonic
        _ = try TicketPaper.page(content(), on: .roll80)
        let times = First(page: Clock.monotonic - between, empty: between - before)
        print(String(decoding: try JSONEncoder().encode(times), as: UTF8.self))
    }

    private static func content() throws -> ReceiptContent {
        var content = ReceiptStrings.badge(
            name: "Supermercato Città Studi", qr: try QRCode.matrix(of: code))
        content.kind = "Ticket for Friday 20 November"
        content.numberLabel = "Your number"
        content.number = "042"
        content.entry = ReceiptContent.Fact(label: "Expected entry", value: "14:25–14:40")
        content.facts = [
            ReceiptContent.Fact(label: "Expected wait", value: "25 minutes"),
            ReceiptContent.Fact(label: "This ticket is for", value: "one person"),
        ]
        content.typedCode = "0419 384 512"
        content.instructions = [
            "Watch the display. When 042 is called, come in within 10 minutes.",
            "Show this code at the entrance.",
        ]
        content.footer = "Issued at 14:05 – kiosk"
        return content
    }
}
