import TestSupport
import Testing

@Suite("The checker finds the violations that it exists for")
struct CheckerTests {
    static let start = ContinuousClock.now

    /// A confirmation with its answer, sent and answered at these seconds after the start.
    private static func confirmed(
        _ id: String, _ number: Int, key: String? = nil, asked: Int = 0, answered: Int = 1
    ) -> Exchange {
        let body = """
            {"id":"\(id)","number":\(number),"code":"code-\(id)",\
            "issued":"2026-11-20T10:00:00.000+01:00"}
            """
        return Exchange(
            asked: start + .seconds(asked), method: "POST", path: "/v1/holds/\(id)/confirmation",
            key: key ?? "key-\(id)", ended: start + .seconds(answered),
            outcome: .answered(status: 201, body: Array(body.utf8)))
    }

    private static func row(
        _ id: String, _ number: Int?, state: String = "planned", code: String? = nil
    ) -> Checker.Row {
        Checker.Row(
            id: id, day: "2026-11-20", state: state, number: number,
            code: number.map { _ in "code-" + id } ?? code)
    }

    private static func calledForHelp(_ id: String) -> Exchange {
        Exchange(
            asked: start, method: "POST", path: "/v1/help", key: "key-\(id)",
            ended: start + .seconds(1),
            outcome: .answered(status: 201, body: Array("{\"id\":\"\(id)\"}".utf8)))
    }

    private static func helpRow(
        _ id: String, raised: Int64, ended: Int64? = nil
    ) -> Checker.HelpRow {
        Checker.HelpRow(id: id, machine: "door-1", raised: raised, ended: ended)
    }

    private static let lost = Exchange(
        asked: start, method: "POST", path: "/v1/holds/c/confirmation", key: "key-c",
        ended: start + .seconds(1), outcome: .unknown)

    @Test("A valid history passes: a lost answer, a replay, a deleted number, a paper each")
    func good() {
        let exchanges = [
            Self.confirmed("a", 1), Self.lost, Self.confirmed("b", 2, asked: 2, answered: 3),
            Self.confirmed("a", 1, asked: 4, answered: 5),
        ]
        let rows = [
            Self.row("a", 1), Self.row("b", 2, state: "deleted"), Self.row("c", 3),
            Self.row("d", nil, state: "pending"),
        ]
        let history = QueueHistory(
            Self.called("a", 1, at: 5, until: 6) + Self.called("b", 2, at: 6)
                + [Self.visit("v", 3, minute: 15), Self.visit("w", 4, minute: 35)],
            limits: Self.one)
        let checker = Checker(
            exchanges + [Self.calledForHelp("h")] + Self.goodArrivals, rows: rows,
            papers: ["code-a", "code-b"],
            help: [Self.helpRow("g", raised: 0, ended: 8), Self.helpRow("h", raised: 8)],
            history: history, orders: Self.goodOrders)
        #expect(checker.violations().isEmpty)
    }

    /// A history that breaks one rule and no other.
    struct Bad: Sendable, CustomTestStringConvertible {
        let invariant: Checker.Invariant
        let checker: Checker
        var testDescription: String { "\(invariant)" }

        init(
            _ invariant: Checker.Invariant, _ exchanges: [Exchange] = [],
            rows: [Checker.Row] = [], papers: [String] = [], help: [Checker.HelpRow] = [],
            history: [QueueHistory.Event] = [], limits: [String: QueueHistory.Limits] = [:],
            orders: OrderHistory = OrderHistory()
        ) {
            self.invariant = invariant
            checker = Checker(
                exchanges, rows: rows, papers: papers, help: help,
                history: QueueHistory(history, limits: limits), orders: orders)
        }
    }

    /// A step of a ticket at this second.
    private static func step(
        _ id: String, _ number: Int, at second: Int = 0, _ state: String = "planned",
        _ cause: String = "confirmed", position: Int? = nil
    ) -> QueueHistory.Event {
        QueueHistory.Event(
            id: id, at: second * 1_000, state: state, cause: cause, number: number,
            position: position)
    }

    /// A ticket that is confirmed, called and, if an end is given, left again, at these seconds.
    private static func called(
        _ id: String, _ number: Int, at call: Int, until end: Int? = nil
    ) -> [QueueHistory.Event] {
        [step(id, number), step(id, number, at: call, "called", "turn")]
            + [("active", "entered"), ("expired", "left")].compactMap { state, cause in
                end.map { step(id, number, at: $0, state, cause) }
            }
    }

    /// The booking of a visit for the slot at this minute, or its call at this second.
    private static func visit(
        _ id: String, _ number: Int, minute: Int, called second: Int? = nil
    ) -> QueueHistory.Event {
        QueueHistory.Event(
            id: id, at: (second ?? 0) * 1_000, state: second == nil ? "planned" : "called",
            cause: second == nil ? "confirmed" : "turn", kind: "visit", number: number,
            start: minute * 60_000)
    }

    /// A step of a place that was taken on one phone, at this second.
    private static func ofPhone(
        _ id: String, _ state: String, at second: Int, shop: String = "shop"
    ) -> QueueHistory.Event {
        QueueHistory.Event(
            shop: shop, id: id, at: second * 1_000, state: state, cause: "", number: nil,
            holder: "phone")
    }

    /// A visit that was booked on a phone, for the slot at this minute of a day.
    private static func ofPhone(
        _ id: String, day: Int, minute: Int, holder: String? = nil, in departments: String? = nil,
        state: String = "planned"
    ) -> QueueHistory.Event {
        QueueHistory.Event(
            id: id, at: 0, state: state, cause: "confirmed", kind: "visit",
            day: "2026-11-2\(day)", number: 1, start: (day * 1_440 + minute) * 60_000,
            departments: departments, holder: holder ?? id, isRemote: true)
    }

    private static let one = [
        "shop": QueueHistory.Limits(capacity: 1, visits: 1, stayMinutes: 20)
    ]
    private static let fish = [
        "shop": QueueHistory.Limits(
            capacity: 4, visits: 4, departments: ["Fish": 1], stayMinutes: 20)
    ]

    static let bad =
        badOrders + [
            // Two rows have one number.
            Bad(.unique, rows: [row("a", 1), row("b", 1)]),
            // A reservation was acknowledged and is missing.
            Bad(.durable, [confirmed("a", 1)]),
            // It is there, but with another number than was acknowledged.
            Bad(.durable, [confirmed("a", 2)], rows: [row("a", 1)]),
            // It was acknowledged while it was only held.
            Bad(.durable, [confirmed("a", 1)], rows: [row("a", nil)]),
            // One key has two reservations.
            Bad(
                .onceAKey,
                [confirmed("a", 1, key: "key"), confirmed("b", 2, key: "key")],
                rows: [row("a", 1), row("b", 2)]),
            // It was asked for after 2 was given, and got 1.
            Bad(
                .monotonic,
                [confirmed("b", 2), confirmed("a", 1, asked: 2, answered: 3)],
                rows: [row("a", 1), row("b", 2)]),
            // Number 2 is missing.
            Bad(.gapless, rows: [row("a", 1), row("c", 3)]),
            // A paper without a row, one of a place that was only held, and a second copy.
            Bad(.paper, rows: [row("a", 1)], papers: ["code-b"]),
            Bad(
                .paper, rows: [row("a", nil, state: "pending", code: "code-a")],
                papers: ["code-a"]),
            Bad(.paper, rows: [row("a", 1)], papers: ["code-a", "code-a"]),
            // Two customers are called into a shop for one.
            Bad(.occupancy, history: called("a", 1, at: 5) + called("b", 2, at: 6), limits: one),
            // Two visits overlap although only one place is for visits.
            Bad(
                .occupancy, history: [visit("a", 1, minute: 15), visit("b", 2, minute: 30)],
                limits: one),
            // Phones have booked two visits at once, of the two that there may be, and may book one.
            Bad(
                .occupancy,
                history: [ofPhone("a", day: 1, minute: 15), ofPhone("b", day: 1, minute: 30)],
                limits: [
                    "shop": QueueHistory.Limits(
                        capacity: 4, visits: 2, phoneVisits: 1, stayMinutes: 20)
                ]),
            // Two visits of the fish counter overlap, which has place for one; and two customers of it are called.
            Bad(
                .occupancy,
                history: [
                    ofPhone("a", day: 1, minute: 15, in: "Fish,Wine"),
                    ofPhone("b", day: 1, minute: 30, in: "Bakery,Fish"),
                ], limits: fish),
            Bad(
                .occupancy,
                history: [
                    ofPhone("a", day: 1, minute: 15, in: "Fish", state: "active"),
                    ofPhone("b", day: 1, minute: 60, in: "Fish", state: "called"),
                ], limits: fish),
            // A visit was moved after its call.
            Bad(
                .moves,
                history: called("a", 1, at: 5) + [step("a", 1, at: 6, "planned", "rebooked")]),
            // A holder has two visits of one day; with others of the days around they are as many as there may be.
            Bad(
                .onePlace,
                history: [1, 2, 2, 3].enumerated().map { number, day in
                    ofPhone("visit-\(number)", day: day, minute: 60 * number, holder: "phone")
                }),
            // A call for help was acknowledged and is missing.
            Bad(.help, [calledForHelp("h")]),
            // A machine's second call began before the first one ended, or while it is open.
            Bad(.help, help: [helpRow("a", raised: 0, ended: 9), helpRow("b", raised: 8)]),
            Bad(.help, help: [helpRow("a", raised: 0), helpRow("b", raised: 8, ended: 9)]),
            // A customer with a phone waits in a shop, and gets a place in another one. The second place begins when the
            // first one is given back, the third one while the customer waits.
            Bad(
                .onePlace,
                history: [
                    ofPhone("a", "pending", at: 1), ofPhone("a", "deleted", at: 2),
                    ofPhone("b", "pending", at: 2), ofPhone("b", "planned", at: 3),
                    ofPhone("c", "pending", at: 4, shop: "other"),
                ]),
            // Number 2 is called before 1.
            Bad(.queueOrder, history: called("a", 1, at: 6) + called("b", 2, at: 5)),
            // Number 1 is behind number 2, and called before it.
            Bad(
                .queueOrder,
                history: delayed("a", 1, behind: 2, called: 5) + called("b", 2, at: 6)),
            // A ticket let others go ahead three times, or was taken back twice.
            Bad(
                .turnChanges,
                history: planned("a", ["delayed", "delayed", "undone", "delayed", "delayed"])),
            Bad(.turnChanges, history: planned("a", ["reclaimed", "reclaimed"])),
            // An acknowledged delay is missing.
            Bad(
                .turnChanges, [changed("a", "delay", key: "key")],
                history: planned("a", ["confirmed"])),
            Bad(
                .turnChanges, [changed("a", "reclaim", key: "key")],
                history: planned("a", ["delayed"])),
            // Two delays were acknowledged, and there is one.
            Bad(.turnChanges, asked, history: delays),
            // A ticket is called three minutes after the slot of a visit, which is called a minute later.
            Bad(
                .precedence,
                history: called("a", 2, at: 360)
                    + [visit("v", 1, minute: 3), visit("v", 1, minute: 3, called: 420)]),
            // Number 1 came back before number 2 was called.
            Bad(
                .queueOrder,
                history: cameBack("a", 1, at: 4, called: 6) + called("b", 2, at: 5)),
        ]

    /// A ticket that is given back after a second, comes back and is called, at these seconds.
    private static func cameBack(
        _ id: String, _ number: Int, at second: Int, called call: Int
    ) -> [QueueHistory.Event] {
        called(id, number, at: call) + [
            step(id, number, at: 1, "deleted", "withdrawn"),
            step(id, number, at: second, "planned", "undone"),
        ]
    }

    /// A ticket that lets those up to a number go ahead after a second, and is called at this one.
    private static func delayed(
        _ id: String, _ number: Int, behind last: Int, called call: Int
    ) -> [QueueHistory.Event] {
        let position = (20_000 * 1_000_000 + last) * QueueHistory.positionsPerNumber + 1
        return [
            (0, "planned", "confirmed"), (1, "planned", "delayed"), (call, "called", "turn"),
        ].map { step(id, number, at: $0, $1, $2, position: position) }
    }

    private static func changed(_ id: String, _ call: String, key: String) -> Exchange {
        Exchange(
            asked: .now, method: "POST", path: "/v1/reservations/\(id)/\(call)", key: key,
            outcome: .answered(status: 200, body: []))
    }

    private static func planned(_ id: String, _ causes: [String]) -> [QueueHistory.Event] {
        causes.enumerated().map { step(id, 1, at: $0.offset, "planned", $0.element) }
    }

    /// Tickets that let others go ahead are called behind them, and may have delayed twice.
    private static let delays =
        delayed("a", 1, behind: 2, called: 6) + called("b", 2, at: 5) + called("c", 3, at: 7)
        + planned("d", ["delayed", "undone", "delayed", "delayed", "reclaimed"])
    private static let asked = ["key", "key", "other"].map { changed("a", "delay", key: $0) }
    /// A ticket that came back may have been overtaken before, not afterwards.
    private static let back =
        cameBack("a", 1, at: 4, called: 6) + called("b", 2, at: 3) + called("c", 3, at: 7)

    @Test("A ticket that let others go ahead, or came back, keeps the rules")
    func behind() {
        for checker in [
            Checker(Array(Self.asked.prefix(2)), rows: [], history: QueueHistory(Self.delays)),
            Checker([], rows: [], history: QueueHistory(Self.back)),
        ] { #expect(checker.violations().isEmpty) }
    }

    @Test("A history that breaks one rule is found by that rule, and by no other", arguments: bad)
    func broken(bad: Bad) {
        let found = bad.checker.violations()
        #expect(found.map(\.invariant) == [bad.invariant], "\(found)")
    }

    @Test("Every rule has a history that breaks it")
    func complete() {
        #expect(Set(Self.bad.map(\.invariant)) == Set(Checker.Invariant.allCases))
    }

    @Test("Two acknowledged reservations with one number are found without the database")
    func acknowledgedTwice() {
        let exchanges = [Self.confirmed("a", 1), Self.confirmed("b", 1)]
        let found = Checker(exchanges, rows: []).violations()
        #expect(Set(found.map(\.invariant)) == [.unique, .durable])
    }

    // MARK: Orders that customers collect (rules: orders)

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
