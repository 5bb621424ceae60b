@testable import BackendService
import Reservations
import SMSGateway
import TestSupport
import Testing

/// A full shop, its machine, a customer who waits, and the customer's browser.
class SMSWorld: FullShop {
    let gateway = FakeGateway()
    private(set) lazy var owner = NumberOwner(TestDevice(backend), gateway, for: phone)

    init(
        perDay: Int = 100, hasAnswers: Bool = true, _ limits: [LimitedAction: RateLimit] = [:],
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws {
        try super.init(limits, sms: gateway.sms(hasAnswers: hasAnswers)) {
            $0.phones.smsPerDay = perDay
            decide(&$0)
        }
    }

    func isOn() throws -> Bool? { try phone.look().sms?.isOn }

    /// Another customer of the shop, at another phone, who has the next ticket.
    func other(_ number: String? = nil) throws -> NumberOwner {
        let phone = try TestPhone(backend, machine.reservation())
        var owner = NumberOwner(TestDevice(backend), gateway, for: phone)
        if let number { owner.number = number }
        return owner
    }

    /// The SMS about the call waits while the gateway has this outcome, costs nothing meanwhile, and is sent after it.
    func callWaits(for outcome: SMSOutcome) async throws {
        try await owner.confirmBooked()
        gateway.outcome = outcome
        backend.callNext()
        #expect(
            try await eventually {
                try backend.count("notice WHERE tries = 1 AND next_ms > made_ms") == 1
                    && backend.count("sms_day WHERE sent = 2") == 1
            })
        gateway.outcome = .accepted
        backend.time.advance(by: .seconds(2))
        #expect(try await eventually { try backend.count("notice") == 0 })
    }
}
