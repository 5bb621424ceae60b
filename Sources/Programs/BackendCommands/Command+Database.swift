import CommandSyntax
import BackendService
import Glibc
import KeyFile
import ReservationStore
import Reservations
import SQLiteStore

extension Command {
    static let databaseBackup = Command(
        words: ["database", "backup"], summary: "copy the database, beside a running server",
        options: [
            .required("database", "FILE", "the SQLite file"),
            .required("to", "COPY", "the copy: whole, checked and on the disk when this ends"),
            .flag("force", "replaces a COPY that is there already"),
        ],
        notes: """
            Everything that was answered before it began is in it. Keep FILE.key and FILE.wrapping-key
            too, once: they are the key that machines know this backend by.
            """
    ) { arguments in
        let path = try arguments.sqliteFile()
        let target = try arguments.required("to")
        let bytes = try SQLiteBackup.backUp(path, to: target, replaces: arguments.has("force"))
        printJSON(["backup": target, "bytes": bytes])
    }

    static let databaseRestore = Command(
        words: ["database", "restore"], summary: "put a copy in the database's place",
        options: [
            .required("database", "FILE", "the SQLite file; no server may be working on it"),
            .required(
                "from", "COPY", "what `database backup` made; it is checked first and not changed"),
        ],
        notes: """
            The former FILE is kept beside it as FILE.before-restore-TIME. Papers given out after the
            copy was made are not known any more, and their numbers are given out again: let in by
            hand whoever holds one.
            """
    ) { arguments in
        let path = try arguments.sqliteFile()
        let source = try arguments.required("from")
        let former = try SQLiteBackup.restore(
            path, from: source, keepingAs: ".before-restore-\(systemNow().milliseconds / 1_000)")
        // The copy's audit ends earlier than the signed audit of the former database.
        unlink(SealedKey.ofBackend(database: path).signedAudits.path)
        printJSON(["restored": path, "former": former])
    }

    static let databaseCheck = Command(
        words: ["database", "check"], summary: "look whether the rows of a database agree",
        options: [.database],
        notes: """
            Looks at the file itself, that numbers are given once and without gaps, that counters,
            states, codes and events agree, and that nothing of the past is left open; beside a
            running server too. Prints a line of JSON for each thing that is wrong, and ends with 1
            where there is one.
            """
    ) { arguments in
        let shops = try Administration(arguments).shops()
        let database: any Database = try DatabasePlace(arguments).open(for: .administer)
        let calendar = ShopCalendar()
        var findings: [JSONLine] = []
        if let file = database as? SQLiteDatabase {
            let sentences = try file.integrity()
            findings += sentences.map { ["finding": $0] }
        }
        for shop in shops {
            let found = try DatabaseCheck.findings(
                of: shop.id, firstDay: { calendar.firstDay(at: $0, in: shop) }, in: database)
            findings += found.map { ["shop": shop.tag.rawValue, "finding": $0] }
        }
        for finding in findings { printJSON(finding) }
        guard findings.isEmpty else {
            throw CommandError.failure("the database has \(findings.count) faults")
        }
        printJSON(["checked": shops.count])
    }

    static let databasePrune = Command(
        words: ["database", "prune"], summary: "delete what is older than reports and codes need",
        options: [
            .database,
            .optional(
                "keep-days", "N",
                "days of reservations and events that are kept before today; 62 unless given, "
                    + "61 at least: a typed code must not come again for 60 days"),
        ],
        notes: """
            Open and booked reservations are never touched. Works in small bites beside a running
            server; run it every night. Holds that were never confirmed go after a day, and a server
            deletes those by itself.
            """
    ) { arguments in
        let days = try arguments.number("keep-days", 61...36_500, standard: 62)
        let shops = try Administration(arguments).shops()
        let pruning = Pruning(database: try DatabasePlace(arguments).open(for: .administer))
        let calendar = ShopCalendar()
        for shop in shops {
            let now = systemNow()
            let first = calendar.local(now, in: shop).day.advanced(by: -days)
            // A server's writer that waits for the lock by asking again gets it during the pause.
            let pruned = try pruning.prune(
                shop.id, before: first, at: now, pause: { usleep(20_000) })
            printJSON([
                "shop": shop.tag.rawValue, "keptFrom": first.description,
                "reservations": pruned.reservations, "holds": pruned.holds,
                "requests": pruned.requests,
            ])
        }
    }
}

extension Arguments {
    /// The path that `--database` names, for commands that work only on a file.
    fileprivate func sqliteFile() throws -> String {
        let path = try required("database")
        guard !path.contains("://") else {
            throw CommandError.failure(
                "this is for SQLite files; PostgreSQL has pg_dump and pg_restore (Kiosk/backups.md)"
            )
        }
        return path
    }
}
