internal import QueueEngine
public import Reservations
internal import RowColumns

private let takeOne = Query(
    """
    INSERT INTO sms_day (shop_id, day, sent, codes) VALUES ($shop, $day, 1, $codes)
    ON CONFLICT (shop_id, day) DO UPDATE
    SET sent = sms_day.sent + 1, codes = sms_day.codes + excluded.codes
    WHERE sms_day.sent < $most AND (excluded.codes = 0 OR sms_day.codes < $mostCodes)
    """)
private let returnOne = Query(
    """
    UPDATE sms_day SET sent = sent - 1, codes = codes - $codes
    WHERE shop_id = $shop AND day = $day AND sent > 0 AND codes >= $codes
    """)
private let selectSent = Query("SELECT sent FROM sms_day WHERE shop_id = $shop AND day = $day")
private let selectCounts = Query(
    "SELECT day, sent FROM sms_day WHERE shop_id = $shop AND day >= $first AND day <= $last ORDER BY day"
)
private let deleteDays = Query("DELETE FROM sms_day WHERE shop_id = $shop AND day < $day")
// The row is there, and no other server changes it, until the end of the transaction.
private let lockNumber = Query(
    """
    INSERT INTO sms_number (digest, since_ms, codes, tries, answers, words)
    VALUES ($digest, $now, 0, 0, 0, 0)
    ON CONFLICT (digest) DO UPDATE SET since_ms = sms_number.since_ms
    """)
private enum NumberColumn: Int, SelectedColumn {
    case sinceMs, codes, tries, answers, words, stoppedMs, explanations
}
private let selectNumber = Query(
    "SELECT \(NumberColumn.list) FROM sms_number WHERE digest = $digest")
private let updateNumber = Query(
    """
    UPDATE sms_number
    SET since_ms = $since, codes = $codes, tries = $tries, answers = $answers, words = $words,
        stopped_ms = $stopped, explanations = $explanations
    WHERE digest = $digest
    """)
private let removeOldNumbers = Query(
    """
    DELETE FROM sms_number
    WHERE since_ms < $before AND (stopped_ms IS NULL OR stopped_ms < $beforeStopped)
    """)
private let selectPlaces = Query(
    """
    SELECT shop_id, reservation_id, language, is_proved FROM subscription
    WHERE id = $id ORDER BY made_ms DESC LIMIT $count
    """)

/// What a telephone number has asked for within a day, and whether it wants no SMS; known by a keyed digest only.
struct SMSNumber {
    var since: Moment
    var counts: [SMSUse: Int]
    var stopped: Moment?
}

/// SMS (rules: sms, telephone-numbers): how many each shop has had, and the numbers that get codes, which are of no shop.
extension Database {
    /// Counts one more SMS of a shop's day, unless it has had as many as it may, or as many codes.
    func takeSMS(
        of shop: ShopID, on day: CalendarDay, isCode: Bool, most: Int
    ) throws(StoreError) -> Bool {
        guard most > 0 else { return false }
        // What is left is for customers who were promised SMS.
        let mostCodes = (most + 1) / 2
        return try execute(takeOne, shop, day, isCode ? 1 : 0, most, mostCodes) == 1
    }

    /// Takes the count of an SMS back that was not sent.
    func returnSMS(of shop: ShopID, on day: CalendarDay, isCode: Bool) throws(StoreError) {
        try execute(returnOne, isCode ? 1 : 0, shop, day)
    }

    func smsSent(of shop: ShopID, on day: CalendarDay) throws(StoreError) -> Int {
        try rows(selectSent, shop, day) { Int($0.integer(0)) }.first ?? 0
    }

    func pruneSMSCounts(of shop: ShopID, before day: CalendarDay) throws(StoreError) {
        try execute(deleteDays, shop, day)
    }

    /// The row of a number, which is there and locked until the transaction ends.
    func lockSMSNumber(_ digest: String, at now: Moment) throws(StoreError) -> SMSNumber {
        try execute(lockNumber, digest, now)
        return try named(selectNumber, digest) { (row: Row<NumberColumn>) in
            SMSNumber(
                since: row.moment(.sinceMs),
                counts: [
                    .code: row.count(.codes), .attempt: row.count(.tries),
                    .answer: row.count(.answers), .word: row.count(.words),
                    .explanation: row.count(.explanations),
                ], stopped: row.optionalMoment(.stoppedMs))
        }.first ?? SMSNumber(since: now, counts: [:], stopped: nil)
    }

    func hasSMSNumber(_ digest: String) throws(StoreError) -> Bool {
        try !rows(selectNumber, digest) { _ in true }.isEmpty
    }

    func isSMSStopped(_ digest: String) throws(StoreError) -> Bool {
        try named(selectNumber, digest) { (row: Row<NumberColumn>) in
            row.optionalMoment(.stoppedMs) != nil
        }.first ?? false
    }

    func write(_ number: SMSNumber, of digest: String) throws(StoreError) {
        func count(_ use: SMSUse) -> Int { number.counts[use] ?? 0 }
        try execute(
            updateNumber, number.since, count(.code), count(.attempt), count(.answer),
            count(.word), number.stopped, count(.explanation), digest)
    }

    func pruneSMSNumbers(at now: Moment) throws(StoreError) {
        try execute(
            removeOldNumbers, now - SMSUse.period,
            now - .seconds(86_400 * PhonePolicy.noShowMemoryDays))
    }

    /// The places about which SMS are sent to a number, the newest first.
    func smsPlaces(
        of digest: String, atMost count: Int
    ) throws(StoreError) -> [(
        shop: ShopID, place: ReservationID, language: String, isProved: Bool
    )] {
        try rows(selectPlaces, Subscription.nameOfNumber(digest), count) {
            (ShopID($0.text(0)), ReservationID($0.text(1)), $0.text(2), $0.integer(3) == 1)
        }
    }
}

/// How many SMS were sent for a shop's customers on a day.
public struct SMSCount: Hashable, Sendable {
    public let day: CalendarDay
    public let sent: Int
}

extension Administration {
    /// The SMS of the days from `first` to `last`, in order; a day without any is left out.
    public func smsCounts(
        of shop: ShopID, from first: CalendarDay, to last: CalendarDay
    ) throws(StoreError) -> [SMSCount] {
        try database.rows(selectCounts, shop, first, last) { row in
            CalendarDay(row.text(0)).map { SMSCount(day: $0, sent: Int(row.integer(1))) }
        }.compactMap(\.self)
    }
}
