import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Readers of every kind, on real parts [UC13]")
struct DoorReaderTests {
    private static let unreadable = "Tieni il biglietto disteso e fermo"
    private static let question = "disdire"

    /// The keys of a code and Enter as X numbers them: the numbers of Linux plus 8.
    private static func keys(_ code: String) -> [String] {
        (code + "\r").map { character in
            let key = (ReaderKeys.place(of: character) ?? 0) + 8
            // Key 50 is the left Shift.
            return ReaderKeys.isShifted(character) ? "50+\(key)" : "\(key)"
        }
    }

    @Test("A US reader is understood with every keyboard layout that a shop may have set")
    func layouts() async throws {
        try await Product.with { product in
            let code = try await product.kiosk { screen in try await product.ticket(on: screen) }
            try await FaultProxy.with(to: product.services.backend) { proxy in
                let command = product.kiosk(["backend": proxy.address])
                try await XTerminal.with(command: command) { screen in
                    for layout in ["us", "gb", "it", "de", "es", "fr"] {
                        try await screen.setKeyboard(layout)
                        let before = proxy.asked("POST", "/reservations/lookup").count
                        // The machine may show any screen, and a slow computer may split a burst.
                        let isRead = try await eventually {
                            try await screen.press(["Escape"])
                            try await screen.clock.pass(.milliseconds(600))
                            try await screen.press(Self.keys(code))
                            return await eventually(within: .seconds(1)) {
                                proxy.asked("POST", "/reservations/lookup").count > before
                            }
                        }
                        #expect(isRead, "\(layout)")
                        let body = proxy.asked("POST", "/reservations/lookup").last?.body ?? []
                        #expect(String(decoding: body, as: UTF8.self).contains(code), "\(layout)")
                    }
                }
            }
        }
    }

    @Test(
        "A scan in the middle of an offer is only a beep; with any end of a burst the reservation is shown, and the end presses no button; garbage, controls and escape sequences cannot be read, and have no other effect"
    )
    func ends() async throws {
        try await Product.withKiosk { product, screen in
            let code = try await product.ticket(on: screen)
            let states = "SELECT state FROM reservation ORDER BY state"
            try await screen.press("Enter", shows: Words.confirm)
            #expect(try await !screen.hasBeeped())
            try await screen.types(code, end: "\r\n")
            #expect(try await eventually { try await screen.hasBeeped() })
            try await screen.shows(Words.confirm, Words.cancel)
            #expect(try await product.rows(states) == ["called", "pending"])
            try await screen.press("Escape", shows: Words.home)

            for end in ["\r", "\n", "\r\n", "\t", "", "\t\r\n", "\r" + code + "\r"] {
                try await screen.types(code, end: end, shows: Self.question, Words.keep)
                // If the end had counted as a key, it would have chosen a button by now.
                try await screen.press("Escape", shows: Words.home)
            }
            // The characters before a code do not press the button in focus either.
            for start in [" ", "\r", "\t"] {
                try await screen.types(start + code, shows: Self.question, Words.keep)
                try await screen.press("Escape", shows: Words.home)
            }
            try await screen.types(String(code.prefix(20)), end: "", shows: Self.unreadable)
            try await screen.types(code, shows: Self.question)
            try await screen.press("Escape", shows: Words.home)
            #expect(try await product.codes() == [code])

            for text in [
                String(repeating: "x", count: 4_096), String(repeating: "CLUP:1:", count: 600),
                "BEGIN:VCARD\nVERSION:3.0\nN:A\nEND:VCARD", code + "0",
                "\(code.prefix(12))\u{1}\(code.dropFirst(12))",
                "\(code.prefix(12))\u{1B}[2J\(code.dropFirst(12))",
                "\(code.prefix(12))\u{1B}[<0;40;9M\u{1B}[<0;40;9m\u{1B}[<0;60;17M\u{1B}[<0;60;17m",
                "https://example.com/free ticket?confirm=yes", "'; DROP TABLE reservation;--",
                "CLUP:2" + code.dropFirst(6),
            ] {
                try await screen.types(text, shows: Self.unreadable, Words.again)
                try await screen.press("Escape", shows: Words.home)
            }
            // No place was asked for but the one that was offered, and none was deleted.
            #expect(try await product.rows(states) == ["called", "deleted"])
        }
    }

    @Test("A serial reader: without it the digits are asked for, with it the ticket is read")
    func serial() async throws {
        try await Product.with { product in
            let reader = product.folder.file("reader")
            try await product.kiosk(settings: ["reader": reader]) { screen in
                let code = try await product.ticket(on: screen)
                try await screen.touch(row: 15, column: 40)
                try await screen.shows("non funziona", "Digita le dieci cifre")
                let serial = try PseudoTerminalDevice()
                let master = serial.master
                #expect(symlink(serial.path, reader) == 0)
                try await screen.shows("luce rossa")
                let line = Array((code + "\r\n").utf8)
                #expect(write(master, line, line.count) == line.count)
                try await screen.shows(Self.question)
                try await screen.press("Escape", shows: Words.home)
                close(master)
                unlink(reader)
                try await screen.touch(row: 15, column: 40)
                try await screen.shows("non funziona")
            }
        }
    }

    @Test("A keyboard reader is opened exclusively, and its key events are codes")
    func keyboard() async throws {
        try await Product.with { product in
            let device = product.folder.file("event")
            let trace = product.folder.file("trace")
            #expect(mkfifo(device, 0o600) == 0)
            // It is open for reading too, so that the pipe has no end before the kiosk opens it.
            let writer = open(device, O_RDWR | O_CLOEXEC)
            defer { close(writer) }
            // strace answers in place of the kernel that this is an event device and that it is opened exclusively.
            let strace =
                "strace -f --seccomp-bpf -o \(trace) -P \(device) -e trace=ioctl "
                + "-e inject=ioctl:retval=0 "
            try await TmuxTerminal.with(
                columns: 80, rows: 24, command: strace + product.kiosk(["reader": device])
            ) { screen in
                let code = try await product.ticket(on: screen)
                let asked = try String(contentsOfFile: trace, encoding: .utf8)
                #expect(asked.contains("EVIOCGRAB, 1)"), "\(asked)")
                let events = ReaderKeys.events(typing: code + "\r")
                #expect(write(writer, events, events.count) == events.count)
                try await screen.shows(Self.question)
            }
        }
    }
}
