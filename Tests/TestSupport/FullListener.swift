import Glibc

/// A port of the loopback that refuses no connection and completes none, as if packets
/// got lost: its queue is full, and further connections are dropped (listen(2)).
public final class FullListener: Sendable {
    public let address: String
    private let listener: Int32
    private let clients: [Int32]

    public init() throws {
        let (listener, port) = try LoopbackWire.bound(to: 0)
        self.listener = listener
        address = "http://127.0.0.1:\(port)"
        guard listen(listener, 0) == 0 else { throw TestSupportError("listen failed") }
        // Linux accepts one more than the queue's length.
        clients = (0..<4).map { _ in
            let client = socket(
                AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            _ = LoopbackWire.connect(client, to: port)
            return client
        }
    }

    deinit { for descriptor in clients + [listener] { close(descriptor) } }
}
