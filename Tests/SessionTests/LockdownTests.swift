import Foundation
import Glibc
import TestSupport
import Testing

/// Each line of the lock-down of the terminal, of its session's script and of the X server is needed: with it
/// an attempt has no effect, without it that attempt succeeds.
@Suite("Each line of the lock-down", .serialized)
struct LockdownTests {
    /// Values that an attacker would have set on the X server beforehand.
    private static let hostile = [
        "termName": "vt100", "locale": "false", "utf8": "0", "faceName": "Nothing",
        "borderWidth": "9", "internalBorder": "9", "background": "pink", "foreground": "pink",
        "cursorBlink": "true", "visualBell": "true", "bellIsUrgent": "true",
        "ptyInitialErase": "false", "utmpInhibit": "false", "saveLines": "500",
        "scrollBar": "true", "hold": "true", "pointerMode": "0",
        "VT100.translations": "#override <KeyPress>: insert-selection(PRIMARY)",
        "allowSendEvents": "true", "allowWindowOps": "true", "allowTitleOps": "true",
        "allowFontOps": "true", "allowColorOps": "true", "allowTcapOps": "true",
        "allowPasteControls": "true", "logInhibit": "false", "logging": "true",
        "printerCommand": "cat", "maxGraphicSize": "999x999",
    ]

    @Test("Resources on the X server do not replace the terminal's; without its line, one does")
    func resources() async throws {
        try await TouchPanel.with { panel in
            let database = panel.folder.file("hostile")
            try Self.hostile.map { "XTerm*\($0.key): \($0.value)\n" }.joined().write(
                toFile: database, atomically: true, encoding: .utf8)
            _ = try await panel.tool("xrdb", ["-load", database])
            let shipped = try String(
                contentsOf: Tool.repository.appending(path: "Kiosk/session.d/XTerm"),
                encoding: .utf8)
            let file = panel.folder.file("XTerm")
            /// The resources that have the server's values.
            func taken(_ text: String) async throws -> [String] {
                try text.write(toFile: file, atomically: true, encoding: .utf8)
                let all = try await Tool.succeed(
                    "appres", ["XTerm", "xterm"],
                    environment: ["DISPLAY": panel.display, "XENVIRONMENT": file])
                let lines = all.split(separator: "\n")
                return Self.hostile.filter { lines.contains("XTerm*\($0.key):\t\($0.value)") }
                    .map(\.key)
            }
            #expect(try await taken(shipped) == [])
            let names = shipped.split(separator: "\n").filter { $0.hasPrefix("XTerm*") }
                .map { String($0.dropFirst(6).prefix { $0 != ":" }) }
            #expect(Set(names) == Set(Self.hostile.keys))
            for name in names {
                let rest = try LockedSession.taking("XTerm*\(name):", outOf: shipped)
                #expect(try await taken(rest) == [name])
            }
        }
    }

    // MARK: Access for a program in the terminal

    private static let requests = [
        "allowWindowOps", "allowTitleOps", "allowFontOps", "allowColorOps", "allowTcapOps",
        "printerCommand", "allowSendEvents",
    ]

    @Test("Drawn text asks and prints nothing, no other client types; without a line, it does")
    func attempts() async throws {
        try await TouchPanel.with { panel in
            let hostile = panel.folder.file("hostile")
            let printed = panel.folder.file("printed")
            let command = try panel.folder.writeProgram(
                "#!/bin/sh\ncat >\(printed)\n", to: "printer")
            // The resource that the printer's line names, and all the others.
            try Self.hostile.merging(["printerCommand": command]) { $1 }
                .filter { Self.requests.contains($0.key) }
                .map { "XTerm*\($0.key): \($0.value)\n" }.joined().write(
                    toFile: hostile, atomically: true, encoding: .utf8)
            _ = try await panel.tool("xrdb", ["-load", hostile])
            #expect(try await got(panel, without: nil) == [])
            for request in Self.requests {
                #expect(try await got(panel, without: "XTerm*\(request):") == [request])
            }
        }
    }

    /// What a program in the machine's place gets from its terminal without the line that forbids it.
    private func got(_ panel: TouchPanel, without line: String?) async throws -> [String] {
        let answer = panel.folder.file("answer")
        let typed = panel.folder.file("typed")
        let printed = panel.folder.file("printed")
        for file in [answer, typed, printed] { unlink(file) }
        let program = try LockedSession.program(
            panel,
            """
            stty raw -echo
            printf '\\e]2;title\\a\\e[13t\\e]50;?\\a\\e]11;?\\a\\eP+q544e\\e\\\\\\e[5iprinted\\e[4i\\e[c'
            IFS= read -r -t 60 -d c text
            printf '%s' "$text" >"\(answer).new"
            mv "\(answer).new" "\(answer)"
            IFS= read -r -t 60 -n 1 text
            printf '%s' "$text" >"\(typed).new"
            mv "\(typed).new" "\(typed)"
            exec sleep 1000
            """)
        return try await LockedSession.running(program, on: panel, without: line) { session in
            var all: [String] = []
            try await waitFor(answer)
            let text = try String(contentsOfFile: answer, encoding: .utf8)
            let window = try await panel.tool(
                "xdotool", ["search", "--onlyvisible", "--class", "XTerm"]
            ).output.trimmingCharacters(in: .whitespacesAndNewlines)
            let name = try await panel.tool("xdotool", ["getwindowname", window]).output
            if text.contains("\u{1B}[3;") { all.append("allowWindowOps") }
            if name.hasPrefix("title") { all.append("allowTitleOps") }
            if text.contains("]50;") { all.append("allowFontOps") }
            if text.contains("]11;") { all.append("allowColorOps") }
            if text.contains("P1+r") { all.append("allowTcapOps") }
            if access(printed, F_OK) == 0 { all.append("printerCommand") }
            // Sends a key to the window, then a key of the keyboard (Q, evdev's 16).
            _ = try await panel.tool("xdotool", ["key", "--window", window, "s"])
            try await panel.press(16)
            try await waitFor(typed)
            if try String(contentsOfFile: typed, encoding: .utf8) == "s" {
                all.append("allowSendEvents")
            }
            return all
        }
    }

    // MARK: The session's script

    /// What the script sets, and what it hides from the program.
    private static let script = [
        "SWIFT_BACKTRACE=enable=no": "SWIFT_BACKTRACE", "SHELL=/bin/false": "SHELL",
        "LC_ALL=C.UTF-8": "LC_ALL", "XENVIRONMENT=\"$share/session/XTerm\"": "XENVIRONMENT",
        "FONTCONFIG_FILE=\"$share/session/fonts.conf\"": "FONTCONFIG_FILE",
        "XDG_CACHE_HOME=\"$run\"": "XDG_CACHE_HOME",
        "unset XAPPLRESDIR XUSERFILESEARCHPATH XFILESEARCHPATH":
            "XAPPLRESDIR XFILESEARCHPATH XUSERFILESEARCHPATH",
        "setxkbmap -layout us -option '' -option srvrkeys:none": "keyboard",
    ]

    @Test("The session sets its variables and keys; without one of its words, foreign ones remain")
    func surroundings() async throws {
        try await TouchPanel.with { panel async throws in
            #expect(try await foreign(panel, without: nil) == "")
            for (words, what) in Self.script {
                #expect(try await foreign(panel, without: words) == what)
            }
        }
    }

    /// The names of the foreign variables and keys that a program in the terminal finds unchanged.
    private func foreign(_ panel: TouchPanel, without words: String?) async throws -> String {
        let before = [
            "SWIFT_BACKTRACE": "enable=yes,interactive=yes", "SHELL": "/bin/bash",
            "LC_ALL": "C", "XENVIRONMENT": "/dev/null", "XAPPLRESDIR": "/tmp/",
            "XUSERFILESEARCHPATH": "/tmp/%N", "XFILESEARCHPATH": "/tmp/%N",
            "FONTCONFIG_FILE": "/etc/fonts/fonts.conf", "XDG_CACHE_HOME": "/tmp",
        ]
        _ = try await panel.tool(
            "setxkbmap", ["-layout", "de", "-option", "terminate:ctrl_alt_bksp"])
        let answer = panel.folder.file("answer")
        unlink(answer)
        let program = try LockedSession.program(
            panel, "env >\"\(answer).new\"; mv \"\(answer).new\" \"\(answer)\"; exec sleep 1000")
        return try await LockedSession.running(
            program, on: panel, without: words, surroundings: before
        ) { _ in
            try await waitFor(answer)
            let lines = try String(contentsOfFile: answer, encoding: .utf8)
                .split(separator: "\n")
            var found = before.filter { name, value in
                // xterm passes on a valid shell to its program, whatever it was started with.
                lines.contains("\(name)=\(value)")
            }.map(\.key)
            let keyboard = try await panel.tool("setxkbmap", ["-query"]).output
            if keyboard.contains("terminate") || !keyboard.contains("srvrkeys:none") {
                found.append("keyboard")
            }
            return found.sorted().joined(separator: " ")
        }
    }

    private func waitFor(_ file: String) async throws {
        guard await eventually(within: .seconds(60), { access(file, R_OK) == 0 }) else {
            throw TestSupportError("\(file) does not come")
        }
    }

    // MARK: The X server

    @Test(
        "Ctrl-Alt-Backspace does not end the X server, even with changed keys; without its line, it does",
        arguments: [nil, "DontZap"])
    func zap(line: String?) async throws {
        try await TouchPanel.with(without: line) { panel in
            _ = try await panel.tool("setxkbmap", ["-option", "terminate:ctrl_alt_bksp"])
            // Ctrl, Alt, Backspace (input-event-codes.h).
            try? panel.hold([29, 56, 14])
            let ends = await eventually(within: line == nil ? .seconds(1) : .seconds(30)) {
                panel.hasEnded
            }
            #expect(ends == (line != nil))
        }
    }

    @Test(
        "The X server has its options and never goes dark; without one of the lines, one is missing",
        arguments: [
            nil, "DontVTSwitch", "DontZap", "BlankTime", "StandbyTime", "SuspendTime", "OffTime",
        ])
    func options(line: String?) async throws {
        let panel = try await TouchPanel(without: line)
        let log = try String(contentsOfFile: panel.folder.file("xorg.log"), encoding: .utf8)
        let reported = try await panel.tool("xset", ["q"]).output
        await panel.end()
        let all = [
            "DontVTSwitch": "true", "DontZap": "true", "BlankTime": "0", "StandbyTime": "0",
            "SuspendTime": "0", "OffTime": "0",
        ]
        let missing = all.filter { !log.contains("(**) Option \"\($0.key)\" \"\($0.value)\"") }
        #expect(missing.map(\.key) == [line].compactMap(\.self))
        #expect(reported.contains("timeout:  0 ") == (line != "BlankTime"))
    }
}
