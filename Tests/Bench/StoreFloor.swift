import FoundationEssentials
import RowColumns
import SQLite

/// SQLite alone: only the rows of the bench's tickets, in batches of the same size.
struct StoreFloor {
    private let connection: Connection
    private let nonce: Statement
    private let answer: Statement
    private let hold: Statement
    private let confirmation: Statement
    private let event: Statement
    private let counter: Statement
    private let holdBody: [UInt8]
    private let confirmationBody: [UInt8]
    private var last = 0

    /// Copies the schema of the bench's own database.
    init(path: String, schemaOf database: String, holdBytes: Int, confirmationBytes: Int) throws {
        connection = try Connection(path: path)
        try connection.expectLoad()
        try connection.copySchema(of: database, where: "name NOT LIKE 'sqlite_%'")
        holdBody = Array(repeating: 0x61, count: holdBytes)
        confirmationBody = Array(repeating: 0x61, count: confirmationBytes)
        nonce = try connection.statement(
            "INSERT INTO nonce (shop_id, key_id, nonce, expires_ms) VALUES ($1, $2, $3, $4)")
        answer = try connection.statement(
            """
            INSERT INTO idempotency (shop_id, machine, key, fingerprint, status, content_type,
                body, created_ms) VALUES ($1, $2, $3, $4, 201, 'application/json', $5, $6)
            """)
        hold = try connection.statement(
            """
            INSERT INTO reservation (shop_id, id, machine, channel, kind, day, state, state_ms,
                cause, created_ms, offset_minutes, expires_ms, extensions, expected_ms,
                earliest_ms, latest_ms, people_ahead)
            VALUES ($1, $2, $3, 'machine', 'ticket', '2026-11-20', 'pending', $4, 'requested', $4,
                60, $4, 0, $4, $4, $4, 10)
            """)
        confirmation = try connection.statement(
            """
            UPDATE reservation SET state = 'planned', state_ms = $3, cause = 'confirmed',
                expected_ms = $3, earliest_ms = $3, latest_ms = $3, people_ahead = 10,
                number = $4, code = $5, typed_code = $6, confirmed_ms = $3
            WHERE shop_id = $1 AND id = $2 AND state = 'pending'
            """)
        event = try connection.statement(
            """
            INSERT INTO reservation_event (shop_id, reservation_id, at_ms, former_state, state,
                cause) VALUES ($1, $2, $3, $4, $5, 'confirmed')
            """)
        counter = try connection.statement(
            """
            INSERT INTO day_counter (shop_id, day, last_number) VALUES ($1, '2026-11-20', $2)
            ON CONFLICT (shop_id, day) DO UPDATE SET last_number = excluded.last_number
            """)
    }

    /// Batches of `size` holds, each followed by a batch of their confirmations; a ticket takes both commits.
    mutating func run(batch size: Int, nanoseconds: Int64) throws -> LoadGenerator.Result {
        var result = LoadGenerator.Result()
        let begin = Clock.monotonic
        let cpu = Clock.thread
        while Clock.monotonic - begin < nanoseconds {
            let first = last + 1
            last += size
            try result.latencies.time {
                try commit(first...last, isConfirmation: false)
                try commit(first...last, isConfirmation: true)
            }
            result.tickets += size
        }
        result.wall = Clock.monotonic - begin
        result.backendCPU = Clock.thread - cpu
        return result
    }

    private func commit(_ tickets: ClosedRange<Int>, isConfirmation: Bool) throws {
        let now = Clock.real / 1_000_000
        try connection.transaction {
            for ticket in tickets {
                try write(ticket, now: now, isConfirmation: isConfirmation)
            }
        }
    }

    private func write(_ ticket: Int, now: Int64, isConfirmation: Bool) throws {
        // As long as the real identifiers, and as ordered: nonces begin with the moment.
        let random = UInt64.random(in: 0...(.max))
        let shop = DatabaseValue.text("0123456789abcdef")
        let machine = DatabaseValue.text("machine-\(ticket % 32)")
        // The moment first, then random digits, like the real identifiers.
        let id = DatabaseValue.text("019a0000-0000-7000-8000-\(1_000_000_000_000 + ticket)")
        try nonce.run([
            shop, .text("0123456789abcdef0123456789abcdef"),
            .text("\(now)\(random)"), .integer(now + 61_000),
        ])
        if isConfirmation {
            try confirmation.run([
                shop, id, .integer(now), .integer(Int64(ticket)),
                .text("CLUP:1:BNCH\(random)ABCDEF"), .text(String(random % 10_000_000_000)),
            ])
            try event.run([shop, id, .integer(now), .text("pending"), .text("planned")])
            try counter.run([shop, .integer(Int64(ticket))])
        } else {
            try hold.run([shop, id, machine, .integer(now)])
            try event.run([shop, id, .integer(now), .null, .text("pending")])
        }
        try answer.run([
            shop, machine, .text("machine-\(ticket % 32)-\(ticket)-\(isConfirmation)"),
            .blob(Array(repeating: 7, count: 32)),
            .blob(isConfirmation ? confirmationBody : holdBody), .integer(now),
        ])
    }
}

extension Connection {
    /// Makes the tables and indices of another database.
    func copySchema(of database: String, where condition: String) throws {
        let schema = try Connection(path: database, opening: .existing).rows(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND \(condition)"
        ) { $0.text(0) }
        for statement in schema { try execute(statement) }
    }
}

extension Statement {
    /// Runs it with these values.
    func run(_ values: [DatabaseValue]) throws {
        for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
        while try step() {}
        reset()
    }
}
