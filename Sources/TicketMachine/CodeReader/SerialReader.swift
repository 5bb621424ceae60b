internal import Dispatch
internal import Glibc

/// A code reader on a serial line (USB-CDC): whole lines come out, whatever pieces they come in.
///
/// A reader that is not there, or is pulled out, is looked for again: nothing has to be restarted.
@MainActor
public final class SerialReader {
    /// How a reader is found; a path under /dev/serial/by-id survives replugging.
    private let path: String
    private let codeRead: (String) -> Void
    private let log: (String) -> Void
    private var line: SerialLine?
    private var source: (any DispatchSourceRead)?
    private var timer: (any DispatchSourceTimer)?
    private var lines = LineBuffer()
    private var isMissed = false

    /// Looks for the reader now and every two seconds while it is away.
    public init(
        path: String, log: @escaping (String) -> Void, codeRead: @escaping (String) -> Void
    ) {
        self.path = path
        self.log = log
        self.codeRead = codeRead
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now(), repeating: .seconds(2), leeway: .milliseconds(100))
        timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.look() } }
        self.timer = timer
        timer.activate()
    }

    /// Whether the reader is plugged in.
    public var isThere: Bool { line != nil }

    private func look() {
        guard line == nil else { return }
        guard let opened = SerialLine(path: path) else {
            if !isMissed { log("reader: \(path): \(String(cString: strerror(errno)))") }
            isMissed = true
            return
        }
        if isMissed { log("reader: \(path) is back") }
        isMissed = false
        let source = DispatchSource.makeReadSource(
            fileDescriptor: opened.descriptor, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
        line = opened
        self.source = source
        source.activate()
    }

    private func read() {
        guard let line else { return }
        guard let bytes = line.read() else {
            source?.cancel()
            source = nil
            self.line = nil
            lines = LineBuffer()
            return
        }
        for code in lines.take(bytes) { codeRead(code) }
    }
}

/// The open line; closed when it goes.
private final class SerialLine {
    let descriptor: Int32

    /// Opens the device raw (cfmakeraw(3)); nil where it is not there, with `errno`.
    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var settings = termios()
        // A pipe or a file has no settings; a reader's line has.
        if tcgetattr(descriptor, &settings) == 0 {
            cfmakeraw(&settings)
            tcsetattr(descriptor, TCSANOW, &settings)
            tcflush(descriptor, TCIFLUSH)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// What has come; nil where the reader was pulled out.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count > 0 { return Array(bytes[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }
}
