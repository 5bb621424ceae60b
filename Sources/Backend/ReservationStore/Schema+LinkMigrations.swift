extension Schema {
    /// Whether the customer of a place has shown that it is theirs when a browser or a number was given for its notices
    /// (rules: proofs); what was given before was given with the link alone.
    static func links(_ dialect: Dialect) -> String {
        """
        ALTER TABLE subscription ADD COLUMN is_proved BIGINT NOT NULL DEFAULT 0
            CHECK (is_proved IN (0, 1));
        """
    }

    /// Customers who were asked whether they are coming, and had not answered when they were called (rules: coming-question):
    /// how many of them came, and how many did not. A place does not end for want of an answer: a notice of that is
    /// sent no more, and the counts of such notices in `notice_day` are not read. The question, whose column
    /// `phone_visit_question` was made for visits, is for all customers elsewhere.
    static let silence = """
        ALTER TABLE shop_floor ADD COLUMN silent_came BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE shop_floor ADD COLUMN silent_missed BIGINT NOT NULL DEFAULT 0;
        DELETE FROM notice WHERE kind = 'unanswered';
        """

    /// The hash of the PIN for the pages of a shop's staff (rules: blocks).
    static let staffPINs = "ALTER TABLE shop ADD COLUMN staff_pin TEXT;"

    /// Whether the program behind a key has said that it reads codes in links (rules: code-links).
    static let readsLinks = """
        ALTER TABLE machine_key ADD COLUMN reads_links BIGINT NOT NULL DEFAULT 0
            CHECK (reads_links IN (0, 1));
        """

    /// The typed codes of papers that were photographed, by the day of their reservations (rules: new-codes).
    static let retiredCodes = """
        CREATE TABLE retired_code (
            shop_id TEXT NOT NULL, typed_code TEXT NOT NULL, day TEXT NOT NULL,
            PRIMARY KEY (shop_id, typed_code));
        """

    /// How often within a day a number got an SMS about what it can answer (rules: sms-answers).
    static let explanations =
        "ALTER TABLE sms_number ADD COLUMN explanations BIGINT NOT NULL DEFAULT 0;"
}
