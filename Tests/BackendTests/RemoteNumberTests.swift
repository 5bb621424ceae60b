import BackendAPI
@testable import BackendService
import Reservations
import TestSupport
import Testing

@Suite("A shop that wants the numbers of customers who are elsewhere [rules: confirmed-numbers]")
struct RemoteNumberTests {
    private let gateway = FakeGateway()

    private func shop(
        sms: SMSSending? = nil, _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws -> (TestBackend, TestMachine) {
        try TestBackend.joinable(sms: sms ?? gateway.sms()) {
            $0.phones.hasRemotePlaces = true
            $0.phones.sharePercent = 100
            $0.phones.smsPerDay = 100
            $0.phones.needsNumber = true
            decide(&$0)
        }
    }

    private func hold(_ device: TestDevice) throws -> WireResponse {
        try device.call(.holds, "{\"shop\":\"ROM1\"}")
    }

    private func join(_ device: TestDevice) throws -> Reservation {
        try device.confirm(hold(device).decoded(PlaceOnOffer.self))
    }

    private func phone(_ backend: TestBackend, number: String? = nil) async throws -> TestDevice {
        let device = TestDevice(backend)
        var owner = NumberOwner(device, gateway)
        if let number { owner.number = number }
        try await owner.confirm()
        return device
    }

    @Test("Without a confirmed number a phone is asked for one, and with it gets a place")
    func needed() async throws {
        let (backend, _) = try shop()
        let device = TestDevice(backend)
        let refusal = try hold(device)
        #expect(refusal.problem == .numberNeeded && refusal.status == 403)
        #expect(try refusal.decoded(Problem.self).prefixes == ["+39", "+41"])
        try await NumberOwner(device, gateway).confirm()
        let place = try join(device)
        let shown = try device.look(place)
        #expect(shown.entry?.typedCode == place.typedCode)
        // The number is confirmed: SMS about the place need no further code.
        let phone = try TestPhone(backend, place)
        let again = NumberOwner(device, gateway, for: phone)
        #expect(try await again.give().decoded(NumberReply.self).isConfirmed)
        #expect(gateway.sent.count == 1)
    }

    @Test("One number has one place, on whatever phone, and each of its phones can show the code")
    func onePlace() async throws {
        let (backend, _) = try shop()
        let first = try await phone(backend)
        let place = try join(first)
        let second = try await phone(backend)
        let refusal = try hold(second)
        #expect(refusal.problem == .alreadyWaiting)
        #expect(try refusal.decoded(Problem.self).link == place.link)
        #expect(try second.look(place).entry?.typedCode == place.typedCode)
        #expect(try TestDevice(backend).look(place).entry == nil)
        // The cookie of the number alone, on a device of its own, shows nothing.
        let thief = TestDevice(backend)
        let stolen = try #require(first.cookie?.split(separator: "; ").last)
        thief.cookie = "\(thief.cookie ?? ""); \(stolen)"
        #expect(try thief.look(place).entry == nil)
        #expect(try hold(thief).problem == .numberNeeded)
        let other = try await phone(backend, number: "+393330000000")
        #expect(try hold(other).status == 201)
    }

    @Test("A number with a visit of a day books no other one for it, on whatever phone [UC4.3]")
    func oneVisit() async throws {
        let (backend, _) = try shop { $0.phones.hasVisits = true }
        let first = try await phone(backend)
        let visit = try first.book()
        let second = try await phone(backend)
        let refusal = try second.holdVisit("2026-11-21T15:00:00+01:00")
        #expect(refusal.problem == .alreadyWaiting)
        #expect(try refusal.decoded(Problem.self).link == visit.link)
        #expect(try second.holdVisit(TestBackend.sunday).status == 201)
        let other = try await phone(backend, number: "+393330000000")
        #expect(try other.holdVisit("2026-11-21T15:00:00+01:00").status == 201)
    }

    @Test(
        "A visit is booked with a number while the shop is closed, sold out, or without remote places",
        arguments: ["closed", "taken", "no remote places"])
    func visit(_ reason: String) async throws {
        let (backend, machine) = try shop {
            $0.phones.hasVisits = true
            $0.phones.hasRemotePlaces = reason != "no remote places"
            if reason == "taken" { $0.phones.sharePercent = 1 }
        }
        if reason == "closed" {
            backend.pass(.minutes(13 * 60))
        } else {
            for _ in 0..<8 { _ = try machine.reservation() }
        }
        let device = TestDevice(backend)
        let refusal = try device.holdVisit(TestBackend.sunday)
        #expect(refusal.problem == .numberNeeded)
        try await NumberOwner(device, gateway).confirm()
        let visit = try device.book(TestBackend.sunday)
        #expect(try device.look(visit).reservation.status == .planned)
        // A ticket is not there all the same, and no further code is sent for one.
        let other = TestDevice(backend)
        #expect(
            [.shopClosed, .remotePlacesTaken, .noRemotePlaces].contains(try hold(other).problem))
        #expect(gateway.sent.count == 1)
    }

    @Test("A closed or full shop asks for no number, and sends no code")
    func noPlace() async throws {
        let (backend, machine) = try shop { $0.phones.sharePercent = 1 }
        for _ in 0..<8 { _ = try machine.reservation() }
        let device = TestDevice(backend)
        #expect(try hold(device).problem == .remotePlacesTaken)
        #expect(
            try await NumberOwner(device, gateway).give().problem == .remotePlacesTaken)
        backend.pass(.minutes(13 * 60))
        #expect(try hold(device).problem == .shopClosed)
        #expect(try await NumberOwner(device, gateway).give().problem == .shopClosed)
        #expect(gateway.sent.isEmpty)
    }

    @Test("SMS about a place to a relative's number take nothing from the number of the place")
    func relative() async throws {
        let (backend, _) = try shop()
        let device = try await phone(backend)
        let place = try join(device)
        var daughter = NumberOwner(device, gateway, for: try TestPhone(backend, place))
        daughter.number = "+393330000000"
        try await daughter.confirm()
        #expect(try device.look(place).sms?.isOn == true)
        #expect(try device.look(place).entry?.typedCode == place.typedCode)
        #expect(try hold(device).problem == .alreadyWaiting)
    }

    @Test("Invented and old proofs of a number are none, and a shop that wants none confirms none")
    func proofs() async throws {
        let (backend, _) = try shop()
        let device = TestDevice(backend)
        let own = try #require(device.cookie)
        for proof in [
            "", "x", "number.A.B.9999999999.C", "number", String(repeating: "A", count: 4_000),
            "number.\(String(repeating: "A", count: 26)).device/A.99999999999.AAAA",
        ] {
            device.cookie = "\(own); __Host-clup-number=\(proof)"
            #expect(try hold(device).problem == .numberNeeded, "\(proof.prefix(30))")
        }
        device.cookie = nil
        #expect(try await NumberOwner(device, gateway).give().problem == .deviceUnknown)
        device.cookie = own
        try await NumberOwner(device, gateway).confirm()
        #expect(try hold(device).status == 201)
        backend.pass(.seconds(91 * 86_400))
        #expect(
            try await eventually { try hold(device).problem == .numberNeeded },
            "it is confirmed again after 90 days")
        let (open, _) = try TestBackend.joinable(sms: gateway.sms()) {
            $0.phones.hasRemotePlaces = true
            $0.phones.smsPerDay = 100
        }
        #expect(
            try await NumberOwner(TestDevice(open), gateway).give().problem == .notFound)
    }

    @Test("Without a gateway such a shop gives no places to customers who are elsewhere")
    func noGateway() throws {
        let (backend, _) = try TestBackend.joinable {
            $0.phones.hasRemotePlaces = true
            $0.phones.needsNumber = true
        }
        #expect(try hold(TestDevice(backend)).problem == .noRemotePlaces)
    }
}
