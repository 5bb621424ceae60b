import KioskFlow
import KioskRuntime
import KioskScreens
import TestSupport
import Testing
import TicketPaper

@testable import CupsPrinter

/// Each test has a print server of its own with our backend in it, and an emulator of a printer behind it.
@Suite("Receipt printers without IPP", .timeLimit(.minutes(10))) struct EscposPrintingTests {
    private static let queue = "Escpos"

    private func withEmulator(
        roll: Int = 80, driver: String = "clup-escpos-80",
        _ body: (DemoPrinter, EscposEmulator, CupsPrinter) async throws -> Void
    ) async throws {
        try await DemoPrinter.with(options: ["--backend", DemoPrinter.escposBackend]) { rig in
            let emulator = try EscposEmulator(roll: roll)
            try await rig.add(escpos: emulator.uri, driver: driver, as: Self.queue)
            try await body(rig, emulator, CupsPrinter(queue: Self.queue, server: rig.server))
            #expect(emulator.violations == [])
            #expect(!emulator.isDrawerOpen)
        }
    }

    /// Codes on the printed receipts, in order.
    private func codes(_ emulator: EscposEmulator) async throws -> [String] {
        var codes: [String] = []
        for paper in emulator.papers { codes += try await Picture.qrCodes(in: paper) }
        return codes
    }

    /// The job that failed is gone; once the fault is over the printer prints the next receipt only.
    ///
    /// - Parameter pieces: how many papers were cut off before.
    private func expectOnlyNext(
        _ rig: DemoPrinter, _ emulator: EscposEmulator, _ printer: CupsPrinter, pieces: Int = 0,
        mending: () throws -> Void
    ) async throws {
        #expect(try await rig.openJobs().isEmpty)
        try mending()
        #expect(await eventually { await printer.condition() == .ready })
        #expect(try await Way.of(printer, seed: 2).end == .printed)
        #expect(try await codes(emulator) == [Sample.code(seed: 2).rawValue])
        #expect(emulator.papers.count == pieces + 1)
    }

    @Test("A receipt is printed dot by dot, cut once, and can be read", arguments: [80, 58])
    func prints(roll: Int) async throws {
        try await withEmulator(roll: roll, driver: "clup-escpos-\(roll)") {
            rig, emulator, printer in
            try await printer.selfCheck()
            #expect(printer.insight == .byTheMinute)
            let media = try #require(await printer.media())
            #expect(media.form == .dots)
            #expect(media.width == (roll == 80 ? 8_000 : 5_800))
            #expect(media.resolution == 203)
            #expect(await printer.condition() == .ready)
            #expect(emulator.papers.isEmpty)

            let page = try TicketPaper.page(try Sample.paper(), on: media)
            let dots = try requireCase(ReceiptPage.Content.dots, of: page.content)
            #expect(try await Way.of(printer).all.last == .printed)
            #expect(emulator.done.filter { $0 == "cut" }.count == 1)
            #expect(emulator.rowsUncut == 0)
            let paper = try #require(emulator.papers.first)
            #expect(paper.height == dots.rows)
            // The printer adds the roll's margins itself.
            let margin = (dots.columns - paper.width) / 2
            var wrong = 0
            for row in 0..<dots.rows {
                for column in 0..<dots.columns {
                    let isDark = dots.shades[row * dots.columns + column] < 128
                    let place = column - margin
                    let isPrinted =
                        (0..<paper.width).contains(place) && paper.isDark(x: place, y: row)
                    if isDark != isPrinted { wrong += 1 }
                }
            }
            // A single dot that would be part of a command has a neighbour instead.
            #expect(wrong <= 40, "\(wrong) dots differ")
            #expect(try await codes(emulator) == [Sample.code(seed: 1).rawValue])
        }
    }

    @Test("A small page, byte by byte; two copies are the same page twice")
    func bytes() async throws {
        try await withEmulator { rig, emulator, _ in
            let dots = ReceiptBitmap(
                columns: 16, rows: 3, resolution: 203,
                shades: (0..<48).map { $0 % 3 == 0 ? 0 : 255 })
            let document = try PWGRaster.bytes(
                of: dots, on: ReceiptPage(.dots(dots), width: 8_000, length: 4_000))
            let folder = try TemporaryFolder()
            let file = try folder.write(document, to: "page.pwg")
            try await Tool.succeed("lp", ["-h", rig.server, "-d", Self.queue, "-n", "2", file])
            #expect(await eventually { emulator.papers.count == 2 })
            #expect(try await eventually { try await rig.openJobs().isEmpty })
            let page: [UInt8] =
                [0x1D, 0x76, 0x30, 0, 2, 0, 3, 0]
                + [0b1001_0010, 0b0100_1001, 0b0010_0100, 0b1001_0010, 0b0100_1001, 0b0010_0100]
                + [0x1D, 0x72, 1, 0x1D, 0x56, 66, 0, 0x1D, 0x72, 1]
            // Status requests in real time may come at any point in between.
            var heard = emulator.heard[...]
            var commands: [UInt8] = []
            while let byte = heard.first {
                let isQuestion = byte == 0x10 && heard.dropFirst().first == 0x04
                if !isQuestion { commands.append(byte) }
                heard = heard.dropFirst(isQuestion ? 3 : 1)
            }
            #expect(commands == [0x1D, 0x61, 0, 0x1B, 0x40] + page + page)
        }
    }

    @Test(
        "Known trouble is reported at once, and nothing old prints after it [faults 40, 41, 46]",
        arguments: [
            (EscposEmulator.Fault.noPaper, PrinterTrouble.noPaper), (.coverOpen, .coverOpen),
            (.cutter, .jam), (.mute, .offline),
        ])
    func trouble(fault: EscposEmulator.Fault, expected: PrinterTrouble) async throws {
        try await withEmulator { rig, emulator, printer in
            emulator.set(fault)
            #expect(await printer.condition().trouble == expected)
            let way = try await Way.of(printer)
            #expect(way.reported(expected) != nil, "\(way.all)")
            #expect(way.end == .failed(expected), "\(way.all)")
            try await expectOnlyNext(rig, emulator, printer) { emulator.set(fault, false) }
        }
    }

    @Test("Paper that ends soon is reported, and printed on [fault 47]")
    func nearEnd() async throws {
        try await withEmulator { _, emulator, printer in
            emulator.set(.nearEnd)
            #expect(await printer.condition() == PrinterCondition(paperLow: true))
            let way = try await Way.of(printer)
            #expect(way.end == .printed)
            #expect(try await codes(emulator) == [Sample.code(seed: 1).rawValue])
        }
    }

    @Test("Paper that ends within a receipt: reported, cancelled, never continued [faults 41, 46]")
    func torn() async throws {
        try await withEmulator { rig, emulator, printer in
            #expect(await printer.condition() == .ready)
            emulator.endPaper(afterRows: 200)
            let way = try await Way.of(printer)
            #expect(way.reported(.noPaper) != nil, "\(way.all)")
            #expect(way.end == .failed(.noPaper), "\(way.all)")
            try await expectOnlyNext(rig, emulator, printer, pieces: 1) {
                emulator.set(.noPaper, false)
            }
            // The torn piece was cut off first.
            #expect(emulator.papers.map(\.height).first == 200)
        }
    }

    @Test("A power cut within a receipt: offline, and the job does not come again [fault 42]")
    func powerCut() async throws {
        try await withEmulator { rig, emulator, printer in
            #expect(await printer.condition() == .ready)
            emulator.failPower(afterRows: 150)
            let way = try await Way.of(printer)
            #expect(way.failure == .offline, "\(way.all)")
            #expect(await printer.condition().trouble == .offline)
            try await expectOnlyNext(rig, emulator, printer) { try emulator.switchOn() }
        }
    }

    @Test("Printer commands in names become dots, and raw bytes are refused")
    func hostile() async throws {
        try await withEmulator { rig, emulator, printer in
            let kick = "\u{1B}p\u{0}\u{19}\u{FA}"
            var content = try Sample.paper()
            content.shopName = "Bar \(kick)\u{1D}V\u{0}\u{10}\u{14}\u{1}\u{0}\u{5}"
            content.footer = kick
            let paper = content
            var end: PrintProgress?
            let page: PrinterPort.Page = { try? TicketPaper.page(paper, on: $0) }
            for await step in printer.print(page, "Ticket \(kick)", { .full }) { end = step }
            #expect(end == .printed)
            #expect(emulator.papers.count == 1)

            let folder = try TemporaryFolder()
            let file = try folder.write(Array(kick.utf8) + [0x1D, 0x56, 0], to: "kick")
            try await Tool.succeed("lp", ["-h", rig.server, "-d", Self.queue, "-o", "raw", file])
            #expect(try await eventually { try await rig.openJobs().isEmpty })
            #expect(emulator.papers.count == 1)
        }
    }

    @Test("A printer that never answers prints with the driver for it, and its state is unknown")
    func unasked() async throws {
        try await withEmulator(driver: "clup-escpos-80-mute") { rig, emulator, printer in
            try await printer.selfCheck()
            #expect(printer.insight == .whilePrinting)
            #expect(try await Way.of(printer).end == .printed)
            #expect(await eventually { emulator.papers.count == 1 })
            #expect(try await codes(emulator) == [Sample.code(seed: 1).rawValue])
            #expect(!emulator.heard.starts(with: [0x10, 0x04]))
            emulator.switchOff()
            let way = try await Way.of(printer)
            #expect(way.reported(.offline) != nil)
            #expect(way.failure == .offline)
        }
    }

    @Test("A driverless printer that takes no PDF is sent its dots", arguments: ["urf", "pwg"])
    func dotsByIPP(form: String) async throws {
        try await DemoPrinter.with(options: ["--takes", form]) { rig in
            let printer = CupsPrinter(queue: rig.queue, server: rig.server)
            try await printer.selfCheck()
            #expect(try #require(await printer.media()).form == .dots)
            let way = try await Way.of(printer)
            #expect(way.end == .printed, "\(way.all)")
            let paper = rig.description.paper + "/0001.\(form == "pwg" ? "pwg" : "prn")"
            // Our own backend makes the picture that shows the page.
            let emulator = try EscposEmulator()
            let result = try await Tool.run(
                DemoPrinter.escposBackend, ["1", "test", "page", "1", "", paper],
                environment: ["DEVICE_URI": emulator.uri])
            #expect(result.status == 0, "\(result.errors)")
            #expect(try await codes(emulator) == [Sample.code(seed: 1).rawValue])
        }
    }

    @Test("A printer on a serial line answers and prints as on the network")
    func serialLine() async throws {
        let emulator = try EscposEmulator(roll: 58)
        let path = try emulator.plugLine()
        let folder = try TemporaryFolder()
        let page = try TicketPaper.page(
            try Sample.paper(),
            on: RollMedia(
                width: 5_800, leftMargin: 500, rightMargin: 500, resolution: 203, form: .dots))
        let dots = try requireCase(ReceiptPage.Content.dots, of: page.content)
        let file = try folder.write(try PWGRaster.bytes(of: dots, on: page), to: "page.pwg")
        let driver = try folder.write(
            Array("*cupsModelNumber: 384\n*cupsCommands: \"ReportStatus\"\n".utf8), to: "ppd")
        let result = try await Tool.run(
            DemoPrinter.escposBackend, ["1", "test", "page", "1", "", file],
            environment: ["DEVICE_URI": "escpos:\(path)?baud=38400", "PPD": driver])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("STATE: -media-empty-error\n"))
        #expect(try await codes(emulator) == [Sample.code(seed: 1).rawValue])
        #expect(emulator.violations == [])
        let noResult = try await Tool.run(
            DemoPrinter.escposBackend, ["2", "test", "page", "1", ""],
            environment: [
                "DEVICE_URI": "escpos:/dev/clup-no-such-printer", "PPD": driver,
                "CONTENT_TYPE": "application/vnd.cups-command",
            ])
        #expect(noResult.status == 0)
        #expect(noResult.errors.contains("STATE: +offline-error\n"))
    }

    @Test("By hand it explains its use; a wrong address, or no picture, ends with a sentence")
    func misuse() async throws {
        let job = ["1", "test", "page", "1", "", "/dev/null"]
        let usage = "Usage: escpos job user title copies options [file]"
        for (words, address, status, said) in [
            ([], nil, 0, "network escpos \"Unknown\""), (["1"], nil, 1, usage),
            (job, "escpos://", 5, "ERROR: \"escpos://\" is no printer's address"),
            (job, "escpos://127.0.0.1", 5, "ERROR: The job is no picture of a paper"),
        ] as [([String], String?, Int32, String)] {
            let result = try await Tool.run(
                DemoPrinter.escposBackend, words,
                environment: address.map { ["DEVICE_URI": $0] } ?? [:])
            let text = status == 0 ? result.output : result.errors
            #expect(result.status == status && text.contains(said), "\(result)")
        }
    }
}
