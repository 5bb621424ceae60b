internal import BackendAPI
internal import ReservationStore
internal import Reservations
internal import SMSGateway

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

/// Sends SMS, each of which counts for its shop's day before it is handed to the gateway (rules 38).
final class SMSSender: Sendable {
    let sending: SMSSending
    let numbers: SMSNumbers
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
    func send(
        _ text: String, to number: PhoneNumber, for shop: ShopID, as purpose: SMSPurpose
    ) async -> SMSSent {
        let outcome = await handOver(text, to: number, for: shop)
        metrics.sms.count(ServiceMetrics.SentSMS(purpose: purpose, outcome: outcome))
        return outcome
    }

    private func handOver(
        _ text: String, to number: PhoneNumber, for shop: ShopID
    ) async -> SMSSent {
        guard let message = SMSMessage(to: number, text: text) else {
            log.note("sms-refused", ["reason": "too-long"], level: .error)
            return .refused
        }
        let taken: Result<Bool, StoreError> = await withCheckedContinuation { taken in
            store.takeSMS(of: shop) { taken.resume(returning: $0) }
        }
        switch taken {
        case .success(true): break
        case .success(false):
            log.note("sms-used-up", ["shop": shop.rawValue])
            return .usedUp
        case .failure: return .later
        }
        switch await sending.send(message) {
        case .accepted: return .sent
        case .refused(let reason):
            store.returnSMS(of: shop)
            log.note("sms-refused", ["reason": reason])
            return .refused
        case .busy, .unreached:
            store.returnSMS(of: shop)
            log.note("sms-gateway-unreached")
            return .later
        }
    }
}
