internal import CPostgres
internal import ReservationStore

extension StoreError {
    /// The error of a result, by its SQLSTATE (https://www.postgresql.org/docs/15/errcodes-appendix.html).
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
        // Serialization failure, deadlock.
        case "40001", "40P01": return (.conflict, "others were in the way")
        // Lock not available, cancelled by a timeout, too many connections.
        case "55P03", "57014", "53300": return (.busy, "the database is too busy")
        case "53100": return (.full, "there is no room for the database")
        case "58030": return (.inputOutput, "the disk of the database failed")
        // The server is a standby, or was the primary one before.
        case "25006": return (.readOnly, "the database server takes no changes")
        case "3D000": return (.missing, "there is no such database")
        case "42501": return (.readOnly, "the database's user may not do this")
        // Bytes that are not text, or numbers out of range: faults of one request only.
        case "22021", "22003", "22P02": return (.constraint, "the database refused a value")
        default: break
        }
        switch state.prefix(2) {
        case "23": return (.constraint, "a rule of the database refused a row")
        // The server was ended by an administrator, an idle timeout or a crash, or it is starting or stopping.
        case "08", "57", "25": return (.lost, "the connection to the database was lost")
        case "": return (.lost, "the connection to the database was lost")
        case "53": return (.busy, "the database is too busy")
        case "XX": return (.corrupt, "the database is damaged")
        default: return (.other, "the database failed")
        }
    }
}
