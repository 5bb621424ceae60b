extension Schema {
    /// Whether the customer of a place has shown that it is theirs when a browser or a number was given for its notices
    /// (rules 33); what was given before was given with the link alone.
    static func links(_ dialect: Dialect) -> String {
        """
        ALTER TABLE subscription ADD COLUMN is_proved BIGINT NOT NULL DEFAULT 0
            CHECK (is_proved IN (0, 1));
        """
    }
}
