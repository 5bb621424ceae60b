import Foundation
import Glibc
import TestSupport

/// A server that sends an empty page at `/`, and a page without its last byte at every other path.
final class StalledServer: Sendable {
    private let descriptor: Int32
    let address: String

    init(_ page: Data) throws {
        let bound = try LoopbackWire.bound(to: 0)
        descriptor = bound.descriptor
        address = "http://127.0.0.1:\(bound.port)"
        listen(descriptor, 16)
        Thread.detachNewThread { [descriptor] in
            var wires: [LoopbackWire] = []
            while true {
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0 else { break }
                var wire = LoopbackWire(accepted)
                wire.giveUp(afterMilliseconds: 5_000)
                // A browser also connects without asking.
                guard let asked = wire.read() else {
                    wire.end()
                    continue
                }
                let isEmpty = asked.start.hasPrefix("GET / ")
                let body = isEmpty ? Data() : page
                let head =
                    "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\n"
                    + "content-length: \(body.count)\r\nconnection: close\r\n\r\n"
                _ = wire.send(Array(head.utf8) + body.dropLast())
                if isEmpty { wire.end() } else { wires.append(wire) }
            }
            for wire in wires { wire.end() }
        }
    }

    func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}
