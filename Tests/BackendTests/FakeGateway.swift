import BackendAPI
import BackendService
import SMSGateway
import Synchronization
import TestSupport
import Testing

/// A gateway that keeps what it is given, and delivers nothing: a fake, as no telephone network can be a part of a test.
final class FakeGateway: Sendable {
    struct Sent: Hashable {
        let number: String
        let text: String
    }

    private let content = Mutex((sent: [Sent](), outcome: SMSOutcome.accepted))

    /// All but those that say how a place is booked, which come beside all others.
    var sent: [Sent] { content.withLock { $0.sent.filter { !Self.isBooking($0) } } }
    /// Those that say how a place is booked, in Italian.
    var bookings: [Sent] { content.withLock { $0.sent.filter(Self.isBooking) } }
    private static func isBooking(_ sent: Sent) -> Bool {
        sent.text.contains("Codice d'ingresso")
    }

    var texts: [String] { sent.map(\.text) }
    var outcome: SMSOutcome {
        get { content.withLock { $0.outcome } }
        set { content.withLock { $0.outcome = newValue } }
    }

    func sms(hasAnswers: Bool = true) -> SMSSending {
        SMSSending(prefixes: ["+39", "+41"], hasAnswers: hasAnswers) { [self] message in
            content.withLock { content in
                content.sent.append(Sent(number: message.to.rawValue, text: message.text))
                return content.outcome
            }
        }
    }

    /// The digits of the last SMS: a code of six, or the word of a place, of four.
    func digits(_ count: Int) throws -> String {
        let text = try #require(sent.last?.text)
        let runs = text.split { !$0.isASCII || !$0.isNumber }.filter { $0.count == count }
        return String(try #require(runs.last, "\(text)"))
    }
}

/// A customer who gives a number on the page of a place, or to join from elsewhere.
struct NumberOwner {
    let device: TestDevice
    let gateway: FakeGateway
    var number = "+39 333 123 4567"
    /// The capability of the place with the ten digits of its ticket, or the tag of the shop.
    let purpose: String

    /// - Parameter hasDigits: Whether the caller has the ticket, and not only the link of its place.
    init(
        _ device: TestDevice, _ gateway: FakeGateway, for phone: TestPhone, hasDigits: Bool = true
    ) {
        self.device = device
        self.gateway = gateway
        let digits = hasDigits ? ",\"typedCode\":\"\(phone.digits)\"" : ""
        purpose = "\"capability\":\"\(phone.capability.rawValue)\"\(digits)"
    }

    init(_ device: TestDevice, _ gateway: FakeGateway, shop: String = "ROM1") {
        self.device = device
        self.gateway = gateway
        purpose = "\"shop\":\"\(shop)\""
    }

    func give(code: String? = nil, from address: String? = nil) async throws -> WireResponse {
        let code = code.map { ",\"code\":\"\($0)\"" } ?? ""
        return try await device.callAside(
            .number, "{\(purpose),\"number\":\"\(number)\",\"language\":\"it\"\(code)}",
            from: address)
    }

    /// Ends the SMS about the place.
    func end() async throws -> WireResponse {
        try await device.callAside(.numberEnd, "{\(purpose)}")
    }

    /// Gives the number and the code that comes; the browser keeps the cookie.
    @discardableResult
    func confirm() async throws -> WireResponse {
        let asked = try await give().decoded(NumberReply.self)
        #expect(!asked.isConfirmed)
        let answer = try await give(code: gateway.digits(6))
        #expect(try answer.decoded(NumberReply.self).isConfirmed)
        if let cookie = answer.fields["set-cookie"]?.split(separator: ";").first {
            device.cookie = (device.cookie.map { "\($0); " } ?? "") + cookie
        }
        return answer
    }

    /// Confirms the number, and has the SMS that says how the place is booked; nothing waits then.
    func confirmBooked() async throws {
        try await confirm()
        #expect(await eventually { gateway.bookings.count == 1 })
        #expect(try await eventually { try device.backend.count("notice") == 0 })
    }
}

extension TestBackend {
    /// An SMS of a customer arrives; returns when nothing more will be done about it, with whether the gateway is done
    /// with it.
    @discardableResult
    func answer(
        _ text: String, from sender: String = "393331234567", id: String? = nil
    ) async -> Bool {
        await withCheckedContinuation { done in
            service.takeSMSAnswer(from: sender, text: text, id: id) { done.resume(returning: $0) }
        }
    }
}
