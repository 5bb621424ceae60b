/// The history of the reservations of some shops, as their database records it, and its check.
public struct QueueHistory: Sendable {
    /// The limits of a shop.
    public struct Limits: Sendable {
        public let capacity: Int
        /// The number of visits that may overlap, and of these the number that phones may have booked; nil if that is not
        /// to be checked.
        public let visits: Int
        public let phoneVisits: Int?
        /// The capacities of departments, by their names.
        public let departments: [String: Int]
        /// The length of a visit of which the end is not known.
        public let stayMinutes: Int

        public init(
            capacity: Int, visits: Int, phoneVisits: Int? = nil, departments: [String: Int] = [:],
            stayMinutes: Int
        ) {
            self.departments = departments
            self.phoneVisits = phoneVisits
            self.capacity = capacity
            self.visits = visits
            self.stayMinutes = stayMinutes
        }
    }

    /// One step of a reservation; times are epoch milliseconds.
    public struct Event: Hashable, Sendable, Decodable {
        public let shop: String
        public let id: String
        public let at: Int
        public let state: String
        public let cause: String
        public let kind: String
        public let day: String
        public let number: Int?
        /// The last position of a ticket that let others go ahead; nil for that of its number.
        public let position: Int?
        /// The last slot of a visit: when it begins, and until when it keeps its place.
        public let start: Int?
        public let end: Int?
        /// The departments that its customer named, with commas between them; nil for none.
        public let departments: String?
        /// The holder of a place that was taken on a phone.
        public let holder: String?
        /// Whether that was elsewhere; 1 if so, as both engines have it.
        public let isRemote: Int

        public init(
            shop: String = "shop", id: String, at: Int, state: String, cause: String,
            kind: String = "ticket", day: String = "2026-11-20", number: Int?,
            position: Int? = nil, start: Int? = nil, end: Int? = nil, departments: String? = nil,
            holder: String? = nil, isRemote: Bool = false
        ) {
            self.departments = departments
            self.isRemote = isRemote ? 1 : 0
            self.shop = shop
            self.id = id
            self.at = at
            self.state = state
            self.cause = cause
            self.kind = kind
            self.day = day
            self.number = number
            self.position = position
            self.start = start
            self.end = end
            self.holder = holder
        }

        func names(_ department: String) -> Bool {
            departments?.split(separator: ",").contains { $0 == department } == true
        }
    }

    private let events: [Event]
    private let limits: [String: Limits]

    /// - Parameter limits: by shop.
    public init(_ events: [Event] = [], limits: [String: Limits] = [:]) {
        self.events = events
        self.limits = limits
    }

    /// The whole history of a database: a file, or the address of PostgreSQL's.
    public init(database: String, limits: [String: Limits]) async throws {
        self.init(
            try await Checker.rows(
                of: """
                    SELECT e.shop_id AS shop, e.reservation_id AS id, e.at_ms AS at, e.state, e.cause,
                        r.kind, r.day, r.number, r.position, r.visit_start_ms AS start,
                        r.visit_end_ms AS "end", r.departments, r.holder, r.is_remote AS "isRemote"
                    FROM reservation_event AS e
                    JOIN reservation AS r ON r.shop_id = e.shop_id AND r.id = e.reservation_id
                    """, database: database),
            limits: limits)
    }

    /// The steps of each reservation, in order.
    public var steps: [[Event]] { steps(events) }

    /// How often something happened to a reservation.
    func count(of cause: String, in id: String) -> Int {
        events.count { $0.id == id && $0.cause == cause }
    }

    func violations() -> [Checker.Violation] {
        Dictionary(grouping: events, by: \.shop).flatMap { shop, events in
            let limits = limits[shop]
            let bounded = limits.map {
                occupancy(events, $0, of: shop) + visits(events, $0, of: shop)
            }
            let ordered = order(events) + turns(events) + changes(events)
            return (bounded ?? []) + ordered + precedence(events)
        } + places()
    }

    /// The places of a day that each holder has at each moment, in whatever shop; one that ends at a moment makes room for
    /// another.
    private func places() -> [Checker.Violation] {
        struct DayOfHolder: Hashable {
            let holder: String?
            let day: String
        }
        // Only the last day of a visit is known: what was before its last move is left out.
        let known = steps(events.filter { $0.holder != nil }).flatMap { steps in
            steps[(steps.lastIndex { $0.cause == "rebooked" } ?? 0)...]
        }
        let byDay = Dictionary(grouping: known) { DayOfHolder(holder: $0.holder, day: $0.day) }
        return byDay.compactMap { one, events in
            let most = most(of: events) {
                ["pending", "planned", "called", "active"].contains($0.state)
            }
            return most <= 1
                ? nil
                : Checker.Violation(
                    .onePlace, "\(one.holder ?? "") had \(most) places of \(one.day) at once")
        }
    }

    /// The visits that were moved although they did not wait, or did not wait afterwards (rules: moved-visits).
    private func changes(_ events: [Event]) -> [Checker.Violation] {
        steps(events).flatMap { steps in
            zip([nil] + steps.map(Optional.some), steps).compactMap { former, step in
                guard step.cause == "rebooked",
                    former?.state != "planned" || step.state != "planned"
                else { return nil }
                return Checker.Violation(
                    .moves, "\(step.id) was moved from \(former?.state ?? "") to \(step.state)"
                )
            }
        }
    }

    /// How many reservations were at once in a state of which `counts` is true.
    private func most(of events: [Event], counts: (Event) -> Bool) -> Int {
        var changes: [(at: Int, by: Int)] = []
        for steps in steps(events) {
            var isCounted = false
            for step in steps {
                let now = counts(step)
                if now != isCounted { changes.append((step.at, now ? 1 : -1)) }
                isCounted = now
            }
        }
        var count = 0
        var most = 0
        for change in changes.sorted(by: { ($0.at, $0.by) < ($1.at, $1.by) }) {
            count += change.by
            most = max(most, count)
        }
        return most
    }

    /// The order of steps that happened at the same moment.
    private static let ranks = ["pending", "planned", "called", "active", "expired", "deleted"]

    private func steps(_ events: [Event]) -> [[Event]] {
        Dictionary(grouping: events, by: \.id).values.map { steps in
            steps.sorted {
                ($0.at, Self.ranks.firstIndex(of: $0.state) ?? 0)
                    < ($1.at, Self.ranks.firstIndex(of: $1.state) ?? 0)
            }
        }
    }

    /// The occupied places at each moment; a stay that ends at a moment makes room for one that begins then.
    private func occupancy(
        _ events: [Event], _ limits: Limits, of shop: String
    ) -> [Checker.Violation] {
        func taken(
            _ events: [Event], of capacity: Int, in place: String, counts: (Event) -> Bool
        ) -> [Checker.Violation] {
            let most = most(of: events) {
                $0.state == "called" || $0.state == "active" && counts($0)
            }
            guard most > capacity else { return [] }
            return [
                Checker.Violation(.occupancy, "\(place): \(most) of \(capacity) places were taken")
            ]
        }
        let departments = limits.departments.flatMap { name, capacity in
            // The staff may let in more.
            taken(events.filter { $0.names(name) }, of: capacity, in: "\(shop), \(name)") {
                $0.cause != "let-in"
            }
        }
        return taken(events, of: limits.capacity, in: shop) { _ in true } + departments
    }

    /// What ends a visit so that others may have the rest of its time.
    private static let losses: Set = ["missed", "closed", "sent-home"]

    /// The visits that overlap, and of these those of phones, and those of each department (rules: slots, visits, departments).
    private func visits(
        _ events: [Event], _ limits: Limits, of shop: String
    ) -> [Checker.Violation] {
        let booked = steps(events).compactMap(\.last).filter {
            $0.kind == "visit" && $0.state != "deleted" && $0.number != nil
                && !Self.losses.contains($0.cause)
        }
        func overlap(_ visits: [Event], atMost limit: Int, _ kind: String) -> [Checker.Violation] {
            let spans = visits.compactMap { visit in
                visit.start.map { $0..<max($0, visit.end ?? $0 + limits.stayMinutes * 60_000) }
            }
            let most = spans.map { span in spans.count { $0.contains(span.lowerBound) } }.max() ?? 0
            guard most > limit else { return [] }
            return [
                Checker.Violation(.occupancy, "\(shop): \(most) \(kind) overlap, not \(limit)")
            ]
        }
        return overlap(booked, atMost: limits.visits, "visits")
            + (limits.phoneVisits.map { limit in
                overlap(
                    booked.filter { $0.isRemote == 1 }, atMost: limit, "visits of phones")
            } ?? [])
            + limits.departments.flatMap { name, capacity in
                overlap(
                    booked.filter { $0.names(name) }, atMost: capacity, "visits of \(name)")
            }
    }

    /// How often a reservation may be delayed, beside the delays that were undone, and taken back (rules: more-time).
    private static let maxDelays = 2
    private static let maxReclaims = 1

    /// The reservations whose turn was changed more often than that.
    private func turns(_ events: [Event]) -> [Checker.Violation] {
        steps(events).compactMap { steps in
            var (delays, reclaims, most) = (0, 0, 0)
            for (former, step) in zip([nil] + steps.map(Optional.some), steps) {
                if step.cause == "delayed" { delays += 1 }
                if step.cause == "reclaimed" { reclaims += 1 }
                if step.cause == "undone", former?.cause == "delayed" { delays -= 1 }
                most = max(most, delays)
            }
            guard most > Self.maxDelays || reclaims > Self.maxReclaims else { return nil }
            return Checker.Violation(
                .turnChanges,
                "\(steps[0].id) was delayed \(most) times and reclaimed \(reclaims) times")
        }
    }

    /// How far the clocks of a shop's servers may differ, in milliseconds.
    private static let clockDifference = 60_000

    /// The tickets that were called while a visit whose slot had come waited for a later call (rules: calls). Visits
    /// whose customers have named a department are left out, since that may have been full.
    private func precedence(_ events: [Event]) -> [Checker.Violation] {
        let tickets = events.filter { $0.kind == "ticket" && $0.cause == "turn" }
        let waits = steps(events.filter { $0.kind == "visit" && $0.departments == nil }).flatMap {
            steps in
            zip(steps, steps.dropFirst()).compactMap { planned, call -> (id: String, Range<Int>)? in
                let from = max(planned.at, call.start ?? call.at) + Self.clockDifference
                guard planned.state == "planned", call.cause == "turn", from < call.at else {
                    return nil
                }
                return (call.id, from..<call.at)
            }
        }
        return waits.compactMap { id, wait in
            tickets.first { wait.contains($0.at) }.map {
                Checker.Violation(.precedence, "\($0.id) was called before visit \(id)")
            }
        }
    }

    /// A call of a ticket, which waited for it at its last position since then: since its confirmation, its return or
    /// its last delay.
    private struct Call {
        let number: Int
        let position: Int
        let since: Int
        let at: Int
    }

    /// What brings a ticket back that had lost its place, or moves it.
    private static let moves: Set = ["restored", "undone", "delayed", "reclaimed"]
    /// A ticket that let others go ahead has a position between those of two numbers of its day (rules: more-time).
    public static let positionsPerNumber = 1 << 24
    private static let positionsPerDay = 1_000_000 * positionsPerNumber

    /// The calls of tickets: none is called while one before it waits.
    private func order(_ events: [Event]) -> [Checker.Violation] {
        var calls: [String: [Call]] = [:]
        for steps in steps(events) {
            var since: Int?
            // Only the last position is known: calls before it was taken are left out.
            let moved = steps.lastIndex { $0.cause == "delayed" || $0.cause == "undone" } ?? 0
            for step in steps[moved...] where step.kind == "ticket" {
                if step.cause == "confirmed" || Self.moves.contains(step.cause) {
                    since = step.at
                } else if step.cause == "turn", let number = step.number {
                    calls[step.day, default: []].append(
                        Call(
                            number: number,
                            position: step.position.map { $0 % Self.positionsPerDay }
                                ?? number * Self.positionsPerNumber,
                            since: since ?? step.at, at: step.at))
                }
            }
        }
        var violations: [Checker.Violation] = []
        for day in calls.values {
            let day = day.sorted { $0.at < $1.at }
            var last = 0
            for call in day {
                if call.position < last,
                    let overtaking = day.first(where: {
                        $0.position > call.position && call.since < $0.at && $0.at < call.at
                    })
                {
                    violations.append(
                        Checker.Violation(
                            .queueOrder, "\(overtaking.number) was called before \(call.number)"))
                }
                last = max(last, call.position)
            }
        }
        return violations
    }
}
