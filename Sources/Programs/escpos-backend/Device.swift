import ESCPOS
import Glibc

/// A connection to the printer, open in both directions; closes it at the end.
struct Device: ~Copyable {
    let descriptor: Int32

    /// A printer in the shop's own network answers within milliseconds.
    private static let connectTimeoutMs: Int32 = 1_000

    /// Nil if no printer answers, after the system's message was given to CUPS.
    init?(_ address: DeviceAddress) {
        let opened =
            switch address {
            case .network(let host, let port): Self.connect(host, port)
            case .file(let path, let baud): Self.open(path, baud)
            }
        guard let opened else {
            CupsMessage.info("The printer is not responding: \(String(cString: strerror(errno))).")
            return nil
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    private static func connect(_ host: String, _ port: Int) -> Int32? {
        var wanted = addrinfo()
        wanted.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &wanted, &found) == 0 else {
            errno = EHOSTUNREACH
            return nil
        }
        defer { freeaddrinfo(found) }
        var next = found
        while let address = next?.pointee {
            let socket = Glibc.socket(
                address.ai_family, address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue),
                address.ai_protocol)
            if socket >= 0 {
                if isConnected(socket, address) { return socket }
                let reason = errno
                close(socket)
                errno = reason
            }
            next = address.ai_next
        }
        return nil
    }

    private static func isConnected(_ socket: Int32, _ address: addrinfo) -> Bool {
        if Glibc.connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return true }
        guard errno == EINPROGRESS else { return false }
        var watched = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        guard poll(&watched, 1, connectTimeoutMs) == 1 else {
            errno = ETIMEDOUT
            return false
        }
        var reason: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket, SOL_SOCKET, SO_ERROR, &reason, &size)
        errno = reason
        return reason == 0
    }

    private static func open(_ path: String, _ baud: Int?) -> Int32? {
        let file = Glibc.open(path, O_RDWR | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return nil }
        guard isatty(file) == 1 else { return file }
        var line = termios()
        tcgetattr(file, &line)
        cfmakeraw(&line)
        line.c_cflag |= tcflag_t(CLOCAL | CREAD)
        if let baud { cfsetspeed(&line, speed(baud)) }
        guard tcsetattr(file, TCSANOW, &line) == 0 else {
            let reason = errno
            close(file)
            errno = reason
            return nil
        }
        // The rest of a former job's data is no answer to the questions of this one.
        tcflush(file, TCIFLUSH)
        return file
    }

    private static func speed(_ baud: Int) -> speed_t {
        let codes: [Int: Int32] = [
            4_800: B4800, 9_600: B9600, 19_200: B19200, 38_400: B38400, 57_600: B57600,
            115_200: B115200,
        ]
        return speed_t(codes[baud] ?? B9600)
    }
}

/// The output for `lpinfo -v` (backend(7), "Device discovery").
enum DeviceList {
    static func print() {
        for number in 0..<16 where access("/dev/usb/lp\(number)", F_OK) == 0 {
            let path = "/dev/usb/lp\(number)"
            Swift.print("direct escpos:\(path) \"Unknown\" \"ESC/POS receipt printer (\(path))\"")
        }
        Swift.print("network escpos \"Unknown\" \"ESC/POS receipt printer\"")
    }
}
