internal import CPostgres
public import ReservationStore

/// The address of a PostgreSQL database as a `postgresql://` URI, TLS options included
/// (https://www.postgresql.org/docs/15/libpq-connect.html).
public struct PostgresAddress: Sendable {
    /// The address as it was given; without a password.
    public let text: String
    let password: String?

    /// Options that apply unless the address sets them: a connection attempt without an answer is given up soon, a
    /// standby is passed over for the primary server, a dead peer is noticed.
    private static let standard = [
        ("connect_timeout", "2"), ("target_session_attrs", "read-write"),
        ("tcp_user_timeout", "5000"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
        ("keepalives_count", "2"), ("gssencmode", "disable"), ("application_name", "clup-backend"),
    ]

    /// Whether a text looks like an address of PostgreSQL and not like a file.
    public static func isOne(_ text: String) -> Bool {
        text.hasPrefix("postgresql:") || text.hasPrefix("postgres:")
    }

    /// Refuses a text that is not an address, and one with a password, which every user of the machine could read in
    /// the list of processes.
    ///
    /// - Parameter password: The password from a credential; nil leaves it to libpq's own password file.
    public init(_ text: String, password: String?) throws(StoreError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            // The message may repeat the address, with a password in it.
            PQfreemem(message)
            throw StoreError(
                .other, operation: "read the database's address",
                "the address of the database is not understood; give it as "
                    + "postgresql://USER@HOST:5432/DATABASE?sslmode=verify-full")
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let name = option.pointee.keyword {
            if String(cString: name) == "password", option.pointee.val != nil {
                throw StoreError(
                    .refused, operation: "read the database's address",
                    "the address of the database must not hold a password; put it into the "
                        + "credential database-password, or into a file that PGPASSFILE names")
            }
            option += 1
        }
        self.text = text
        self.password = password
    }

    /// Keywords and values for PQconnectdbParams; a later one overrides an earlier one.
    var parameters: [(String, String)] {
        Self.standard + [("dbname", text)]
            + (password.map { [("password", $0)] } ?? []) + [("client_encoding", "UTF8")]
    }
}
