import BackendAPI
@testable import BackendService
import Testing

@Suite(
    "Attacks on the rule that a link looks and digits act [rules: proofs, confirmed-numbers]")
struct LinkAttackTests {
    @Test("Who has the link keeps the browser that took the place from nothing at its own address")
    func sameAddress() throws {
        let world = try LinkedPlace(LimitedAction.standards(.pages, .subscriptions))
        let (address, body) = ("192.0.2.1", "{\(world.link)}")
        for _ in 0..<40 { _ = try world.stranger.call(.place, body, from: address) }
        #expect(try world.stranger.call(.place, body, from: address).status == 429)
        #expect(try world.owner.call(.place, body, from: address).status == 200)
        for number in 0..<20 {
            let end = "{\(world.link),\"endpoint\":\"https://push.example/\(number)\"}"
            _ = try world.stranger.call(.subscriptionEnd, end, from: address)
        }
        let mine = try world.owner.call(
            .subscription, world.phone.subscription("mine"), from: address)
        #expect(mine.status == 204)
        #expect(try world.owner.call(.withdrawal, body, from: address).status == 204)
    }

    @Test("However many addresses try, a fresh one has a try of its own")
    func manyAddresses() {
        let limiter = RateLimiter(.only(1), forgets: true)
        for number in 0...RateLimiter.maxRememberedBuckets + 10 {
            #expect(limiter.take("phone/\(number)/place") == nil)
        }
        #expect(limiter.take("phone/fresh/other") == nil)
        #expect(limiter.take("phone/fresh/other") != nil)
    }

    @Test("A number that is given again and again gets one SMS about how the place is booked")
    func bookings() async throws {
        let world = try LinkedPlace()
        let number = NumberOwner(world.owner, world.gateway, for: world.phone)
        try await number.confirmBooked()
        for _ in 0..<5 {
            #expect(try await number.give().decoded(NumberReply.self).isConfirmed)
            #expect(try world.backend.count("notice") == 0)
        }
        #expect(world.gateway.bookings.count == 1)
    }

    @Test("Requests for codes that send none use nothing of the shop's up")
    func shopNumbers() async throws {
        let limits = [LimitedAction.shopNumbers: RateLimit.only(2)]
        let world = try LinkedPlace(limits, isTicket: true) { $0.phones.needsNumber = true }
        await world.backend.answer("STOP")
        for _ in 0..<5 {
            let refused = try await NumberOwner(TestDevice(world.backend), world.gateway).give()
            #expect(refused.problem == .numberStopped)
        }
        var other = NumberOwner(world.owner, world.gateway, for: world.phone)
        other.number = "+393330000001"
        #expect(try await other.give().status == 200)
        // Codes that everybody may ask for leave room for those about a place.
        for number in 2...4 {
            var stranger = NumberOwner(TestDevice(world.backend), world.gateway)
            stranger.number = "+39333000000\(number)"
            _ = try await stranger.give()
        }
        other.number = "+393330000005"
        #expect(try await other.give().status == 200)
    }

    @Test("Who knows a number uses up no try of the code that its owner got")
    func tries() async throws {
        let world = try LinkedPlace(isTicket: true) { $0.phones.needsNumber = true }
        let number = NumberOwner(world.owner, world.gateway, for: world.phone)
        #expect(try await number.give().status == 200)
        let code = try world.gateway.digits(6)
        let rows = try world.backend.count("sms_number")
        for _ in 0..<20 {
            let guess = try await NumberOwner(world.stranger, world.gateway).give(code: "000000")
            #expect(guess.problem == .wrongCode)
        }
        var invented = NumberOwner(world.stranger, world.gateway)
        invented.number = "+393338888888"
        _ = try await invented.give(code: "000000")
        #expect(try world.backend.count("sms_number") == rows, "an invented number leaves no row")
        for _ in 0..<4 { #expect(try await number.give(code: "000000").problem == .wrongCode) }
        #expect(try await number.give(code: code).status == 200)
    }

    @Test("A code for messages about one place gives nobody the other places of its number")
    func relative() async throws {
        let world = try LinkedPlace(isTicket: true) { $0.phones.needsNumber = true }
        let (gateway, backend, machine) = (world.gateway, world.backend, world.machine)
        let (mother, relative) = (world.owner, world.stranger)
        try await NumberOwner(mother, gateway).confirm()
        let visit = try mother.book()
        let ticket = try TestPhone(backend, machine.reservation())
        try await NumberOwner(relative, gateway, for: ticket).confirm()
        #expect(try mother.look(visit).entry != nil)
        #expect(try relative.look(visit).entry == nil)
        #expect(try relative.call(.withdrawal, of: visit).problem == .wrongDigits)
        // The next place of the relative needs no second code.
        let next = try TestPhone(backend, machine.reservation())
        let reply = try await NumberOwner(relative, gateway, for: next).give()
        #expect(try reply.decoded(NumberReply.self).isConfirmed)
    }

    @Test("Digits of one visit do not say where else its customer is going")
    func otherPlaces() throws {
        let world = try LinkedPlace()
        _ = try world.owner.book(TestBackend.sunday)
        let body =
            "{\(world.link),\"code\":\"\(world.phone.digits)\","
            + "\"visit\":{\"start\":\"\(TestBackend.sunday)\"}}"
        let stranger = try world.stranger.call(.move, body).decoded(Problem.self)
        #expect(stranger.place == nil && stranger.link == nil && stranger.until == nil)
        let own = try world.owner.call(.move, body).decoded(Problem.self)
        #expect(own.place != nil)
    }

    @Test("A link that has ended is as one that never was")
    func ended() throws {
        let world = try LinkedPlace()
        #expect(try world.owner.call(.withdrawal, "{\(world.link)}").status == 204)
        world.backend.time.advance(by: .minutes(16))
        for (call, body) in [
            (.numberEnd, "{\(world.link)}"),
            (.move, "{\(world.link),\"visit\":{\"start\":\"\(TestBackend.sunday)\"}}"),
        ] as [(PublicCall, String)] {
            #expect(try world.stranger.call(call, body).problem == .notFound, "\(call)")
        }
    }
}
