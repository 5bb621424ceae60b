internal import ReservationStore

/// Several uses of one query as one statement. What a statement costs before its first row, above all the conditions
/// of its table, which PostgreSQL reads for each one, is more than a row costs.
extension Query {
    /// How many uses of the next ones are combined. It is a power of two, so that few statements are prepared.
    func combined(of waiting: Int) -> Int {
        guard isCombinable else { return 1 }
        var count = 1
        while count < 16, 2 * count <= waiting { count *= 2 }
        return count
    }

    /// The text as PostgreSQL takes it, for so many uses: `$1` is the first parameter of the first one.
    func text(uses count: Int) -> String {
        if count == 1 { return numbered(text[...], use: 0) }
        if text.hasPrefix("SELECT") { return lookups(count) }
        return text.hasPrefix("INSERT") ? insertedRows(count) : updates(count)
    }

    /// `INSERT INTO ... VALUES ($1, $2), ($3, $4)`, and what follows the row.
    private func insertedRows(_ count: Int) -> String {
        guard let values = text.firstRange(of: "VALUES ") else {
            preconditionFailure("an INSERT has values")
        }
        var depth = 0
        let end = text[values.upperBound...].firstIndex {
            if $0 == "(" { depth += 1 }
            if $0 == ")" { depth -= 1 }
            return depth == 0
        }
        guard let end else { preconditionFailure("a row ends") }
        let row = text[values.upperBound...end]
        return text[..<values.upperBound]
            + (0..<count).map { numbered(row, use: $0) }.joined(separator: ", ")
            + text[text.index(after: end)...]
    }

    /// Runs the query for each use, whose number is in a last column of its rows.
    private func lookups(_ count: Int) -> String {
        "SELECT found.*, asked.use FROM \(found(text[...], uses: count))"
    }

    /// Finds the row of each use, and then changes the rows by their places in the table. There is no other way to a
    /// place than to go there, so no plan can read the whole table.
    private func updates(_ count: Int) -> String {
        guard let set = text.firstRange(of: "SET "), let condition = text.firstRange(of: "WHERE ")
        else { preconditionFailure("an UPDATE has assignments and a condition") }
        let table = text[..<set.lowerBound].dropFirst("UPDATE ".count)
        let place = "SELECT ctid AS place FROM \(table)\(text[condition.lowerBound...])"
        return """
            \(asked(text[..<condition.lowerBound])) FROM \(found(place[...], uses: count))
            WHERE ctid = found.place
            """
    }

    /// The rows of a SELECT for each use, in the order of the uses. OFFSET keeps the planner from joining the list of
    /// uses with the table in another way, so that the SELECT is planned as it is for one use.
    private func found(_ select: Substring, uses count: Int) -> String {
        let rows = (0..<count).map { use in
            let values = parameters.indices.map { "$\(use * parameters.count + $0 + 1)" }
            return "(\(use), \(values.joined(separator: ", ")))"
        }
        return """
            (VALUES \(rows.joined(separator: ", "))) AS asked (use, \(parameters.joined(separator: ", ")))
            CROSS JOIN LATERAL (\(asked(select)) OFFSET 0) AS found
            """
    }

    private func asked(_ part: Substring) -> String {
        replacingNames(in: part) { "asked.\(parameters[$0])" }
    }

    private func numbered(_ part: Substring, use: Int) -> String {
        replacingNames(in: part) { "$\(use * parameters.count + $0 + 1)" }
    }

    /// A part of the text with each `$name` replaced, by the place of its parameter.
    private func replacingNames(in part: Substring, _ replacement: (Int) -> String) -> String {
        let pieces = part.split(separator: "$", omittingEmptySubsequences: false)
        return pieces.dropFirst().reduce(into: String(pieces[0])) { whole, piece in
            let name = piece.prefix { $0.isLetter || $0.isNumber }
            let place = parameters.firstIndex { $0 == name } ?? 0
            whole += replacement(place) + piece[name.endIndex...]
        }
    }
}
