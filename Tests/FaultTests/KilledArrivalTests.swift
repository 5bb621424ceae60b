import BackendAPI
import Cryptography
import Reservations
import TestSupport
import Testing

@Suite(
    "The customer of an order is here while the backend is killed [rules: order-arrivals]",
    .serialized)
struct KilledArrivalTests {
    private struct Row: Decodable {
        let state: String
        let number: Int?
        let events: Int
    }

    @Test(
        "The order waits as before or has its number, and the repetition gets that number and the ticket [fault 66]",
        arguments: FaultyShop.Engine.allCases)
    func arrives(engine: FaultyShop.Engine) async throws {
        try await Self.with(engine) { backend, machine in
            let orders = try await backend.announceOrders(
                (1...ServingBackend.maxLastingCalls).map { "order-\($0)" })
            try #require(orders.count == ServingBackend.maxLastingCalls)
            try await ServingBackend.killedEverLater(in: engine, least: (10, 3)) { number, call in
                let order = orders[number - 1]
                let (came, isKilled) =
                    try await ask(
                        .orderArrival(order.order), #"{"code":"\#(order.code.rawValue)"}"#,
                        about: order, (from: "on-shelf", events: 1), (to: "arrived", events: 2),
                        by: machine, of: backend, killedAfter: call) as (PickupOrder, Bool)
                #expect(came.id == order.order && came.state == .arrived)
                #expect(came.number?.rawValue == number, "no number is lost or given twice")
                #expect(came.ticket?.code == order.code)
                return isKilled
            }
        }
    }

    @Test(
        "The order is as before or handed over, and the repetition is answered that it is [fault 69]",
        arguments: FaultyShop.Engine.allCases)
    func handsOver(engine: FaultyShop.Engine) async throws {
        try await Self.with(engine) { backend, machine in
            let key = try SigningKey.generate()
            let desk = ServedMachine(key)
            _ = try await backend.addDevice(role: "desk", name: "desk-1", key: key.publicKey.text)
            // A server knows the desk's key within a second.
            let isKnown = await patiently {
                let _: DeskOrders = try await desk.call(.deskOrders, "", at: backend)
                return true
            }
            #expect(isKnown)
            try await ServingBackend.killedEverLater(in: engine, least: (10, 3)) { _, call in
                let order = try #require(try await backend.announceOrders(["order-\(call)"]).first)
                let _: PickupOrder = try await machine.callUntilAnswered(
                    .orderArrival(order.order), #"{"code":"\#(order.code.rawValue)"}"#,
                    at: backend)
                for step in [DeskStep.fetch, .ready] {
                    let _: DeskOrder = try await desk.callUntilAnswered(
                        .deskStep(order.order), #"{"step":"\#(step.rawValue)","desk":2}"#,
                        at: backend)
                }
                let (given, isKilled) =
                    try await ask(
                        .handovers, #"{"code":"\#(order.code.rawValue)","desk":2}"#, about: order,
                        (from: "called", events: 4), (to: "handed-over", events: 5), by: desk,
                        of: backend, killedAfter: call) as (DeskOrder, Bool)
                #expect(given.id == order.order && given.state == .handedOver)
                return isKilled
            }
        }
    }

    /// A backend with desks and a machine, whose orders keep all rules.
    private static func with(
        _ engine: FaultyShop.Engine, body: (ServingBackend, ServedMachine) async throws -> Void
    ) async throws {
        try await ServingBackend.withMachines(
            1, database: try engine.database(), capacity: 20, shop: ["--desks", "2"]
        ) { backend, keys in
            try await body(backend, ServedMachine(keys[0]))
            let history = try await OrderHistory(database: backend.database)
            let found = Checker([], rows: [], orders: history).violations()
            #expect(found.isEmpty, "\(found)")
        }
    }

    /// Makes a call about an order; returns the answer, and whether the backend was killed on the way. Then the order is
    /// `from` or `to`, whole.
    private func ask<Reply: Decodable & Sendable>(
        _ route: Route, _ body: String, about order: ServedOrder,
        _ from: (from: String, events: Int), _ to: (to: String, events: Int),
        by caller: ServedMachine, of backend: ServingBackend, killedAfter call: Int
    ) async throws -> (Reply, isKilled: Bool) {
        try await backend.killed(afterCall: call) {
            try await caller.callUntilAnswered(route, body, at: backend)
        } check: { point in
            let rows: [Row] = try await Checker.rows(
                of: """
                    SELECT state, number, (SELECT count(*) FROM pickup_event AS e
                        WHERE e.order_id = o.id) AS events
                    FROM pickup_order AS o WHERE id = '\(order.order)'
                    """, database: backend.database)
            let row = try #require(rows.first, "\(point)")
            let isDone = row.state == to.to
            #expect(isDone || row.state == from.from, "\(point)")
            #expect((row.number != nil) == (row.state != "on-shelf"), "half a step, \(point)")
            #expect(row.events == (isDone ? to.events : from.events), "\(point)")
        }
    }
}
