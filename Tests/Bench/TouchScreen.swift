import Glibc

/// An X server of its own with a screen in memory and a touch device whose events are the bench's
/// (Xorg's drivers dummy and inputtest).
final class TouchScreen {
    let display: Int
    let screen: XScreen
    private let server: ChildProcess
    private let device: Int32

    static let server = "/usr/lib/xorg/Xorg"

    init(_ workspace: Workspace) throws {
        let folder = workspace.directory
        let configuration = try workspace.file("xorg.conf", Self.configuration(folder))
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchError.system("pipe") }
        defer { close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // What clup-xorg.service says, without a terminal of its own.
        server = try ChildProcess(
            Self.server,
            [
                "-displayfd", "1", "-config", configuration, "-logfile",
                "\(folder)/xorg.log", "-noreset", "-nolisten", "tcp", "-nocursor", "-novtswitch",
                "-sharevts", "-s", "0", "-dpms", "-background", "none",
            ], .output(ends[1], errors: "\(folder)/xorg.errors"))
        close(ends[1])
        var line = [UInt8](repeating: 0, count: 16)
        let count = read(ends[0], &line, line.count)
        let number = String(decoding: line.prefix(max(0, count)), as: UTF8.self)
        guard let display = Int(number.filter(\.isNumber)) else {
            throw BenchError("the X server did not start; see \(folder)/xorg.log")
        }
        self.display = display
        screen = try XScreen(display: display)
        device = try UnixSocket.connected(to: "\(folder)/touch")
        // Version 1.1 of the driver's protocol; it answers with its own.
        try UnixSocket.send(Self.words([12, 0, 0x0001_0001]), to: device)
        _ = try UnixSocket.receive(12, from: device)
    }

    deinit { close(device) }

    func end() { server.end() }

    private enum Finger: UInt32 {
        /// XI_TouchBegin and the two after it (XI2.h).
        case down = 18
        case moves, up
    }

    /// What a finger does at a place given in parts of the screen; answers when.
    @discardableResult
    private func finger(_ what: Finger, _ x: Double, _ y: Double) throws -> Int64 {
        // xf86-input-inputtest-protocol.h
        var bytes = Self.words([1_056, 6, 1, what.rawValue, 0])
        bytes += [3] + [UInt8](repeating: 0, count: 7 + 4)
        for value in [x * 65_535, y * 65_535] {
            withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
        }
        bytes += [UInt8](repeating: 0, count: 1_056 - bytes.count)
        let now = Clock.monotonic
        try UnixSocket.send(bytes, to: device)
        return now
    }

    /// How long so many touches take until the pixels at a place have changed.
    func touches(_ count: Int, _ x: Double, _ y: Double) throws -> Samples {
        var times = Samples()
        for _ in 0..<count {
            let before = try screen.pixels(x, y)
            let touched = try finger(.down, x, y)
            times.add(
                try screen.wait("the pressed button", x, y) { $0 != before } - touched)
            usleep(60_000)
            // Let go where nothing is: nothing was meant.
            for what in [Finger.moves, .up] { try finger(what, 0.78, 0.97) }
            try screen.wait("the released button", x, y) { $0 == before }
            usleep(60_000)
        }
        return times
    }

    private static func words(_ values: [UInt32]) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
    }

    private static func configuration(_ folder: String) -> String {
        """
        Section "Monitor"
            Identifier "monitor"
            HorizSync 5-1000
            VertRefresh 5-200
            Modeline "1280x800" 83.5 1280 1352 1480 1680 800 803 809 831
        EndSection
        Section "Device"
            Identifier "dummy"
            Driver "dummy"
            VideoRam 65536
        EndSection
        Section "Screen"
            Identifier "screen"
            Device "dummy"
            Monitor "monitor"
            DefaultDepth 24
            SubSection "Display"
                Depth 24
                Modes "1280x800"
            EndSubSection
        EndSection
        Section "InputDevice"
            Identifier "touch"
            Driver "inputtest"
            Option "SocketPath" "\(folder)/touch"
            Option "DeviceType" "Touch"
            Option "TouchCount" "5"
        EndSection
        Section "ServerLayout"
            Identifier "panel"
            Screen "screen"
            Option "AutoAddDevices" "false"
            InputDevice "touch" "SendCoreEvents"
        EndSection
        """
    }
}
