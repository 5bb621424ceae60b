import Foundation
import Glibc
import TestSupport

/// `kiosk-session` as the package installs it, on a panel of the test; the test acts as its service manager.
final class LockedSession: Sendable {
    let panel: TouchPanel
    let notices: NoticeSocket
    private let arguments: [String]
    private let environment: [String: String]
    private let script: Locked<RunningProgram>
    private let home = Locked<String?>(nil)
    /// The clock of the machine.
    let clock = KioskClock()

    private static let path = Tool.repository.appending(path: "Kiosk/session.d").path

    /// - Parameters:
    ///   - without: the beginning of a line of the lock-down, or a text of the session's script, that is
    ///     left out.
    ///   - program: another program in the place of clup-kiosk.
    ///   - surroundings: variables that were set before, by another program.
    init(
        _ panel: TouchPanel, arguments: [String], without: String? = nil, program: String? = nil,
        surroundings: [String: String] = [:]
    ) async throws {
        self.panel = panel
        self.arguments = arguments
        notices = try NoticeSocket()
        for directory in ["run", "share/session", "home"] {
            try FileManager.default.createDirectory(
                atPath: panel.folder.file(directory), withIntermediateDirectories: true)
        }
        var lines = try String(contentsOfFile: "\(Self.path)/kiosk-session", encoding: .utf8)
        var lockdown = try String(contentsOfFile: "\(Self.path)/XTerm", encoding: .utf8)
        if let without {
            let isOfScript = lines.contains(without)
            lines = lines.replacing(without, with: "")
            if !isOfScript { lockdown = try Self.taking(without, outOf: lockdown) }
        }
        try lockdown.write(
            toFile: panel.folder.file("share/session/XTerm"), atomically: true, encoding: .utf8)
        for (name, target) in [
            ("share/session/fonts.conf", "\(Self.path)/fonts.conf"),
            ("share/Font", Tool.repository.appending(path: "Assets/Font").path),
        ] where !FileManager.default.fileExists(atPath: panel.folder.file(name)) {
            try FileManager.default.createSymbolicLink(
                atPath: panel.folder.file(name), withDestinationPath: target)
        }
        _ = try panel.folder.writeProgram(lines, to: "kiosk-session")
        environment = surroundings.merging([
            "DISPLAY": panel.display, "CLUP_SHARE": panel.folder.file("share"),
            "CLUP_RUN": panel.folder.file("run"), "HOME": panel.folder.file("home"),
            "CLUP_PROGRAM": program ?? Self.kiosk, "CLUP_MILLIMETRES": "217x136",
            "NOTIFY_SOCKET": notices.path, "WATCHDOG_USEC": "2000000",
            KioskClock.variable: clock.path,
        ]) { $1 }
        script = Locked(try Self.start(arguments, environment, panel))
    }

    /// A program in the machine's place: it chooses the letters as the machine does, and then runs these lines.
    static func program(_ panel: TouchPanel, _ body: String) throws -> String {
        try panel.folder.writeProgram(
            """
            #!/bin/bash
            if [ "$1" = panel ]; then exec \(kiosk) "$@"; fi
            \(body)
            """, to: "program")
    }

    /// The terminal's resources without the one whose line begins with this text.
    static func taking(_ beginning: String, outOf resources: String) throws -> String {
        // A line of resources continues after a backslash.
        let joined = resources.replacing("\\\n", with: "\u{0}")
        let lines = joined.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.contains(where: { $0.hasPrefix(beginning) }) else {
            throw TestSupportError("no line of the lock-down begins with \(beginning)")
        }
        return lines.filter { !$0.hasPrefix(beginning) }.joined(separator: "\n")
            .replacing("\u{0}", with: "\\\n")
    }

    private static let kiosk = Tool.program("clup-kiosk")

    private static func start(
        _ arguments: [String], _ environment: [String: String], _ panel: TouchPanel
    ) throws -> RunningProgram {
        try Tool.start(
            panel.folder.file("kiosk-session"), arguments, environment: environment,
            errors: panel.folder.file("session.errors"))
    }

    /// The whole product, with its ticket machine in the locked-down session on a panel, at Home.
    static func with(
        without: String? = nil, file: String = #fileID, function: String = #function,
        body: (Product, LockedSession) async throws -> Void
    ) async throws {
        try await Product.with { product in
            try await invitesNone(product)
            let session = try await LockedSession(
                TouchPanel(), arguments: arguments(product), without: without)
            try await ending(
                session,
                by: { session in
                    for name in ["first-home.png", "now.png"] {
                        Traces.keep(session.panel.folder.file(name), as: name, of: file, function)
                    }
                    Traces.keepEvents(ofMachine: product.services.kiosk, of: file, function)
                    await session.end()
                }
            ) { session in
                try await session.comeHome()
                try await body(product, session)
            }
        }
    }

    /// Runs a program in the machine's place on a panel, and ends the session after the body; the panel stays.
    static func running<Value>(
        _ program: String, on panel: TouchPanel, without: String? = nil,
        surroundings: [String: String] = [:], body: (LockedSession) async throws -> Value
    ) async throws -> Value {
        try await ending(
            LockedSession(
                panel, arguments: [], without: without, program: program,
                surroundings: surroundings), by: { await $0.leave() }, after: body)
    }

    /// What starts the product's machine in a session, which it does not leave.
    static func arguments(_ product: Product) -> [String] {
        var words = Array(product.kioskWords("run").dropFirst(2))
        if let leave = words.firstIndex(of: "--leave") { words.removeSubrange(leave...leave + 1) }
        return words
    }

    /// Ends the invitations on Home, which would look different each minute.
    private static func invitesNone(_ product: Product) async throws {
        let services = product.services
        try await Tool.succeed(
            ServingBackend.program,
            [
                "shop", "change", "--database", services.database, "--shop", services.shop,
                "--phone-places", "no",
            ])
        let invites = Tool.program("clup-bench")
        let isOver = try await eventually {
            try await Tool.run(
                invites,
                ["invitation", "--backend", services.backend, "--state", services.state]
            ).status != 0
        }
        guard isOver else { throw TestSupportError("Home still invites phones") }
    }

    func end() async {
        await leave()
        await panel.end()
    }

    /// Ends the session; its panel stays.
    func leave() async {
        let all = (try? await family()) ?? []
        await script.value.stop()
        for process in all { kill(process.pid, SIGKILL) }
        clock.end()
    }

    // MARK: Processes

    struct Process: Hashable {
        let pid: pid_t
        let name: String
    }

    /// The session's processes from its script down, except the one that waits until the service manager has
    /// read the notification.
    func family() async throws -> [Process] {
        var all: [Process] = []
        var open = [script.value.pid]
        while let pid = open.popLast() {
            guard let name = try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)
            else {
                continue
            }
            if name.hasPrefix("systemd-notify") { continue }
            all.append(
                Process(pid: pid, name: name.trimmingCharacters(in: .whitespacesAndNewlines)))
            let children = try? String(
                contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
            open += (children ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
        return all
    }

    func pid(of name: String) async throws -> pid_t? {
        try await family().first { $0.name == name }?.pid
    }

    /// Does what the service manager does with a unit whose process has ended: ends the rest of it and
    /// starts it again.
    func restart(killing all: [Process]) async throws {
        for process in all { kill(process.pid, SIGKILL) }
        _ = await script.value.end()
        let new = try Self.start(arguments, environment, panel)
        script.change { $0 = new }
    }

    // MARK: The customer's view

    /// Waits for the first Home, and records its picture.
    func comeHome() async throws {
        let isThere = await eventually {
            self.notices.messages().contains("READY=1")
        }
        guard isThere else {
            let said = try? String(
                contentsOfFile: panel.folder.file("session.errors"), encoding: .utf8)
            throw TestSupportError("the session shows nothing: \(said ?? "")")
        }
        // Amber is only on the button of a machine that is in service.
        let isHome = try await eventually {
            let file = try await self.panel.picture("home")
            let found = try await Tool.succeed(
                "convert",
                [
                    file, "-crop", "1x1+\(self.panel.width / 2)+\(self.panel.height * 49 / 100)",
                    "-format", "%[pixel:p{0,0}]", "info:",
                ])
            return found.contains("255,20")
        }
        guard isHome else { throw TestSupportError("Home does not come") }
        home.change { $0 = panel.folder.file("first-home.png") }
        // A screen fades in: the first picture is one after which nothing changes.
        let isSteady = try await eventually {
            _ = try await self.panel.picture("first-home")
            return try await self.isHome()
        }
        guard isSteady else { throw TestSupportError("Home changes all the time") }
    }

    /// Whether the buttons of Home, and everything below them, look as at first.
    func isHome() async throws -> Bool {
        guard let home = home.value else { return false }
        let now = try await panel.picture("now")
        // The clock and the status of the queue are above the buttons.
        let part = "[\(panel.width)x\(panel.height * 4 / 5)+0+\(panel.height / 5)]"
        let result = try await Tool.run(
            "compare", ["-metric", "AE", "-fuzz", "5%", home + part, now + part, "null:"])
        guard let different = Double(result.errors.split(separator: " ").first ?? "") else {
            return false
        }
        return different < 200
    }

    /// Waits for Home.
    func isBackHome(within limit: Duration = .seconds(60)) async throws -> Bool {
        try await eventually(within: limit) { try await self.isHome() }
    }

    // Positions of the buttons at 64 x 20, as fractions of the screen; the pictures of ExpectedScreens show them.
    static let getTicket = (x: 0.5, y: 0.35)
    static let deleteReservation = (x: 0.5, y: 0.67)
    static let confirm = (x: 0.72, y: 0.65)
    static let cancel = (x: 0.2, y: 0.65)
    /// A position at which no screen has a button: between the buttons and the foot line.
    static let nothing = (x: 0.78, y: 0.825)
}

extension Product {
    /// What the machine was given last, for the message of a failure.
    func lastEvents() -> String {
        let events = try? String(contentsOfFile: "\(services.state)/events", encoding: .utf8)
        return (events ?? "").split(separator: "\n").suffix(20).map { "\n\($0.prefix(200))" }
            .joined()
    }

    /// Reservations that have a number, deleted ones too.
    func reservations() async throws -> Int { try await count("number IS NOT NULL") }

    /// Places that are held for customers who have not decided yet.
    func holds() async throws -> Int { try await count("state = 'pending'") }

    private func count(_ condition: String) async throws -> Int {
        try await rows("SELECT count(*) FROM reservation WHERE \(condition)").first
            .flatMap { Int($0) } ?? -1
    }
}
