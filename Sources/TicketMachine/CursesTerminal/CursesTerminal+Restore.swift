import CNcurses

extension CursesTerminal {
    /// Stores, from the description begun, what puts the terminal back, for the moment when ncurses itself can no longer be called.
    static func armRestore(_ descriptor: Int32) {
        var bytes: [CChar] = []
        // Mouse reports off; a terminal that does not know the modes passes over them.
        for byte in "\u{1B}[?1006l\u{1B}[?1000l".utf8 { bytes.append(CChar(bitPattern: byte)) }
        // Attributes, colours, keypad, cursor, screen: as ncurses's own endwin (curs_initscr(3X)).
        for name in ["sgr0", "op", "oc", "rmkx", "cnorm", "rmcup"] {
            var room = [CChar](repeating: 0, count: 40)
            let length = clup_description_string(name, &room, room.count)
            bytes += room.prefix(length)
        }
        _ = clup_restore_arm(descriptor, bytes, bytes.count)
    }
}
