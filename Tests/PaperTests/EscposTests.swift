import Testing

@testable import ESCPOS

@Suite("ESC/POS, as values") struct EscposTests {
    typealias Question = ESCPOSCommand.Question

    /// A page of rows that are all alike.
    private func page(rows: Int) throws -> DotPage {
        try #require(DotPage(bytesPerRow: 2, bytes: Array(repeating: 0xAA, count: rows * 2)))
    }

    /// Answers the status requests until the dialogue asks for something different.
    private func answer(
        _ dialogue: inout ESCPOSDialogue, _ actions: [ESCPOSDialogue.Action],
        with answers: [Question: UInt8] = [:], at now: Duration = .zero
    ) -> [ESCPOSDialogue.Action] {
        var actions = actions
        var others: [ESCPOSDialogue.Action] = []
        while !actions.isEmpty {
            let action = actions.removeFirst()
            let question = Question.allCases.first { action == .send($0.bytes) }
            guard let question else {
                others.append(action)
                continue
            }
            actions += dialogue.received([answers[question] ?? 0x12], at: now)
        }
        return others
    }

    @Test("Status first, then two bands ahead, then the cut; it ends when all rows are printed")
    func printed() throws {
        var dialogue = ESCPOSDialogue([try page(rows: 150)])
        let start = answer(&dialogue, dialogue.timePassed(to: .zero))
        #expect(start.first == .report(ESCPOSStatus([])))
        let bands = try page(rows: 150).bands
        let done = ESCPOSCommand.reportWhenDone
        #expect(bands.count == 3)
        #expect(
            start.dropFirst() == [
                .send([0x1D, 0x61, 0, 0x1B, 0x40]), .send(bands[0] + done),
                .send(bands[1] + done),
            ])
        #expect(dialogue.received([0x00], at: .zero) == [.send(bands[2] + done)])
        #expect(dialogue.received([0x00], at: .zero) == [.send([0x1D, 0x56, 66, 0] + done)])
        #expect(dialogue.received([0x00, 0x00], at: .zero) == [])
        let end = answer(
            &dialogue, dialogue.timePassed(to: .zero), with: [.paper: 0x1E])
        #expect(end == [.report(ESCPOSStatus([.paperNearEnd])), .end(.done)])
    }

    @Test("A printer in trouble is sent nothing and asked again; the job is given up at last")
    func waits() throws {
        var dialogue = ESCPOSDialogue([try page(rows: 1)])
        let first = answer(
            &dialogue, dialogue.timePassed(to: .zero), with: [.offlineCause: 0x16])
        #expect(first == [.report(ESCPOSStatus([.coverOpen]))])
        #expect(!dialogue.hasBegun)
        #expect(dialogue.timePassed(to: .seconds(0.2)) == [])
        let again = answer(
            &dialogue, dialogue.timePassed(to: .seconds(0.4)), with: [.offlineCause: 0x16],
            at: .seconds(0.4))
        #expect(again == [])
        #expect(dialogue.timePassed(to: .seconds(20)).contains(.end(.givenUp)))
    }

    @Test("A silent printer is offline, and its late answer counts for no other request")
    func mute() throws {
        var dialogue = ESCPOSDialogue([try page(rows: 1)])
        #expect(dialogue.timePassed(to: .zero) == [.send(Question.printer.bytes)])
        #expect(dialogue.timePassed(to: .seconds(1.5)) == [.report(.mute)])
        #expect(dialogue.timePassed(to: .seconds(3)) == [])
        // The drawer's bit, which the next answer would use for the cover.
        let late = answer(&dialogue, dialogue.received([0x16], at: .seconds(3)))
        #expect(late.first == .report(ESCPOSStatus([])))
    }

    @Test("A page cancelled midway: the printer drops the rest and cuts off the printed part")
    func cancelled() throws {
        var dialogue = ESCPOSDialogue([try page(rows: 150)])
        _ = answer(&dialogue, dialogue.timePassed(to: .zero))
        #expect(
            dialogue.cancelled(at: .seconds(1))
                == [.send([0x10, 0x14, 8, 1, 3, 20, 1, 6, 2, 8])])
        #expect(dialogue.cancelled(at: .seconds(1)) == [])
        #expect(
            dialogue.received([0x37, 0x25, 0x00], at: .seconds(1))
                == [.send([0x1D, 0x56, 66, 0]), .end(.cancelled)])
    }

    @Test("A printer that does not know the clear command is left after half a second")
    func clearless() throws {
        var dialogue = ESCPOSDialogue([try page(rows: 150)])
        _ = answer(&dialogue, dialogue.timePassed(to: .zero))
        _ = dialogue.cancelled(at: .seconds(1))
        #expect(dialogue.timePassed(to: .seconds(1.4)) == [])
        #expect(dialogue.timePassed(to: .seconds(1.5)) == [.end(.cancelled)])
    }

    @Test("A status request alone ends with the printer's state, or with its silence")
    func question() {
        var dialogue = ESCPOSDialogue([])
        let found = answer(
            &dialogue, dialogue.timePassed(to: .zero), with: [.paper: 0x7E, .printer: 0x1A])
        #expect(found == [.report(ESCPOSStatus([.paperEnd])), .end(.done)])
        var silent = ESCPOSDialogue([])
        _ = silent.timePassed(to: .zero)
        #expect(silent.timePassed(to: .seconds(1.5)) == [.report(.mute), .end(.done)])
    }

    @Test("The bits of the four answers have their documented meaning")
    func bits() {
        let meanings: [([Question: UInt8], Set<ESCPOSStatus.Reason>)] = [
            ([.printer: 0x12], []), ([.printer: 0x1A], [.offline]), ([.printer: 0x16], []),
            ([.printer: 0x1A, .offlineCause: 0x16], [.coverOpen]),
            ([.offlineCause: 0x32], [.paperEnd]), ([.paper: 0x72], [.paperEnd]),
            ([.paper: 0x1E], [.paperNearEnd]), ([.errorCause: 0x1A], [.cutter]),
            ([.offlineCause: 0x52, .errorCause: 0x1A], [.cutter]),
            ([.errorCause: 0x32], [.error]), ([.errorCause: 0x52], [.error]),
            ([.offlineCause: 0x36, .printer: 0x1A], [.coverOpen, .paperEnd]),
        ]
        for (answers, reasons) in meanings {
            #expect(ESCPOSStatus(answers).reasons == reasons, "\(answers)")
        }
    }

    @Test("Answers are distinguished, whatever comes between them")
    func answers() {
        var reader = AnswerReader()
        // XOFF, an automatic status of four bytes, XON, a block with its identifier.
        let bytes: [UInt8] = [
            0x13, 0x14, 0x00, 0x0F, 0x00, 0x12, 0x11, 0x5F, 0x12, 0x30, 0x00, 0x0F, 0x37, 0x25,
            0x00,
        ]
        #expect(bytes.compactMap { reader.read($0) } == [.status(0x12), .done, .cleared])
    }

    @Test("No dots form a command in real time, not even across two rows")
    func harmless() throws {
        let dots: [UInt8] = [
            0x10, 0x04, 0x10, 0x05, 0x10, 0x14, 0x10, 0x06, 0x01, 0x10, 0x04, 0x10,
        ]
        let page = try #require(DotPage(bytesPerRow: 2, bytes: dots))
        #expect(
            page.bands == [
                [0x1D, 0x76, 0x30, 0, 2, 0, 6, 0]
                    + [0x30, 0x04, 0x30, 0x05, 0x30, 0x14, 0x10, 0x06, 0x01, 0x30, 0x04, 0x10]
            ])
    }

    @Test("A page has whole rows, within the width and length of receipts")
    func pages() {
        #expect(DotPage(bytesPerRow: 0, bytes: []) == nil)
        #expect(DotPage(bytesPerRow: 257, bytes: []) == nil)
        #expect(DotPage(bytesPerRow: 2, bytes: [1]) == nil)
        #expect(DotPage(bytesPerRow: 1, bytes: Array(repeating: 0, count: 16_001)) == nil)
        #expect(DotPage(bytesPerRow: 1, bytes: [])?.bands == [])
    }

    @Test("Addresses of printers are read, and invalid ones refused")
    func addresses() {
        let good: [(String, DeviceAddress)] = [
            ("escpos://192.0.2.7", .network(host: "192.0.2.7", port: 9_100)),
            ("escpos://printer.local:9101/", .network(host: "printer.local", port: 9_101)),
            ("escpos://[2001:db8::7]", .network(host: "2001:db8::7", port: 9_100)),
            ("escpos://[2001:db8::7]:9101", .network(host: "2001:db8::7", port: 9_101)),
            ("escpos:/dev/usb/lp0", .file(path: "/dev/usb/lp0", baud: nil)),
            ("escpos:/dev/ttyS0?baud=19200", .file(path: "/dev/ttyS0", baud: 19_200)),
        ]
        for (text, address) in good { #expect(DeviceAddress(text) == address, "\(text)") }
        for text in [
            "", "escpos:", "escpos://", "escpos://:9100", "escpos://a:0", "escpos://a:x",
            "escpos://a:70000", "escpos:/etc/passwd", "escpos:/dev/../etc/passwd",
            "escpos:/dev/ttyS0?baud=1", "escpos:/dev/ttyS0?parity=even", "socket://a",
        ] { #expect(DeviceAddress(text) == nil, "\(text)") }
    }
}
