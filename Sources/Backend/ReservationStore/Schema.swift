/// The schema of both engines: numbered migrations that are run when a database is opened.
///
/// `shop_id` is first in every key but those of `claim` and `sms_number`, so that the tables distribute by shop. Moments are epoch
/// milliseconds BIGINT, days TEXT `yyyy-MM-dd`, truth values 0 or 1.
public enum Schema {
    /// The version this program writes.
    public static let version = 35

    /// The first version in which every shop has a row of its audit.
    private static let versionOfSeals = 11

    private static let readVersion = Query("SELECT version FROM schema_version")
    private static let writeVersion = Query("UPDATE schema_version SET version = $version")

    /// Migrates the database to this program's version; refuses a newer database.
    ///
    /// Each migration and its version number are one transaction.
    public static func prepare(_ database: any Database) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            try database.excludeAdministrators()
            try database.run(
                script: """
                    CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL);
                    INSERT INTO schema_version (version)
                        SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM schema_version);
                    """)
            let found = try database.rows(readVersion) { Int($0.integer(0)) }.first ?? 0
            guard found <= version else {
                throw StoreError(
                    .newer, operation: "open the database",
                    "the database was written by a newer version of this program "
                        + "(schema \(found), this program knows \(version)); "
                        + "install that version or a later one")
            }
            for (index, migration) in migrations(database.dialect).enumerated() where index >= found
            { try database.run(script: migration) }
            if found < versionOfSeals { try database.beginAudits() }
            try database.execute(writeVersion, version)
        }
    }

    private static func migrations(_ dialect: Dialect) -> [String] {
        [
            first(dialect), visits, doors, machines, trust(dialect), queueSequence, queueChange,
            momentIndices, reportBounds, staffEnds, auditSeal,
            chosenIndices(dialect), unknownPapers, pairingOrigin, refusedRequests,
            helpCalls, noncesByTime(dialect), statesOneByOne(dialect),
            channels, phonePages, turnChanges, notices, remotePlaces, sms, phoneVisits,
            departments, nearbyWait, orders(dialect),
            desksAtWork(dialect), links(dialect), silence, staffPINs, readsLinks,
            retiredCodes, explanations,
        ]
    }

    /// Whether a customer of a reservation may still come, or is in the shop: the condition of the index
    /// `reservation_live`, which only statements with the same text can use.
    static let isLive = "(state = 'planned' OR state = 'called' OR state = 'active')"
}
