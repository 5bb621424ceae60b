internal import CEvdev
internal import Glibc

/// An open code reader; it is closed with this object.
final class ReaderDevice {
    /// The reason why a device cannot be used, as a sentence.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        /// The operation that failed, and the system's reason for it.
        static func system(_ what: String) -> Failure {
            Failure(description: "\(what): \(systemReason)")
        }
    }

    let descriptor: Int32
    private let kind: DeviceReader.Kind
    private var events = KeyEvents()

    /// Opens a device for this program alone; if that throws, `deinit` closes it.
    ///
    /// - Parameter kind: by default the kind that the file itself shows.
    init(path: String, as kind: DeviceReader.Kind? = nil) throws(Failure) {
        descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(description: systemReason) }
        let isEventDevice = clup_is_event_device(descriptor)
        self.kind = kind ?? (isEventDevice ? .keys : .line)
        guard isEventDevice || kind != nil else {
            guard !path.hasPrefix("/dev/input/") else {
                throw Failure(description: "is no event device; name one of /dev/input/by-id/...")
            }
            makeRaw()
            return
        }
        // The keys that the reader sends must reach no other program: neither the terminal nor the console.
        guard !isEventDevice || clup_grab_event_device(descriptor) == 0 else {
            throw .system("cannot be had alone")
        }
    }

    deinit { close(descriptor) }

    /// The characters that have arrived; nil if the reader was pulled out.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil }
        switch kind {
        case .line: return Array(bytes[..<count])
        case .keys: return events.take(bytes[..<count])
        }
    }

    /// Makes the line deliver bytes unchanged (cfmakeraw(3)); only a terminal line has settings, not a pipe or file.
    private func makeRaw() {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        cfmakeraw(&settings)
        tcsetattr(descriptor, TCSANOW, &settings)
        // Bytes that were sent before the device was opened are dropped.
        tcflush(descriptor, TCIFLUSH)
    }
}

private var systemReason: String { String(cString: strerror(errno)) }
