import FoundationEssentials
import SQLite

/// Reservations of the two months before today, ended, with their events and counters, as rows of a bench shop's database.
struct History {
    private let shop: BenchShop
    private let server: PrivateServer?

    init(of shop: BenchShop, server: PrivateServer?) {
        self.shop = shop
        self.server = server
    }

    /// What the database takes on the disk.
    func bytes() throws -> Double {
        if let server {
            return try server.number(
                "SELECT pg_database_size(current_database())", in: shop.database)
        }
        let connection = try Connection(path: shop.database, opening: .existing)
        return try connection.rows(
            "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        ) { Double($0.integer(0)) }.first ?? 0
    }

    /// Makes so many, evenly over sixty days; no server is at work on the database.
    func make(_ count: Int) throws {
        let perDay = max(1, count / 60)
        // Identifiers begin with their moment, as those of the store: none is of an open hold.
        let texts = [
            rows(count) { n in
                """
                INSERT INTO reservation (shop_id, id, machine, channel, kind, day, state, state_ms, cause,
                    created_ms, offset_minutes, expires_ms, extensions, expected_ms, earliest_ms,
                    latest_ms, people_ahead, number, code, typed_code, confirmed_ms, entered_ms)
                SELECT '\(shop.shop)', '0190a000-0000-7000-8000-' || (100000000000 + \(n)), 'machine-1',
                    'machine', 'ticket', \(day(n, perDay)), 'expired', \(n), 'checked-out', \(n), 60,
                    \(n), 0, \(n), \(n), \(n), 9, \(n) % \(perDay) + 1,
                    'CLUP:1:BNCH' || (100000000000000 + \(n)) || 'ABCDEFGHJKM', '' || (9000000000 - \(n)),
                    \(n), \(n)
                """
            },
            rows(3 * count) { n in
                """
                INSERT INTO reservation_event (shop_id, reservation_id, at_ms, former_state, state, cause)
                SELECT '\(shop.shop)', '0190a000-0000-7000-8000-' || (100000000000 + \(n) / 3),
                    \(n), CASE \(n) % 3 WHEN 0 THEN NULL WHEN 1 THEN 'pending' ELSE 'called' END,
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
        if let server {
            for text in texts { _ = try server.answer(text, in: shop.database) }
            _ = try server.answer("VACUUM ANALYZE", in: shop.database)
        } else {
            let connection = try Connection(path: shop.database, opening: .existing)
            for text in texts { try connection.execute(text) }
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// A statement whose rows are numbered from 0.
    private func rows(_ count: Int, _ insert: (String) -> String) -> String {
        if server != nil {
            return insert("n") + " FROM generate_series(0, \(count - 1)) AS n"
        }
        return
            "WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < \(count - 1)) "
            + insert("n") + " FROM s"
    }

    /// A day that is long gone: the first of sixty is 1 May 2026.
    private func day(_ n: String, _ perDay: Int) -> String {
        let index = "(\(n)) / \(perDay)"
        return server != nil
            ? "to_char(date '2026-05-01' + (\(index))::int, 'YYYY-MM-DD')"
            : "date('2026-05-01', '+' || (\(index)) || ' days')"
    }
}
