internal import Glibc
public import KioskFlow
public import KioskRuntime
public import Reservations
internal import RowColumns
internal import SQLite

/// The durable record of what was sent, shown and printed; it is on disk when a call returns and survives a restart.
///
/// Each request is one row: a confirmation, or the news that the customer of an order is here. Codes are erased after a
/// day, rows after a month: the file stays small, and a stolen machine gives no old codes away.
public final class KioskJournal: JournalPort {
    private static let day: Int64 = 86_400_000
    /// The number of days that are kept, including the present one.
    private static let maxReportedDays = 32
    /// The time between two prunings of a machine that runs for months.
    private static let pruneIntervalMs: Int64 = 3_600_000

    private let connection: GuardedConnection<Progress>
    private let clock: @Sendable () -> Int64

    private struct Progress {
        /// When old data was last erased, in milliseconds since 1970; 0 if never.
        var pruned: Int64 = 0
        /// Requests of this run of the program whose outcome it will still write down.
        var underWay: Set<String> = []
    }

    /// Opens or creates the journal.
    ///
    /// - Parameters:
    ///   - path: the file in the machine's state directory.
    ///   - clock: milliseconds since 1970; it decides only when data is erased.
    public init(
        path: String, clock: @escaping @Sendable () -> Int64 = KioskJournal.systemClock
    ) throws(JournalError) {
        self.clock = clock
        do {
            let connection = try Connection(path: path)
            try Self.migrate(connection)
            self.connection = GuardedConnection(connection, state: Progress())
        } catch { throw JournalError(path: path, reason: String(describing: error)) }
        try prune()
    }

    public func write(_ records: [JournalRecord]) throws(JournalError) {
        let now = clock()
        try perform { connection, progress in
            let isDue = !(0..<Self.pruneIntervalMs).contains(now - progress.pruned)
            for case let (key, false) in records.map(\.progress) { progress.underWay.insert(key) }
            try connection.transaction {
                for record in records { try self.write(record, connection) }
                if isDue { try Self.prune(connection, at: now) }
            }
            if isDue { progress.pruned = now }
            for case let (key, true) in records.map(\.progress) { progress.underWay.remove(key) }
        }
    }

    private enum OpenColumn: Int, SelectedColumn {
        case key, hold, isGivenUp, isOrder, presented, intendedMs

        var sql: String { self == .isGivenUp ? "delete_ms IS NOT NULL" : columnName }
    }

    public func open() throws(JournalError) -> [OpenRequest] {
        let now = clock()
        return try perform { connection, progress in
            try connection.rows(
                """
                SELECT \(OpenColumn.list) FROM confirmation
                WHERE settled_ms IS NULL
                  AND (delete_ms IS NOT NULL OR (shown_ms IS NULL AND printing_ms IS NULL))
                ORDER BY intended_ms, key
                """
            ) { columns -> OpenRequest? in
                let row = Row<OpenColumn>(columns)
                var what = Requested.place(ReservationID(row.text(.hold)))
                if row.isTrue(.isOrder) {
                    // Its customer left a day ago, and its code is erased.
                    guard let code = PresentedOrderCode(row.text(.presented)) else { return nil }
                    what = .arrival(OrderID(row.text(.hold)), code)
                }
                return OpenRequest(
                    key: AttemptKey(row.text(.key)), what: what,
                    deleteWhenKnown: row.isTrue(.isGivenUp),
                    age: .milliseconds(now - row.integer(.intendedMs)))
            }.compactMap(\.self)
        }
    }

    private enum PaperColumn: Int, SelectedColumn {
        case key, number, reservedMs, printedMs, notPrinted, deleteMs, settledMs, code, typedCode
        case reprintedMs, language, isOrder, isNotShown, symbol

        var sql: String {
            self == .isNotShown ? "shown_ms IS NULL AND printing_ms IS NULL" : columnName
        }
    }

    /// At most 2,000 receipts.
    public func papers(since: Moment) throws(JournalError) -> [IssuedPaper] {
        let yesterday = clock() - Self.day
        return try perform { connection, progress in
            try connection.rows(
                """
                SELECT \(PaperColumn.list) FROM confirmation WHERE number IS NOT NULL AND (reserved_ms >= $since
                  OR (\(Self.isUnknown) AND code IS NOT NULL AND intended_ms >= $yesterday))
                ORDER BY reserved_ms DESC LIMIT 2000
                """, ["$since": .integer(since.milliseconds), "$yesterday": .integer(yesterday)]
            ) { columns -> IssuedPaper? in
                let row = Row<PaperColumn>(columns)
                let isOrder = row.isTrue(.isOrder)
                let value = row.count(.number)
                guard
                    let number = isOrder
                        ? PickupNumber(rawValue: value).map(SlipNumber.pickup)
                        : QueueNumber(rawValue: value).map(SlipNumber.queue)
                else { return nil }
                let code = row.text(.code)
                let outcome: IssuedPaper.Outcome =
                    if !row.isNull(.deleteMs) { .givenUp } else if !row.isNull(.settledMs) {
                        .over
                    } else if !row.isNull(.reprintedMs) {
                        .reprinted
                    } else if !row.isNull(.printedMs) {
                        .printed
                    } else if let trouble = row.optionalText(.notPrinted) {
                        .notPrinted(PrinterTrouble(rawValue: trouble) ?? .other)
                    } else if row.isTrue(.isNotShown) || progress.underWay.contains(row.text(.key))
                    { .underWay } else { .unknown }
                return IssuedPaper(
                    key: AttemptKey(row.text(.key)), number: number,
                    issued: Moment(milliseconds: row.integer(.reservedMs)), outcome: outcome,
                    code: isOrder
                        ? PickupCode(rawValue: code).map(SlipCode.order)
                        : EntryCode(rawValue: code).map(SlipCode.reservation),
                    typedCode: TypedCode(rawValue: row.text(.typedCode)),
                    symbol: row.optionalText(.symbol), language: row.optionalText(.language))
            }.compactMap(\.self)
        }
    }

    /// Receipts that were shown or sent to the printer and have no outcome: the power failed or the program ended then,
    /// and the staff has not checked them since.
    private static let isUnknown = """
        (number IS NOT NULL AND (shown_ms IS NOT NULL OR printing_ms IS NOT NULL)
          AND printed_ms IS NULL AND not_printed IS NULL AND reprinted_ms IS NULL
          AND delete_ms IS NULL AND settled_ms IS NULL)
        """

    /// A receipt can be printed again as long as its codes are not erased.
    public func unknownPapers() throws(JournalError) -> Int {
        let yesterday = clock() - Self.day
        return try perform { connection, progress in
            try connection.rows(
                "SELECT key FROM confirmation WHERE intended_ms >= $yesterday "
                    + "AND code IS NOT NULL AND \(Self.isUnknown)",
                ["$yesterday": .integer(yesterday)]
            ) { $0.text(0) }.count { !progress.underWay.contains($0) }
        }
    }

    public func outcomes(from day: CalendarDay?) throws(JournalError) -> [PrintTally] {
        try perform { connection, progress in
            let from: [String: DatabaseValue] = ["$from": .text(day?.description ?? "")]
            var days: [CalendarDay: PrintTally] = [:]
            let tallies = try connection.rows(
                """
                SELECT day, count(printed_ms), count(CASE WHEN printed_ms IS NULL THEN not_printed END), 0
                FROM confirmation WHERE day >= $from GROUP BY day
                UNION ALL SELECT day, 0, 0, copies FROM copy WHERE day >= $from
                """, from
            ) { row in (row.text(0), (1...3).map { Int(row.integer($0)) }) }
            for (text, counts) in tallies {
                guard let day = CalendarDay(text) else { continue }
                days[day, default: PrintTally(day: day)].printed += counts[0]
                days[day]?.failed += counts[1]
                days[day]?.copies += counts[2]
            }
            let unknown = try connection.rows(
                "SELECT day, key FROM confirmation WHERE day >= $from AND \(Self.isUnknown)", from
            ) { ($0.text(0), $0.text(1)) }
            for (text, key) in unknown where !progress.underWay.contains(key) {
                guard let day = CalendarDay(text) else { continue }
                days[day]?.unknown += 1
            }
            return days.values.sorted { $0.day < $1.day }.suffix(Self.maxReportedDays)
        }
    }

    public func copied(_ key: AttemptKey, on day: CalendarDay) throws(JournalError) {
        let now = clock()
        try perform { connection, progress in
            try connection.transaction {
                try connection.run(
                    "UPDATE confirmation SET reprinted_ms = $now WHERE key = $key",
                    ["$now": .integer(now), "$key": .text(key.rawValue)])
                try connection.run(
                    "INSERT INTO copy (day, copies) VALUES ($day, 1) "
                        + "ON CONFLICT (day) DO UPDATE SET copies = copies + 1",
                    ["$day": .text(day.description)])
            }
        }
    }

    public func prune() throws(JournalError) {
        let now = clock()
        try perform { connection, progress in
            try connection.transaction { try Self.prune(connection, at: now) }
            progress.pruned = now
        }
    }

    // MARK: Rows

    private func write(_ record: JournalRecord, _ connection: Connection) throws {
        let now = DatabaseValue.integer(clock())
        func set(_ column: String, of key: AttemptKey, to value: DatabaseValue) throws {
            try connection.run(
                "UPDATE confirmation SET \(column) = $value WHERE key = $key",
                ["$value": value, "$key": .text(key.rawValue)])
        }
        switch record {
        case .intended(let key, .place(let hold)):
            try connection.run(
                "INSERT INTO confirmation (key, hold, intended_ms) VALUES ($key, $hold, $now)",
                ["$key": .text(key.rawValue), "$hold": .text(hold.rawValue), "$now": now])
        case .intended(let key, .arrival(let order, let code)):
            try connection.run(
                """
                INSERT INTO confirmation (key, hold, intended_ms, is_order, presented)
                VALUES ($key, $order, $now, 1, $code)
                """,
                [
                    "$key": .text(key.rawValue), "$order": .text(order.rawValue), "$now": now,
                    "$code": .text(code.text),
                ])
        case .issued(let key, let slip):
            let (id, number) =
                switch slip {
                case .reservation(let made): (made.id.rawValue, made.number.rawValue)
                case .order(let arrived): (arrived.order.id.rawValue, arrived.number.rawValue)
                }
            try connection.run(
                """
                UPDATE confirmation SET reserved_ms = $now, reservation = $id, number = $number,
                  code = $code, typed_code = $typed, symbol = $symbol, day = $day,
                  printed_ms = NULL, not_printed = NULL, reprinted_ms = NULL WHERE key = $key
                """,
                [
                    "$now": now, "$id": .text(id), "$number": .integer(Int64(number)),
                    "$code": .text(slip.code.text), "$typed": .text(slip.typedCode.rawValue),
                    "$symbol": slip.isForPhones ? .text(slip.symbol) : .null,
                    "$key": .text(key.rawValue), "$day": .text(slip.issued.day.description),
                ])
        case .language(let key, let language): try set("language", of: key, to: .text(language))
        case .shown(let key): try set("shown_ms", of: key, to: now)
        case .printing(let key): try set("printing_ms", of: key, to: now)
        case .printed(let key): try set("printed_ms", of: key, to: now)
        case .notPrinted(let key, let trouble):
            try set("not_printed", of: key, to: .text(trouble.rawValue))
        case .deleteWhenKnown(let key): try set("delete_ms", of: key, to: now)
        case .resolved(let key): try set("settled_ms", of: key, to: now)
        }
    }

    private static func prune(_ connection: Connection, at now: Int64) throws {
        try connection.run(
            "UPDATE confirmation SET code = NULL, typed_code = NULL, symbol = NULL, presented = NULL "
                + "WHERE (code IS NOT NULL OR presented IS NOT NULL) AND intended_ms < $limit",
            ["$limit": .integer(now - day)])
        try connection.run(
            "DELETE FROM confirmation WHERE intended_ms < $limit",
            ["$limit": .integer(now - 31 * day)])
        // A day begins with its year, so the order of days is the order of their texts.
        let month = CalendarDay(daysSince1970: Int(now / day) - 31)
        try connection.run(
            "DELETE FROM copy WHERE day < $limit", ["$limit": .text(month.description)])
        try connection.run(
            "INSERT INTO meta (name, value) VALUES ('checked_ms', $now) "
                + "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            ["$now": .integer(now)])
    }

    private static func migrate(_ connection: Connection) throws {
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BIGINT)")
        let version = try connection.rows("SELECT value FROM meta WHERE name = 'schema'") {
            Int($0.integer(0))
        }.first
        guard version ?? 0 <= schemas.count else {
            throw JournalError(path: "", reason: "it was written by a newer version of clup-kiosk")
        }
        guard version ?? 0 < schemas.count else { return }
        try connection.transaction {
            for schema in schemas.dropFirst(version ?? 0) { try connection.execute(schema) }
            try connection.execute("UPDATE meta SET value = \(schemas.count) WHERE name = 'schema'")
        }
    }

    /// The script of each schema; the journal has run all up to the number in `meta`.
    private static let schemas = [
        """
        CREATE TABLE confirmation (
          key TEXT PRIMARY KEY, hold TEXT NOT NULL, intended_ms BIGINT NOT NULL,
          reserved_ms BIGINT, reservation TEXT, number BIGINT, code TEXT, typed_code TEXT,
          shown_ms BIGINT, printing_ms BIGINT, printed_ms BIGINT, not_printed TEXT,
          delete_ms BIGINT, settled_ms BIGINT);
        CREATE INDEX confirmation_by_time ON confirmation (intended_ms);
        INSERT INTO meta (name, value) VALUES ('schema', 1);
        """,
        """
        ALTER TABLE confirmation ADD COLUMN day TEXT;
        CREATE INDEX confirmation_by_day ON confirmation (day) WHERE day IS NOT NULL;
        CREATE TABLE copy (day TEXT PRIMARY KEY, copies BIGINT NOT NULL);
        """, "ALTER TABLE confirmation ADD COLUMN reprinted_ms BIGINT",
        "ALTER TABLE confirmation ADD COLUMN language TEXT",
        // Of an order `hold` and `reservation` are its identifier, and `presented` is the code that was shown for it.
        """
        ALTER TABLE confirmation ADD COLUMN is_order BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE confirmation ADD COLUMN presented TEXT;
        """, "ALTER TABLE confirmation ADD COLUMN symbol TEXT",
    ]

    private func perform<Result>(
        _ body: (Connection, inout Progress) throws -> Result
    ) throws(JournalError) -> Result {
        do {
            return try connection.withLock(body)
        } catch {
            throw JournalError(path: "", reason: String(describing: error))
        }
    }

    /// The wall clock, in milliseconds since 1970.
    public static func systemClock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension JournalRecord {
    /// The request that the record belongs to, and whether the record is its outcome.
    fileprivate var progress: (key: String, isOver: Bool) {
        switch self {
        case .intended(let key, _), .issued(let key, _), .language(let key, _), .shown(let key),
            .printing(let key):
            (key.rawValue, false)
        case .printed(let key), .notPrinted(let key, _), .deleteWhenKnown(let key),
            .resolved(let key):
            (key.rawValue, true)
        }
    }
}

/// The journal cannot be opened or written; without it the machine confirms nothing and says of no customer to be here.
public struct JournalError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    public var description: String {
        path.isEmpty
            ? "The journal cannot be written: \(reason)"
            : "The journal \(path) cannot be used: \(reason). "
                + "Make room on the disk or give the machine its state directory back."
    }
}
