import CommandSyntax
import BackendAPI
import BackendService
import Glibc
import HTTPServer
import Metrics
import Reservations

/// Answers `/metrics` on an address of its own, so that a proxy with wrong settings cannot expose it; accepts only
/// addresses of this computer.
func metricsServer(
    _ listen: ListenAddress, of service: BackendService, beside main: HTTPServer
) throws -> HTTPServer {
    var limits = HTTPLimits()
    // Enough for a few collectors and an administrator.
    limits.connections = 16
    limits.drain = .seconds(1)
    do throws(HTTPServerError) {
        return try HTTPServer(listen: listen, limits: limits) { request, respond in
            respond(metrics(request, service, main))
        }
    } catch { throw CommandError.failure("--metrics: \(error.description)") }
}

private func metrics(
    _ request: WireRequest, _ service: BackendService, _ main: HTTPServer
) -> WireResponse {
    guard request.path == "/metrics" else {
        return WireResponse(status: 404, fields: ["content-type": "text/plain"])
    }
    guard request.method == "GET" || request.method == "HEAD" else {
        return WireResponse(status: 405, fields: ["allow": "GET, HEAD"])
    }
    var text = MetricText()
    text.add(
        "clup_build_info", .gauge, help: "The version of the program.",
        [([Label("version", Edition.version)], 1)])
    service.write(to: &text)
    text.add(
        "clup_open_sockets", .gauge, help: "WebSockets of displays and readers.",
        Double(main.openSockets))
    text.add(
        "clup_open_connections", .gauge, help: "Connections, WebSockets among them.",
        Double(main.openConnections))
    ProcessFigures.write(to: &text)
    return WireResponse(
        status: 200, fields: ["content-type": MetricText.contentType, "cache-control": "no-store"],
        body: Array(text.text.utf8))
}

/// What this process uses of the computer's resources (proc(5)), by the names of Prometheus's own clients.
enum ProcessFigures {
    static func write(to text: inout MetricText) {
        if let pages = words(of: "/proc/self/statm").dropFirst().first.flatMap({ Double($0) }) {
            text.add(
                "process_resident_memory_bytes", .gauge, help: "Memory that is in use.",
                pages * Double(sysconf(Int32(_SC_PAGESIZE))))
        }
        if let open = descriptors() {
            text.add("process_open_fds", .gauge, help: "Descriptors that are open.", open)
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            text.add(
                "process_max_fds", .gauge, help: "Descriptors that may be open.",
                Double(limit.rlim_cur))
        }
        var time = timespec()
        if clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 {
            text.add(
                "process_cpu_seconds_total", .counter, help: "Processor time used.",
                Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9)
        }
    }

    private static func words(of path: String) -> [Substring] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    }

    /// The number of open descriptors; nil if they cannot be counted.
    private static func descriptors() -> Double? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        // Does not count ".", ".." and the descriptor of the folder itself.
        var count = -3
        while readdir(folder) != nil { count += 1 }
        return Double(count)
    }
}
