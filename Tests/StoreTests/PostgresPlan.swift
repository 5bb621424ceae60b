/// A plan of PostgreSQL as lines of EXPLAIN, without their indents.
struct PostgresPlan {
    /// The conditions that a search in reservations, stored answers and nonces must have, beside the shop.
    private static let narrow = [
        "reservation_pkey": ["id = ", "id > "], "reservation_code": ["code = "],
        "reservation_typed_code": ["typed_code = "],
        "reservation_number": ["day = ", "day < ", "day >= "],
        "reservation_visit": ["day = "],
        // These indexes have as many rows as places are taken now.
        "reservation_pending": [""], "reservation_live": [""],
        "idempotency_pkey": ["key = "], "idempotency_created": ["created_ms "],
        "nonce_pkey": ["nonce = "], "nonce_expires": ["expires_ms "],
    ]

    private let lines: [String]

    init(_ lines: [String]) { self.lines = lines }

    /// Scans of whole tables, searches that do not begin with the shop, and searches that read all rows of a shop.
    func faults(butOf wide: Set<String>) -> [String] {
        lines.enumerated().compactMap { place, line in
            let words = line.split(separator: " ").map(String.init)
            guard let scan = words.firstIndex(of: "Scan"), let on = words.firstIndex(of: "on"),
                on + 1 < words.count
            else { return nil }
            let named = words[on + 1]
            if wide.contains(where: { named == $0 || named.hasPrefix($0 + "_pkey") }) { return nil }
            // These nodes read what the scan below them has found.
            if words[..<scan].contains(where: { ["Heap", "Subquery"].contains($0) }) { return nil }
            if words[..<scan].contains("Seq") { return "all of \(named) is read" }
            let index = words.firstIndex(of: "using").map { words[$0 + 1] } ?? named
            let next = lines[(place + 1)...].first {
                $0.hasPrefix("Index Cond: ") || $0.contains(" Scan ")
            }
            guard let condition = next, condition.hasPrefix("Index Cond: "),
                condition.contains("shop_id = ")
            else { return "\(index) is not gone along by shop" }
            guard let parts = Self.narrow[index] else { return nil }
            return parts.contains { condition.contains($0) } || parts == [""]
                ? nil : "\(index) is gone along by shop alone"
        }
    }
}
