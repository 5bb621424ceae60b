import Foundation
import TerminalSurface
import TestSupport
import Testing

@testable import CursesTerminal

/// These tests run in turn: ncurses has one screen at a time, and setlocale reads the environment.
@Suite(.serialized) @MainActor
struct CursesTerminalTests {
    init() { setenv("LC_ALL", "C.UTF-8", 1) }

    private func surface(_ columns: Int, _ rows: Int, _ style: Style = Style(.white, on: .black))
        -> Surface
    {
        Surface(size: GridSize(columns: columns, rows: rows), style: style)
    }

    /// A terminal of a type in a pane of 40 x 10.
    private func opened(_ type: String) throws -> (Tmux, CursesTerminal) {
        let pane = try Tmux(columns: 40, rows: 10)
        let terminal = try CursesTerminal(
            input: pane.descriptor, output: pane.descriptor, type: type)
        return (pane, terminal)
    }

    /// A pane of 40 x 10 that shows the word `before`, and its modes.
    private func before() throws -> (Tmux, termios) {
        let pane = try Tmux(columns: 40, rows: 10)
        try "before".data(using: .utf8)!.write(to: URL(filePath: pane.tty))
        #expect(try pane.shows { $0.first == "before" })
        return (pane, modes(pane))
    }

    private func modes(_ pane: Tmux) -> termios {
        var modes = termios()
        tcgetattr(pane.descriptor, &modes)
        return modes
    }

    private func expectRestored(_ pane: Tmux, to before: termios, _ way: Comment? = nil) throws {
        #expect(try pane.shows { $0.first == "before" }, way)
        #expect(try pane.value("#{alternate_on}#{mouse_any_flag}#{cursor_flag}") == "001", way)
        let after = modes(pane)
        #expect(after.c_lflag == before.c_lflag && after.c_iflag == before.c_iflag, way)
        #expect(after.c_oflag == before.c_oflag, way)
    }

    /// The next events, when there are `count`.
    private func events(_ terminal: CursesTerminal, count: Int) -> [TerminalEvent] {
        var events: [TerminalEvent] = []
        _ = blocks {
            events += terminal.read()
            return events.count >= count
        }
        return events
    }

    @Test(
        "A frame is shown as it was drawn, whatever colours the terminal has",
        arguments: [
            ("tmux-256color", 256), ("xterm-256color", 256), ("screen-256color", 256),
            ("linux", 8), ("xterm", 8), ("vt100", 0),
        ])
    func draws(_ type: String, _ colours: Int) throws {
        let (pane, terminal) = try opened(type)
        defer { terminal.giveBack() }
        #expect(terminal.colours == colours && terminal.size == GridSize(columns: 40, rows: 10))
        var frame = surface(40, 10)
        frame.put("Città 超市 x", row: 1, column: 2, Style(.white, on: .black, bold: true))
        frame.put("╔═►", row: 3, column: 0, Style(.black, on: Colour(0xFFD60A)))
        frame.put("last", row: 9, column: 36, Style(Colour(0x5A6A82), on: .black))
        terminal.draw(frame)
        #expect(
            try pane.shows {
                $0.count > 9 && $0[1] == "  Città 超市 x" && $0[3].hasPrefix("╔═►")
                    && $0[9].hasSuffix("last")
            })
    }

    @Test("A frame is sent in one piece, wherever it differs from the one before")
    func onePiece() throws {
        let (pane, terminal) = try opened("xterm-256color")
        defer { terminal.giveBack() }
        terminal.draw(surface(40, 10))
        var frame = surface(40, 10)
        for row in 0..<10 {
            frame.put("left", row: row, column: 1, Style(.white, on: .black))
            frame.put("right", row: row, column: 34, Style(.white, on: .black))
        }
        // The calls of write(2) of this thread so far (proc(5), io).
        func writes() throws -> Int {
            let lines = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
                .split(separator: "\n")
            let line = try #require(lines.first { $0.hasPrefix("syscw: ") })
            return try #require(Int(line.dropFirst("syscw: ".count)))
        }
        let before = try writes()
        terminal.draw(frame)
        #expect(try writes() == before + 1)
        #expect(try pane.shows { $0.count > 9 && $0[9].hasPrefix(" left") })
    }

    @Test("Without colours, text lighter than its background is plain, darker text is reversed")
    func monochrome() {
        var inks = ColourPalette()
        let plain = inks.attributes(of: Style(.white, on: .black))
        let reverse = inks.attributes(of: Style.code)
        #expect(plain.0 == 0 && reverse.0 != 0 && plain.1 == 0 && reverse.1 == 0)
    }

    @Test("The nearest colour of one in the palette is that colour")
    func palette() {
        for index in 16..<256 {
            let colour = XtermPalette.colour(index, of: 256)
            let nearest = XtermPalette.nearest(to: colour, of: 256) { _ in false }
            #expect(XtermPalette.colour(nearest, of: 256) == colour)
        }
        #expect(XtermPalette.nearest(to: Colour(0xFFD60A), of: 8) { _ in false } == 3)
        #expect(XtermPalette.nearest(to: .white, of: 8) { _ in false } == 7)
        #expect(XtermPalette.nearest(to: .black, of: 8) { _ in false } == 0)
    }

    @Test("Text never has the colour of its background, and any number of styles needs few pairs")
    func bounded() throws {
        let (pane, terminal) = try opened("linux")
        defer { terminal.giveBack() }
        var inks = ColourPalette.started()
        for value in stride(from: UInt32(0), to: 0xFFFFFF, by: 4_099) {
            let colour = Colour(value)
            let nearly = Colour(value ^ 0x010101)
            // Eight colours make 56 pairs that differ, and the terminal has 63: none is refused.
            let (attributes, pair) = inks.attributes(of: Style(colour, on: nearly))
            #expect(pair > 0 && pair < 64 && attributes == 0)
        }
        var frame = surface(40, 10, Style(Colour(0x101010), on: Colour(0x111111)))
        frame.put("seen", row: 0, column: 0, Style(Colour(0x101010), on: Colour(0x111111)))
        terminal.draw(frame)
        #expect(try pane.shows { $0.first == "seen" })
    }

    @Test("Keys and touches arrive with their meaning")
    func input() throws {
        let (pane, terminal) = try opened("xterm-256color")
        defer { terminal.giveBack() }
        #expect(terminal.read().isEmpty)
        try pane.type("\u{1B}[<0;8;3M")
        #expect(events(terminal, count: 1) == [.press(GridPosition(row: 2, column: 7))])
        try pane.type("\u{1B}[<0;9;4m")
        #expect(events(terminal, count: 1) == [.release(GridPosition(row: 3, column: 8))])
        try pane.type("\u{1B}[<0;8;3M\u{1B}[<0;8;3m")
        #expect(events(terminal, count: 1) == [.click(GridPosition(row: 2, column: 7))])
        try pane.type("7é")
        #expect(events(terminal, count: 2) == [.key(.character("7")), .key(.character("é"))])
        try pane.press("Tab", "Space", "Enter", "BSpace")
        #expect(
            events(terminal, count: 4) == [
                .key(.next), .key(.space), .key(.choose), .key(.erase),
            ])
        try pane.type("\u{1B}OB\u{1B}OA\u{1B}[Z")
        #expect(events(terminal, count: 3) == [.key(.next), .key(.previous), .key(.previous)])
        try pane.press("Escape")
        #expect(events(terminal, count: 1) == [.key(.back)])
        try pane.press("C-c")
        #expect(events(terminal, count: 1) == [.interrupt])
        // These are characters like others: they stop nothing, and spoil a code that contains them.
        try pane.press("C-z", "C-\\", "C-s", "C-q", "x")
        #expect(
            events(terminal, count: 5)
                == "\u{1A}\u{1C}\u{13}\u{11}x".unicodeScalars.map { .key(.character($0)) })
    }

    /// ncurses 6.6 (January 2026) mixes up its queue of events when it does not wait for clicks, as here.
    @Test("Of many touches in a row each counts once and at its place")
    func manyTouches() throws {
        let (pane, terminal) = try opened("xterm-256color")
        defer { terminal.giveBack() }
        for number in 0..<40 {
            let place = GridPosition(row: number % 9, column: (number * 7) % 39)
            let report = "\u{1B}[<0;\(place.column + 1);\(place.row + 1)"
            try pane.type(report + "M")
            #expect(events(terminal, count: 1) == [.press(place)], "\(number)")
            try pane.type(report + "m")
            #expect(events(terminal, count: 1) == [.release(place)], "\(number)")
        }
        #expect(terminal.read().isEmpty)
    }

    @Test("A touch whose report was cut off does nothing, and the next one counts")
    func brokenReport() throws {
        let (pane, terminal) = try opened("tmux-256color")
        defer { terminal.giveBack() }
        try pane.type("\u{1B}[<0;8;\u{1B}[<0;8;3M")
        #expect(events(terminal, count: 1) == [.press(GridPosition(row: 2, column: 7))])
        try pane.type("\u{1B}[<0;9x")
        #expect(events(terminal, count: 1) == [.key(.character("x"))])
    }

    @Test("A key that the terminal's description lacks is one key, and no text")
    func unknownKeys() throws {
        let (pane, terminal) = try opened("xterm-256color")
        defer { terminal.giveBack() }
        // xterm's Ctrl-Alt-F2, a device report, and a mouse report of another mode.
        for sequence in ["[1;7Q", "[?1;2c", "[32;8;3M"] {
            try pane.type("\u{1B}\(sequence)x")
            #expect(
                events(terminal, count: 2) == [.key(.function(0)), .key(.character("x"))],
                "\(sequence)")
        }
        // Characters that form no sequence in the end count as typed.
        try pane.type("\u{1B}[é")
        #expect(
            events(terminal, count: 3) == [
                .key(.back), .key(.character("[")), .key(.character("é")),
            ])
    }

    @Test("A resize is applied when it is reported, and the next frame fills the new size")
    func resize() throws {
        let (pane, terminal) = try opened("tmux-256color")
        defer { terminal.giveBack() }
        terminal.draw(surface(40, 10))
        try pane.resize(columns: 70, rows: 16)
        _ = blocks { terminal.size.columns == 70 }
        #expect(terminal.resized() == GridSize(columns: 70, rows: 16))
        var frame = surface(70, 16)
        frame.put("corner", row: 15, column: 64, Style(.white, on: .black))
        terminal.draw(frame)
        #expect(try pane.shows { $0.count > 15 && $0[15].hasSuffix("corner") })
        // A frame of another size than the terminal's is cut off or has blanks beside it.
        terminal.draw(surface(200, 100))
        terminal.draw(surface(3, 3))
        #expect(try pane.shows { $0.allSatisfy { $0.trimmingCharacters(in: .whitespaces) == "" } })
    }

    @Test("The terminal is restored as it was, once, and later calls do nothing")
    func loan() throws {
        let (pane, before) = try before()
        let terminal = try CursesTerminal(
            input: pane.descriptor, output: pane.descriptor, type: "tmux-256color")
        var frame = surface(40, 10)
        frame.put("during", row: 0, column: 0, Style(.white, on: .black))
        terminal.draw(frame)
        #expect(try pane.shows { $0.first == "during" })
        #expect(try pane.value("#{alternate_on}#{mouse_any_flag}#{cursor_flag}") == "110")
        terminal.giveBack()
        terminal.giveBack()
        terminal.draw(frame)
        #expect(terminal.read() == [.hangup])
        try expectRestored(pane, to: before)
    }

    @Test("A terminal that cannot show screens is refused with the remedy before a byte is written")
    func refused() throws {
        let (pane, _) = try before()
        func refusal(_ input: Int32, _ output: Int32, _ type: String) throws -> TerminalError {
            try #require(throws: TerminalError.self) {
                try CursesTerminal(input: input, output: output, type: type)
            }
        }
        let null = open("/dev/null", O_RDWR)
        defer { close(null) }
        let tty = pane.descriptor
        #expect(try refusal(null, tty, "xterm").code == .notATerminal)
        #expect(try refusal(tty, null, "xterm").code == .notATerminal)
        let unknown = try refusal(tty, tty, "no-such\u{1B}[2Jthing")
        #expect(unknown.code == .unknownTerminal && unknown.description.contains("ncurses-term"))
        #expect(!unknown.description.contains("\u{1B}"))
        #expect(try refusal(tty, tty, "").code == .unknownTerminal)
        #expect(try refusal(tty, tty, "dumb").code == .cannotBePainted)
        setenv("LC_ALL", "C", 1)
        defer { setenv("LC_ALL", "C.UTF-8", 1) }
        let locale = try refusal(tty, tty, "xterm")
        #expect(locale.code == .localeNotUTF8 && locale.description.contains("LC_ALL=C.UTF-8"))
        #expect(try pane.shows { $0.first == "before" })
        #expect(try pane.value("#{alternate_on}") == "0")
    }

    @Test("The terminal is restored when a program crashes, and when it just exits")
    func crashes() async throws {
        for way in ["trap", "exit"] {
            let (pane, before) = try before()
            setenv("CLUP_TEST_TTY", pane.tty, 1)
            setenv("CLUP_TEST_WAY", way, 1)
            await #expect(processExitsWith: .failure) {
                await MainActor.run {
                    let tty = open(String(cString: getenv("CLUP_TEST_TTY")), O_RDWR | O_NOCTTY)
                    guard
                        let terminal = try? CursesTerminal(
                            input: tty, output: tty, type: "xterm-256color")
                    else { exit(0) }
                    terminal.draw(
                        Surface(
                            size: GridSize(columns: 40, rows: 10), style: Style(.white, on: .black))
                    )
                    if String(cString: getenv("CLUP_TEST_WAY")) == "exit" { exit(7) }
                    fatalError("on purpose")
                }
            }
            try expectRestored(pane, to: before, "\(way)")
        }
    }
}
