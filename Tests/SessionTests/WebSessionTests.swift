import Foundation
import Glibc
import TestSupport
import Testing

/// `web-policy` and `web-session` as the package installs them, with the real Chromium on a real X
/// server that shows a page of the real backend; the test acts as their service manager.
@Suite("Nothing but the display's page", .serialized)
struct WebSessionTests {
    /// Key codes of evdev (input-event-codes.h), each of which has an effect in Chromium.
    private static let chords: [[Int32]] = {
        let control: Int32 = 29, shift: Int32 = 42, alt: Int32 = 56, escape: Int32 = 1
        // The keys N, T, W, Q, H, J, L, O, S, P, U, F and minus.
        let letters: [Int32] = [49, 20, 17, 16, 35, 36, 38, 24, 31, 25, 22, 33, 12]
        // The keys F1, F3, F4, F5, F6, F7, F10, F11, F12, home page, back, reload, search, mail and menu.
        let alone: [Int32] = [59, 61, 62, 63, 64, 65, 68, 87, 88, 172, 158, 173, 217, 155, 127]
        return letters.map { [control, $0] } + alone.map { [$0] }
            + [
                [control, shift, 49], [control, shift, 23], [control, shift, 36], [alt, 62],
                [alt, 33], [alt, 105], [alt, 102], [shift, escape], [125],
            ]
    }()

    @Test("No key, button or long press opens anything; a hanging or ended browser is noticed")
    func locked() async throws {
        try await Self.with { session in
            let panel = session.panel
            try await session.rest()
            for keyboard in ["keyboard", "keyboard2"] {
                for chord in Self.chords {
                    try panel.hold(chord, on: keyboard)
                    try panel.release(chord, on: keyboard)
                    try #require(session.script.endStatus == nil, "\(keyboard): \(chord)")
                }
                try #require(try await session.isUnchanged(), "\(keyboard): \(session.said)")
            }
            for button in 1...3 {
                _ = try await panel.tool(
                    "xdotool", ["mousemove", "400", "300", "click", "\(button)"])
                #expect(try await session.isUnchanged(), "\(button)")
            }
            try panel.finger(.down, 0.5, 0.5)
            try await Task.sleep(for: .seconds(2))
            try panel.finger(.up, 0.5, 0.5)
            #expect(try await session.isUnchanged())
            #expect(try await session.windows() == 1)
            // If the browser is stopped, the service manager gets no more notifications from it.
            let browser = try await session.browser()
            kill(browser, SIGSTOP)
            _ = session.notices.messages()
            try await Task.sleep(for: .seconds(8))
            _ = session.notices.messages()
            try await Task.sleep(for: .seconds(8))
            #expect(session.notices.messages().isEmpty)
            kill(browser, SIGCONT)
            let isBack = await eventually {
                session.notices.messages().contains { $0.contains("WATCHDOG=1") }
            }
            #expect(isBack)
            // If it is killed, the session ends, and its unit starts it again.
            kill(browser, SIGKILL)
            #expect(await eventually { session.script.endStatus == 1 })
        }
    }

    @Test("With the keys left to the browser, its second window ends the session")
    func secondWindow() async throws {
        try await Self.with(without: "only_codes 2>/dev/null || true") { session in
            try await session.rest()
            // The keys Ctrl and N.
            try session.panel.hold([29, 49])
            try session.panel.release([29, 49])
            #expect(await eventually { session.script.endStatus == 1 })
        }
    }

    /// The parts of the session that a test looks at.
    private struct Session {
        let panel: TouchPanel
        let notices: NoticeSocket
        let script: RunningProgram

        /// The last notification of the session.
        var said: String {
            let all = try? String(
                contentsOfFile: panel.folder.file("session.errors"), encoding: .utf8)
            return String((all ?? "").suffix(2_000))
        }

        /// Waits until the page stops changing, and records its picture.
        func rest() async throws {
            let isThere = await eventually(within: .seconds(90)) {
                notices.messages().contains { $0.contains("READY=1") }
            }
            guard isThere else {
                throw TestSupportError("the browser shows nothing: \(said)")
            }
            var last = ""
            let isQuiet = try await eventually {
                let now = try await panel.picture("web-now")
                let sum = try await Tool.succeed(
                    "convert", [now, "-crop", Self.part, "-format", "%#%k", "info:"])
                defer { last = sum }
                try await Task.sleep(for: .seconds(1))
                return sum == last && !sum.hasSuffix("1")
            }
            guard isQuiet else { throw TestSupportError("the page never rests") }
            _ = try await panel.picture("web-first")
        }

        /// The part of the screen below the clock and the short messages.
        private static let part = "1280x600+0+200"

        func isUnchanged() async throws -> Bool {
            try await eventually {
                let now = try await panel.picture("web-now")
                let result = try await Tool.run(
                    "compare",
                    [
                        "-metric", "AE", "-fuzz", "5%",
                        panel.folder.file("web-first.png") + "[\(Self.part)]",
                        now + "[\(Self.part)]", "null:",
                    ])
                return result.errors.hasPrefix("0")
            }
        }

        func windows() async throws -> Int {
            try await panel.tool("xdotool", ["search", "--onlyvisible", "--class", "chromium"])
                .output.split(separator: "\n").count
        }

        func browser() async throws -> pid_t {
            try await Tool.process("-o", "-f", "user-data-dir=\(panel.folder.file("state"))")
        }
    }

    /// - Parameter text: the text that is removed from the session's script.
    private static func with(
        without text: String? = nil, body: (Session) async throws -> Void
    ) async throws {
        try await ServingBackend.with(
            machines: [],
            options: ["--assets", Tool.repository.appending(path: "Assets").path]
        ) { backend in
            let panel = try await TouchPanel()
            let notices = try NoticeSocket()
            let script = try start(panel, page: "\(backend.address)/display/TEST", notices, text)
            let session = Session(panel: panel, notices: notices, script: script)
            try await ending(
                session,
                by: {
                    await $0.script.stop()
                    await $0.panel.end()
                }, after: body)
        }
    }

    private static func start(
        _ panel: TouchPanel, page: String, _ notices: NoticeSocket, _ without: String?
    ) throws -> RunningProgram {
        let folder = panel.folder
        for name in ["bin", "run", "state"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true)
        }
        let shipped = Tool.repository.appending(path: "Kiosk/debian/lib").path
        // Chromium's sandbox does not work for root.
        try "#!/bin/sh\nexec /usr/bin/chromium --no-sandbox \"$@\"\n".write(
            toFile: folder.file("bin/chromium"), atomically: true, encoding: .utf8)
        var text = try String(contentsOfFile: "\(shipped)/web-session", encoding: .utf8)
        if let without {
            guard text.contains(without) else { throw TestSupportError("no \(without)") }
            text = text.replacing(without, with: ":")
        }
        try text.write(toFile: folder.file("web-session"), atomically: true, encoding: .utf8)
        for name in ["bin/chromium", "web-session"] { chmod(folder.file(name), 0o755) }
        // The policy's folder belongs to the test, in a mount namespace (unshare(1)).
        return try Tool.start(
            "unshare",
            [
                "--mount", "sh", "-c",
                "mount -t tmpfs none /etc/chromium && \"$0\"/web-policy && exec \"$1\"",
                shipped, folder.file("web-session"),
            ],
            environment: [
                "DISPLAY": panel.display, "CLUP_PAGE": page, "CLUP_RUN": folder.file("run"),
                "CLUP_STATE": folder.file("state"), "HOME": folder.path,
                "NOTIFY_SOCKET": notices.path,
                "PATH": folder.file("bin") + ":/usr/sbin:/usr/bin:/sbin:/bin",
            ], errors: folder.file("session.errors"))
    }
}
