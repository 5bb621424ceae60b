internal import SQLite

/// A database as the first version of the schema wrote it, with a shop, its day and open requests.
enum FirstSchema {
    /// Makes a file with it.
    static func write(to path: String) throws {
        let file = try Connection(
            path: path, opening: .createIfMissing, applicationID: 0x434C_5550)
        try file.execute(tables)
        try file.execute(rows)
    }

    static let tables = """
        CREATE TABLE schema_version (version BIGINT NOT NULL);
        INSERT INTO schema_version (version) VALUES (1);
        CREATE TABLE shop (
            shop_id TEXT NOT NULL PRIMARY KEY, tag TEXT NOT NULL, name TEXT NOT NULL,
            time_zone TEXT NOT NULL, week TEXT NOT NULL, languages TEXT NOT NULL,
            capacity BIGINT NOT NULL CHECK (capacity >= 1),
            usual_stay_minutes BIGINT NOT NULL CHECK (usual_stay_minutes >= 1),
            hold_seconds BIGINT NOT NULL CHECK (hold_seconds >= 1),
            created_ms BIGINT NOT NULL);
        CREATE TABLE opening_exception (
            shop_id TEXT NOT NULL REFERENCES shop (shop_id), day TEXT NOT NULL,
            periods TEXT NOT NULL,
            PRIMARY KEY (shop_id, day));
        CREATE TABLE change_sequence (
            shop_id TEXT NOT NULL PRIMARY KEY, sequence BIGINT NOT NULL);
        CREATE TABLE machine_key (
            shop_id TEXT NOT NULL REFERENCES shop (shop_id), key_id TEXT NOT NULL,
            machine TEXT NOT NULL, public_key BLOB NOT NULL, role TEXT NOT NULL,
            created_ms BIGINT NOT NULL, revoked_ms BIGINT,
            PRIMARY KEY (shop_id, key_id));
        CREATE TABLE reservation (
            shop_id TEXT NOT NULL, id TEXT NOT NULL, machine TEXT NOT NULL,
            channel TEXT NOT NULL, kind TEXT NOT NULL, day TEXT NOT NULL,
            state TEXT NOT NULL CHECK (
                state IN ('pending', 'planned', 'called', 'active', 'expired', 'deleted')),
            state_ms BIGINT NOT NULL, cause TEXT NOT NULL,
            created_ms BIGINT NOT NULL, offset_minutes BIGINT NOT NULL,
            expires_ms BIGINT NOT NULL, extensions BIGINT NOT NULL,
            expected_ms BIGINT NOT NULL, earliest_ms BIGINT NOT NULL, latest_ms BIGINT NOT NULL,
            people_ahead BIGINT NOT NULL,
            number BIGINT, code TEXT, typed_code TEXT, confirmed_ms BIGINT,
            CHECK ((number IS NULL) = (code IS NULL) AND (number IS NULL) = (typed_code IS NULL)
                AND (number IS NULL) = (confirmed_ms IS NULL)),
            PRIMARY KEY (shop_id, id)) WITHOUT ROWID;
        CREATE UNIQUE INDEX reservation_number ON reservation (shop_id, day, number)
            WHERE number IS NOT NULL;
        CREATE UNIQUE INDEX reservation_code ON reservation (shop_id, code)
            WHERE code IS NOT NULL;
        CREATE UNIQUE INDEX reservation_typed_code ON reservation (shop_id, typed_code)
            WHERE typed_code IS NOT NULL;
        CREATE INDEX reservation_pending ON reservation (shop_id, expires_ms)
            WHERE state = 'pending';
        CREATE TABLE reservation_event (
            shop_id TEXT NOT NULL, reservation_id TEXT NOT NULL, at_ms BIGINT NOT NULL,
            former_state TEXT, state TEXT NOT NULL, cause TEXT NOT NULL,
            PRIMARY KEY (shop_id, reservation_id, at_ms, state)) WITHOUT ROWID;
        CREATE TABLE day_counter (
            shop_id TEXT NOT NULL, day TEXT NOT NULL, last_number BIGINT NOT NULL,
            PRIMARY KEY (shop_id, day));
        CREATE TABLE idempotency (
            shop_id TEXT NOT NULL, machine TEXT NOT NULL, key TEXT NOT NULL,
            fingerprint BLOB NOT NULL, status BIGINT NOT NULL,
            content_type TEXT NOT NULL, body BLOB NOT NULL, created_ms BIGINT NOT NULL,
            PRIMARY KEY (shop_id, machine, key));
        CREATE INDEX idempotency_created ON idempotency (shop_id, created_ms);
        CREATE TABLE nonce (
            shop_id TEXT NOT NULL, key_id TEXT NOT NULL, nonce TEXT NOT NULL,
            expires_ms BIGINT NOT NULL,
            PRIMARY KEY (shop_id, key_id, nonce)) WITHOUT ROWID;
        CREATE INDEX nonce_expires ON nonce (shop_id, expires_ms);
        """

    /// 2026-11-20 09:59 in Rome: a ticket with number 1, a hold of door-1, a deleted hold, a stored answer.
    static let rows = """
        INSERT INTO shop VALUES ('s1', 'DEMO', 'Market', 'Europe/Rome', 'Mon-Sun 08:00-20:00',
            'it,en', 1, 20, 210, 0);
        INSERT INTO change_sequence VALUES ('s1', 1);
        INSERT INTO reservation VALUES
            ('s1', 'ticket', 'door-2', 'machine', 'ticket', '2026-11-20', 'planned', 1795165140000,
             'confirmed', 1795165130000, 60, 1795165340000, 0, 1795165140000, 1795165140000,
             1795165140000, 0, 1, 'CLUP:1:DEMO00000000000000000000000001', '0000000001',
             1795165140000),
            ('s1', 'held', 'door-1', 'machine', 'ticket', '2026-11-20', 'pending', 1795165150000,
             'requested', 1795165150000, 60, 1795165360000, 0, 1795166340000, 1795166340000,
             1795166340000, 0, NULL, NULL, NULL, NULL),
            ('s1', 'gone', 'door-3', 'machine', 'ticket', '2026-11-20', 'deleted', 1795165150000,
             'cancelled', 1795165150000, 60, 1795165360000, 0, 1795166340000, 1795166340000,
             1795166340000, 0, NULL, NULL, NULL, NULL);
        INSERT INTO reservation_event VALUES
            ('s1', 'held', 1795165150000, NULL, 'pending', 'requested');
        INSERT INTO day_counter VALUES ('s1', '2026-11-20', 1);
        INSERT INTO idempotency VALUES
            ('s1', 'door-1', 'k', x'010203', 200, 'text/plain', x'6F6C64', 1795165150000);
        """
}
