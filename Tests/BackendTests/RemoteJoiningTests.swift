import BackendAPI
@testable import BackendService
import Cryptography
import Reservations
import TestSupport
import Testing

@Suite("Joining from elsewhere [rules: elsewhere, join-limits]")
struct RemoteJoiningTests {
    /// A shop of so many places that gives some to phones elsewhere, a minute after its opening.
    private static func backend(
        capacity: Int = 4, _ limits: [LimitedAction: RateLimit] = [:]
    ) throws -> (TestBackend, TestMachine) {
        try TestBackend.joinable(limits) {
            $0.phones.hasRemotePlaces = true
            $0.phones.sharePercent = 100
            $0.capacity = capacity
        }
    }

    private static func hold(
        _ device: TestDevice, work: String? = nil, shop: String = "ROM1",
        from address: String? = nil
    ) throws -> WireResponse {
        let part = work.map { #","work":"\#($0)""# } ?? ""
        return try device.call(.holds, #"{"shop":"\#(shop)"\#(part)}"#, from: address)
    }

    private static func solve(_ work: DemandedWork, bits: Int? = nil) -> String {
        let bits = bits ?? work.bits
        for number in 0... {
            let text = "\(work.challenge).\(number)"
            let digest = SHA256.digest(Array(text.utf8))
            let value = digest.prefix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            if value.leadingZeroBitCount >= bits { return text }
        }
        return ""
    }

    private static func work(_ answer: WireResponse) throws -> DemandedWork {
        #expect(answer.problem == .workNeeded && answer.status == 428)
        return try #require(try answer.decoded(Problem.self).work)
    }

    @Test("Other texts name no shop, and a shop that does not want it gives no place")
    func refused() async throws {
        let (backend, _) = try Self.backend()
        let device = TestDevice(backend)
        for tag in ["", "rom1", "ROM2", "ROM11", "x", "../x"] {
            #expect(try Self.hold(device, shop: tag).problem == .notFound, "\(tag)")
        }
        for body in [
            "{}", "{\"shop\":1}", "{\"shop\":\"ROM1\",\"invitation\":\"ROM1\"}", "[]", "",
        ] {
            #expect(try device.call(.holds, body).problem == .malformed, "\(body)")
        }
        device.cookie = nil
        #expect(try Self.hold(device).problem == .deviceUnknown)
        let waiting = TestDevice(backend)
        _ = try waiting.confirm(Self.hold(waiting).decoded(PlaceOnOffer.self))
        try backend.changeShop { $0.policy.phones.hasRemotePlaces = false }
        let other = TestDevice(backend)
        #expect(
            try await eventually { try Self.hold(other).problem == .noRemotePlaces })
        #expect(try Self.shops(backend).isEmpty)
        // A phone with a place is shown the way to it.
        #expect(try Self.hold(waiting).problem == .alreadyWaiting)
    }

    @Test("One address gets a quarter of an hour's places at most, and an IPv6 site a half of them")
    func addresses() throws {
        let (backend, _) = try Self.backend(
            capacity: 100, [.joins: RateLimit(perSecond: 999, burst: 999)])
        let hour = backend.store.remotePlaces(in: TestBackend.shop).perHour
        #expect(hour > 60)
        func taken(_ count: Int, from address: (Int) -> String) throws -> Int {
            var taken = 0
            for number in 0..<count {
                let device = TestDevice(backend)
                var answer = try Self.hold(device, from: address(number))
                if answer.problem == .workNeeded {
                    answer = try Self.hold(
                        device, work: Self.solve(Self.work(answer)), from: address(number))
                }
                taken += answer.status == 201 ? 1 : 0
                guard answer.status != 201 else { continue }
                #expect(answer.problem == .tooManyRequests)
                let wait = try #require(answer.fields["retry-after"].flatMap { Int($0) })
                #expect((1...210).contains(wait), "as long as the places are on offer")
            }
            return taken
        }
        #expect(try taken(hour / 4 + 3) { _ in "198.51.100.7" } == hour / 4)
        #expect(try taken(1) { _ in "198.51.100.8" } == 1)
        #expect(try taken(hour / 4 + 3) { "2001:db8:2:1::\($0)" } == hour / 4)
        // Every network of a site is another household, up to half of the places.
        #expect(try taken(hour / 2) { "2001:db8:2:1\($0)::1" } == hour / 2 - hour / 4)
        #expect(try taken(1) { _ in "2001:db8:3:1::1" } == 1)
    }

    @Test("A device with a place counts for an hour, and one with an offer as long as it is kept")
    func counted() throws {
        let (backend, _) = try Self.backend(capacity: 20)
        func hold(_ device: TestDevice) throws -> WireResponse {
            try Self.hold(device, from: "198.51.100.7")
        }
        let device = TestDevice(backend)
        for _ in 1...8 { #expect(try hold(device).status == 201) }
        _ = try device.confirm(hold(device).decoded(PlaceOnOffer.self))
        let second = TestDevice(backend)
        let offer = try hold(second).decoded(PlaceOnOffer.self)
        for _ in 1...2 { #expect(try hold(TestDevice(backend)).status == 201) }
        #expect(try hold(TestDevice(backend)).problem == .tooManyRequests)
        // Who declines counts no more, and neither do offers that have run out.
        #expect(try second.answer(.release, offer.ticket).status == 204)
        #expect(try hold(TestDevice(backend)).status == 201)
        #expect(try hold(TestDevice(backend)).problem == .tooManyRequests)
        backend.time.advance(by: .seconds(240))
        for _ in 1...3 { #expect(try hold(TestDevice(backend)).status == 201) }
        #expect(try hold(TestDevice(backend)).problem == .tooManyRequests)
        backend.time.advance(by: .seconds(3_600))
        for _ in 1...4 { #expect(try hold(TestDevice(backend)).status == 201) }
    }

    @Test("Two requests of one device at once count once, whichever of them gets the place")
    func together() throws {
        let signer = AnswerSigner(key: try SigningKey.generate())
        let joins = RemoteJoins(signer: signer) { Moment(milliseconds: 1_795_179_600_000) }
        let (backend, _) = try Self.backend()
        let shop = try #require(backend.store.shop(TestBackend.shop))
        let origin = RemoteJoins.Origin(network: "n", site: "s")
        func admit(_ holder: HolderID) -> RemoteJoins.Admission {
            joins.admit(holder, from: origin, to: shop, places: 4, work: nil)
        }
        for name in ["a", "b", "c", "d"] {
            let holder = HolderID(name)
            #expect(admit(holder) == .admitted && admit(holder) == .admitted)
            let end = Moment(milliseconds: 1_795_179_800_000)
            joins.finished(holder, in: shop.id, held: name < "c" ? end : nil)
            joins.finished(holder, in: shop.id, held: name < "c" ? nil : end)
        }
        #expect(admit(HolderID("e")) == .full(.seconds(200)))
        // One of which no request got a place counts no more.
        joins.ended(HolderID("d"), in: shop.id, isConfirmed: false)
        #expect(admit(HolderID("f")) == .admitted)
        joins.finished(HolderID("f"), in: shop.id, held: nil)
        #expect(admit(HolderID("g")) == .admitted)
    }

    @Test("A shop that is stormed has each device work for its place, and for no other one's")
    func storm() throws {
        let (backend, _) = try Self.backend(capacity: 30)
        var number = 0
        func address() -> String {
            number += 1
            return "203.0.113.\(number)"
        }
        for _ in 1...(backend.store.remotePlaces(in: TestBackend.shop).perHour / 2) {
            let device = TestDevice(backend)
            _ = try device.confirm(
                Self.hold(device, from: address()).decoded(PlaceOnOffer.self))
        }
        let (device, other) = (TestDevice(backend), TestDevice(backend))
        let work = try Self.work(try Self.hold(device, from: address()))
        #expect(work.bits == 16)
        let done = Self.solve(work)
        for wrong in [
            "", "x", "..", "\(work.challenge).", "\(work.challenge).x", done + "0",
            Self.solve(DemandedWork(challenge: work.challenge + "0", bits: 16)),
            Self.solve(DemandedWork(challenge: "1.AAAA", bits: 16)),
            "\(work.challenge).\(String(repeating: "9", count: 13))",
        ] {
            let answer = try Self.hold(device, work: wrong, from: address())
            #expect(answer.problem == .workNeeded, "\(wrong)")
        }
        #expect(try Self.hold(other, work: done, from: address()).problem == .workNeeded)
        #expect(try Self.hold(device, work: done, from: address()).status == 201)
        // It asks again without any.
        #expect(try Self.hold(device, from: address()).status == 201)
        let late = try Self.work(try Self.hold(other, from: address()))
        let text = Self.solve(late)
        backend.time.advance(by: .seconds(360))
        #expect(try Self.hold(other, work: text, from: address()).problem == .workNeeded)
        // After ten minutes the storm is over.
        backend.time.advance(by: .seconds(240))
        #expect(try Self.hold(other, from: address()).problem != .workNeeded)
    }

    private static func shops(
        _ backend: TestBackend, _ search: String = ""
    ) throws -> [ListedShop] {
        try backend.post(.shops, #"{"search":"\#(search)"}"#).decoded(ShopList.self).shops
    }

    @Test("The list has the shops that give such places, with their waits, and finds them by words")
    func list() async throws {
        let (backend, machine) = try Self.backend()
        let shop = try #require(try Self.shops(backend).first)
        #expect(shop.tag == "ROM1" && shop.name == "Città" && shop.isOpen && shop.hasPlace)
        #expect(shop.wait?.peopleAhead == 0)
        for (word, count) in [
            ("citta", 1), ("CITTÀ", 1), ("cit", 1), ("itta", 0), ("citta roma", 0),
        ] {
            #expect(try Self.shops(backend, word).count == count, "\(word)")
        }
        // Characters that are drawn as one are counted as they are sent.
        let marks = "e" + String(repeating: "\u{301}", count: 80)
        for long in [String(repeating: "a", count: 81), marks] {
            let answer = try backend.post(.shops, #"{"search":"\#(long)"}"#)
            #expect(answer.problem == .malformed)
        }
        #expect(try backend.post(.shops, "{}").problem == .malformed)
        for _ in 1...6 { _ = try machine.reservation() }
        #expect(
            try await eventually { try Self.shops(backend).first?.wait?.peopleAhead ?? 0 > 0 })
    }

    @Test("The browser that took the place answers for it, or the ten digits; the link does not")
    func coming() throws {
        let (backend, machine) = try Self.backend()
        for _ in 1...12 { _ = try machine.reservation() }
        let device = TestDevice(backend)
        let reservation = try device.confirm(try Self.hold(device).decoded(PlaceOnOffer.self))
        #expect(try device.look(reservation).reservation.answerBy == nil)
        // Said before the question, it is true as well.
        #expect(try device.call(.coming, of: reservation).status == 204)
        #expect(try backend.count("reservation WHERE answered_ms IS NOT NULL") == 1)
        // A paper's place needs none, and nothing is written.
        let paper = try TestPhone(backend, machine.reservation())
        #expect(try paper.call(.coming).problem == .wrongDigits)
        for _ in 1...20 { #expect(try paper.call(.coming, code: paper.digits).status == 204) }
        #expect(try backend.count("reservation WHERE answered_ms IS NOT NULL") == 1)
        let wrong = try #"{"capability":"\#(altered(reservation.capability))"}"#
        #expect(try device.call(.coming, wrong).problem == .notFound)
        #expect(try device.call(.coming, "{}").problem == .malformed)
    }
}
