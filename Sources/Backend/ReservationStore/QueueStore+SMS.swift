public import QueueEngine
public import Reservations

/// What a telephone number may do so often within a day (rules: confirmed-numbers, sms-answers).
public enum SMSUse: Hashable, Sendable, CaseIterable {
    /// A code is sent to it.
    case code
    /// Digits are tried as the code that was sent to it.
    case attempt
    /// Digits are tried as the word of a place.
    case word
    /// It is answered.
    case answer
    /// It gets an SMS about what it can answer.
    case explanation

    /// How often within `period`, over all shops.
    public var most: Int {
        switch self {
        case .code: 3
        case .attempt: SMSUse.code.most * Self.attemptsPerCode
        case .word, .answer: 10
        case .explanation: 1
        }
    }

    /// The tries that each code allows, so that a number without any cannot have its tries used up.
    public static let attemptsPerCode = 5

    /// From the first use on.
    static let period = Duration.seconds(86_400)
}

/// Whether a telephone number may do what it asks for.
public enum SMSPermission: Hashable, Sendable {
    case given
    /// It has done so as often as it may.
    case usedUp
    /// No code was sent to it that could be tried.
    case noCode
    /// Its owner wants no SMS.
    case stopped
}

/// A place about which SMS are sent to a number.
public struct PlaceOfNumber: Hashable, Sendable {
    public let shop: ShopID
    /// That of the page on which the number was given, a BCP 47 primary subtag.
    public let language: String
    public let record: ReservationRecord
    /// Whether the place's customer has given the number (rules: proofs).
    public let isProved: Bool
}

/// SMS (rules: sms, telephone-numbers). Numbers are named by keyed digests; `completion` of each is called as by `record`.
extension QueueStore {
    /// The most places of one number that are looked at together.
    static let maxPlacesOfNumber = 8
    /// The most tasks for SMS that may wait: each is a transaction of its own, of some milliseconds.
    static let maxWaitingSMS = 256

    /// Whether SMS about a place are sent to a number.
    public func hasSMS(
        _ reservation: ReservationID, in shop: ShopID,
        completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
        aside(of: shop, count: \.phoneLookups, atMost: Self.maxWaitingPhoneLookups, completion) {
            writer throws(StoreError) in
            try writer.database.hasNumber(reservation, of: shop)
        }
    }

    /// Ends the SMS about a place, or those to numbers that are not its customer's any more; answers with the numbers that got
    /// them.
    public func endSMS(
        _ reservation: ReservationID, in shop: ShopID, onlyUnproved: Bool = false,
        completion: @escaping @Sendable (Result<[EndedNumber], StoreError>) -> Void
    ) {
        aside(of: shop, count: \.subscriptions, atMost: Self.maxWaitingSubscriptions, completion) {
            writer throws(StoreError) in
            try writer.changeSubscriptions(of: shop) { database, _ throws(StoreError) in
                try database.deleteNumbers(
                    from: reservation, of: shop, onlyUnproved: onlyUnproved)
            }
        }
    }

    /// Counts one more SMS of a shop's today, and returns the day; nil if the shop has had as many as it may, or as many
    /// codes, which are half of them at most.
    public func takeSMS(
        of shop: ShopID, isCode: Bool,
        completion: @escaping @Sendable (Result<CalendarDay?, StoreError>) -> Void
    ) {
        aside(of: shop, count: \.sms, atMost: Self.maxWaitingSMS, completion) {
            [published] writer throws(StoreError) in
            guard let queue = published.queue(of: shop) else {
                throw .noShop(shop, operation: "count an SMS")
            }
            let day = queue.local(writer.context.now()).day
            let most = queue.shop.policy.phones.smsPerDay
            return try writer.hurriedly { () throws(StoreError) in
                try writer.database.takeSMS(of: shop, on: day, isCode: isCode, most: most)
            } ? day : nil
        }
    }

    /// Takes the count of an SMS of a day back that was not sent; a failure is ignored.
    public func returnSMS(of shop: ShopID, on day: CalendarDay, isCode: Bool) {
        aside(
            of: shop, count: \.sms, atMost: Self.maxWaitingSMS,
            { (_: Result<Void, StoreError>) in }
        ) { writer throws(StoreError) in
            try writer.hurriedly { () throws(StoreError) in
                try writer.database.returnSMS(of: shop, on: day, isCode: isCode)
            }
        }
    }

    /// The SMS of a shop's today.
    public func smsToday(
        of shop: ShopID, completion: @escaping @Sendable (Result<SMSOfDay, StoreError>) -> Void
    ) {
        aside(of: shop, count: \.sms, atMost: Self.maxWaitingSMS, completion) {
            [published] writer throws(StoreError) in
            guard let queue = published.queue(of: shop) else {
                throw .noShop(shop, operation: "count the SMS")
            }
            let day = queue.local(writer.context.now()).day
            return SMSOfDay(
                sent: try writer.database.smsSent(of: shop, on: day),
                most: queue.shop.policy.phones.smsPerDay)
        }
    }

    /// Lets a number do something, and counts it; with nil, says only whether its owner wants SMS.
    public func permit(
        _ use: SMSUse?, to digest: String,
        completion: @escaping @Sendable (Result<SMSPermission, StoreError>) -> Void
    ) {
        guard let use else {
            return aside(of: nil, count: \.sms, atMost: Self.maxWaitingSMS, completion) {
                writer throws(StoreError) in
                try writer.database.isSMSStopped(digest) ? .stopped : .given
            }
        }
        // A number that was invented leaves no row.
        change(digest, ifKnown: use == .attempt ? .noCode : nil, completion) { number, now in
            guard number.stopped == nil else { return .stopped }
            if !(number.since...(number.since + SMSUse.period)).contains(now) {
                number.since = now
                number.counts = [:]
            }
            let codes = number.counts[.code, default: 0]
            if use == .attempt, codes == 0 { return .noCode }
            let most = use == .attempt ? codes * SMSUse.attemptsPerCode : use.most
            guard number.counts[use, default: 0] < most else { return .usedUp }
            number.counts[use, default: 0] += 1
            return .given
        }
    }

    /// Takes the count of something back that was permitted and did not happen; a failure is ignored.
    public func giveBack(_ use: SMSUse, to digest: String) {
        change(digest, { (_: Result<Void, StoreError>) in }) { number, _ in
            number.counts[use] = max(0, number.counts[use, default: 0] - 1)
        }
    }

    /// Ends all SMS to a number, as its owner wants, or lifts that.
    public func stopSMS(
        _ isStopped: Bool, to digest: String,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        change(
            digest,
            { [self] (result: Result<Void, StoreError>) in
                guard isStopped, case .success = result else { return completion(result) }
                aside(of: nil, completion) { writer throws(StoreError) in
                    try writer.endSMS(to: digest)
                }
            }
        ) { number, now in number.stopped = isStopped ? now : nil }
    }

    /// - Parameter unknown: the answer for a number without a row, which is not made then; nil if it is.
    private func change<Value: Sendable>(
        _ digest: String, ifKnown unknown: Value? = nil,
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (inout SMSNumber, Moment) -> Value
    ) {
        aside(of: nil, count: \.sms, atMost: Self.maxWaitingSMS, completion) {
            writer throws(StoreError) in
            let now = writer.context.now()
            if let unknown, try !writer.database.hasSMSNumber(digest) { return unknown }
            return try writer.hurriedly { () throws(StoreError) in
                var number = try writer.database.lockSMSNumber(digest, at: now)
                let value = body(&number, now)
                try writer.database.write(number, of: digest)
                return value
            }
        }
    }

    /// The places about which SMS are sent to a number, the newest first.
    public func places(
        of digest: String,
        completion: @escaping @Sendable (Result<[PlaceOfNumber], StoreError>) -> Void
    ) {
        aside(of: nil, count: \.phoneLookups, atMost: Self.maxWaitingPhoneLookups, completion) {
            writer throws(StoreError) in
            try writer.database.snapshot { () throws(StoreError) in
                let found = try writer.database.smsPlaces(
                    of: digest, atMost: Self.maxPlacesOfNumber)
                var places: [PlaceOfNumber] = []
                for (shop, place, language, isProved) in found {
                    guard let record = try writer.database.record(place, of: shop) else { continue }
                    places.append(
                        PlaceOfNumber(
                            shop: shop, language: language, record: record, isProved: isProved))
                }
                return places
            }
        }
    }
}

extension StoreWriter {
    /// Ends the SMS to a number, each place in a transaction of its shop.
    fileprivate func endSMS(to digest: String) throws(StoreError) {
        while true {
            let places = try database.smsPlaces(of: digest, atMost: QueueStore.maxPlacesOfNumber)
            if places.isEmpty { return }
            for (shop, place, _, _) in places {
                try changeSubscriptions(of: shop) { database, _ throws(StoreError) in
                    try database.delete(
                        subscription: Subscription.nameOfNumber(digest), from: place.rawValue,
                        of: shop)
                }
            }
        }
    }
}
