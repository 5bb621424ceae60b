import Foundation
import Glibc
import KioskFlow
import TestSupport
import Testing

/// Every way in which people try to leave such a machine; none may have an effect.
@Suite("Nothing but the machine", .serialized)
struct EscapeTests {
    /// Key codes of evdev (input-event-codes.h).
    private enum Key {
        static let escape: Int32 = 1, enter: Int32 = 28, control: Int32 = 29, alt: Int32 = 56
        static let shift: Int32 = 42, c: Int32 = 46, z: Int32 = 44, s: Int32 = 31, q: Int32 = 16
        static let backslash: Int32 = 43, d: Int32 = 32, f1: Int32 = 59, f2: Int32 = 60,
            f4: Int32 = 62
        static let backspace: Int32 = 14, delete: Int32 = 111, insert: Int32 = 110,
            sysRq: Int32 = 99
        static let pageUp: Int32 = 104, keypadPlus: Int32 = 78, tab: Int32 = 15,
            windows: Int32 = 125
        static let b: Int32 = 48
    }

    @Test("No keys of a keyboard, nor of a second one, leave the machine")
    func keys() async throws {
        try await LockedSession.with { product, session in
            let before = try await session.family()
            let chords: [[Int32]] = [
                [Key.control, Key.c], [Key.control, Key.z], [Key.control, Key.backslash],
                [Key.control, Key.d], [Key.control, Key.s], [Key.control, Key.q],
                [Key.alt, Key.enter], [Key.alt, Key.f1], [Key.alt, Key.f2], [Key.alt, Key.f4],
                [Key.alt, Key.tab], [Key.shift, Key.insert], [Key.shift, Key.pageUp],
                [Key.shift, Key.keypadPlus], [Key.windows],
                [Key.control, Key.alt, Key.f1], [Key.control, Key.alt, Key.f2],
                [Key.control, Key.alt, Key.delete], [Key.control, Key.alt, Key.backspace],
                [Key.sysRq], [Key.alt, Key.sysRq, Key.b],
            ]
            for keyboard in ["keyboard", "keyboard2"] {
                for chord in chords {
                    try session.panel.hold(chord, on: keyboard)
                    try session.panel.release(chord, on: keyboard)
                    // A key that presses the selected button is no way out; Escape leads back from there.
                    try await session.panel.press(Key.escape, on: keyboard)
                }
            }
            // The ring that shows where the keys are goes with the customer who used them.
            try await session.panel.press(Key.tab, on: "keyboard")
            // The answer to a key that asked for a ticket may come after its Escape.
            let isBackHome = try await eventually(within: .seconds(300)) {
                try await session.panel.press(Key.escape, on: "keyboard")
                try await session.clock.pass(KioskTiming.preferencesTimeout + .seconds(1))
                return try await session.isHome()
            }
            #expect(isBackHome, "\(product.lastEvents())")
            #expect(try await session.family() == before)
            // Output was not stopped, and no input is lost.
            try await takeTicket(product, session)
        }
    }

    @Test("No mouse button opens a menu, selects or pastes, with or without modifiers")
    func pointer() async throws {
        try await LockedSession.with { product, session in
            let panel = session.panel
            try await point(panel)
            for modifiers in [[], [Key.control], [Key.shift], [Key.alt], [Key.control, Key.shift]] {
                try panel.hold(modifiers)
                for button in 1...5 {
                    _ = try await panel.tool("xdotool", ["mousedown", "\(button)"])
                    // Open menus and selections are visible while the button is down.
                    if button <= 3 {
                        #expect(try await session.isHome(), "\(button), \(modifiers)")
                    }
                    _ = try await panel.tool("xdotool", ["mouseup", "\(button)"])
                }
                try panel.release(modifiers)
            }
            #expect(try await session.isHome())
            try await takeTicket(product, session)
        }
    }

    @Test("Without the line with its bindings, the terminal opens a menu: the attempt works")
    func pointerUnlocked() async throws {
        try await LockedSession.with(without: "XTerm*VT100.translations") { product, session in
            try await point(session.panel)
            try session.panel.hold([Key.control])
            _ = try await session.panel.tool("xdotool", ["mousedown", "1"])
            #expect(try await eventually { try await !session.isHome() })
        }
    }

    /// Moves the pointer where no screen has a button.
    private func point(_ panel: TouchPanel) async throws {
        let x = Int(Double(panel.width) * LockedSession.nothing.x)
        let y = Int(Double(panel.height) * LockedSession.nothing.y)
        _ = try await panel.tool("xdotool", ["mousemove", "\(x)", "\(y)"])
    }

    @Test("Every process is killed and every window closed in turn: the machine returns to Home")
    func chain() async throws {
        try await LockedSession.with { product, session in
            for name in ["clup-kiosk", "xterm", "clup-kiosk"] {
                let pid = try #require(try await session.pid(of: name))
                kill(pid, SIGKILL)
                try await expectAnother(name, than: pid, in: session)
            }
            // Another client of the display closes the window.
            for verb in ["windowclose", "windowkill"] {
                let pid = try #require(try await session.pid(of: "xterm"))
                _ = try await session.panel.tool(
                    "xdotool", ["search", "--onlyvisible", "--class", "XTerm", verb])
                if verb == "windowkill" {
                    try await expectAnother("xterm", than: pid, in: session)
                }
                #expect(try await session.isBackHome())
            }
            // If the session's script is killed, the manager ends the rest and starts it again.
            let all = try await session.family()
            try await session.restart(killing: all)
            #expect(try await session.isBackHome())
            // If the X server ends, the terminal ends with it and starts again with it.
            try await session.panel.killServer()
            #expect(try await session.isBackHome())
            try await takeTicket(product, session)
        }
    }

    private func expectAnother(
        _ name: String, than pid: pid_t, in session: LockedSession
    ) async throws {
        let isNew = try await eventually {
            let now = try await session.pid(of: name)
            return now != nil && now != pid
        }
        #expect(isNew)
        #expect(try await session.isBackHome())
    }

    @Test("Many crashes in a row end at Home, and only the machine ever ran in the terminal")
    func crashes() async throws {
        try await LockedSession.with { product, session in
            var last: pid_t = 0
            for _ in 0..<TestLength.choose(20, long: 100) {
                let pid = try await nextMachine(after: last, in: session)
                // As after a crash in Swift: its own crash report must ask no question.
                kill(pid, [SIGKILL, SIGSEGV, SIGILL, SIGABRT].randomElement() ?? SIGKILL)
                last = pid
            }
            #expect(try await session.isBackHome())
            try await takeTicket(product, session)
        }
    }

    private static let machine: Set = [
        "kiosk-session", "xterm", "clup-kiosk", "sleep", "sed", "date", "stat",
    ]

    /// Waits for the next machine process after another one; meanwhile only the machine's processes run.
    private func nextMachine(after last: pid_t, in session: LockedSession) async throws -> pid_t {
        var next: pid_t?
        _ = try await eventually {
            let all = try await session.family()
            let strange = all.map(\.name).filter { !Self.machine.contains($0) }
            #expect(strange == [])
            next = all.first { $0.name == "clup-kiosk" && $0.pid != last }?.pid
            return next != nil
        }
        if let next { return next }
        throw TestSupportError("the machine does not come back")
    }
}
