extension Schema {
    /// Places that are taken on phones (rules: phone-places, one-place, blocks): who holds one, whose machine is empty; the
    /// claims of holders, the only table whose key is not of a shop; the calls that they missed; what shops have decided
    /// about them, and where they are.
    static let channels = """
        ALTER TABLE reservation ADD COLUMN holder TEXT
            CHECK ((channel = 'phone') = (holder IS NOT NULL));
        ALTER TABLE shop_floor ADD COLUMN phone_came BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE shop_floor ADD COLUMN phone_missed BIGINT NOT NULL DEFAULT 0;
        CREATE INDEX reservation_holder ON reservation (shop_id COLLATE "binary", holder)
            WHERE holder IS NOT NULL;
        CREATE TABLE claim (
            holder TEXT NOT NULL PRIMARY KEY, shop_id TEXT NOT NULL, attempt TEXT NOT NULL,
            claimed_ms BIGINT NOT NULL);
        CREATE INDEX claim_shop ON claim (shop_id, claimed_ms);
        CREATE TABLE no_show (
            shop_id TEXT NOT NULL, holder TEXT NOT NULL, missed_ms BIGINT NOT NULL,
            PRIMARY KEY (shop_id, holder, missed_ms));
        ALTER TABLE shop ADD COLUMN phone_places BIGINT NOT NULL DEFAULT 0
            CHECK (phone_places IN (0, 1));
        ALTER TABLE shop ADD COLUMN phone_share_percent BIGINT NOT NULL DEFAULT 50
            CHECK (phone_share_percent BETWEEN 1 AND 100);
        ALTER TABLE shop ADD COLUMN no_show_days BIGINT NOT NULL DEFAULT 30
            CHECK (no_show_days BETWEEN 1 AND 60);
        ALTER TABLE shop ADD COLUMN block_days BIGINT NOT NULL DEFAULT 7
            CHECK (block_days BETWEEN 0 AND 30);
        ALTER TABLE queue_change ADD COLUMN no_shows BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE shop ADD COLUMN street TEXT;
        ALTER TABLE shop ADD COLUMN town TEXT;
        ALTER TABLE shop ADD COLUMN latitude_millionths BIGINT;
        ALTER TABLE shop ADD COLUMN longitude_millionths BIGINT
            CHECK ((latitude_millionths IS NULL) = (longitude_millionths IS NULL));
        """

    /// Whether a shop's tickets carry the second symbol, which opens a page on a phone (rules: place-page).
    static let phonePages = """
        ALTER TABLE shop ADD COLUMN phone_pages BIGINT NOT NULL DEFAULT 1
            CHECK (phone_pages IN (0, 1));
        """

    /// What customers have done about their turns (rules: more-time), and whether a shop lets them.
    static let turnChanges = """
        ALTER TABLE reservation ADD COLUMN position BIGINT;
        ALTER TABLE reservation ADD COLUMN position_earliest_ms BIGINT
            CHECK ((position IS NULL) = (position_earliest_ms IS NULL));
        ALTER TABLE reservation ADD COLUMN former_position BIGINT;
        ALTER TABLE reservation ADD COLUMN former_earliest_ms BIGINT
            CHECK ((former_position IS NULL) = (former_earliest_ms IS NULL));
        ALTER TABLE reservation ADD COLUMN delayed_ms BIGINT;
        ALTER TABLE reservation ADD COLUMN delay_count BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE reservation ADD COLUMN reclaim_count BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE shop ADD COLUMN allows_delays BIGINT NOT NULL DEFAULT 0
            CHECK (allows_delays IN (0, 1));
        ALTER TABLE shop ADD COLUMN allows_reclaims BIGINT NOT NULL DEFAULT 0
            CHECK (allows_reclaims IN (0, 1));
        """

    /// The browsers that get notices of places, the notices that wait to be sent, one for each browser and place, and how
    /// many were sent (rules: notices).
    static let notices = """
        CREATE TABLE subscription (
            shop_id TEXT NOT NULL, reservation_id TEXT NOT NULL, id TEXT NOT NULL,
            endpoint TEXT NOT NULL, p256dh TEXT NOT NULL, auth TEXT NOT NULL,
            language TEXT NOT NULL, made_ms BIGINT NOT NULL, shown_ms BIGINT,
            is_soon BIGINT NOT NULL DEFAULT 0 CHECK (is_soon IN (0, 1)),
            PRIMARY KEY (shop_id, reservation_id, id));
        CREATE TABLE notice (
            shop_id TEXT NOT NULL, reservation_id TEXT NOT NULL, subscription_id TEXT NOT NULL,
            kind TEXT NOT NULL, made_ms BIGINT NOT NULL, next_ms BIGINT NOT NULL,
            tries BIGINT NOT NULL, PRIMARY KEY (shop_id, reservation_id, subscription_id));
        CREATE TABLE notice_day (
            shop_id TEXT NOT NULL, day TEXT NOT NULL, kind TEXT NOT NULL,
            sent BIGINT NOT NULL, unsent BIGINT NOT NULL, PRIMARY KEY (shop_id, day, kind));
        """

    /// Places that are taken elsewhere (rules: elsewhere, coming-question): the question whether their customers are coming,
    /// those who came, did not come and did not answer, and whether a shop gives such places.
    static let remotePlaces = """
        ALTER TABLE reservation ADD COLUMN is_remote BIGINT NOT NULL DEFAULT 0
            CHECK (is_remote = 0 OR is_remote = 1 AND channel = 'phone');
        ALTER TABLE reservation ADD COLUMN asked_ms BIGINT;
        ALTER TABLE reservation ADD COLUMN answered_ms BIGINT;
        ALTER TABLE shop_floor ADD COLUMN remote_came BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE shop_floor ADD COLUMN remote_missed BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE shop_floor ADD COLUMN remote_unanswered BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE shop_floor ADD COLUMN remote_answered BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE shop_floor ADD COLUMN lately_came BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE shop_floor ADD COLUMN lately_missed BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE shop ADD COLUMN remote_places BIGINT NOT NULL DEFAULT 0
            CHECK (remote_places IN (0, 1));
        """

    /// SMS (rules: sms, confirmed-numbers): how many a shop may have on a day, and has had; what the numbers that got codes
    /// have asked for, and which want none, the second table whose key is not of a shop; and whether a shop wants the numbers
    /// of customers who are elsewhere.
    static let sms = """
        ALTER TABLE shop ADD COLUMN sms_per_day BIGINT NOT NULL DEFAULT 0
            CHECK (sms_per_day BETWEEN 0 AND 100000);
        ALTER TABLE shop ADD COLUMN remote_numbers BIGINT NOT NULL DEFAULT 0
            CHECK (remote_numbers IN (0, 1));
        CREATE INDEX reservation_by_number ON reservation (shop_id COLLATE "binary", state_ms)
            WHERE substr(holder, 1, 7) = 'number/';
        CREATE TABLE sms_day (
            shop_id TEXT NOT NULL, day TEXT NOT NULL, sent BIGINT NOT NULL,
            codes BIGINT NOT NULL, PRIMARY KEY (shop_id, day));
        CREATE TABLE sms_number (
            digest TEXT NOT NULL PRIMARY KEY, since_ms BIGINT NOT NULL, codes BIGINT NOT NULL,
            tries BIGINT NOT NULL, answers BIGINT NOT NULL, words BIGINT NOT NULL,
            stopped_ms BIGINT);
        """
}
