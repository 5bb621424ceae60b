import Dispatch
import Glibc

/// A fake backend in front of the true one, with one fault from the start; for demonstrations.
enum FaultyBackend {
    enum Fault: String, CaseIterable {
        /// Every answer comes 2 s late: just within the time of a try (rules 14).
        case slow
        /// Nobody listens.
        case down
        /// Every answer is a web page of somebody else's.
        case garbage
    }

    private static let lateness: UInt32 = 2_000_000
    private static let page = "<html><body><h1>It works!</h1></body></html>"

    /// Says on a line of JSON where it is, and stays until a signal ends it.
    static func run(_ options: Options) throws {
        let backend = try options.required("backend")
        guard let port = backend.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchError.usage("--backend is http://127.0.0.1:PORT, not \"\(backend)\"")
        }
        let word = try options.required("fault")
        guard let fault = Fault(rawValue: word) else {
            let faults = Fault.allCases.map(\.rawValue).joined(separator: ", ")
            throw BenchError.usage("--fault is one of \(faults), not \"\(word)\"")
        }
        let listener = try LoopbackSocket.bound()
        // Bound and not listening, the port refuses, and nobody else takes it.
        if fault != .down, listen(listener.descriptor, 64) != 0 {
            throw BenchError.system("listen")
        }
        print("{\"listening\":\"http://127.0.0.1:\(listener.port)\"}")
        fflush(nil)
        guard fault != .down else { while true { pause() } }
        while true {
            let client = accept(listener.descriptor, nil, nil)
            guard client >= 0 else { continue }
            // A machine has two connections; a pool's threads are enough for both to block.
            DispatchQueue.global().async {
                defer { close(client) }
                switch fault {
                case .slow: answerLate(client, backend: port)
                case .garbage: answerWithPage(client)
                case .down: break
                }
            }
        }
    }

    private static func answerLate(_ client: Int32, backend: UInt16) {
        guard let server = LoopbackSocket.connected(to: backend) else { return }
        defer { close(server) }
        while true {
            var sides = [client, server].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&sides, 2, -1) > 0 else { return }
            if sides[0].revents != 0 {
                guard handOn(from: client, to: server) else { return }
            } else {
                usleep(lateness)
                guard handOn(from: server, to: client) else { return }
            }
        }
    }

    /// False when one of them is gone.
    private static func handOn(from one: Int32, to other: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(one, &bytes, bytes.count, 0)
        // A blocking socket of the loopback takes all of it.
        return count > 0 && send(other, bytes, count, Int32(MSG_NOSIGNAL)) == count
    }

    private static func answerWithPage(_ client: Int32) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        guard recv(client, &bytes, bytes.count, 0) > 0 else { return }
        let answer = Array(
            """
            HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r
            Content-Length: \(page.utf8.count)\r\n\r\n\(page)
            """.utf8)
        _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
    }
}
