import Foundation
import Reservations

/// Checks a history: requests and answers, compared with the backend's database and
/// the printed receipts.
///
/// A request without an answer is unknown: it may have been carried out or not, and both are accepted.
public struct Checker: Sendable {
    public enum Invariant: String, Sendable, CaseIterable {
        /// (shop, day, number) belongs to one reservation.
        case unique = "U"
        /// Every acknowledged reservation is in the database.
        case durable = "D"
        /// At most one reservation for an idempotency key, and identical answers.
        case onceAKey = "K"
        /// A reservation acknowledged before another one was requested has the smaller number.
        case monotonic = "M"
        /// Numbers have no gap: a deleted reservation keeps its row.
        case gapless = "G"
        /// Every receipt has a row, and a reservation has one receipt at most.
        case paper = "P"
        /// Customers called and inside never exceed the capacity, visits never exceed their share.
        case occupancy = "O"
        /// Tickets are called in the order of their numbers, and of the positions of those that let others go ahead.
        case queueOrder = "Q"
        /// No ticket is called while a visit waits whose slot has come (rules: calls).
        case precedence = "B"
        /// A ticket lets others go ahead twice at most, and is taken back once after a missed call (rules: more-time).
        case turnChanges = "T"
        /// A holder of a phone has one place of a day that is held, waited for, called or inside, over all shops
        /// (rules: one-place).
        case onePlace = "C"
        /// A visit is moved only while it waits, and waits afterwards (rules: moved-visits).
        case moves = "V"
        /// Every acknowledged call for help is in the database, and a machine has one open call at a time.
        case help = "H"
        /// An order that is collected follows the arrows of its states, has a number of its own, and one ticket for each time
        /// that its customer came (rules: orders, order-arrivals).
        case orders = "R"

        public static let letters = allCases.map(\.rawValue).joined(separator: " ")
    }

    public struct Violation: Hashable, Sendable, CustomStringConvertible {
        public let invariant: Invariant
        public let description: String

        init(_ invariant: Invariant, _ description: String) {
            self.invariant = invariant
            self.description = description
        }
    }

    /// A reservation as the backend's database has it; without number and code while not confirmed.
    public struct Row: Hashable, Sendable, Decodable {
        public let shop: String
        public let id: String
        public let day: String
        public let state: String
        public let number: Int?
        public let code: String?

        public init(
            shop: String = "shop", id: String, day: String, state: String = "planned",
            number: Int?, code: String?
        ) {
            self.shop = shop
            self.id = id
            self.day = day
            self.state = state
            self.number = number
            self.code = code
        }
    }

    /// A call for help as the backend's database has it; times in milliseconds since 1970.
    public struct HelpRow: Hashable, Sendable, Decodable {
        public let shop: String
        public let id: String
        public let machine: String
        public let raised: Int64
        public let ended: Int64?

        public init(
            shop: String = "shop", id: String, machine: String, raised: Int64, ended: Int64? = nil
        ) {
            self.shop = shop
            self.id = id
            self.machine = machine
            self.raised = raised
            self.ended = ended
        }
    }

    /// The parts of a confirmation's answer that are checked.
    private struct Answer: Decodable, Hashable {
        let id: String
        let number: Int
        let code: String
        /// RFC 3339; its first ten characters are the day.
        let issued: String
        let visit: Visit?

        struct Visit: Decodable, Hashable {
            let start: String
        }

        /// A visit's number belongs to the visit's day (rules: numbers).
        var day: String { String((visit?.start ?? issued).prefix(10)) }
    }

    /// An acknowledged confirmation, with the times of its first request and its first answer.
    private struct Acknowledged {
        let answer: Answer
        var asked: ContinuousClock.Instant
        var answered: ContinuousClock.Instant
    }

    private let exchanges: [Exchange]
    private let rows: [Row]
    private let papers: [String]
    private let help: [HelpRow]
    private let history: QueueHistory
    private let orders: OrderHistory

    /// - Parameters:
    ///   - papers: the entry codes on the printed receipts.
    ///   - help: the calls for help as the database has them.
    ///   - history: when what happened to each reservation, if that is to be checked too.
    ///   - orders: what happened to the orders that customers collect.
    public init(
        _ exchanges: [Exchange], rows: [Row], papers: [String] = [], help: [HelpRow] = [],
        history: QueueHistory = QueueHistory(), orders: OrderHistory = OrderHistory()
    ) {
        self.exchanges = exchanges
        self.rows = rows
        self.papers = papers
        self.help = help
        self.history = history
        self.orders = orders
    }

    /// The reservations of a backend's database: a file (sqlite3(1)) or PostgreSQL's (psql(1)).
    public static func rows(database: String) async throws -> [Row] {
        try await rows(
            of: "SELECT shop_id AS shop, id, day, state, number, code FROM reservation",
            database: database)
    }

    /// The calls for help of a backend's database, as `rows`.
    public static func helpRows(database: String) async throws -> [HelpRow] {
        try await rows(
            of:
                "SELECT shop_id AS shop, id, machine, raised_ms AS raised, ended_ms AS ended FROM help_call",
            database: database)
    }

    /// The rows of a query's answer, decoded by the names of their columns.
    public static func rows<Value: Decodable>(
        of select: String, database: String
    ) async throws -> [Value] {
        let text =
            PostgresServer.isAddress(database)
            ? try await Tool.succeed(
                "psql", ["-XAtd", database, "-c", "SELECT json_agg(r) FROM (\(select)) AS r"])
            : try await Tool.succeed(
                "sqlite3", ["-readonly", "-json", "-cmd", ".timeout 2000", database, select])
        // Without a row, both programs print nothing at all.
        guard text.contains("[") else { return [] }
        return try JSONDecoder().decode([Value].self, from: Data(text.utf8))
    }

    /// All violations, by invariant.
    public func violations() -> [Violation] {
        let acknowledged = acknowledgements()
        return unique(acknowledged) + durable(acknowledged) + onceAKey()
            + monotonic(acknowledged) + gapless() + onPaper() + calledForHelp()
            + changedTurns() + history.violations() + orders.violations(exchanges)
    }

    // MARK: Invariants

    private func unique(_ acknowledged: [Acknowledged]) -> [Violation] {
        let shops = Dictionary(rows.map { ($0.id, $0.shop) }) { first, _ in first }
        var owners: [String: Set<String>] = [:]
        for row in rows {
            guard let number = row.number else { continue }
            owners["\(row.shop) \(row.day) \(number)", default: []].insert(row.id)
        }
        for one in acknowledged.map(\.answer) {
            let shop = shops[one.id] ?? rows.first?.shop ?? ""
            owners["\(shop) \(one.day) \(one.number)", default: []].insert(one.id)
        }
        return owners.filter { $0.value.count > 1 }.map { number, ids in
            Violation(.unique, "\(number) belongs to \(ids.sorted())")
        }
    }

    private func durable(_ acknowledged: [Acknowledged]) -> [Violation] {
        let rows = Dictionary(grouping: rows, by: \.id)
        return acknowledged.map(\.answer).compactMap { answer in
            let isThere = rows[answer.id]?.contains {
                $0.number == answer.number && $0.code == answer.code
            }
            return isThere == true
                ? nil
                : Violation(
                    .durable, "\(answer.id), number \(answer.number), is not in the database")
        }
    }

    /// Every acknowledged delay, and every place that was taken back, is in the history once.
    private func changedTurns() -> [Violation] {
        [("/delay", "delayed"), ("/reclaim", "reclaimed")].flatMap { suffix, cause in
            var keys: [String: Set<String>] = [:]
            for exchange in exchanges
            where exchange.path.hasPrefix("/v1/reservations/") && exchange.path.hasSuffix(suffix) {
                guard let key = exchange.key, case .answered(200..<300, _) = exchange.outcome else {
                    continue
                }
                let id = exchange.path.split(separator: "/").dropLast().last.map { String($0) }
                keys[id ?? "", default: []].insert(key)
            }
            return keys.compactMap { id, keys -> Violation? in
                let stored = history.count(of: cause, in: id)
                return stored == keys.count
                    ? nil
                    : Violation(
                        .turnChanges, "\(id) was \(cause) \(keys.count) times, \(stored) are stored"
                    )
            }
        }
    }

    private func onceAKey() -> [Violation] {
        var answers: [String: Set<[UInt8]>] = [:]
        for exchange in exchanges {
            // Problems may change (503, 409 in progress); a granted answer does not.
            guard let key = exchange.key, case .answered(200..<300, let body) = exchange.outcome
            else { continue }
            answers[key, default: []].insert(body)
        }
        return answers.filter { $0.value.count > 1 }.map { key, bodies in
            Violation(.onceAKey, "\(key) has \(bodies.count) answers")
        }
    }

    private func monotonic(_ acknowledged: [Acknowledged]) -> [Violation] {
        // By shop and day, in the order of the requests: the largest number acknowledged before each request.
        let shops = Dictionary(rows.map { ($0.id, $0.shop) }) { first, _ in first }
        return Dictionary(grouping: acknowledged) {
            "\(shops[$0.answer.id] ?? "") \($0.answer.day)"
        }.values.flatMap { day in
            let byAnswer = day.sorted { $0.answered < $1.answered }
            var largest = 0
            var next = 0
            return day.sorted { $0.asked < $1.asked }.compactMap { one -> Violation? in
                while next < byAnswer.count, byAnswer[next].answered < one.asked {
                    largest = max(largest, byAnswer[next].answer.number)
                    next += 1
                }
                guard largest >= one.answer.number else { return nil }
                return Violation(
                    .monotonic, "\(one.answer.number) was asked for after \(largest) was given")
            }
        }
    }

    private func gapless() -> [Violation] {
        Dictionary(grouping: rows.filter { $0.number != nil }, by: \.shop).flatMap { shop, rows in
            let days = Dictionary(grouping: rows, by: \.day).mapValues {
                Set($0.compactMap(\.number))
            }
            return days.flatMap { day, numbers in
                // A shop that stays open over midnight leaves out those that customers of the day before or after have.
                let others = [-1, 1].compactMap { offset in
                    CalendarDay(day).flatMap { days["\($0.advanced(by: offset))"] }
                }
                let known = others.reduce(numbers) { $0.union($1) }
                return (1...max(1, numbers.max() ?? 1)).filter { !known.contains($0) }
                    .map { Violation(.gapless, "\(shop) \(day) has no number \($0)") }
            }
        }
    }

    private func onPaper() -> [Violation] {
        let given = Set(rows.filter { $0.number != nil }.map(\.code))
        return Dictionary(grouping: papers) { $0 }.compactMap { code, copies in
            if !given.contains(code) {
                return Violation(.paper, "\(code) is on paper, not in the database")
            }
            return copies.count < 2
                ? nil
                : Violation(.paper, "\(code) is on \(copies.count) papers")
        }
    }

    private func calledForHelp() -> [Violation] {
        struct Call: Decodable { let id: String }
        let known = Set(help.map(\.id))
        let acknowledged = exchanges.compactMap { exchange -> String? in
            guard exchange.method == "POST", exchange.path == "/v1/help",
                case .answered(200..<300, let body) = exchange.outcome
            else { return nil }
            return try? JSONDecoder().decode(Call.self, from: Data(body)).id
        }
        let lost = Set(acknowledged).subtracting(known).sorted().map {
            Violation(.help, "the call for help \($0) is not in the database")
        }
        let byMachine = Dictionary(grouping: help) { "\($0.shop) \($0.machine)" }
        let doubled = byMachine.flatMap { machine, calls -> [Violation] in
            let calls = calls.sorted { ($0.raised, $0.id) < ($1.raised, $1.id) }
            return zip(calls, calls.dropFirst()).compactMap { former, next in
                guard former.ended.map({ $0 <= next.raised }) ?? false else {
                    return Violation(.help, "\(machine) has \(former.id) and \(next.id) at once")
                }
                return nil
            }
        }
        return lost + doubled
    }

    // MARK: History

    /// Confirmations with an answer; those with the same key count as one.
    private func acknowledgements() -> [Acknowledged] {
        let asked = Dictionary(exchanges.map { ($0.key ?? "", $0.asked) }, uniquingKeysWith: min)
        var found: [String: Acknowledged] = [:]
        for (index, exchange) in exchanges.enumerated()
        where exchange.path.hasSuffix("/confirmation") {
            guard case .answered(200..<300, let body) = exchange.outcome,
                let answer = try? JSONDecoder().decode(Answer.self, from: Data(body))
            else { continue }
            let key = exchange.key ?? "\(index)"
            let new = Acknowledged(
                answer: answer, asked: asked[exchange.key ?? ""] ?? exchange.asked,
                answered: exchange.ended ?? exchange.asked)
            // Two different answers to one key are two acknowledgements; other invariants check the difference too.
            let name = "\(key) \(answer.id) \(answer.number) \(answer.code)"
            if let known = found[name], known.answered <= new.answered { continue }
            found[name] = new
        }
        return Array(found.values)
    }
}
