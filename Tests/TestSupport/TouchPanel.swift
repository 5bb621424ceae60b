import Foundation
import Glibc

/// A touchscreen and two keyboards on an X server of their own: real events of X input drivers, on a
/// screen that is kept in memory (Xorg's drivers dummy and inputtest).
public final class TouchPanel: Sendable {
    public let width: Int
    public let height: Int
    public let folder: TemporaryFolder
    /// The value for `DISPLAY`.
    public let display: String
    /// The X server.
    public static let program = "/usr/lib/xorg/Xorg"

    private let server: Locked<RunningProgram>
    private let devices = Locked<[String: Int32]>([:])

    /// - Parameter without: a text of a line of the package's configuration that is left out.
    public init(width: Int = 1280, height: Int = 800, without: String? = nil) async throws {
        self.width = width
        self.height = height
        folder = try TemporaryFolder()
        let shipped = Tool.repository.appending(path: "Kiosk/debian/conf/xorg.conf").path
        try FileManager.default.createDirectory(
            atPath: folder.file("conf.d"), withIntermediateDirectories: true)
        try String(contentsOfFile: shipped, encoding: .utf8)
            .split(separator: "\n").filter { line in without.map { !line.contains($0) } ?? true }
            .joined(separator: "\n").write(
                toFile: folder.file("conf.d/90-clup.conf"), atomically: true, encoding: .utf8)
        try Self.configuration(folder).write(
            toFile: folder.file("xorg.conf"), atomically: true, encoding: .utf8)
        let number = folder.file("display")
        let server = try Self.start(folder, ["-displayfd", "1"], output: number)
        display = try await server.display(writtenTo: number, log: folder.file("xorg.log"))
        self.server = Locked(server)
        try await setUp()
    }

    private static func start(
        _ folder: TemporaryFolder, _ options: [String], output: String = "/dev/null"
    ) throws -> RunningProgram {
        try Tool.start(
            program,
            options + [
                "-config", folder.file("xorg.conf"), "-configdir", folder.file("conf.d"),
                "-logfile", folder.file("xorg.log"), "-noreset", "-nolisten", "tcp", "-nocursor",
                "-novtswitch", "-sharevts", "-background", "none",
            ], output: output, errors: folder.file("xorg.errors"))
    }

    private func setUp() async throws {
        let mode = "\(width)x\(height)"
        // A mode that the driver does not know needs timings; any values work for a picture in memory.
        _ = try await tool(
            "xrandr",
            ["--newmode", mode + "-panel", "100"]
                + [width, width + 48, width + 80, width + 160].map(String.init)
                + [height, height + 3, height + 8, height + 20].map(String.init))
        _ = try await tool("xrandr", ["--addmode", "DUMMY0", mode + "-panel"])
        let set = try await tool("xrandr", ["--output", "DUMMY0", "--mode", mode + "-panel"])
        guard set.status == 0 else { throw TestSupportError("no mode \(mode): \(set.errors)") }
        for name in ["touch", "keyboard", "keyboard2"] { try connect(name) }
    }

    /// Ends the server at once, and starts it again at the same display.
    public func killServer() async throws {
        kill(server.value.pid, SIGKILL)
        _ = await server.value.end()
        devices.change { all in
            for descriptor in all.values { close(descriptor) }
            all = [:]
        }
        let new = try Self.start(folder, [display])
        server.change { $0 = new }
        let isUp = try await eventually(within: longTimeout) {
            try await self.tool("xrandr", []).status == 0
        }
        guard isUp else { throw TestSupportError("Xorg did not come back") }
        try await setUp()
    }

    public func end() async {
        devices.change { all in
            for descriptor in all.values { close(descriptor) }
            all = [:]
        }
        await server.value.stop()
    }

    /// Whether the server has ended by itself.
    public var hasEnded: Bool { server.value.endStatus != nil }

    /// Runs a program on this display.
    public func tool(_ program: String, _ arguments: [String]) async throws -> CommandResult {
        try await Tool.run(program, arguments, environment: ["DISPLAY": display])
    }

    /// A picture of the whole screen, as a file.
    public func picture(_ name: String) async throws -> String {
        let file = folder.file("\(name).png")
        let result = try await tool("import", ["-window", "root", file])
        guard result.status == 0 else { throw TestSupportError("no picture: \(result.errors)") }
        return file
    }

    // MARK: Events (xf86-input-inputtest-protocol.h)

    public enum Finger: UInt32 {
        /// The numbers of XI_TouchBegin and the two events after it (XI2.h).
        case down = 18
        case moves, up
    }

    /// A finger at a position given as fractions of the width and the height.
    public func finger(_ what: Finger, _ x: Double, _ y: Double, number: UInt32 = 1) throws {
        var bytes = Self.words([1_056, 6, number, what.rawValue, 0])
        bytes += [3] + [UInt8](repeating: 0, count: 7 + 4)
        for value in [x * 65_535, y * 65_535] {
            withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
        }
        bytes += [UInt8](repeating: 0, count: 1_056 - bytes.count)
        try send(bytes, to: "touch")
    }

    public func tap(_ x: Double, _ y: Double) async throws {
        try finger(.down, x, y)
        try await Task.sleep(for: .milliseconds(30))
        try finger(.up, x, y)
        try waitUntilQuiet("touch")
    }

    /// Keys by their evdev numbers (input-event-codes.h): pressed in order, released in reverse.
    public func press(_ keys: Int32..., on keyboard: String = "keyboard") async throws {
        try hold(keys, on: keyboard)
        try await Task.sleep(for: .milliseconds(20))
        try release(keys, on: keyboard)
    }

    public func hold(_ keys: [Int32], on keyboard: String = "keyboard") throws {
        for key in keys { try send(Self.key(key, isDown: true), to: keyboard) }
        try waitUntilQuiet(keyboard)
    }

    public func release(_ keys: [Int32], on keyboard: String = "keyboard") throws {
        for key in keys.reversed() { try send(Self.key(key, isDown: false), to: keyboard) }
        try waitUntilQuiet(keyboard)
    }

    private static func key(_ key: Int32, isDown: Bool) -> [UInt8] {
        // X's key codes are the kernel's plus 8.
        words([16, 5, UInt32(key) + 8, isDown ? 1 : 0])
    }

    private static func words(_ values: [UInt32]) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
    }

    /// Returns when the server has handled all events.
    private func waitUntilQuiet(_ device: String) throws {
        try send(Self.words([8, 1]), to: device)
        _ = try UnixStream.receive(8, from: descriptor(of: device))
    }

    private func send(_ bytes: [UInt8], to device: String) throws {
        try UnixStream.send(bytes, to: descriptor(of: device))
    }

    private func descriptor(of device: String) throws -> Int32 {
        guard let descriptor = devices.value[device] else {
            throw TestSupportError("there is no device \(device)")
        }
        return descriptor
    }

    private func connect(_ device: String) throws {
        let descriptor = try UnixStream.connected(to: folder.file(device))
        devices.change { $0[device] = descriptor }
        // Version 1.1 of the protocol; the driver answers with its own.
        try send(Self.words([12, 0, 0x0001_0001]), to: device)
        _ = try UnixStream.receive(12, from: descriptor)
    }

    private static func configuration(_ folder: TemporaryFolder) -> String {
        func device(_ name: String, _ options: String) -> String {
            """
            Section "InputDevice"
                Identifier "\(name)"
                Driver "inputtest"
                Option "SocketPath" "\(folder.file(name))"
                \(options)
            EndSection
            """
        }
        // There is no section "ServerFlags": the X server takes only one, and the package has it.
        return """
            Section "Device"
                Identifier "dummy"
                Driver "dummy"
                VideoRam 65536
            EndSection
            Section "Screen"
                Identifier "screen"
                Device "dummy"
                DefaultDepth 24
            EndSection
            \(device("touch", "Option \"DeviceType\" \"Touch\"\n    Option \"TouchCount\" \"5\""))
            \(device("keyboard", "Option \"DeviceType\" \"Keyboard\""))
            \(device("keyboard2", "Option \"DeviceType\" \"Keyboard\""))
            Section "ServerLayout"
                Identifier "panel"
                Screen "screen"
                Option "AutoAddDevices" "false"
                Option "AutoEnableDevices" "false"
                InputDevice "touch" "SendCoreEvents"
                InputDevice "keyboard" "CoreKeyboard"
                InputDevice "keyboard2" "SendCoreEvents"
            EndSection
            """
    }
}
