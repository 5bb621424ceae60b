import CNcurses

extension CursesTerminal {
    /// Stores the bytes that restore the terminal, from the description that was begun, for the moment when ncurses
    /// itself can no longer be called.
    static func armRestore(_ descriptor: Int32) {
        var bytes: [CChar] = []
        // These bytes turn mouse reports off; a terminal that does not know the modes ignores them.
        for byte in "\u{1B}[?1006l\u{1B}[?1000l".utf8 { bytes.append(CChar(bitPattern: byte)) }
        // These strings restore attributes, colours, keypad, cursor and screen, as endwin of ncurses does
        // (curs_initscr(3X)).
        for name in ["sgr0", "op", "oc", "rmkx", "cnorm", "rmcup"] {
            var room = [CChar](repeating: 0, count: 40)
            let length = clup_description_string(name, &room, room.count)
            bytes += room.prefix(length)
        }
        _ = clup_restore_arm(descriptor, bytes, bytes.count)
    }
}
