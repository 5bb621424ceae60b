internal import QueueEngine
internal import Reservations
internal import RowColumns
internal import TextForms

/// What has a form of its own; the columns of `ShopSetting` follow.
private enum ShopColumn: Int, SelectedColumn {
    case shopID, tag, name, timeZone, week, languages
    case latitudeMillionths, longitudeMillionths, departments
}
private enum KeyColumn: Int, SelectedColumn {
    case shopID, keyID, machine, publicKey, role, createdMs, revokedMs, readsLinks
}
private let changedColumns =
    ShopColumn.allCases.dropFirst().map(\.sql) + ShopSetting.all.map(\.column)
private let selectShops = Query(
    "SELECT shop_id, \(changedColumns.joined(separator: ", ")) FROM shop ORDER BY shop_id")
private let selectExceptions = Query(
    "SELECT shop_id, day, periods FROM opening_exception ORDER BY shop_id, day")
private let insertShop = Query.insert(
    into: "shop", (changedColumns + ["shop_id", "created_ms"]).joined(separator: ", "))
private let updateShop = Query(
    "UPDATE shop SET "
        + changedColumns.map { "\($0) = $\($0.filter { $0 != "_" })" }.joined(separator: ", ")
        + " WHERE shop_id = $shop")
private let deleteExceptions = Query("DELETE FROM opening_exception WHERE shop_id = $shop")
private let insertException = Query.insert(into: "opening_exception", "shop_id, day, periods")
private let selectKeys = Query(
    "SELECT \(KeyColumn.list) FROM machine_key ORDER BY shop_id, created_ms, key_id")
private let insertKey = Query.insert(
    into: "machine_key", "shop_id, key_id, machine, public_key, role, created_ms")
private let revokeKey = Query(
    """
    UPDATE machine_key SET revoked_ms = $now
    WHERE shop_id = $shop AND key_id = $key AND revoked_ms IS NULL
    """)
private let setReadsLinks = Query(
    "UPDATE machine_key SET reads_links = $reads WHERE shop_id = $shop AND key_id = $key")
private let raiseSequence = Query(
    """
    INSERT INTO change_sequence (shop_id, sequence) VALUES ($shop, 1)
    ON CONFLICT (shop_id) DO UPDATE SET sequence = change_sequence.sequence + 1
    """)
private let selectSequence = Query(
    "SELECT CAST(coalesce(sum(sequence), 0) AS BIGINT) FROM change_sequence")
private let selectSequences = Query(
    "SELECT queue, help, orders FROM change_sequence WHERE shop_id = $shop")
private let lockQueueSequence = Query(
    "SELECT queue FROM change_sequence WHERE shop_id = $shop FOR UPDATE", isCombinable: true)
private let selectShopSequences = Query(
    "SELECT shop_id, queue, help, orders FROM change_sequence")
private let writeQueueSequence = Query(
    "UPDATE change_sequence SET queue = $queue WHERE shop_id = $shop", isCombinable: true)

/// How often a shop's queue, its calls for help, and the orders whose customers are here were changed.
typealias ShopSequences = (queue: Int64, help: Int64, orders: Int64)

/// Shops and keys as rows.
extension Database {
    func shops() throws(StoreError) -> [Shop] {
        var exceptions: [ShopID: [CalendarDay: [OpenPeriod]]] = [:]
        try query(selectExceptions) { row throws(StoreError) in
            guard let day = CalendarDay(row.text(1)),
                let periods = try? OpeningHours.periods(row.text(2).split(separator: " "))
            else { throw unreadable("opening exception of shop \(row.text(0))") }
            exceptions[ShopID(row.text(0)), default: [:]][day] = periods
        }
        // The shops of a chain often have the same week.
        var weeks: [String: OpeningHours] = [:]
        return try rows(selectShops) { columns throws(StoreError) in
            let row = Row<ShopColumn>(columns)
            let id = ShopID(row.text(.shopID))
            let week = row.text(.week)
            guard let tag = ShopTag(rawValue: row.text(.tag)),
                let departments = Department.list(row.text(.departments)),
                var hours = weeks[week] ?? (try? OpeningHours(week: week))
            else { throw unreadable("shop \(id)") }
            weeks[week] = hours
            hours.exceptions = exceptions[id] ?? [:]
            var shop = Shop(
                id: id, tag: tag, name: row.text(.name), timeZone: row.text(.timeZone),
                hours: hours, policy: ShopPolicy(capacity: 1, usualStayMinutes: 1),
                languages: row.text(.languages).split(separator: ",").map { String($0) })
            shop.policy.departments = departments
            if !row.isNull(.latitudeMillionths) {
                shop.address.position = ShopAddress.Position(
                    latitude: row.count(.latitudeMillionths),
                    longitude: row.count(.longitudeMillionths))
            }
            for (column, setting) in zip(ShopColumn.allCases.count..., ShopSetting.all) {
                switch setting.value {
                case .number(_, let path): shop[keyPath: path] = Int(columns.integer(column))
                case .choice(let path): shop[keyPath: path] = columns.integer(column) != 0
                case .text(let path):
                    shop[keyPath: path] = columns.isNull(column) ? nil : columns.text(column)
                }
            }
            return shop
        }
    }

    func machineKeys() throws(StoreError) -> [MachineKeyRecord] {
        try named(selectKeys) { (row: Row<KeyColumn>) throws(StoreError) in
            guard let role = KeyRole(rawValue: row.text(.role)) else {
                throw unreadable("key \(row.text(.keyID))")
            }
            return MachineKeyRecord(
                shop: ShopID(row.text(.shopID)), machine: MachineID(row.text(.machine)),
                keyID: row.text(.keyID), publicKey: row.blob(.publicKey), role: role,
                created: row.moment(.createdMs), revoked: row.optionalMoment(.revokedMs),
                readsLinks: row.isTrue(.readsLinks))
        }
    }

    /// Grows with every change by an administrator, of any shop.
    func changeSequence() throws(StoreError) -> Int64 {
        try rows(selectSequence) { $0.integer(0) }.first ?? 0
    }

    /// The query that makes a transaction the only one that changes the shop until it ends; it returns the number of
    /// changes of its queue so far, or nothing for an unknown shop.
    func lockQuery(of shop: ShopID) -> BoundQuery {
        (dialect.locksRows ? lockQueueSequence : selectSequences).with(shop)
    }

    /// Makes the transaction the only one that changes the shop until it ends; returns the number of changes of its
    /// queue so far.
    func lock(_ shop: ShopID) throws(StoreError) -> Int64 {
        let (query, values) = lockQuery(of: shop)
        return try existing(try rows(query, values) { $0.integer(0) }.first, shop)
    }

    /// Returns the count; a shop without one does not exist and is refused.
    func existing(_ sequence: Int64?, _ shop: ShopID) throws(StoreError) -> Int64 {
        guard let sequence else { throw .noShop(shop, operation: "lock a shop") }
        return sequence
    }

    /// The numbers of changes of the shop so far; 0 for an unknown shop.
    func sequences(of shop: ShopID) throws(StoreError) -> ShopSequences {
        try rows(selectSequences, shop) {
            ($0.integer(0), $0.integer(1), $0.integer(2))
        }.first ?? (0, 0, 0)
    }

    /// These numbers of every shop.
    func shopSequences() throws(StoreError) -> [ShopID: ShopSequences] {
        var sequences: [ShopID: ShopSequences] = [:]
        try query(selectShopSequences) { row in
            sequences[ShopID(row.text(0))] = (row.integer(1), row.integer(2), row.integer(3))
        }
        return sequences
    }

    /// Records one more change of the shop's queue; `sequence` is its new count.
    func write(queueSequence sequence: Int64, of shop: ShopID) throws(StoreError) {
        try post(writeQueueSequence, sequence, shop, changing: 1)
    }

    func insert(_ shop: Shop, at now: Moment) throws(StoreError) {
        try execute(insertShop, values(shop) + [now.stored])
        try writeExceptions(of: shop)
    }

    func update(_ shop: Shop) throws(StoreError) {
        try execute(updateShop, values(shop))
        try writeExceptions(of: shop)
    }

    func insert(_ key: MachineKeyRecord) throws(StoreError) {
        try execute(
            insertKey, key.shop, key.keyID, key.machine, key.publicKey, key.role, key.created)
    }

    func revoke(_ key: String, of shop: ShopID, at now: Moment) throws(StoreError) {
        try execute(revokeKey, now, shop, key)
    }

    func write(
        readsLinks: Bool, of key: String, in shop: ShopID
    ) throws(StoreError) { try execute(setReadsLinks, readsLinks, shop, key) }

    func raiseChangeSequence(of shop: ShopID) throws(StoreError) {
        try execute(raiseSequence, shop)
    }

    /// The values of `changedColumns`, and the shop's identifier.
    private func values(_ shop: Shop) -> [DatabaseValue] {
        let own: [any Storable] = [
            shop.tag, shop.name, shop.timeZone, shop.hours.week,
            shop.languages.joined(separator: ","), shop.address.position?.latitude,
            shop.address.position?.longitude, Department.text(shop.policy.departments),
        ]
        let settings = ShopSetting.all.map { setting in
            switch setting.value {
            case .number(_, let path): shop[keyPath: path].stored
            case .choice(let path): shop[keyPath: path].stored
            case .text(let path): shop[keyPath: path].stored
            }
        }
        return own.map(\.stored) + settings + [shop.id.stored]
    }

    private func writeExceptions(of shop: Shop) throws(StoreError) {
        try execute(deleteExceptions, shop.id)
        for (day, periods) in shop.hours.exceptions {
            let text = periods.map(\.description).joined(separator: " ")
            try execute(insertException, shop.id, day, text)
        }
    }

    private func unreadable(_ what: String) -> StoreError {
        .unreadable("a row", what, operation: "load the shops")
    }
}

extension Shop {
    /// Refuses settings that other parts of the product cannot handle, in words for an administrator.
    func check() throws(StoreError) {
        func require(_ holds: Bool, _ sentence: String) throws(StoreError) {
            guard holds else { throw StoreError(.refused, operation: "store a shop", sentence) }
        }
        try require(
            PlainName.isValid(id.rawValue),
            "a shop's identifier is \(MachineID.nameRule), not \"\(id)\"")
        for setting in ShopSetting.all {
            guard case .number(let bounds, let path) = setting.value else { continue }
            try require(
                bounds.contains(self[keyPath: path]),
                "the setting \(setting.option) is \(bounds.lowerBound) to \(bounds.upperBound), not "
                    + "\(self[keyPath: path])")
        }
        if let rule = policy.brokenRule { try require(false, rule) }
        try require(
            !languages.isEmpty
                && languages.allSatisfy { tag in
                    (2...8).contains(tag.utf8.count) && tag.utf8.allSatisfy(\.isASCIILowercase)
                }, "languages are named as it, en, de; at least one is needed")
        try require(
            help.phone.map(ShopHelp.isGoodPhone) ?? true,
            "a telephone number is 3 to \(ShopHelp.maxPhoneCharacters) digits, blanks and + ( ) - / ., as +39 02 1234567"
        )
        for (name, text) in [("street", address.street), ("town", address.town)] {
            try require(
                text.map { GivenName.isGood($0, maxCharacters: 80) } ?? true,
                "a \(name) is 1 to 80 characters; it \(GivenName.rule)")
        }
        try require(
            Department.list(Department.text(policy.departments)) == policy.departments,
            Department.rule)
        try require(
            hours.weekly.values.contains { !$0.isEmpty },
            "a shop is open on at least one day of the week")
    }

    /// Refuses a name for a shop that breaks the rule; the present name of a shop may be older than the rule.
    func checkName() throws(StoreError) {
        guard GivenName.isGood(name, maxCharacters: 80) else {
            throw StoreError(
                .refused, operation: "store a shop",
                "a shop's name is 1 to 80 characters; a name \(GivenName.rule)")
        }
    }
}

extension MachineID {
    /// The rule of names on the wire in words.
    static let nameRule = "1 to 64 characters a-z, A-Z, 0-9, - and _"

    /// Whether a machine or a device may have this name.
    var isGiveable: Bool {
        PlainName.isValid(rawValue) && GivenName.isGood(rawValue, maxCharacters: 64)
    }
}
