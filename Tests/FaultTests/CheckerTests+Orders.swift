import TestSupport

/// Histories of orders that customers collect (rules 41).
extension CheckerTests {
    private static func arrived(_ order: String, _ number: Int) -> Exchange {
        let body = "{\"id\":\"\(order)\",\"number\":\(number),\"ticket\":{\"code\":\"x\"}}"
        return Exchange(
            asked: start, method: "POST", path: "/v1/orders/\(order)/arrival",
            key: "key-\(number)", ended: start + .seconds(1),
            outcome: .answered(status: 201, body: Array(body.utf8)))
    }

    private static func steps(_ order: String, _ states: [String]) -> [OrderHistory.Event] {
        states.enumerated().map {
            OrderHistory.Event(id: order, position: $0.offset + 1, state: $0.element)
        }
    }

    /// The answers to two customers of one order, who came on different days.
    static let goodArrivals = [arrived("o", 1), arrived("o", 2)]

    static let goodOrders = OrderHistory(
        [
            here("o", 2, state: "handed-over"),
            OrderHistory.Row(id: "p", state: "cancelled"),
        ],
        events: steps(
            "o",
            [
                "promised", "on-shelf", "arrived", "on-shelf", "arrived", "fetching", "called",
                "handed-over", "called", "handed-over",
            ]) + steps("p", ["promised", "arrived", "fetching", "not-found", "cancelled"]))

    /// An order that arrived on one day.
    private static func here(_ id: String, _ number: Int, state: String = "arrived")
        -> OrderHistory.Row
    {
        OrderHistory.Row(id: id, state: state, day: "2026-11-20", number: number)
    }

    static let badOrders = [
        // An order went from the shelf into its customer's hands, or is not as its last event says.
        Bad(
            .orders,
            orders: OrderHistory(
                [here("a", 1, state: "handed-over")],
                events: steps("a", ["on-shelf", "handed-over"]))),
        Bad(
            .orders,
            orders: OrderHistory(
                [OrderHistory.Row(id: "a", state: "promised")], events: steps("a", ["on-shelf"]))),
        // Two orders have one number, and one order two tickets for one arrival.
        Bad(
            .orders,
            orders: OrderHistory(
                ["a", "b"].map { here($0, 1) },
                events: ["a", "b"].flatMap { steps($0, ["on-shelf", "arrived"]) })),
        Bad(
            .orders, [arrived("a", 1), arrived("a", 2)],
            orders: OrderHistory([here("a", 2)], events: steps("a", ["on-shelf", "arrived"]))),
    ]
}
