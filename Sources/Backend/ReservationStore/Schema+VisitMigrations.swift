extension Schema {
    /// Visits that are booked on phones (rules: visits): whether a shop has them, their share, and whether their
    /// customers are asked if they are coming; how long a customer expects to
    /// stay, and how often a visit was moved; how many numbers of a day were left by visits that were moved to another day;
    /// visits that were wanted and not to be had; and the days of a holder's claim, as `ClaimedDays` writes them.
    static let phoneVisits = """
        ALTER TABLE shop ADD COLUMN phone_visits BIGINT NOT NULL DEFAULT 0
            CHECK (phone_visits IN (0, 1));
        ALTER TABLE shop ADD COLUMN phone_visit_percent BIGINT NOT NULL DEFAULT 70
            CHECK (phone_visit_percent BETWEEN 1 AND 100);
        ALTER TABLE shop ADD COLUMN phone_visit_question BIGINT NOT NULL DEFAULT 1
            CHECK (phone_visit_question IN (0, 1));
        ALTER TABLE reservation ADD COLUMN declared_minutes BIGINT
            CHECK (declared_minutes BETWEEN 15 AND 120);
        ALTER TABLE reservation ADD COLUMN move_count BIGINT NOT NULL DEFAULT 0;
        CREATE TABLE refused_slot (
            shop_id TEXT NOT NULL, day TEXT NOT NULL,
            hour BIGINT NOT NULL CHECK (hour BETWEEN 0 AND 23),
            minutes BIGINT NOT NULL CHECK (minutes = 0 OR minutes BETWEEN 15 AND 120),
            requests BIGINT NOT NULL CHECK (requests > 0),
            PRIMARY KEY (shop_id, day, hour, minutes));
        ALTER TABLE day_counter ADD COLUMN moved_away BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE claim ADD COLUMN days TEXT NOT NULL DEFAULT '';
        UPDATE claim SET days = coalesce((
            SELECT max(day) || ' ' || claim.shop_id FROM reservation
            WHERE reservation.shop_id = claim.shop_id AND reservation.holder = claim.holder
                AND state IN ('pending', 'planned', 'called', 'active')), '');
        """

    /// The departments of a shop, as `Department.text` writes them, and those that the customer of a visit has named, with
    /// commas between them; NULL for none (rules: departments).
    static let departments = """
        ALTER TABLE shop ADD COLUMN departments TEXT NOT NULL DEFAULT '';
        ALTER TABLE reservation ADD COLUMN departments TEXT;
        """

    /// From how many minutes of wait on machines name a shop nearby, 0 for never (rules: nearby-shop).
    static let nearbyWait = """
        ALTER TABLE shop ADD COLUMN nearby_wait_minutes BIGINT NOT NULL DEFAULT 60
            CHECK (nearby_wait_minutes = 0 OR nearby_wait_minutes BETWEEN 10 AND 240);
        """
}
