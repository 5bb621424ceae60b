import Foundation
import Glibc
import Synchronization

/// An emulator of a receipt printer that speaks ESC/POS at a TCP port, one connection at a time.
public final class EscposEmulator: Sendable {
    public var port: Int { Int(reserved.number) }
    public var uri: String { "escpos://127.0.0.1:\(port)" }

    private struct State {
        var mechanism: EscposMechanism
        var listener: Int32?
        var client: Int32?
        var isMute = false
        var heard: [UInt8] = []
        /// The power fails after this many rows.
        var powerOffAt: Int?
    }

    private let reserved: ReservedPort
    private let state: Mutex<State>

    /// A head of 576 dots for an 80 mm roll, 384 for 58 mm.
    public init(roll: Int = 80) throws {
        state = Mutex(State(mechanism: EscposMechanism(dots: roll == 80 ? 576 : 384)))
        reserved = try ReservedPort()
        try switchOn()
    }

    deinit { switchOff() }

    // MARK: Actions of people

    public enum Fault: Sendable, CaseIterable { case noPaper, coverOpen, cutter, nearEnd, mute }

    public func set(_ fault: Fault, _ isSo: Bool = true) {
        state.withLock { state in
            switch fault {
            case .noPaper: state.mechanism.isOutOfPaper = isSo
            case .coverOpen: state.mechanism.isOpen = isSo
            case .cutter: state.mechanism.isCutterStuck = isSo
            case .nearEnd: state.mechanism.isNearEnd = isSo
            case .mute: state.isMute = isSo
            }
            Self.answer(&state)
        }
    }

    /// Lets the paper end after this many more rows.
    public func endPaper(afterRows rows: Int) {
        state.withLock { $0.mechanism.rowsLeft = rows }
    }

    /// Lets the power fail once this many rows are on the paper.
    public func failPower(afterRows rows: Int) { state.withLock { $0.powerOffAt = rows } }

    /// Drops everything that was not printed, as when a person pulls the plug.
    public func switchOff() {
        state.withLock { Self.switchOff(&$0) }
    }

    private static func switchOff(_ state: inout State) {
        for descriptor in [state.client, state.listener].compactMap({ $0 }) {
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
        state.listener = nil
        state.client = nil
        state.mechanism = EscposMechanism(afterPowerCut: state.mechanism)
    }

    public func switchOn() throws {
        let (listener, _) = try LoopbackWire.bound(to: reserved.number)
        guard listen(listener, 1) == 0 else { throw TestSupportError("listen failed") }
        state.withLock { $0.listener = listener }
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { break }
                Self.serve(client) { self }
            }
            close(listener)
        }
    }

    /// Connects a serial line too, and returns the device's path.
    public func plugLine() throws -> String {
        let line = try PseudoTerminalDevice()
        let path = line.path
        // Held open, so that the line exists between two jobs.
        guard open(path, O_RDWR | O_NOCTTY) >= 0 else {
            throw TestSupportError("\(path): \(String(cString: strerror(errno)))")
        }
        Thread.detachNewThread { [weak self] in Self.serve(line.master) { self } }
        return path
    }

    // MARK: Results

    /// Receipts that were cut off, as the head's dots.
    public var papers: [GreyPicture] { state.withLock { $0.mechanism.papers } }
    /// Commands that our drivers must not send.
    public var violations: [String] { state.withLock { $0.mechanism.violations } }
    public var isDrawerOpen: Bool { state.withLock { $0.mechanism.isDrawerOpen } }
    /// The commands that were carried out, in order.
    public var done: [String] { state.withLock { $0.mechanism.done } }
    /// The rows of a receipt that is not cut off.
    public var rowsUncut: Int { state.withLock { $0.mechanism.rowsUncut } }
    /// Whether it holds data that is to be printed.
    public var isHolding: Bool { state.withLock { $0.mechanism.isHolding } }
    /// Every byte that was received.
    public var heard: [UInt8] { state.withLock { $0.heard } }

    // MARK: The line

    private static func serve(_ client: Int32, _ emulator: () -> EscposEmulator?) {
        defer { close(client) }
        emulator()?.state.withLock { $0.client = client }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(client, &bytes, bytes.count)
            guard count > 0, let emulator = emulator() else { break }
            let isOn = emulator.state.withLock { state in
                guard state.client == client else { return false }
                // A mute printer does not receive anything either.
                guard !state.isMute else { return true }
                state.heard += bytes.prefix(count)
                state.mechanism.take(Array(bytes.prefix(count)))
                answer(&state)
                return true
            }
            guard isOn else { return }
        }
        emulator()?.state.withLock { if $0.client == client { $0.client = nil } }
    }

    private static func answer(_ state: inout State) {
        if let limit = state.powerOffAt, state.mechanism.rowsUncut >= limit {
            state.powerOffAt = nil
            switchOff(&state)
            return
        }
        let answers = state.mechanism.answers
        state.mechanism.answers = []
        guard !answers.isEmpty, let client = state.client else { return }
        let sent = send(client, answers, answers.count, Int32(MSG_NOSIGNAL))
        // A serial line is not a socket.
        if sent < 0, errno == ENOTSOCK { _ = write(client, answers, answers.count) }
    }
}
