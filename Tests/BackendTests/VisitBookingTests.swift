import BackendAPI
@testable import BackendService
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Booking a visit on a phone [rules 39]")
struct VisitBookingTests {
    /// A shop with ten places for visits, of which phones may book seven, at ten o'clock.
    static func backend(
        _ limits: [LimitedAction: RateLimit] = [:], capacity: Int = 20,
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws -> (TestBackend, TestMachine) {
        try TestBackend.joinable(limits) {
            $0.phones.hasVisits = true
            $0.capacity = capacity
            decide(&$0)
        }
    }

    private static func slots(_ device: TestDevice, minutes: Int? = nil) throws -> SlotList {
        let minutes = minutes.map { ",\"minutes\":\($0)" } ?? ""
        return try device.call(.slots, "{\"shop\":\"ROM1\"\(minutes)}").decoded(SlotList.self)
    }

    static func hold(
        _ device: TestDevice, _ start: String, minutes: Int? = nil, key: String? = nil,
        from address: String? = nil
    ) throws -> WireResponse {
        let minutes = minutes.map { ",\"minutes\":\($0)" } ?? ""
        return try device.call(
            .holds, "{\"shop\":\"ROM1\",\"visit\":{\"start\":\"\(start)\"\(minutes)}}", key: key,
            from: address)
    }

    static func book(_ device: TestDevice, _ start: String) throws -> Reservation {
        try device.confirm(try hold(device, start).decoded(PlaceOnOffer.self))
    }

    static func move(
        _ device: TestDevice, _ visit: Reservation, to start: String, code: String? = nil,
        key: String? = nil
    ) throws -> WireResponse {
        let capability = try #require(visit.link.flatMap { Capability(link: $0) }).rawValue
        let code = code ?? visit.typedCode.rawValue
        return try device.call(
            .move,
            "{\"capability\":\"\(capability)\",\"code\":\"\(code)\",\"visit\":{\"start\":\"\(start)\"}}",
            key: key)
    }

    private static func problem(_ answer: WireResponse) throws -> Problem {
        try JSONDecoder().decode(Problem.self, from: Data(answer.body))
    }

    static let saturday = "2026-11-21T10:00:00+01:00"
    static let sunday = "2026-11-22T16:15:00+01:00"

    @Test(
        "A visit is chosen from the list, taken, shown on its page, called at its hour, and opens the door"
    )
    func books() throws {
        let (backend, _) = try Self.backend { $0.phones.asksWhoComes = true }
        let entrance = try backend.enrol("entrance", role: .entrance)
        let device = TestDevice(backend)
        let list = try Self.slots(device)
        #expect(list.lastDay == CalendarDay("2026-12-20") && list.periods.count == 31)
        // The next slots of the quarter from ten o'clock on, and all of a day of twelve hours.
        #expect(list.periods[0].first.time.description == "10:15")
        #expect(list.periods[1].first.time.description == "08:00")
        #expect(list.periods.allSatisfy { $0.levels.utf8.allSatisfy { $0 == UInt8(ascii: "3") } })
        #expect(!list.hasTicket, "the shop gives no tickets elsewhere")
        let offer = try Self.hold(device, Self.saturday, minutes: 45).decoded(PlaceOnOffer.self)
        #expect(offer.place.kind == .visit)
        #expect(offer.place.visit?.end.time.description == "10:45")
        let visit = try device.confirm(offer)
        let shown = try device.look(visit)
        #expect(shown.reservation.status == .planned && shown.onPhone && shown.entry != nil)
        #expect(shown.reservation.visit?.start.moment == LocalMoment(Self.saturday)?.moment)
        #expect(try entrance.enter(visit.code.rawValue).problem == .notToday)
        // Two hours before the customer is asked, and says to be coming.
        backend.time.advance(by: .seconds(22 * 3_600))
        backend.store.tick()
        #expect(try device.look(visit).reservation.answerBy?.time.description == "10:00")
        let capability = try #require(visit.link.flatMap { Capability(link: $0) }).rawValue
        #expect(
            try device.call(.coming, "{\"capability\":\"\(capability)\"}", key: "coming").status
                == 204)
        #expect(try device.look(visit).reservation.answerBy == nil)
        backend.time.advance(by: .seconds(2 * 3_600))
        backend.store.tick()
        #expect(try device.look(visit).reservation.status == .called)
        #expect(try entrance.enter(visit.code.rawValue).status == 200)
    }

    @Test("Visits can be booked at night, while no ticket can be taken")
    func atNight() throws {
        let (backend, _) = try Self.backend([:]) { $0.phones.hasRemotePlaces = true }
        #expect(try Self.slots(TestDevice(backend)).hasTicket)
        backend.time.advance(by: .seconds(13 * 3_600))
        backend.store.tick()
        let device = TestDevice(backend)
        #expect(try !Self.slots(device).hasTicket)
        let ticket = try device.call(.holds, "{\"shop\":\"ROM1\"}")
        #expect(ticket.problem == .shopClosed)
        _ = try Self.book(device, Self.saturday)
    }

    @Test("Bodies that name no slot are refused, and so are shops without visits")
    func refused() async throws {
        let (backend, _) = try Self.backend()
        let device = TestDevice(backend)
        let start = "\"start\":\"\(Self.saturday)\""
        for body in [
            "{\"shop\":\"ROM1\",\"visit\":{}}",
            "{\"shop\":\"ROM1\",\"visit\":{\"start\":\"10:00\"}}",
            "{\"shop\":\"ROM1\",\"visit\":{\(start),\"minutes\":14}}",
            "{\"shop\":\"ROM1\",\"visit\":{\(start),\"minutes\":121}}",
            "{\"shop\":\"ROM1\",\"visit\":{\(start),\"minutes\":\"30\"}}",
            "{\"invitation\":\"ROM1PROV4T0Z8Q1KM93B\",\"visit\":{\(start)}}",
            "{\"visit\":{\(start)}}",
        ] {
            #expect(try device.call(.holds, body).problem == .malformed, "\(body)")
        }
        for body in [
            "", "{}", "{\"shop\":1}", "{\"shop\":\"ROM1\",\"minutes\":0}",
            "{\"shop\":\"ROM1\",\"minutes\":1e9}",
        ] {
            #expect(try device.call(.slots, body).problem == .malformed, "\(body)")
        }
        #expect(try device.call(.slots, "{\"shop\":\"ROM2\"}").problem == .notFound)
        for start in [
            "2026-11-20T09:00:00+01:00", "2026-11-21T10:05:00+01:00", "2026-11-21T07:45:00+01:00",
            "2026-12-21T10:00:00+01:00", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
        ] {
            #expect(try Self.hold(device, start).problem == .slotTaken, "\(start)")
        }
        device.cookie = nil
        #expect(try Self.hold(device, Self.saturday).problem == .deviceUnknown)
        var shop = try #require(backend.store.shop(TestBackend.shop))
        shop.policy.phones.hasVisits = false
        try backend.administration.updateShop(shop)
        let other = TestDevice(backend)
        #expect(
            try await eventually {
                try other.call(.slots, "{\"shop\":\"ROM1\"}").problem == .noVisitsOnPhones
            })
        #expect(try Self.hold(other, Self.saturday).problem == .noVisitsOnPhones)
    }

    @Test(
        "A slot that is taken between the look and the touch is refused, and nothing else is given")
    func slotTaken() throws {
        let (backend, _) = try Self.backend(capacity: 4)
        let (first, second) = (TestDevice(backend), TestDevice(backend))
        #expect(try Self.slots(second).periods[1].levels.hasPrefix("33"))
        let offer = try Self.hold(first, Self.saturday).decoded(PlaceOnOffer.self)
        #expect(try Self.hold(second, Self.saturday).problem == .slotTaken)
        // Ten o'clock is the ninth quarter of the day; a visit takes 20 minutes.
        #expect(
            Array(try Self.slots(second).periods[1].levels)[6...10] == ["3", "0", "0", "0", "3"])
        #expect(try first.answer(.release, offer.ticket).status == 204)
        _ = try Self.book(second, Self.saturday)
    }

    @Test("A device has one place a day, whose page it is shown, and five visits [UC4.2]")
    func oneADay() throws {
        let (backend, _) = try Self.backend()
        let device = TestDevice(backend)
        let visit = try Self.book(device, Self.saturday)
        let refused = try Self.problem(Self.hold(device, "2026-11-21T17:00:00+01:00"))
        #expect(refused.refusal == .alreadyWaiting && refused.link == visit.link)
        #expect(
            refused.place?.day == CalendarDay("2026-11-21") && refused.place?.number == visit.number
        )
        // The offset that a phone writes makes no other day.
        let odd = try Self.hold(device, "2026-11-21T22:00:00+13:00")
        #expect(try Self.problem(odd).refusal == .alreadyWaiting)
        for day in 22...25 { _ = try Self.book(device, "2026-11-\(day)T10:00:00+01:00") }
        #expect(try Self.hold(device, "2026-11-26T10:00:00+01:00").problem == .tooManyVisits)
        let phone = try TestPhone(backend, visit)
        #expect(try phone.call(.withdrawal, code: visit.typedCode.rawValue).status == 204)
        _ = try Self.book(device, "2026-11-26T10:00:00+01:00")
    }

    @Test(
        "A visit is moved in one step: it keeps its code, and has another number and link on another day"
    )
    func moves() throws {
        let (backend, _) = try Self.backend()
        let device = TestDevice(backend)
        _ = try Self.book(TestDevice(backend), Self.sunday)
        let visit = try Self.book(device, Self.saturday)
        let first = try Self.move(device, visit, to: Self.sunday, key: "once")
        let moved = try first.decoded(Reservation.self)
        #expect(moved.number.rawValue == 2 && moved.typedCode == visit.typedCode)
        #expect(moved.link != visit.link)
        let again = try Self.move(device, visit, to: Self.sunday, key: "once")
        // An answer that was lost is given again, to the device that knows the former link only.
        #expect(again.status == 201 && again.body == first.body)
        let shown = try device.look(moved)
        #expect(shown.reservation.visit?.start.moment == LocalMoment(Self.sunday)?.moment)
        #expect(shown.reservation.number == moved.number && shown.entry != nil)
        let old = try #require(visit.link.flatMap { Capability(link: $0) }).rawValue
        #expect(try device.call(.place, "{\"capability\":\"\(old)\"}").problem == .notFound)
        let stranger = TestDevice(backend)
        #expect(try Self.move(stranger, visit, to: Self.sunday, key: "once").problem == .notFound)
        // After a restart, in which what was remembered of links is lost, the answer is the same.
        try backend.restart()
        #expect(try Self.move(device, visit, to: Self.sunday, key: "once").body == first.body)
        // The day that it had is free for its holder.
        _ = try Self.book(device, Self.saturday)
    }

    @Test("A visit on the same day keeps its link, and a move that is sent again is answered again")
    func movesOnDay() throws {
        let (backend, _) = try Self.backend()
        let device = TestDevice(backend)
        let visit = try Self.book(device, Self.saturday)
        _ = try device.look(visit)
        let noon = "2026-11-21T12:00:00+01:00"
        let first = try Self.move(device, visit, to: noon, key: "once")
        #expect(first.status == 201)
        #expect(try Self.move(device, visit, to: noon, key: "once").body == first.body)
        #expect(try Self.move(device, visit, to: Self.saturday, key: "once").problem == .keyReused)
        #expect(try device.look(visit).reservation.visit?.start.moment == LocalMoment(noon)?.moment)
    }

    @Test("A visit that cannot be moved stays where it is")
    func staysPut() throws {
        let (backend, machine) = try Self.backend(capacity: 4)
        let device = TestDevice(backend)
        let visit = try Self.book(device, Self.saturday)
        _ = try Self.book(TestDevice(backend), Self.sunday)
        #expect(try Self.move(device, visit, to: Self.sunday).problem == .slotTaken)
        #expect(
            try Self.move(TestDevice(backend), visit, to: Self.sunday, code: "0000000000").problem
                == .wrongDigits)
        #expect(try Self.move(device, visit, to: "2026-11-22T07:00:00+01:00").problem == .slotTaken)
        for body in [
            "{}", "{\"capability\":\"x\",\"code\":\"1\",\"visit\":{\"start\":\"\(Self.sunday)\"}}",
            "{\"capability\":\"x\",\"code\":\"0000000000\"}",
        ] {
            #expect(try device.call(.move, body).problem == .malformed, "\(body)")
        }
        #expect(
            try device.look(visit).reservation.visit?.start.moment
                == LocalMoment(Self.saturday)?.moment)
        // A machine's ticket has a paper, which would not be true any more.
        let ticket = try machine.reservation()
        #expect(try Self.move(device, ticket, to: Self.sunday).problem == .unsupportedKind)
    }

    @Test("One address books no more than its part of a shop's visits")
    func addresses() throws {
        let (backend, _) = try Self.backend(
            [.joins: RateLimit(perSecond: 999, burst: 999)], capacity: 100)
        let most = 35 * 4 / 4
        var booked = 0
        for number in 0..<(most + 3) {
            let day = 21 + number % 9
            let answer = try Self.hold(
                TestDevice(backend), "2026-11-\(day)T10:00:00+01:00", from: "198.51.100.7")
            if answer.status == 201 {
                booked += 1
            } else {
                #expect(answer.problem == .tooManyRequests)
            }
        }
        #expect(booked == most)
        #expect(
            try Self.hold(TestDevice(backend), Self.saturday, from: "198.51.100.8").status == 201)
    }

    @Test("Two windows of a phone have one hold, which the one that touches later has")
    func twoWindows() throws {
        let (backend, _) = try Self.backend()
        let device = TestDevice(backend)
        let older = try Self.hold(device, Self.saturday).decoded(PlaceOnOffer.self)
        let newer = try Self.hold(device, Self.sunday).decoded(PlaceOnOffer.self)
        #expect(try device.answer(.confirmation, older.ticket).problem == .holdExpired)
        _ = try device.confirm(newer)
        #expect(try Self.hold(device, Self.saturday, key: "same").status == 201)
        #expect(try Self.hold(device, Self.saturday, key: "same").status == 201)
        #expect(try Self.hold(device, Self.sunday, key: "same").problem == .keyReused)
    }
}
