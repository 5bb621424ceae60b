internal import CPostgres
internal import ReservationStore

extension StoreError {
    /// What a result tells, by its SQLSTATE (https://www.postgresql.org/docs/15/errcodes-appendix.html).
    init(_ result: OpaquePointer?, operation: String) {
        let state = clup_pq_sqlstate(result).map { String(cString: $0) } ?? ""
        let words = clup_pq_sentence(result).map { String(cString: $0) } ?? "no answer"
        self.init(state: state, operation: operation, words)
    }

    init(state: String, operation: String, _ words: String) {
        let (code, sentence) = Self.meaning(of: state)
        self.init(
            code, operation: operation,
            "\(sentence) (PostgreSQL\(state.isEmpty ? "" : " " + state): \(words))")
    }

    private static func meaning(of state: String) -> (Code, String) {
        switch state {
        // Serialisation failure, deadlock.
        case "40001", "40P01": return (.conflict, "others were in the way")
        // Lock not available, cancelled by a time-out, too many connections.
        case "55P03", "57014", "53300": return (.busy, "the database is too busy")
        case "53100": return (.full, "there is no room for the database")
        case "58030": return (.inputOutput, "the disk of the database failed")
        // A standby, or the server that was the primary one before.
        case "25006": return (.readOnly, "the database server takes no changes")
        case "3D000": return (.missing, "there is no such database")
        case "42501": return (.readOnly, "the database's user may not do this")
        // Bytes that are no text, numbers out of range: of one request.
        case "22021", "22003", "22P02": return (.constraint, "the database refused a value")
        default: break
        }
        switch state.prefix(2) {
        case "23": return (.constraint, "a rule of the database refused a row")
        // Ended by an administrator, by an idle time-out, by a crash; starting or stopping.
        case "08", "57", "25": return (.lost, "the connection to the database was lost")
        case "": return (.lost, "the connection to the database was lost")
        case "53": return (.busy, "the database is too busy")
        case "XX": return (.corrupt, "the database is damaged")
        default: return (.other, "the database failed")
        }
    }
}
