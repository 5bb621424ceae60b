internal import ReservationStore
internal import RowColumns

/// Writes of a transaction that are sent with its next query or its commit: first those that are combined, then the
/// others in order.
struct PostponedWrites {
    private var combined: [(query: Query, uses: [[DatabaseValue]])] = []
    private var others: [(query: Query, values: [DatabaseValue], rows: Int?)] = []

    /// - Parameter rows: The number of rows that the write must change; nil for any number.
    mutating func append(_ query: Query, _ values: [DatabaseValue], changing rows: Int?) {
        guard query.isCombinable, rows == 1 else {
            return others.append((query, values, rows))
        }
        if let place = combined.firstIndex(where: { $0.query === query }) {
            combined[place].uses.append(values)
        } else {
            combined.append((query, [values]))
        }
    }

    /// Sends all of them; `finish` of the connection throws their failures.
    mutating func send(on connection: PostgresConnection) throws(StoreError) {
        defer { self = PostponedWrites() }
        for (query, uses) in combined {
            try connection.send(query, uses: uses, isChange: true)
        }
        for other in others { try connection.send(other.query, other.values, rows: other.rows) }
    }
}
