/// The migrations, in the order in which they were added. One that was released is never changed.
extension Schema {
    /// Shops, keys, reservations, and the tables that make every write repeatable.
    static func first(_ dialect: Dialect) -> String {
        """
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
            machine TEXT NOT NULL, public_key \(dialect.blob) NOT NULL, role TEXT NOT NULL,
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
            PRIMARY KEY (shop_id, id))\(dialect.clustered);
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
            PRIMARY KEY (shop_id, reservation_id, at_ms, state))\(dialect.clustered);
        CREATE TABLE day_counter (
            shop_id TEXT NOT NULL, day TEXT NOT NULL, last_number BIGINT NOT NULL,
            PRIMARY KEY (shop_id, day));
        CREATE TABLE idempotency (
            shop_id TEXT NOT NULL, machine TEXT NOT NULL, key TEXT NOT NULL,
            fingerprint \(dialect.blob) NOT NULL, status BIGINT NOT NULL,
            content_type TEXT NOT NULL, body \(dialect.blob) NOT NULL, created_ms BIGINT NOT NULL,
            PRIMARY KEY (shop_id, machine, key));
        CREATE INDEX idempotency_created ON idempotency (shop_id, created_ms);
        CREATE TABLE nonce (
            shop_id TEXT NOT NULL, key_id TEXT NOT NULL, nonce TEXT NOT NULL,
            expires_ms BIGINT NOT NULL,
            PRIMARY KEY (shop_id, key_id, nonce))\(dialect.clustered);
        CREATE INDEX nonce_expires ON nonce (shop_id, expires_ms);
        """
    }

    /// Visits have a slot, with the shop's offset at both ends; shops have the share of places that visits may take.
    static let visits = """
        ALTER TABLE shop ADD COLUMN visit_share_percent BIGINT NOT NULL DEFAULT 50
            CHECK (visit_share_percent BETWEEN 1 AND 100);
        ALTER TABLE reservation ADD COLUMN visit_start_ms BIGINT
            CHECK ((kind = 'visit') = (visit_start_ms IS NOT NULL));
        ALTER TABLE reservation ADD COLUMN visit_start_offset BIGINT;
        ALTER TABLE reservation ADD COLUMN visit_end_ms BIGINT;
        ALTER TABLE reservation ADD COLUMN visit_end_offset BIGINT
            CHECK ((visit_start_ms IS NULL) = (visit_start_offset IS NULL)
                AND (visit_start_ms IS NULL) = (visit_end_ms IS NULL)
                AND (visit_start_ms IS NULL) = (visit_end_offset IS NULL));
        CREATE INDEX reservation_visit ON reservation (shop_id, day) WHERE kind = 'visit';
        """

    /// Customers enter and leave; columns for what is learned of them, and for the staff's corrections.
    static let doors = """
        ALTER TABLE shop ADD COLUMN leave_delay_seconds BIGINT NOT NULL DEFAULT 120
            CHECK (leave_delay_seconds >= 0);
        ALTER TABLE shop ADD COLUMN early_call_grace BIGINT NOT NULL DEFAULT 0
            CHECK (early_call_grace IN (0, 1));
        ALTER TABLE reservation ADD COLUMN entered_ms BIGINT;
        ALTER TABLE day_counter ADD COLUMN closes_ms BIGINT;
        CREATE INDEX reservation_live ON reservation (shop_id, day)
            WHERE state IN ('planned', 'called', 'active');
        CREATE TABLE learned_stay (
            shop_id TEXT NOT NULL, hour_of_week BIGINT NOT NULL, observations BIGINT NOT NULL,
            logs BIGINT NOT NULL, squares BIGINT NOT NULL,
            PRIMARY KEY (shop_id, hour_of_week));
        CREATE TABLE demonstration (since_ms BIGINT NOT NULL);
        CREATE TABLE shop_floor (
            shop_id TEXT NOT NULL PRIMARY KEY,
            strangers BIGINT NOT NULL DEFAULT 0, strangers_ms BIGINT NOT NULL DEFAULT 0,
            came BIGINT NOT NULL DEFAULT 0, missed BIGINT NOT NULL DEFAULT 0,
            exits BIGINT NOT NULL DEFAULT 0, inferred BIGINT NOT NULL DEFAULT 0);
        """

    /// The reports of machines, and the remote commands for them (rules: remote-commands).
    static let machines = """
        CREATE TABLE machine_status (
            shop_id TEXT NOT NULL, machine TEXT NOT NULL, seen_ms BIGINT NOT NULL,
            condition TEXT NOT NULL, memory TEXT NOT NULL,
            events_through BIGINT NOT NULL, events_dropped BIGINT NOT NULL,
            PRIMARY KEY (shop_id, machine));
        CREATE TABLE machine_event (
            shop_id TEXT NOT NULL, position BIGINT NOT NULL, machine TEXT NOT NULL,
            at_ms BIGINT NOT NULL, offset_minutes BIGINT NOT NULL, person TEXT,
            kind TEXT NOT NULL, detail TEXT NOT NULL,
            PRIMARY KEY (shop_id, position));
        CREATE TABLE machine_paper_day (
            shop_id TEXT NOT NULL, day TEXT NOT NULL, machine TEXT NOT NULL,
            memory TEXT NOT NULL, printed BIGINT NOT NULL, failed BIGINT NOT NULL,
            copies BIGINT NOT NULL,
            PRIMARY KEY (shop_id, day, machine, memory));
        CREATE TABLE machine_order (
            shop_id TEXT NOT NULL, machine TEXT NOT NULL, id BIGINT NOT NULL,
            kind TEXT NOT NULL, message TEXT, given_ms BIGINT NOT NULL, done_ms BIGINT,
            PRIMARY KEY (shop_id, machine, id));
        """

    /// The audit, and the machines that ask to be paired.
    static func trust(_ dialect: Dialect) -> String {
        """
        CREATE TABLE audit (
            shop_id TEXT NOT NULL, sequence BIGINT NOT NULL, at_ms BIGINT NOT NULL,
            actor TEXT NOT NULL, action TEXT NOT NULL, detail TEXT NOT NULL,
            previous \(dialect.blob) NOT NULL, hash \(dialect.blob) NOT NULL,
            PRIMARY KEY (shop_id, sequence));
        CREATE TABLE audit_head (
            shop_id TEXT NOT NULL PRIMARY KEY, sequence BIGINT NOT NULL,
            hash \(dialect.blob) NOT NULL);
        CREATE TABLE pairing (
            shop_id TEXT NOT NULL, key_id TEXT NOT NULL, public_key \(dialect.blob) NOT NULL,
            code TEXT NOT NULL, expires_ms BIGINT NOT NULL, used_ms BIGINT,
            PRIMARY KEY (shop_id, key_id));
        CREATE UNIQUE INDEX pairing_code ON pairing (shop_id, code);
        CREATE TABLE backend_key (
            shop_id TEXT NOT NULL PRIMARY KEY, public_key \(dialect.blob) NOT NULL);
        """
    }

    /// Counts the changes of each shop's queue, so that a server sees that another one has changed it.
    static let queueSequence = """
        ALTER TABLE change_sequence ADD COLUMN queue BIGINT NOT NULL DEFAULT 0;
        """

    /// The subjects of the last changes of each shop's queue: reservations by their ids, separated by spaces.
    static let queueChange = """
        CREATE TABLE queue_change (
            shop_id TEXT NOT NULL, sequence BIGINT NOT NULL, reservations TEXT NOT NULL,
            floor BIGINT NOT NULL CHECK (floor IN (0, 1)),
            PRIMARY KEY (shop_id, sequence));
        """

    /// The indices for deleting stored answers and nonces: used by statements that name a moment, not by key look-ups.
    ///
    /// As complete indices they begin like the keys, and a planner that believes the tables empty may choose either:
    /// PostgreSQL chooses the later one, and then reads all rows of the shop in it.
    static let momentIndices = """
        DROP INDEX idempotency_created;
        CREATE INDEX idempotency_created ON idempotency (shop_id, created_ms) WHERE created_ms >= 0;
        DROP INDEX nonce_expires;
        CREATE INDEX nonce_expires ON nonce (shop_id, expires_ms) WHERE expires_ms >= 0;
        """

    /// How much each machine has reported within its hour and its day, so that its reports are limited; an index finds
    /// its events by the machine.
    static let reportBounds = """
        ALTER TABLE machine_status ADD COLUMN hour_ms BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE machine_status ADD COLUMN hour_events BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE machine_status ADD COLUMN day_ms BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE machine_status ADD COLUMN day_memories BIGINT NOT NULL DEFAULT 0;
        CREATE INDEX machine_event_machine ON machine_event (shop_id, machine, position);
        """

    /// The staff ends a day's tickets; a shop has a setting for how long its doors stay open.
    static let staffEnds = """
        ALTER TABLE day_counter ADD COLUMN tickets_ended BIGINT NOT NULL DEFAULT 0
            CHECK (tickets_ended IN (0, 1));
        ALTER TABLE shop ADD COLUMN door_seconds BIGINT NOT NULL DEFAULT 5
            CHECK (door_seconds BETWEEN 1 AND 120);
        """

    /// The end of each shop's audit, signed with the backend's key.
    static let auditSeal = """
        CREATE TABLE audit_seal (shop_id TEXT NOT NULL PRIMARY KEY, vouched TEXT NOT NULL);
        """

    /// Indices of reservations that only statements which name their collation can use, and which are the only ones
    /// that such statements can use: none of them ever uses the primary key and reads all reservations of the shop.
    ///
    /// A planner that saw the table when it contained one reservation considers the primary key as good as the index of
    /// codes. The collation compares bytes; SQLite has it, and PostgreSQL gets it under the same name.
    static func chosenIndices(_ dialect: Dialect) -> String {
        """
        \(dialect.byteCollation)
        DROP INDEX reservation_number;
        DROP INDEX reservation_code;
        DROP INDEX reservation_typed_code;
        DROP INDEX reservation_pending;
        DROP INDEX reservation_live;
        \(reservationIndices)
        CREATE INDEX reservation_live ON reservation (shop_id COLLATE "binary", day)
            WHERE state IN ('planned', 'called', 'active');
        """
    }

    static let reservationIndices = """
        CREATE UNIQUE INDEX reservation_number
            ON reservation (shop_id COLLATE "binary", day, number) WHERE number IS NOT NULL;
        CREATE UNIQUE INDEX reservation_code
            ON reservation (shop_id COLLATE "binary", code) WHERE code IS NOT NULL;
        CREATE UNIQUE INDEX reservation_typed_code
            ON reservation (shop_id COLLATE "binary", typed_code) WHERE typed_code IS NOT NULL;
        CREATE INDEX reservation_pending ON reservation (shop_id COLLATE "binary", expires_ms)
            WHERE state = 'pending';
        """

    /// The number of printed tickets that may be missing, as machines count them.
    static let unknownPapers = """
        ALTER TABLE machine_paper_day ADD COLUMN fate_unknown BIGINT NOT NULL DEFAULT 0;
        """

    /// The address from which each pairing code was requested, so that one address cannot use them all up.
    static let pairingOrigin = """
        ALTER TABLE pairing ADD COLUMN origin TEXT NOT NULL DEFAULT '';
        CREATE INDEX pairing_expires ON pairing (shop_id, expires_ms) WHERE expires_ms >= 0;
        """

    /// Customers' refused requests, counted by hours of the shop's clock.
    static let refusedRequests = """
        CREATE TABLE refused_wish (
            shop_id TEXT NOT NULL, day TEXT NOT NULL, hour BIGINT NOT NULL, kind TEXT NOT NULL,
            wishes BIGINT NOT NULL,
            PRIMARY KEY (shop_id, day, hour, kind));
        """

    /// Customers' calls for help, and what shops have decided about them (rules: help).
    static let helpCalls = """
        CREATE TABLE help_call (
            shop_id TEXT NOT NULL, id TEXT NOT NULL, machine TEXT NOT NULL,
            raised_ms BIGINT NOT NULL, going_ms BIGINT, going_by TEXT,
            ended_ms BIGINT, ending TEXT, muted_until_ms BIGINT,
            program_runs BIGINT NOT NULL DEFAULT 0,
            CHECK ((ended_ms IS NULL) = (ending IS NULL)),
            PRIMARY KEY (shop_id, id));
        CREATE INDEX help_call_ended ON help_call (shop_id, ended_ms);
        ALTER TABLE change_sequence ADD COLUMN help BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE shop ADD COLUMN help_phone TEXT;
        ALTER TABLE shop ADD COLUMN help_names BIGINT NOT NULL DEFAULT 0
            CHECK (help_names IN (0, 1));
        """

    /// Nonces in the order of their texts, whichever machine made them: those that begin with the time
    /// (`RequestSigner.makeNonce`) are written side by side, so that a transaction changes few pages.
    static func noncesByTime(_ dialect: Dialect) -> String {
        """
        CREATE TABLE nonce_by_time (
            shop_id TEXT NOT NULL, nonce TEXT NOT NULL, key_id TEXT NOT NULL,
            expires_ms BIGINT NOT NULL,
            PRIMARY KEY (shop_id, nonce, key_id))\(dialect.clustered);
        INSERT INTO nonce_by_time (shop_id, nonce, key_id, expires_ms)
            SELECT shop_id, nonce, key_id, expires_ms FROM nonce;
        DROP TABLE nonce;
        ALTER TABLE nonce_by_time RENAME TO nonce;
        CREATE INDEX nonce_expires ON nonce (shop_id, expires_ms) WHERE expires_ms >= 0;
        """
    }

    /// Compares states one by one: SQLite makes a temporary table of a list of states each time that a row is written,
    /// which took a quarter of its time.
    static func statesOneByOne(_ dialect: Dialect) -> String {
        let isLiveNow = """
            CREATE INDEX reservation_live ON reservation (shop_id COLLATE "binary", day)
                WHERE \(isLive);
            """
        guard dialect.makesTablesOfLists else { return "DROP INDEX reservation_live;" + isLiveNow }
        let columns = """
            shop_id, id, machine, channel, kind, day, state, state_ms, cause, created_ms,
            offset_minutes, expires_ms, extensions, expected_ms, earliest_ms, latest_ms,
            people_ahead, number, code, typed_code, confirmed_ms, visit_start_ms,
            visit_start_offset, visit_end_ms, visit_end_offset, entered_ms
            """
        return """
            CREATE TABLE reservation_copy (
                shop_id TEXT NOT NULL, id TEXT NOT NULL, machine TEXT NOT NULL,
                channel TEXT NOT NULL, kind TEXT NOT NULL, day TEXT NOT NULL,
                state TEXT NOT NULL CHECK (
                    state = 'pending' OR state = 'expired' OR state = 'deleted' OR \(isLive)),
                state_ms BIGINT NOT NULL, cause TEXT NOT NULL,
                created_ms BIGINT NOT NULL, offset_minutes BIGINT NOT NULL,
                expires_ms BIGINT NOT NULL, extensions BIGINT NOT NULL,
                expected_ms BIGINT NOT NULL, earliest_ms BIGINT NOT NULL, latest_ms BIGINT NOT NULL,
                people_ahead BIGINT NOT NULL,
                number BIGINT, code TEXT, typed_code TEXT, confirmed_ms BIGINT,
                visit_start_ms BIGINT, visit_start_offset BIGINT,
                visit_end_ms BIGINT, visit_end_offset BIGINT, entered_ms BIGINT,
                CHECK ((number IS NULL) = (code IS NULL) AND (number IS NULL) = (typed_code IS NULL)
                    AND (number IS NULL) = (confirmed_ms IS NULL)),
                CHECK ((kind = 'visit') = (visit_start_ms IS NOT NULL)),
                CHECK ((visit_start_ms IS NULL) = (visit_start_offset IS NULL)
                    AND (visit_start_ms IS NULL) = (visit_end_ms IS NULL)
                    AND (visit_start_ms IS NULL) = (visit_end_offset IS NULL)),
                PRIMARY KEY (shop_id, id))\(dialect.clustered);
            INSERT INTO reservation_copy (\(columns)) SELECT \(columns) FROM reservation;
            DROP TABLE reservation;
            ALTER TABLE reservation_copy RENAME TO reservation;
            \(reservationIndices)
            \(isLiveNow)
            """
    }
}
