import BackendAPI
import Cryptography
import FoundationEssentials
import Reservations
import TestSupport

/// One device of a shop, with a key of its own, that calls the backend and waits for each answer.
final class DeviceConnection {
    /// An answer of the backend.
    struct Answer<Reply: Decodable> {
        let status: Int
        private let body: [UInt8]

        fileprivate init(status: Int, body: [UInt8]) {
            self.status = status
            self.body = body
        }

        func reply() throws -> Reply { try JSONDecoder().decode(Reply.self, from: Data(body)) }
    }

    let name: String
    let key: SigningKey
    private let signer: RequestSigner
    private let port: UInt16
    /// Nil before the first call: a backend does not wait long for the first request of a connection.
    private var connection: LoopbackWire?

    /// Makes a key unless one is given.
    init(_ name: String, port: UInt16, key: SigningKey? = nil) throws {
        self.name = name
        let key = try key ?? SigningKey.generate()
        self.key = key
        signer = RequestSigner(key: key)
        self.port = port
    }

    deinit { connection?.end() }

    /// - Parameter id: for the calls whose path names a place or a reservation.
    func call<Reply>(
        _ endpoint: Endpoint<NoBody, Reply>, of id: ReservationID? = nil
    ) throws -> Answer<Reply> {
        try call(Self.route(endpoint, id), [])
    }

    /// Makes a call whose path names a call for help or an order.
    func call<Subject, Request, Reply>(
        _ endpoint: Endpoint<Request, Reply>, of id: Identifier<Subject>, _ request: Request
    ) throws -> Answer<Reply> {
        try call(endpoint.route(id), Array(JSONEncoder().encode(request)))
    }

    /// - Parameter id: for the calls whose path names a place or a reservation.
    func call<Request, Reply>(
        _ endpoint: Endpoint<Request, Reply>, of id: ReservationID? = nil, _ request: Request
    ) throws -> Answer<Reply> {
        try call(Self.route(endpoint, id), Array(JSONEncoder().encode(request)))
    }

    /// Takes a ticket.
    func ticket() throws -> Reservation {
        let hold = try call(API.holds, HoldRequest(kind: .ticket)).reply()
        return try call(API.holdConfirmation, of: hold.id).reply()
    }

    private static func route<Request, Reply>(
        _ endpoint: Endpoint<Request, Reply>, _ id: ReservationID?
    ) -> Route { id.map { endpoint.route($0) } ?? endpoint.route() }

    private func call<Reply>(_ route: Route, _ body: [UInt8]) throws -> Answer<Reply> {
        let request = WireRequest(
            route, body, to: "127.0.0.1:\(port)",
            key: "\(name)-\(RequestSigner.makeNonce())"
        ).signed(by: signer)
        if connection == nil { connection = LoopbackWire.connected(to: port) }
        guard connection?.send(request.bytes) == true else {
            throw BenchError("\(request.authority) takes no request")
        }
        guard let answer = connection?.read(), let status = answer.status else {
            throw BenchError("the backend has closed a connection")
        }
        return Answer(status: status, body: answer.body)
    }
}
