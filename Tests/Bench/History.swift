import FoundationEssentials
import Reservations

/// Ended reservations of the last two months, with their events and counters, as rows of a bench shop's database.
struct History {
    private let shop: BenchShop
    /// Sixty days ago: nothing is old enough to be pruned during the measurement.
    private let first = Moment(
        milliseconds: Int64((Date().timeIntervalSince1970 - 60 * 86_400) * 1_000))

    init(of shop: BenchShop) { self.shop = shop }

    private var isPostgres: Bool { BenchDatabase.isPostgres(shop.database) }

    /// The size of the database on the disk.
    func bytes() throws -> Double {
        let query =
            isPostgres
            ? "SELECT pg_database_size(current_database())"
            : "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        return try shop.rows(query).first.flatMap { Double($0) } ?? 0
    }

    /// Makes this many reservations, evenly over sixty days; no server works on the database.
    func make(_ count: Int) throws {
        let perDay = max(1, (count + 59) / 60)
        // Identifiers begin with their moment, like those of the store.
        let time = (0..<6).reversed().map {
            UInt8(truncatingIfNeeded: first.milliseconds >> Int64($0 * 8))
        }
        let id = Crockford.encode(time).lowercased()
        func moment(_ n: String) -> String { "\(first.milliseconds) + \(n)" }
        let texts = [
            rows(count) { n in
                """
                INSERT INTO reservation (shop_id, id, machine, channel, kind, day, state, state_ms, cause,
                    created_ms, offset_minutes, expires_ms, extensions, expected_ms, earliest_ms,
                    latest_ms, people_ahead, number, code, typed_code, confirmed_ms, entered_ms)
                SELECT '\(shop.shop)', '\(id)' || (1000000000000000 + \(n)), 'machine-1',
                    'machine', 'ticket', \(day(n, perDay)), 'expired', \(moment(n)), 'checked-out',
                    \(moment(n)), 60, \(moment(n)), 0, \(moment(n)), \(moment(n)), \(moment(n)), 9,
                    \(n) % \(perDay) + 1,
                    'CLUP:1:BNCH' || (100000000000000 + \(n)) || 'ABCDEFGHJKM', '' || (9000000000 - \(n)),
                    \(moment(n)), \(moment(n))
                """
            },
            rows(3 * count) { n in
                """
                INSERT INTO reservation_event (shop_id, reservation_id, at_ms, former_state, state, cause)
                SELECT '\(shop.shop)', '\(id)' || (1000000000000000 + \(n) / 3),
                    \(moment(n)), CASE \(n) % 3 WHEN 0 THEN NULL WHEN 1 THEN 'pending' ELSE 'called' END,
                    CASE \(n) % 3 WHEN 0 THEN 'pending' WHEN 1 THEN 'called' ELSE 'expired' END,
                    'confirmed'
                """
            },
            rows(60) { n in
                """
                INSERT INTO day_counter (shop_id, day, last_number)
                SELECT '\(shop.shop)', \(day("\(n) * \(perDay)", perDay)), \(perDay)
                """
            },
        ]
        try BenchDatabase.run(texts, in: shop.database)
    }

    /// A statement whose rows are numbered from 0.
    private func rows(_ count: Int, _ insert: (String) -> String) -> String {
        if isPostgres {
            return insert("n") + " FROM generate_series(0, \(count - 1)) AS n"
        }
        return
            "WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < \(count - 1)) "
            + insert("n") + " FROM s"
    }

    /// One of the sixty days before today.
    private func day(_ n: String, _ perDay: Int) -> String {
        let index = "(\(n)) / \(perDay)"
        let first = LocalMoment(first, offsetMinutes: 0).day
        return isPostgres
            ? "to_char(date '\(first)' + (\(index))::int, 'YYYY-MM-DD')"
            : "date('\(first)', '+' || (\(index)) || ' days')"
    }
}
