internal import ReservationStore
internal import Reservations
internal import SMSGateway
private import Synchronization

/// What an SMS is sent for, as the metrics name it.
enum SMSPurpose: String, Hashable, Sendable { case code, notice, answer }

/// What became of an SMS; the raw value is its name in the metrics.
enum SMSSent: String, Hashable, Sendable {
    case sent
    /// The shop has had as many SMS today as it may.
    case usedUp = "used-up"
    /// The gateway does not take it, now or later.
    case refused
    /// The gateway or the store is busy or out of reach.
    case later = "again"
}

/// Sends SMS, each of which counts for its shop's day before it is handed to the gateway (rules: sms).
final class SMSSender: Sendable {
    let sending: SMSSending
    let numbers: SMSNumbers
    /// The day on which a shop last had no SMS left for those who were promised some.
    private let usedUp = Mutex<[ShopID: CalendarDay]>([:])
    private let store: QueueStore
    private let metrics: ServiceMetrics
    private let log: ServiceLog

    init(
        _ sending: SMSSending, numbers: SMSNumbers, store: QueueStore, metrics: ServiceMetrics,
        log: ServiceLog
    ) {
        self.sending = sending
        self.numbers = numbers
        self.store = store
        self.metrics = metrics
        self.log = log
    }

    /// Hands an SMS to the gateway; returns within half a minute.
    ///
    /// A server that ends in between has counted an SMS that was not sent.
    ///
    /// - Parameter minutes: For how long it is of use to its reader.
    func send(
        _ text: String, to number: PhoneNumber, for shop: ShopID, as purpose: SMSPurpose,
        validMinutes minutes: Int
    ) async -> SMSSent {
        let outcome: SMSSent
        if let message = SMSMessage(to: number, text: text, validMinutes: minutes) {
            outcome = await handOver(message, for: shop, as: purpose)
        } else {
            log.note("sms-refused", ["reason": "too-long"], level: .error)
            outcome = .refused
        }
        metrics.sms.count(ServiceMetrics.SentSMS(purpose: purpose, outcome: outcome))
        return outcome
    }

    private func handOver(
        _ message: SMSMessage, for shop: ShopID, as purpose: SMSPurpose
    ) async -> SMSSent {
        let taken = await store.awaiting {
            $0.takeSMS(of: shop, isCode: purpose == .code, completion: $1)
        }
        let day: CalendarDay
        switch taken {
        case .success(let taken?):
            day = taken
            usedUp.withLock { $0[shop] = nil }
        case .success(nil):
            if purpose != .code { usedUp.withLock { $0[shop] = today(of: shop) } }
            log.note("sms-used-up", ["shop": shop.rawValue])
            return .usedUp
        case .failure: return .later
        }
        switch await sending.send(message) {
        case .accepted: return .sent
        case .uncertain:
            // Sent again, it might come many times.
            log.note("sms-uncertain")
            return .sent
        case .refused(let reason):
            store.returnSMS(of: shop, on: day, isCode: purpose == .code)
            log.note("sms-refused", ["reason": reason])
            return .refused
        case .broken(let reason):
            store.returnSMS(of: shop, on: day, isCode: purpose == .code)
            log.note("sms-gateway-broken", ["reason": reason], level: .error)
            return .later
        case .busy, .unreached:
            store.returnSMS(of: shop, on: day, isCode: purpose == .code)
            log.note("sms-gateway-unreached")
            return .later
        }
    }

    /// Whether no SMS are left for a shop's customers today, as far as this server has seen.
    func isUsedUp(_ shop: ShopID) -> Bool {
        usedUp.withLock { $0[shop].map { $0 == today(of: shop) } ?? false }
    }

    private func today(of shop: ShopID) -> CalendarDay? { store.status(of: shop)?.now.day }

    /// Whether the owner of a number has answered STOP; not if the store does not say.
    func isStopped(_ number: PhoneNumber) async -> Bool {
        let digest = numbers.digest(of: number)
        let permission = await store.awaiting { $0.permit(nil, to: digest, completion: $1) }
        return (try? permission.get()) == .stopped
    }
}
