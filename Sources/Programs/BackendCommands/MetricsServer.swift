import CommandSyntax
import BackendAPI
import BackendService
import FoundationEssentials
import Glibc
import HTTPServer
import Metrics
import Reservations

/// Answers `/metrics` on an address of its own, so that a proxy with wrong settings cannot expose it; accepts only
/// addresses of this computer.
func metricsServer(
    _ listen: ListenAddress, of service: BackendService, beside main: HTTPServer,
    phones: HTTPServer?
) throws -> HTTPServer {
    var limits = HTTPLimits()
    // Enough for a few collectors and an administrator.
    limits.connections = 16
    limits.drain = .seconds(1)
    do throws(HTTPServerError) {
        return try HTTPServer(listen: listen, limits: limits) { request, respond in
            respond(metrics(request, service, main, phones))
        }
    } catch { throw CommandError.failure("--metrics: \(error.description)") }
}

private func metrics(
    _ request: WireRequest, _ service: BackendService, _ main: HTTPServer, _ phones: HTTPServer?
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
        [([Label("version", ProductVersion.current)], 1)])
    service.write(to: &text)
    text.add(
        "clup_open_sockets", .gauge, help: "WebSockets of displays and readers.",
        Double(main.openSockets))
    text.add(
        "clup_open_connections", .gauge, help: "Connections, WebSockets among them.",
        Double(main.openConnections))
    if let phones {
        text.add(
            "clup_open_phone_sockets", .gauge, help: "WebSockets of the pages of places on phones.",
            Double(phones.openSockets))
        text.add(
            "clup_open_phone_connections", .gauge,
            help: "Connections of phones, WebSockets among them.",
            Double(phones.openConnections))
    }
    ProcessFigures.write(to: &text)
    return WireResponse(
        status: 200, fields: ["content-type": MetricText.contentType, "cache-control": "no-store"],
        body: Array(text.text.utf8))
}

/// What this process uses of the computer's resources (proc(5)), by the names of Prometheus's own clients.
enum ProcessFigures {
    static func write(to text: inout MetricText) {
        let files = FileManager.default
        if let bytes = files.contents(atPath: "/proc/self/statm"),
            case let words = String(decoding: bytes, as: UTF8.self).split(separator: " "),
            let pages = words.dropFirst().first.flatMap({ Double($0) })
        {
            text.add(
                "process_resident_memory_bytes", .gauge, help: "Memory that is in use.",
                pages * Double(sysconf(Int32(_SC_PAGESIZE))))
        }
        if let open = try? files.contentsOfDirectory(atPath: "/proc/self/fd") {
            // The descriptor of the folder itself does not count.
            text.add(
                "process_open_fds", .gauge, help: "Descriptors that are open.",
                Double(open.count - 1))
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
}
