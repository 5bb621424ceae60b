import BackendAPI
import Cryptography
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("The customer of an order is here while the backend is killed [rules 41]", .serialized)
struct KilledArrivalTests {
    private static let calls = SteppedProcess.disk + ["sendto", "sendmsg"]
    /// No arrival makes more calls than this.
    private static let maxCalls = 150

    private struct Row: Decodable {
        let state: String
        let number: Int?
        let events: Int
    }

    @Test(
        "The order waits as before or has its number, and the repetition gets that number and the ticket [fault 66]",
        arguments: FaultyShop.Engine.allCases)
    func arrives(engine: FaultyShop.Engine) async throws {
        try Cryptography.start()
        let database = engine == .sqlite ? nil : try PostgresServer.shared().database()
        let key = try SigningKey.generate()
        try await ServingBackend.with(
            machines: [key.publicKey.text], database: database, capacity: 20,
            shop: ["--desks", "2"], options: []
        ) { backend in
            let machine = ServedMachine(key)
            let orders = try await backend.announceOrders(
                (1...Self.maxCalls).map { "order-\($0)" })
            try #require(orders.count == Self.maxCalls)
            var call = 1
            for (number, order) in orders.enumerated() {
                let (came, isKilled) = try await arrive(
                    order, by: machine, of: backend, killedAfter: call)
                #expect(came.id == order.order && came.state == .arrived)
                #expect(came.number?.rawValue == number + 1, "no number is lost or given twice")
                #expect(came.ticket?.code == order.code)
                guard isKilled else { break }
                call += TestLength.choose(5, long: 1)
                try #require(call < Self.maxCalls)
            }
            #expect(call > (engine == .sqlite ? 10 : 3))
            let history = try await OrderHistory(database: backend.database)
            let found = Checker([], rows: [], orders: history).violations()
            #expect(found.isEmpty, "\(found)")
        }
    }

    /// Says that the customer is here; returns the answer, and whether the backend was killed on the way.
    private func arrive(
        _ order: ServedOrder, by machine: ServedMachine, of backend: ServingBackend,
        killedAfter call: Int
    ) async throws -> (PickupOrder, isKilled: Bool) {
        let isServed = Flag()
        let pid = backend.pid
        let (isKilled, customer) = try await SteppedProcess.with(pid, calls: Self.calls) {
            process in
            let customer = Task {
                defer { isServed.set() }
                return try await machine.callUntilAnswered(
                    .orderArrival(order.order), #"{"code":"\#(order.code.rawValue)"}"#,
                    at: backend) as PickupOrder
            }
            let stands = try await process.stands(afterCall: call) { isServed.isSet }
            if stands {
                kill(pid, SIGKILL)
                let rows: [Row] = try await Checker.rows(
                    of: """
                        SELECT state, number, (SELECT count(*) FROM pickup_event AS e
                            WHERE e.order_id = o.id) AS events
                        FROM pickup_order AS o WHERE id = '\(order.order)'
                        """, database: backend.database)
                let point = "killed after call \(call): \(process.trace.last ?? "")"
                let row = try #require(rows.first, "\(point)")
                let isHere = row.state == "arrived"
                #expect(isHere || row.state == "on-shelf", "\(point)")
                #expect((row.number != nil) == isHere, "half an arrival, \(point)")
                #expect(row.events == (isHere ? 2 : 1), "\(point)")
            }
            return (stands, customer)
        }
        if isKilled { try await backend.killAndRestart() }
        return (try await customer.value, isKilled)
    }
}
