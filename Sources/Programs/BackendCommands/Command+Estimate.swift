import CommandSyntax
import FoundationEssentials
import QueueEngine
import Reservations

/// `clup-backend estimate`: the estimator by itself, so that it can be checked from outside.
extension Command {
    static let estimate = Command(
        words: ["estimate"], summary: "show the wait of a ticket from snapshots of a queue",
        notes: """
            Reads one snapshot a line as JSON and answers each with one line. Times are minutes.

              now             the clock on which slots are quoted
              capacity        people who may be inside at once, at least 1
              mean_visit, cv  stays are lognormal with this mean and this ratio of deviation to mean
              noshow          the share of those called who do not come, 0 to 1
              entry_window    how long a place is held for one who does not come
              places          the occupied ones, each [what, minutes since]: "inside" entered, "called" a
                              ticket called and not in yet, "booked" a visit's place held since its slot
              queue_ahead     tickets before the new one
              booked_waiting  slots of visits that are due and for which no place was free yet
              booked_ahead    slots of visits to come

            If the shop has a desk, a snapshot may also have "order", of an order that is collected:

              desks         assistants at work, at least 1
              fetch, cv     an order of one parcel takes a lognormal time with this mean and ratio
              parcels       parcels of the new order, 1 to 20; a further one takes 15 percent longer
              orders_ahead  those before it, each [parcels], or [parcels, minutes since] if it is fetched

            The answer, {"mean", "p10", "p50", "p80", "p90"}, says in how many minutes a ticket issued now
            is called. The paper's range is p10 to p80, its promise p80. "order" in it says the same of
            the order at a desk. The same snapshot gives the same answer. A line that is no snapshot is
            answered by {"error"}, and the exit status is 1.
            """
    ) { arguments in
        var complete = true
        while let line = readLine() {
            guard line.contains(where: { !$0.isWhitespace }) else { continue }
            do throws(CommandError) {
                let snapshot = try SnapshotLine(line)
                var answer = wait(try snapshot.snapshot().wait)
                if let order = snapshot.order {
                    answer = answer + ["order": wait(try order.forecast().wait())]
                }
                printJSON(answer)
            } catch {
                complete = false
                printJSON(["error": error.description])
            }
        }
        if !complete {
            throw CommandError.failure("at least one line was no snapshot; its answer says why")
        }
    }
}

private func wait(_ wait: WaitDistribution) -> JSONLine {
    [
        "mean": wait.mean, "p10": wait.p10, "p50": wait.p50, "p80": wait.p80, "p90": wait.p90,
    ]
}

private struct SnapshotLine: Decodable {
    private static let occupants: [String: @Sendable (Double) -> QueueSnapshot.Occupant] = [
        "inside": { .inside(since: $0) }, "called": { .called(since: $0) },
        "booked": { .booked(since: $0) },
    ]
    /// More people and places than any shop has.
    private static let maxSnapshotEntries = 100_000

    struct Place: Decodable {
        let since: Double
        let occupant: QueueSnapshot.Occupant

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let kind = try values.decode(String.self)
            since = try values.decode(Double.self)
            guard values.isAtEnd, let occupant = SnapshotLine.occupants[kind]?(since) else {
                throw DecodingError.dataCorruptedError(
                    in: values, debugDescription: "a place is [\"inside\", minutes] or the like")
            }
            self.occupant = occupant
        }
    }

    let now: Double
    let capacity: Int
    let meanVisit: Double
    let cv: Double
    let noshow: Double
    let entryWindow: Double
    let places: [Place]
    let queueAhead: Int
    let bookedWaiting: [Double]
    let bookedAhead: [Double]

    let order: OrderSnapshot?

    private enum CodingKeys: String, CodingKey {
        case now, capacity, cv, noshow, places, order
        case meanVisit = "mean_visit"
        case entryWindow = "entry_window"
        case queueAhead = "queue_ahead"
        case bookedWaiting = "booked_waiting"
        case bookedAhead = "booked_ahead"
    }

    init(_ line: String) throws(CommandError) {
        do {
            self = try JSONDecoder().decode(SnapshotLine.self, from: Data(line.utf8))
        } catch DecodingError.keyNotFound(let key, _) {
            throw CommandError.failure("\"\(key.stringValue)\" is missing")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(
            _, let context), DecodingError.dataCorrupted(let context)
        {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw CommandError.failure(
                path.isEmpty
                    ? "the line is not a JSON object" : "\"\(path)\" is not of its documented form")
        } catch { throw CommandError.failure("the line is not a JSON object") }
    }

    func snapshot() throws(CommandError) -> QueueSnapshot {
        let most = Self.maxSnapshotEntries
        let slots = (bookedWaiting + bookedAhead).map { $0 - now }
        let rules = [
            ((1...most).contains(capacity), "capacity must be 1 to \(most)"),
            ((0.01...100_000).contains(meanVisit), "mean_visit must be above 0"),
            ((0...10).contains(cv), "cv must be 0 to 10"),
            ((0...1).contains(noshow), "noshow must be 0 to 1"),
            ((0...100_000).contains(entryWindow), "entry_window must not be below 0"),
            ((0...most).contains(queueAhead), "queue_ahead must be 0 to \(most)"),
            (places.count + slots.count <= 3 * most, "there are more people than any shop has"),
            (
                noshow < 1 || entryWindow > 0,
                "nobody comes and no place is held: nothing can happen"
            ), (places.allSatisfy { $0.since.isFinite && $0.since >= 0 }, "minutes since lie back"),
            (slots.allSatisfy(\.isFinite), "slots and now must be numbers"),
        ]
        for (isRight, sentence) in rules where !isRight { throw CommandError.failure(sentence) }
        return QueueSnapshot(
            capacity: capacity,
            behaviour: QueueSnapshot.Behaviour(
                stays: StayDistribution(mean: meanVisit, variation: cv),
                noShow: ByChannel(all: noshow),
                entryWindow: entryWindow),
            places: places.map(\.occupant), visits: slots.sorted(), ticketsAhead: queueAhead,
            looksAhead: false)
    }
}

/// An order that is collected at a desk.
private struct OrderSnapshot: Decodable {
    struct Work: Decodable {
        let work: FetchingForecast.Work

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let parcels = try values.decode(Int.self)
            let elapsed = values.isAtEnd ? nil : try values.decode(Double.self)
            guard values.isAtEnd else {
                throw DecodingError.dataCorruptedError(
                    in: values, debugDescription: "an order is [parcels] or [parcels, minutes]")
            }
            work = FetchingForecast.Work(parcels: parcels, elapsed: elapsed)
        }
    }

    let desks: Int
    let fetch: Double
    let cv: Double
    let parcels: Int
    let ordersAhead: [Work]

    private enum CodingKeys: String, CodingKey {
        case desks, fetch, cv, parcels
        case ordersAhead = "orders_ahead"
    }

    func forecast() throws(CommandError) -> FetchingForecast {
        let ahead = ordersAhead.map(\.work)
        let parcels = ahead.map(\.parcels) + [self.parcels]
        let rules = [
            (PickupOrder.desks.contains(desks), "desks must be 1 to 20"),
            ((0.01...100_000).contains(fetch), "fetch must be above 0"),
            ((0...10).contains(cv), "cv must be 0 to 10"),
            (parcels.allSatisfy(Parcel.counts.contains), "parcels must be 1 to 20"),
            (ahead.count <= PickupOrder.maxOpen, "there are more orders than any shop has"),
            (
                ahead.allSatisfy { ($0.elapsed ?? 0) >= 0 && ($0.elapsed ?? 0).isFinite },
                "minutes since lie back"
            ),
        ]
        for (isRight, sentence) in rules where !isRight { throw CommandError.failure(sentence) }
        return FetchingForecast(
            before: ahead, own: FetchingForecast.Work(parcels: self.parcels), assistants: desks,
            usual: StayDistribution(mean: fetch, variation: cv))
    }
}
