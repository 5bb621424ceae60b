/// A chain of shops as rows of PostgreSQL, so that its planner has something to choose from.
enum StoreChain {
    /// - Parameters:
    ///   - each: reservations, answers and nonces of a shop.
    ///   - shops: their numbers.
    static func rows(each: Int, shops: ClosedRange<Int> = 1...1_000) -> String {
        let series = "generate_series(\(shops.lowerBound), \(shops.upperBound)) AS s"
        let day = "'2026-10-' || lpad(n::text, 2, '0')"
        // So many rows of each shop, with these values after that of the shop.
        let plain: [(table: String, count: Int, values: String)] = [
            ("change_sequence (shop_id, sequence)", 1, "1"),
            ("idempotency", each, "'door-' || n % 3, 'k' || n, 'f', 200, 'text/plain', 'b', n"),
            ("nonce", each, "'key-' || n % 3, 'n' || n, n"),
            ("day_counter (shop_id, day, last_number)", 30, "\(day), 9"),
            ("learned_stay", 20, "n, 1, 1, 1"),
            ("machine_status", 3, "'door-' || n, 0, '', '', 0, 0"),
            ("machine_event", 20, "n, 'door-' || n % 3, 0, 0, NULL, 'fault', ''"),
            ("machine_paper_day", 30, "\(day), 'door-1', '', 1, 0, 0, 0"),
            ("machine_order", 3, "'door-' || n, n, 'restart', NULL, 0, NULL"),
            ("queue_change", 200, "n, 'r' || n, 0"),
            ("audit", 20, "n, 0, 'anna', 'shop-changed', '', '', ''"), ("audit_head", 1, "20, ''"),
            ("refused_wish", 24, "'2026-10-01', n - 1, 'ticket', 1"),
            ("pickup_day", 30, "\(day), 9"), ("pickup_fetch", 20, "n, 1, 1, 1"),
            ("pickup_step", 20, "n, 1"), ("audit_seal", 1, "''"), ("backend_key", 1, "''"),
            ("pairing", 3, "'key-' || n, '', n || '-' || s, 0, NULL"),
        ]
        let filled = plain.map { table, count, values in
            "INSERT INTO \(table) SELECT 'c' || s, \(values) "
                + "FROM \(series), generate_series(1, \(count)) AS n;"
        }
        return """
            INSERT INTO shop (shop_id, tag, name, time_zone, week, languages, capacity,
                    usual_stay_minutes, hold_seconds, created_ms)
                SELECT 'c' || s, 'C' || s, 'StoreChain', 'UTC', '', 'en', 30, 20, 240, 0
                FROM \(series);
            \(filled.joined(separator: "\n"))
            INSERT INTO reservation (shop_id, id, machine, channel, kind, day, state, state_ms, cause,
                    created_ms, offset_minutes, expires_ms, extensions, expected_ms, earliest_ms,
                    latest_ms, people_ahead, number, code, typed_code, confirmed_ms, visit_start_ms,
                    visit_start_offset, visit_end_ms, visit_end_offset)
                SELECT 'c' || s, 'r' || n, 'door-' || n % 3, 'machine',
                    CASE WHEN n % 5 = 0 THEN 'visit' ELSE 'ticket' END, d,
                    CASE WHEN n = 1 THEN 'pending' WHEN n < 9 THEN 'planned' ELSE 'expired' END, n,
                    CASE WHEN n < 9 THEN 'confirmed' ELSE 'checked-out' END, n, 60, n, 0, n, n, n, 5,
                    CASE WHEN n > 1 THEN n END, CASE WHEN n > 1 THEN 'q' || n END,
                    CASE WHEN n > 1 THEN 't' || n END, CASE WHEN n > 1 THEN n END,
                    v, v, v, v
                FROM \(series), generate_series(1, \(each)) AS n,
                    LATERAL (SELECT '2026-10-' || lpad((n % 30 + 1)::text, 2, '0') AS d,
                        CASE WHEN n % 5 = 0 THEN n END AS v) AS x;
            INSERT INTO reservation_event (shop_id, reservation_id, at_ms, state, cause)
                SELECT shop_id, id, e, 'called', 'called' FROM reservation, generate_series(1, 3) AS e
                WHERE shop_id = ANY (SELECT 'c' || s FROM \(series));
            INSERT INTO shop_floor (shop_id) SELECT 'c' || s FROM \(series);
            INSERT INTO refused_slot
                SELECT 'c' || s, '2026-10-' || lpad(n::text, 2, '0'), h, 0, 1
                FROM \(series), generate_series(1, 30) AS n, generate_series(8, 19) AS h;
            INSERT INTO pickup_order (shop_id, id, reference, code, typed_code, announced_ms,
                    promised_ms, parcels, state, state_ms, day, number, arrived_ms, desk)
                SELECT 'c' || s, 'o' || n, n::text, 'q' || n, 't' || n, n, n, 'small',
                    CASE WHEN n % 9 = 0 THEN 'arrived' WHEN n % 3 = 0 THEN 'handed-over'
                        WHEN n % 3 = 1 THEN 'on-shelf' ELSE 'expired' END, n,
                    CASE WHEN n % 3 = 0 THEN '2026-10-01' END, CASE WHEN n % 3 = 0 THEN n END,
                    CASE WHEN n % 3 = 0 THEN n END,
                    CASE WHEN n % 3 = 0 AND n % 9 > 0 THEN 1 END
                FROM \(series), generate_series(1, \(each)) AS n;
            INSERT INTO pickup_event SELECT shop_id, id, e, e, state, 'door-1'
                FROM pickup_order, generate_series(1, 3) AS e
                WHERE shop_id = ANY (SELECT 'c' || s FROM \(series));
            """
    }
}
