internal import CEvdev
internal import Glibc

/// An open code reader; closed when it goes.
final class ReaderDevice {
    /// What a device is to be read as.
    enum Kind {
        /// Characters, as a serial line brings them.
        case line
        /// Key events (evdev).
        case keys
    }

    /// Why a device cannot be used, in a sentence.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        /// What could not be done, and the system's reason for it.
        static func system(_ what: String) -> Failure {
            Failure(description: "\(what): \(systemReason)")
        }
    }

    let descriptor: Int32
    private let kind: Kind
    private var events = KeyEvents()

    /// Opens a device and makes it this program's own; where that throws, `deinit` closes it.
    ///
    /// - Parameter kind: by default the file's own.
    init(path: String, as kind: Kind? = nil) throws(Failure) {
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
        // What the reader types must reach nobody else: not the terminal, not the console.
        guard !isEventDevice || clup_grab_event_device(descriptor) == 0 else {
            throw .system("cannot be had alone")
        }
    }

    deinit { close(descriptor) }

    /// The characters that have come; nil where the reader was pulled out.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else {
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
        }
        switch kind {
        case .line: return Array(bytes[..<count])
        case .keys: return events.take(bytes[..<count])
        }
    }

    /// Bytes as they come (cfmakeraw(3)); a pipe or a file has no settings, a reader's line has.
    private func makeRaw() {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        cfmakeraw(&settings)
        tcsetattr(descriptor, TCSANOW, &settings)
        // Nothing that was sent while nobody looked.
        tcflush(descriptor, TCIFLUSH)
    }
}

private var systemReason: String { String(cString: strerror(errno)) }
