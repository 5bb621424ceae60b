import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

/// A browser that has subscribed to the notices of a customer's place.
struct NoticedBrowser: Sendable {
    let reservation: ReservationID
    let number: Int
    let capability: String
    let isShaky: Bool
    /// Whether its push service knows it no more.
    let isGone: Bool
    /// When the subscription was answered.
    let subscribed: Date
    /// When its end was asked for, and when that was answered.
    var ended: (asked: Date, answered: Date)?
}

/// A customer with a ticket, whose phone is subscribed to its notices.
struct NoticedCustomer {
    /// What the customer does when called.
    enum Manner {
        case comes
        case comesLate
        case neverComes
        case givesBack
    }

    let ticket: Ticket
    let capability: Capability
    let manner: Manner
    /// The browsers by their endpoint.
    let endpoints: [String]
    /// When the customer was first seen to be called.
    var called: ContinuousClock.Instant?
    /// When the place was given back, to undo it later.
    var givenBack: ContinuousClock.Instant?
}

/// The customers of one machine, each with a phone.
final class NoticedCustomers {
    /// How long a customer who comes late waits after the call.
    static let lateness = Duration.milliseconds(3_000)
    /// So many customers of a machine wait or are called at once.
    private static let most = 10
    /// So many of them never come.
    private static let mostAbsent = 2

    private let machine: Caller
    private let phone: Caller
    private let doors: (entrance: Caller, turnstile: Caller)
    private let services: PushServicePair
    private let keys: PushBrowser
    /// All browsers by their endpoint, of all machines.
    private let browsers: Locked<[String: NoticedBrowser]>
    private var dice: Dice
    private var present: [NoticedCustomer] = []
    private var absent = 0

    init(
        _ index: Int, of chain: LoadChain, _ services: PushServicePair, _ keys: PushBrowser,
        _ browsers: Locked<[String: NoticedBrowser]>, _ dice: Dice
    ) {
        machine = chain.machine(index)
        phone = chain.phone(index)
        doors = (chain.entrance(), chain.turnstile())
        self.services = services
        self.keys = keys
        self.browsers = browsers
        self.dice = dice
    }

    /// Another customer comes, or one who is there does something.
    func step() throws {
        if present.count < Self.most, let ticket = try machine.ticket() {
            present.append(try customer(with: ticket))
        }
        let place = dice.index(present.count)
        if try !act(&present[place]) { present.remove(at: place) }
    }

    private func customer(with ticket: Ticket) throws -> NoticedCustomer {
        let capability = try #require(ticket.capability)
        var manner: NoticedCustomer.Manner
        switch dice.index(10) {
        case 0: manner = .givesBack
        case 1, 2: manner = .neverComes
        case 3, 4, 5, 6: manner = .comesLate
        default: manner = .comes
        }
        if manner == .neverComes, absent == Self.mostAbsent { manner = .comes }
        if manner == .neverComes { absent += 1 }
        let services = dice.index(3) == 0 ? services.all : [services.all[dice.index(2)]]
        let endpoints = try services.map { try subscribe(ticket, capability, at: $0) }
        return NoticedCustomer(
            ticket: ticket, capability: capability, manner: manner, endpoints: endpoints)
    }

    private func subscribe(
        _ ticket: Ticket, _ capability: Capability, at service: FakePushService
    ) throws -> String {
        let isGone = dice.index(15) == 0
        let endpoint =
            "\(service.origin)/push/\(ticket.id.rawValue)\(isGone ? PushServicePair.goneSuffix : "")"
        let request = SubscriptionRequest(
            capability: capability, endpoint: endpoint, p256dh: keys.p256dh, auth: keys.auth,
            language: "en")
        #expect(try send(.subscription, request) == 204)
        let browser = NoticedBrowser(
            reservation: ticket.id, number: ticket.number, capability: capability.rawValue,
            isShaky: service === services.shaky, isGone: isGone, subscribed: .now)
        browsers.change { $0[endpoint] = browser }
        return endpoint
    }

    /// One of the customers acts; false if there is nothing more to do.
    private func act(_ customer: inout NoticedCustomer) throws -> Bool {
        if let givenBack = customer.givenBack {
            guard givenBack.duration(to: .now) > .milliseconds(dice.index(6_000)) else {
                return true
            }
            customer.givenBack = nil
            let request = PlaceRequest(
                capability: customer.capability, code: customer.ticket.typedCode)
            return try send(.undo, request) == 204
        }
        let code = #"{"code":"\#(customer.ticket.code)"}"#
        let found = try machine.found(customer.ticket.code)
        switch found.status {
        case .planned: return try wait(&customer, found)
        case .called:
            let called = customer.called ?? .now
            customer.called = called
            switch customer.manner {
            case .neverComes: return false
            case .comesLate where called.duration(to: .now) < Self.lateness: return true
            case .givesBack:
                _ = try machine.insist(.reservation(customer.ticket.id), code)
            case .comes, .comesLate:
                _ = try doors.entrance.insist(.entries, code)
                _ = try doors.turnstile.insist(.exits, code)
            }
            return false
        case .inside, .used, .missed, .unanswered, .closed, .deleted: return false
        }
    }

    /// A waiting customer lets others go ahead, gives the place back or ends the notices, now and then.
    private func wait(
        _ customer: inout NoticedCustomer, _ found: FoundReservation
    ) throws -> Bool {
        var request = PlaceRequest(
            capability: customer.capability, code: customer.ticket.typedCode)
        switch dice.index(60) {
        case 0:
            guard try send(.withdrawal, request) == 204 else { break }
            customer.givenBack = .now
            return dice.index(4) > 0
        case 1, 3:
            guard let offer = found.delayOffers?.first else { break }
            request.people = offer.people
            _ = try send(.delay, request)
        case 2:
            let endpoint = customer.endpoints[dice.index(customer.endpoints.count)]
            guard browsers.value[endpoint]?.ended == nil else { break }
            let end = SubscriptionEndRequest(capability: customer.capability, endpoint: endpoint)
            let asked = Date.now
            #expect(try send(.subscriptionEnd, end) == 204)
            browsers.change { $0[endpoint]?.ended = (asked, .now) }
        default: break
        }
        return true
    }

    /// Makes a call of the phone, and returns its status; a refusal is noted.
    private func send(_ call: PublicCall, _ body: some Encodable) throws -> Int {
        let text = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
        let answer = try phone.insist(call, text, cookie: nil)
        if !(200..<300).contains(answer.status) { phone.note(answer.body) }
        return answer.status
    }
}
