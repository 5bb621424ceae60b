import BackendAPI
import Dispatch
import Foundation
import HTTPServer
import TestSupport

/// A server that answers a request for `/wait` only when the test says so, and every other request at once.
final class PendingServer: Sendable {
    let http: HTTPServer
    private let kept = Locked<[@Sendable (WireResponse) -> Void]>([])

    init(
        limits: HTTPLimits = HTTPLimits(), sockets: HTTPServer.SocketHandler? = nil,
        _ other: @escaping HTTPServer.Handler = HTTPServerTests.echo
    ) throws {
        http = try HTTPServer(
            listen: .tcp(address: "127.0.0.1", port: 0), limits: limits, sockets: sockets
        ) { [kept] request, respond in
            guard request.path == "/wait" else { return other(request, respond) }
            kept.change { $0.append(respond) }
        }
    }

    var address: ListenAddress { http.address }

    /// A client whose request for `/wait` the server has received; nil if it does not come.
    func waitingClient() async throws -> RawClient? {
        let client = try RawClient(address)
        client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        return await eventually { !kept.value.isEmpty } ? client : nil
    }

    /// Answers what waits.
    func answer(_ status: Int) {
        for respond in kept.value { respond(WireResponse(status: status)) }
    }

    /// Stops the server on another thread; signals when it has stopped.
    func stopInBackground() -> DispatchSemaphore {
        let stopped = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [http] in
            http.stop()
            stopped.signal()
        }
        return stopped
    }
}
