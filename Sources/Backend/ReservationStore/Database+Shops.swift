internal import QueueEngine
internal import Reservations
internal import RowColumns
internal import TextForms

private enum ShopColumn: Int, SelectedColumn {
    case shopID, tag, name, timeZone, week, languages, capacity, usualStayMinutes, holdSeconds
    case visitSharePercent, leaveDelaySeconds, earlyCallGrace, doorSeconds, helpPhone, helpNames
    case phonePlaces, phoneSharePercent, noShowDays, blockDays, phonePages, street, town
    case latitudeMillionths, longitudeMillionths, allowsDelays, allowsReclaims, remotePlaces
    case smsPerDay, remoteNumbers, phoneVisits, phoneVisitPercent, phoneVisitQuestion
    case departments, nearbyWaitMinutes, desks, fetchMinutes, orderDays, orderMemoryDays
    case deskInside
}
private enum KeyColumn: Int, SelectedColumn {
    case shopID, keyID, machine, publicKey, role, createdMs, revokedMs, readsLinks
}
private let selectShops = Query("SELECT \(ShopColumn.list) FROM shop ORDER BY shop_id")
private let selectExceptions = Query(
    "SELECT shop_id, day, periods FROM opening_exception ORDER BY shop_id, day")
private let insertShop = Query.insert(
    into: "shop",
    """
    tag, name, time_zone, week, languages, capacity, usual_stay_minutes, hold_seconds, \
    visit_share_percent, leave_delay_seconds, early_call_grace, door_seconds, help_phone, \
    help_names, phone_places, phone_share_percent, no_show_days, block_days, phone_pages, \
    street, town, latitude_millionths, longitude_millionths, allows_delays, allows_reclaims, \
    remote_places, sms_per_day, remote_numbers, phone_visits, phone_visit_percent, \
    phone_visit_question, departments, nearby_wait_minutes, desks, fetch_minutes, order_days, \
    order_memory_days, desk_inside, shop_id, created_ms
    """)
private let updateShop = Query(
    """
    UPDATE shop SET tag = $tag, name = $name, time_zone = $zone, week = $week,
        languages = $languages, capacity = $capacity, usual_stay_minutes = $stay,
        hold_seconds = $hold, visit_share_percent = $share, leave_delay_seconds = $delay,
        early_call_grace = $grace, door_seconds = $door, help_phone = $phone,
        help_names = $names, phone_places = $phones, phone_share_percent = $phoneShare,
        no_show_days = $noShows, block_days = $block, phone_pages = $pages, street = $street,
        town = $town,
        latitude_millionths = $latitude, longitude_millionths = $longitude,
        allows_delays = $delays, allows_reclaims = $reclaims, remote_places = $remote,
        sms_per_day = $sms, remote_numbers = $numbers, phone_visits = $visits,
        phone_visit_percent = $visitPercent, phone_visit_question = $visitQuestion,
        departments = $departments, nearby_wait_minutes = $nearby, desks = $desks,
        fetch_minutes = $fetch, order_days = $orderDays, order_memory_days = $orderMemory,
        desk_inside = $deskInside
    WHERE shop_id = $shop
    """)
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
        return try named(selectShops) { (row: Row<ShopColumn>) throws(StoreError) in
            let id = ShopID(row.text(.shopID))
            let week = row.text(.week)
            guard let tag = ShopTag(rawValue: row.text(.tag)),
                let departments = Department.list(row.text(.departments)),
                var hours = weeks[week] ?? (try? OpeningHours(week: week))
            else { throw unreadable("shop \(id)") }
            weeks[week] = hours
            hours.exceptions = exceptions[id] ?? [:]
            var phones = PhonePolicy()
            phones.hasPlaces = row.isTrue(.phonePlaces)
            phones.hasRemotePlaces = row.isTrue(.remotePlaces)
            phones.smsPerDay = row.count(.smsPerDay)
            phones.needsNumber = row.isTrue(.remoteNumbers)
            phones.hasVisits = row.isTrue(.phoneVisits)
            phones.visitPercent = row.count(.phoneVisitPercent)
            phones.asksWhoComes = row.isTrue(.phoneVisitQuestion)
            phones.hasPages = row.isTrue(.phonePages)
            phones.sharePercent = row.count(.phoneSharePercent)
            phones.noShowDays = row.count(.noShowDays)
            phones.blockDays = row.count(.blockDays)
            var policy = ShopPolicy(
                capacity: row.count(.capacity), usualStayMinutes: row.count(.usualStayMinutes),
                holdSeconds: row.count(.holdSeconds),
                visitSharePercent: row.count(.visitSharePercent),
                leaveDelaySeconds: row.count(.leaveDelaySeconds),
                hasEarlyCallGrace: row.isTrue(.earlyCallGrace),
                doorSeconds: row.count(.doorSeconds), phones: phones)
            policy.allowsDelays = row.isTrue(.allowsDelays)
            policy.allowsReclaims = row.isTrue(.allowsReclaims)
            policy.departments = departments
            policy.nearbyWaitMinutes = row.count(.nearbyWaitMinutes)
            policy.orders = orders(row)
            return Shop(
                id: id, tag: tag, name: row.text(.name), timeZone: row.text(.timeZone),
                hours: hours, policy: policy,
                languages: row.text(.languages).split(separator: ",").map { String($0) },
                help: ShopHelp(
                    phone: row.optionalText(.helpPhone), showsNames: row.isTrue(.helpNames)),
                address: ShopAddress(
                    street: row.optionalText(.street), town: row.optionalText(.town),
                    position: row.isNull(.latitudeMillionths)
                        ? nil
                        : ShopAddress.Position(
                            latitude: row.count(.latitudeMillionths),
                            longitude: row.count(.longitudeMillionths))))
        }
    }

    private func orders(_ row: Row<ShopColumn>) -> OrderPolicy {
        var orders = OrderPolicy()
        orders.desks = row.count(.desks)
        orders.fetchMinutes = row.count(.fetchMinutes)
        orders.keptDays = row.count(.orderDays)
        orders.rememberedDays = row.count(.orderMemoryDays)
        orders.isDeskInside = row.isTrue(.deskInside)
        return orders
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

    private func values(_ shop: Shop) -> [DatabaseValue] {
        let policy = shop.policy
        let values: [any Storable] = [
            shop.tag, shop.name, shop.timeZone, shop.hours.week,
            shop.languages.joined(separator: ","), policy.capacity, policy.usualStayMinutes,
            policy.holdSeconds, policy.visitSharePercent, policy.leaveDelaySeconds,
            policy.hasEarlyCallGrace, policy.doorSeconds, shop.help.phone, shop.help.showsNames,
            policy.phones.hasPlaces, policy.phones.sharePercent, policy.phones.noShowDays,
            policy.phones.blockDays, policy.phones.hasPages, shop.address.street, shop.address.town,
            shop.address.position?.latitude, shop.address.position?.longitude,
            policy.allowsDelays, policy.allowsReclaims, policy.phones.hasRemotePlaces,
            policy.phones.smsPerDay, policy.phones.needsNumber, policy.phones.hasVisits,
            policy.phones.visitPercent, policy.phones.asksWhoComes,
            Department.text(policy.departments), policy.nearbyWaitMinutes, policy.orders.desks,
            policy.orders.fetchMinutes, policy.orders.keptDays, policy.orders.rememberedDays,
            policy.orders.isDeskInside, shop.id,
        ]
        return values.map(\.stored)
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
        for (_, bounds, value, rule) in ShopPolicy.numbers {
            let number = policy[keyPath: value]
            try require(bounds.contains(number), "\(rule), not \(number)")
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
