import CNcurses
import Glibc
public import TerminalSurface

/// The kiosk's terminal through ncursesw. It is given back by `giveBack`, with the last reference, when the process
/// exits and when it dies of a fault.
///
/// The program handles signals: its handler of SIGTERM, SIGINT and SIGHUP calls `giveBack`, and its handler of
/// SIGWINCH calls `resized`, because a Dispatch source takes the signal for which ncurses waits.
@MainActor public final class CursesTerminal {
    /// The descriptor for a Dispatch source; whenever it is readable, `read` takes all input.
    public nonisolated let inputDescriptor: Int32
    private let output: Int32
    private let outputFile: UnsafeMutablePointer<FILE>
    private let inputFile: UnsafeMutablePointer<FILE>
    private var screen: OpaquePointer?
    private var inks: ColourPalette
    private var reports = SGRMouse()
    /// What ncurses' window holds; nil if that is not known.
    private var drawn: Surface?

    /// A local terminal sends an escape sequence in one piece, so a person's Escape need not wait for longer than a
    /// frame and a half (curs_getch(3X), ESCDELAY).
    private static let escapeDelayMs: Int32 = 25

    /// Takes the terminal; throws `TerminalError` before a byte is written to it.
    ///
    /// - Parameters:
    ///   - input, output: descriptors of one terminal, by default standard input and output; the caller still has to
    ///     close them.
    ///   - type: its name in the terminal descriptions, by default the variable TERM.
    public init(input: Int32 = 0, output: Int32 = 1, type: String? = nil) throws(TerminalError) {
        let type = type ?? getenv("TERM").map { String(cString: $0) } ?? ""
        try Self.check(input: input, output: output, type: type)
        guard let outputFile = Self.open(output, "w"), let inputFile = Self.open(input, "r") else {
            clup_restore_disarm()
            throw TerminalError(.failed, "No file descriptor is left for the terminal.")
        }
        self.outputFile = outputFile
        self.inputFile = inputFile
        self.output = output
        inputDescriptor = input
        inks = ColourPalette()
        guard let screen = newterm(type, outputFile, inputFile) else {
            clup_restore_disarm()
            fclose(outputFile)
            fclose(inputFile)
            throw TerminalError(.failed, "ncurses cannot start on a terminal \"\(type)\".")
        }
        self.screen = screen
        // A screen that has been left and entered again gets each frame in one piece; until then ncurses would send
        // each move of the cursor by itself.
        endwin()
        doupdate()
        Self.setModes()
        reportPlaces(true)
        inks = ColourPalette.started()
        resized()
    }

    /// Inspects a terminal without taking it; throws the errors of `init`, and returns the size and whether the
    /// terminal's type reports touches.
    public static func inspect(
        input: Int32 = 0, output: Int32 = 1
    ) throws(TerminalError) -> (size: GridSize, reportsTouch: Bool) {
        let type = getenv("TERM").map { String(cString: $0) } ?? ""
        let reportsTouch = try check(input: input, output: output, type: type)
        clup_restore_disarm()
        return (reportedSize(of: output) ?? GridSize(columns: 0, rows: 0), reportsTouch)
    }

    isolated deinit { giveBack() }

    /// Columns and rows that the terminal reports now; `resized` adapts the window of ncurses to them.
    public var size: GridSize {
        if let size = Self.reportedSize(of: output) { return size }
        let window = clup_stdscr()
        return GridSize(columns: Int(getmaxx(window)), rows: Int(getmaxy(window)))
    }

    private static func reportedSize(of output: Int32) -> GridSize? {
        var rows: Int32 = 0
        var columns: Int32 = 0
        guard clup_terminal_size(output, &rows, &columns) else { return nil }
        return GridSize(columns: Int(columns), rows: Int(rows))
    }

    /// The number of the terminal's colours: 256 and more, 8 or 16, or 0 if it has none.
    public var colours: Int { screen == nil ? 0 : inks.colours }

    /// Adapts to the terminal's present size, to be called at SIGWINCH; the next `draw` repaints everything.
    @discardableResult public func resized() -> GridSize {
        let size = size
        guard screen != nil, size.rows > 0, size.columns > 0 else { return size }
        resizeterm(Int32(size.rows), Int32(size.columns))
        // It is not known what a terminal shows after a resize.
        clearok(clup_curscr(), true)
        drawn = nil
        return size
    }

    /// Draws a whole frame; ncurses gets the rows that differ from the frame before, and sends only their differences.
    public func draw(_ surface: Surface) {
        guard screen != nil, let window = clup_stdscr() else { return }
        let rows = min(surface.size.rows, Int(getmaxy(window)))
        let columns = min(surface.size.columns, Int(getmaxx(window)))
        if rows < Int(getmaxy(window)) || columns < Int(getmaxx(window)) {
            werase(window)
            drawn = nil
        }
        for row in 0..<rows where drawn?.hasSameRow(row, as: surface) != true {
            draw(row: row, of: surface, columns: columns, in: window)
        }
        drawn = surface
        wnoutrefresh(window)
        doupdate()
    }

    /// Takes the input that has arrived; the caller has to notice a resize.
    ///
    /// At most 512 events are taken in a call, so that a flood of input leaves time to draw; the descriptor stays
    /// readable then.
    public func read() -> [TerminalEvent] {
        guard screen != nil, let window = clup_stdscr() else { return [.hangup] }
        var events: [TerminalEvent] = []
        while events.count < 512 {
            var character: wint_t = 0
            let kind = wget_wch(window, &character)
            if kind == ERR { break }
            if kind == KEY_CODE_YES {
                events += event(key: Int32(bitPattern: character))
                continue
            }
            switch reports.take(character) {
            case .other: events += event(character)
            case .taken: break
            case .event(let event): events.append(event)
            case .typed(let codes): events += codes.flatMap { event($0) }
            }
        }
        events += reports.flush().flatMap { event($0) }
        if events.isEmpty, clup_hung_up(inputDescriptor) { return [.hangup] }
        return events
    }

    /// Makes a short sound if the terminal has one.
    public func beep() { if screen != nil { CNcurses.beep() } }

    /// Gives the terminal back as it was; calls after that do nothing.
    public func giveBack() {
        guard let screen else { return }
        self.screen = nil
        mousemask(0, nil)
        reportPlaces(false)
        endwin()
        delscreen(screen)
        clup_restore_disarm()
        fclose(outputFile)
        fclose(inputFile)
    }

    // MARK: Drawing

    /// Draws a row with one call for each run of cells; after a character to which the terminal might give another
    /// width, the position is set again.
    private func draw(
        row: Int, of surface: Surface, columns: Int, in window: UnsafeMutablePointer<WINDOW>
    ) {
        var column = 0
        var run: [cchar_t] = []
        run.reserveCapacity(columns)
        // Neighbours mostly look the same.
        var style = surface[row, column].style
        var look = inks.attributes(of: style)
        while column < columns {
            let start = column
            run.removeAll(keepingCapacity: true)
            while column < columns {
                let cell = surface[row, column]
                column += max(cell.width, 1)
                if cell.style != style {
                    style = cell.style
                    look = inks.attributes(of: style)
                }
                // Half of a wide character is left at the edge of a screen that has become narrower.
                if cell.width == 0 || column > columns {
                    run.append(clup_cell(0x20, 0, 0, look.0, look.1))
                    break
                }
                let marks = cell.marks
                run.append(clup_cell(cell.base, marks.0, marks.1, look.0, look.1))
                if !Self.isSurelySingle(cell) { break }
            }
            wmove(window, Int32(row), Int32(start))
            wadd_wchnstr(window, run, Int32(run.count))
        }
    }

    private static func isSurelySingle(_ cell: Cell) -> Bool {
        guard cell.marks.0 == 0 else { return false }
        // Characters of private use are those of the machine's own font.
        return cell.base < 0x250 || (0x2500...0x259F).contains(cell.base)
            || (0xE000...0xF8FF).contains(cell.base) || (0xF0000...0xFFFFD).contains(cell.base)
    }

    // MARK: Reading

    private func event(_ code: wint_t) -> [TerminalEvent] {
        switch code {
        case 0x03: return [.interrupt]
        case 0x09: return [.key(.next)]
        case 0x0A, 0x0D: return [.key(.choose)]
        case 0x20: return [.key(.space)]
        case 0x1B: return [.key(.back)]
        case 0x08, 0x7F: return [.key(.erase)]
        default:
            guard let scalar = Unicode.Scalar(code) else { return [] }
            return [.key(.character(scalar))]
        }
    }

    private func event(key: Int32) -> [TerminalEvent] {
        switch key {
        case KEY_DOWN, KEY_RIGHT, KEY_NPAGE: [.key(.next)]
        case KEY_UP, KEY_LEFT, KEY_PPAGE, KEY_BTAB: [.key(.previous)]
        case KEY_ENTER: [.key(.choose)]
        case KEY_BACKSPACE: [.key(.erase)]
        case KEY_MOUSE: mouse()
        // KEY_F(n) is KEY_F0 + n (curses.h).
        case KEY_F0 + 1...KEY_F0 + 12: [.key(.function(Int(key - KEY_F0)))]
        default: []
        }
    }

    /// A mouse event; ncurses joins a press and a release that it reads together into a click.
    private func mouse() -> [TerminalEvent] {
        var report = MEVENT()
        guard getmouse(&report) == OK else { return [] }
        let place = GridPosition(row: Int(report.y), column: Int(report.x))
        var events: [TerminalEvent] = []
        if report.bstate & clup_button1_pressed != 0 { events.append(.press(place)) }
        if report.bstate & clup_button1_released != 0 { events.append(.release(place)) }
        if report.bstate & clup_button1_clicked != 0 { events.append(.click(place)) }
        return events
    }

    // MARK: Starting

    /// Checks the terminal and leaves the restore armed; returns whether the type's description has a mouse (kmous,
    /// curs_mouse(3X)).
    @discardableResult private static func check(input: Int32, output: Int32, type: String)
        throws(TerminalError) -> Bool
    {
        guard isatty(input) == 1, isatty(output) == 1 else {
            throw TerminalError(
                .notATerminal,
                "The kiosk needs a terminal for its input and its output; "
                    + "start it in one, without < > or |.")
        }
        guard clup_locale_is_utf8() else {
            throw TerminalError(
                .localeNotUTF8,
                "The locale is not one of UTF-8; "
                    + "set LC_ALL=C.UTF-8 and start the kiosk again.")
        }
        let name = PlainText.clean(type, limit: 40)
        guard !type.isEmpty, clup_description_begin(type, output) == 1 else {
            throw TerminalError(
                .unknownTerminal,
                "The terminal type TERM=\"\(name)\" is not known here; "
                    + "set TERM=xterm-256color or install ncurses-term.")
        }
        defer { clup_description_end() }
        // The type `dumb` is known, but its screen cannot be painted.
        var room = [CChar](repeating: 0, count: 1)
        guard clup_description_string("cup", &room, room.count) > 0 else {
            throw TerminalError(
                .cannotBePainted,
                "A terminal of the type TERM=\"\(name)\" cannot place its cursor; "
                    + "use one like xterm-256color, tmux-256color or linux.")
        }
        armRestore(output)
        return clup_description_string("kmous", &room, room.count) > 0
    }

    private static func open(_ descriptor: Int32, _ mode: String) -> UnsafeMutablePointer<FILE>? {
        let copy = dup(descriptor)
        guard copy >= 0 else { return nil }
        guard let file = fdopen(copy, mode) else {
            close(copy)
            return nil
        }
        return file
    }

    /// Switches mode 1006 for terminals for which ncurses does not; see `SGRMouse`.
    private func reportPlaces(_ isOn: Bool) {
        let bytes = Array("\u{1B}[?1006\(isOn ? "h" : "l")".utf8)
        _ = write(output, bytes, bytes.count)
    }

    private static func setModes() {
        raw()
        noecho()
        nonl()
        curs_set(0)
        set_escdelay(escapeDelayMs)
        let window = clup_stdscr()
        keypad(window, true)
        nodelay(window, true)
        intrflush(window, false)
        scrollok(window, false)
        leaveok(window, true)
        // A frame is sent whole, also if a touch arrives meanwhile.
        typeahead(-1)
        // Without CLICKED, a press and a release that are read together would be reported as a lone release.
        mousemask(clup_button1_pressed | clup_button1_released | clup_button1_clicked, nil)
        // 0: ncurses does not wait for a release that would make a click (curs_mouse(3X)).
        mouseinterval(0)
    }
}
