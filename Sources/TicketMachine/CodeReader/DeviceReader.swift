internal import DescriptorWatch
internal import Glibc
public import MachineClock

/// A code reader with a device of its own, from which whole codes come, whatever the pieces in which they are read.
///
/// The device is a serial line (USB-CDC) or a keyboard read exclusively (evdev); the file itself shows which. A
/// reader that is missing or is pulled out is looked for again, so nothing has to be restarted.
@MainActor public final class DeviceReader {
    /// The data that a device delivers.
    public enum Kind: Sendable {
        /// Characters, from a serial line.
        case line
        /// Key events (evdev).
        case keys
    }

    /// The path of the reader's device; paths under /dev/serial/by-id and /dev/input/by-id survive replugging.
    private let path: String
    private let kind: Kind?
    private let codeRead: (String) -> Void
    private let plugged: (Bool) -> Void
    private let log: (String) -> Void
    private var device: ReaderDevice?
    private var watch: DescriptorWatch?
    private let time: MachineClock
    private var alarm: Task<Void, Never>?
    private let silence: Duration
    private var lines: LineBuffer
    private let start: MachineClock.Instant
    private var pause = DeviceReader.minRetryDelay
    private var complaint: String?

    /// The delay before a missing reader is looked for again; it is doubled each time up to the longest.
    private static let minRetryDelay: Duration = .milliseconds(250)
    private static let maxRetryDelay: Duration = .seconds(4)

    /// Begins to look for the reader now.
    ///
    /// - Parameters:
    ///   - kind: for a file that does not show its kind.
    ///   - silence: the pause after which a code without an end is complete; 0.3 s unless given.
    ///   - log: receives faults, one sentence each.
    ///   - plugged: receives whether the reader is there, at the first look and at each change.
    ///   - codeRead: receives each code, valid or not.
    public init(
        path: String, as kind: Kind? = nil, silence: Duration? = nil,
        time: MachineClock = .system,
        log: @escaping (String) -> Void, plugged: @escaping (Bool) -> Void,
        codeRead: @escaping (String) -> Void
    ) {
        self.path = path
        self.kind = kind
        self.time = time
        start = time.now
        self.silence = silence ?? LineBuffer.endOfCodeSilence
        lines = LineBuffer(silence: self.silence)
        self.log = log
        self.plugged = plugged
        self.codeRead = codeRead
        watch = DescriptorWatch { [weak self] in
            self?.read()
            self?.arm()
        }
        wake(in: .zero)
    }

    isolated deinit {
        alarm?.cancel()
        forget()
    }

    /// Opens the device as the kiosk would and closes it again; nil if that works.
    public static func fault(of path: String) -> String? {
        do throws(ReaderDevice.Failure) {
            _ = try ReaderDevice(path: path)
            return nil
        } catch { return error.description }
    }

    private var now: Duration { start.duration(to: time.now) }

    private func timePassed() {
        guard device != nil else { return look() }
        // Bytes that waited while the machine was busy are read first, so that the delay is not taken for a silence.
        read()
        if let rest = lines.timePassed(now: now) { codeRead(rest) }
        arm()
    }

    private func look() {
        do throws(ReaderDevice.Failure) {
            let opened = try ReaderDevice(path: path, as: kind)
            guard watch?.add(opened.descriptor) == true else { throw .system("cannot be watched") }
            device = opened
            if complaint != nil { log("reader: \(path) is there") }
            complaint = nil
            plugged(true)
        } catch {
            if complaint == nil { plugged(false) }
            if complaint != error.description { log("reader: \(path): \(error)") }
            complaint = error.description
            wake(in: pause)
            pause = min(pause * 2, Self.maxRetryDelay)
        }
    }

    private func forget() {
        if let device { watch?.remove(device.descriptor) }
        device = nil
    }

    private func read() {
        guard let device else { return }
        guard let bytes = device.read() else { return pulledOut() }
        // A device that opens but sends nothing may disappear again at once; the delay becomes short only after bytes.
        if !bytes.isEmpty { pause = Self.minRetryDelay }
        for code in lines.take(bytes, now: now) { codeRead(code) }
    }

    private func pulledOut() {
        forget()
        lines = LineBuffer(silence: silence)
        complaint = "pulled out"
        log("reader: \(path): pulled out")
        plugged(false)
        wake(in: pause)
    }

    private func arm() { if let deadline = lines.deadline { wake(in: max(.zero, deadline - now)) } }

    private func wake(in wait: Duration) {
        alarm?.cancel()
        alarm = Task { [weak self, time] in
            guard (try? await time.sleep(for: wait)) != nil, !Task.isCancelled else { return }
            self?.timePassed()
        }
    }
}
