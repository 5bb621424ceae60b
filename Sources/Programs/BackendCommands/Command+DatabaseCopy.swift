import CommandSyntax
import Glibc
import PostgresStore
import ReservationStore
import SQLiteStore

/// `clup-backend database copy`: changes from one server to many.
extension Command {
    static let databaseCopy = Command(
        words: ["database", "copy"], summary: "move an SQLite database to PostgreSQL",
        options: [
            .required("database", "FILE", "the SQLite file; no server may be working on it"),
            .required(
                "to", "postgresql://...",
                "a new, empty database; the password as for `serve`"),
        ],
        notes: """
            Copies shops, keys, reservations, numbers, answers, audit and what was learned in one
            transaction, reads every row of the target again, and commits only where counts and
            digests are those of FILE: whatever ends it before leaves the target empty. Prints a line
            for each table, and at last {"copied":...}.

            Then copy FILE.key to DIRECTORY/backend.key and FILE.wrapping-key to
            DIRECTORY/backend.wrapping-key, start `serve --database postgresql://... --state
            DIRECTORY`, and put FILE away: it is as it was, and must not be served again.
            """
    ) { arguments in
        guard case .file(let path) = try DatabasePlace(arguments) else {
            throw CommandError.usage("--database must be an SQLite file; --to is PostgreSQL")
        }
        guard case .postgresql(let address) = try DatabasePlace(arguments, option: "to") else {
            throw CommandError.usage(
                "--to must be an address, as postgresql://...; `database backup` copies files")
        }
        // Locked in the same way as by a server, so that no server starts meanwhile.
        let source = try SQLiteDatabase.open(path: path, for: .serve)
        let copied = try DatabaseCopy.copy(
            try source.tables(), from: source, to: try PostgresDatabase.open(address))
        for table in copied.tables {
            printJSON([
                "table": table.name, "rows": table.content.rows, "digest": table.content.hash,
            ])
        }
        for (shop, finding) in copied.audits.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard case .broken(let sequence, let reason) = finding else { continue }
            printError(
                "clup-backend: the audit of shop \(shop) was broken before, and is copied as it is: "
                    + "row \(sequence): \(reason)")
        }
        printJSON([
            "copied": path, "to": address.text,
            "rows": copied.tables.reduce(0) { $0 + $1.content.rows },
        ])
    }
}
