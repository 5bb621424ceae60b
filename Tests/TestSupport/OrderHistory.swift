import Foundation

/// What happened to the orders that customers collect, as a backend's database has it (rules: orders).
public struct OrderHistory: Sendable {
    /// One step of an order.
    public struct Event: Hashable, Sendable, Decodable {
        public let shop: String
        public let id: String
        public let position: Int
        public let state: String

        public init(shop: String = "shop", id: String, position: Int, state: String) {
            self.shop = shop
            self.id = id
            self.position = position
            self.state = state
        }
    }

    /// An order as it is now.
    public struct Row: Hashable, Sendable, Decodable {
        public let shop: String
        public let id: String
        public let state: String
        public let day: String?
        public let number: Int?

        public init(
            shop: String = "shop", id: String, state: String, day: String? = nil,
            number: Int? = nil
        ) {
            self.shop = shop
            self.id = id
            self.state = state
            self.day = day
            self.number = number
        }
    }

    private let events: [Event]
    private let rows: [Row]

    public init(_ rows: [Row] = [], events: [Event] = []) {
        self.rows = rows
        self.events = events
    }

    /// The whole history of a database: a file, or the address of PostgreSQL's.
    public init(database: String) async throws {
        self.init(
            try await Checker.rows(
                of: "SELECT shop_id AS shop, id, state, day, number FROM pickup_order",
                database: database),
            events: try await Checker.rows(
                of: "SELECT shop_id AS shop, order_id AS id, position, state FROM pickup_event",
                database: database))
    }

    /// The states that may follow each one; the first ones follow none.
    private static let arrows: [String: Set<String>] = [
        "": ["promised", "on-shelf"],
        "promised": ["on-shelf", "arrived", "cancelled", "expired"],
        "on-shelf": ["arrived", "cancelled", "expired"],
        "arrived": ["fetching", "on-shelf", "cancelled"],
        "fetching": ["called", "not-found", "arrived", "on-shelf", "cancelled"],
        "called": ["handed-over", "fetching", "on-shelf", "cancelled"],
        "not-found": ["fetching", "on-shelf", "cancelled"],
        "handed-over": ["called"],
    ]

    /// - Parameter exchanges: the calls of machines and their answers.
    func violations(_ exchanges: [Exchange]) -> [Checker.Violation] {
        let found = steps() + numbers() + arrivals(exchanges) + atDesks(exchanges)
        return found.map { Checker.Violation(.orders, $0) }
    }

    private func steps() -> [String] {
        let byOrder = Dictionary(grouping: events, by: \.id)
        let wrong = byOrder.flatMap { id, events -> [String] in
            let states = events.sorted { $0.position < $1.position }.map(\.state)
            return zip([""] + states, states).compactMap { former, next in
                Self.arrows[former]?.contains(next) == true
                    ? nil : "order \(id) was \(former) and then \(next)"
            }
        }
        let last = byOrder.mapValues { $0.max { $0.position < $1.position }?.state }
        let unlike = rows.filter { last[$0.id] != $0.state }.map {
            "order \($0.id) is \($0.state), and its last event is another one"
        }
        return wrong + unlike
    }

    private func numbers() -> [String] {
        let numbered = rows.filter { $0.number != nil }
        return Dictionary(grouping: numbered) { "\($0.shop) \($0.day ?? "") \($0.number ?? 0)" }
            .filter { $0.value.count > 1 }.map { "\($0.key) belongs to several orders" }
    }

    private struct Answer: Decodable {
        let id: String
        let number: Int?
        let ticket: Ticket?

        struct Ticket: Decodable {}
    }

    private struct DeskAnswer: Decodable, Hashable {
        let id: String
        let state: String
        let since: String
    }

    /// No desk is answered that it has taken a step which the database does not have, and so no two desks the same one.
    private func atDesks(_ exchanges: [Exchange]) -> [String] {
        var taken: [DeskAnswer: Int] = [:]
        for exchange in exchanges where exchange.path.hasPrefix("/v1/desk/") {
            guard case .answered(201, let body) = exchange.outcome,
                let answer = try? JSONDecoder().decode(DeskAnswer.self, from: Data(body))
            else { continue }
            taken[answer, default: 0] += 1
        }
        let byStep = Dictionary(grouping: taken.keys) { "\($0.id) \($0.state)" }
        let tooMany = byStep.values.compactMap { answers -> String? in
            let (id, state) = (answers[0].id, answers[0].state)
            let events = events.count { $0.id == id && $0.state == state }
            return answers.count <= events
                ? nil
                : "order \(id) was \(state) \(answers.count) times for desks, and \(events) times"
        }
        return tooMany
    }

    /// A ticket for each arrival at most, and no ticket without an arrival in the database.
    private func arrivals(_ exchanges: [Exchange]) -> [String] {
        var tickets: [String: Set<Int>] = [:]
        for exchange in exchanges where exchange.path.hasSuffix("/arrival") {
            guard case .answered(201, let body) = exchange.outcome,
                let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)),
                let number = answer.number, answer.ticket != nil
            else { continue }
            tickets[answer.id, default: []].insert(number)
        }
        return tickets.compactMap { id, numbers in
            let arrivals = events.count { $0.id == id && $0.state == "arrived" }
            return numbers.count <= arrivals
                ? nil : "order \(id) has \(numbers.count) tickets and \(arrivals) arrivals"
        }
    }
}
