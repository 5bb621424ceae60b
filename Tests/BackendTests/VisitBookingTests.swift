import BackendAPI
@testable import BackendService
import Reservations
import TestSupport
import Testing

@Suite("Booking a visit on a phone [rules: visits, moved-visits]")
final class VisitBookingTests: VisitShop {
    private static func slots(_ device: TestDevice, minutes: Int? = nil) throws -> SlotList {
        let minutes = minutes.map { ",\"minutes\":\($0)" } ?? ""
        return try device.call(.slots, "{\"shop\":\"ROM1\"\(minutes)}").decoded(SlotList.self)
    }

    @Test("A visit is chosen, taken, shown on its page, called at its hour, and opens the door")
    func books() throws {
        let entrance = try backend.enrol("entrance", role: .entrance)
        let list = try Self.slots(device)
        #expect(list.lastDay == CalendarDay("2026-12-20") && list.periods.count == 31)
        // The next slots of the quarter from ten o'clock on, and all of a day of twelve hours.
        #expect(list.periods[0].first.time.description == "10:15")
        #expect(list.periods[1].first.time.description == "08:00")
        #expect(list.periods.allSatisfy { $0.levels.utf8.allSatisfy { $0 == UInt8(ascii: "3") } })
        #expect(!list.hasTicket, "the shop gives no tickets elsewhere")
        let offer = try device.holdVisit(minutes: 45).decoded(PlaceOnOffer.self)
        #expect(offer.place.kind == .visit)
        #expect(offer.place.visit?.end.time.description == "10:45")
        let visit = try device.confirm(offer)
        let shown = try device.look(visit)
        #expect(shown.reservation.status == .planned && shown.onPhone && shown.entry != nil)
        #expect(shown.reservation.visit?.start.moment == LocalMoment(saturday)?.moment)
        #expect(try entrance.enter(visit).problem == .notToday)
        backend.pass(.seconds(24 * 3_600))
        #expect(try device.look(visit).reservation.status == .called)
        #expect(try entrance.enter(visit).status == 200)
    }

    @Test("Visits can be booked at night, while no ticket can be taken")
    func atNight() throws {
        let (backend, _) = try TestBackend.withVisits { $0.phones.hasRemotePlaces = true }
        #expect(try Self.slots(TestDevice(backend)).hasTicket)
        backend.pass(.seconds(13 * 3_600))
        let device = TestDevice(backend)
        #expect(try !Self.slots(device).hasTicket)
        let ticket = try device.call(.holds, "{\"shop\":\"ROM1\"}")
        #expect(ticket.problem == .shopClosed)
        try device.book()
    }

    @Test("Bodies that name no slot are refused, and so are shops without visits")
    func refused() async throws {
        let start = #""start":"\#(saturday)""#
        for visit in [
            "", #""start":"10:00""#, #"\#(start),"minutes":14"#, #"\#(start),"minutes":121"#,
            #"\#(start),"minutes":"30""#,
        ] {
            let answer = try device.call(.holds, #"{"shop":"ROM1","visit":{\#(visit)}}"#)
            #expect(answer.problem == .malformed, "\(visit)")
        }
        for other in [#""invitation":"ROM1PROV4T0Z8Q1KM93B","#, ""] {
            let answer = try device.call(.holds, #"{\#(other)"visit":{\#(start)}}"#)
            #expect(answer.problem == .malformed, "\(other)")
        }
        for body in [
            "", "{}", #"{"shop":1}"#, #"{"shop":"ROM1","minutes":0}"#,
            #"{"shop":"ROM1","minutes":1e9}"#,
        ] {
            #expect(try device.call(.slots, body).problem == .malformed, "\(body)")
        }
        #expect(try device.call(.slots, "{\"shop\":\"ROM2\"}").problem == .notFound)
        for body in [
            "{}", #"{"capability":"x","code":"1","visit":{\#(start)}}"#,
            #"{"capability":"x","code":"0000000000"}"#,
        ] {
            #expect(try device.call(.move, body).problem == .malformed, "\(body)")
        }
        for start in [
            "2026-11-20T09:00:00+01:00", "2026-11-21T10:05:00+01:00", "2026-11-21T07:45:00+01:00",
            "2026-12-21T10:00:00+01:00", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
        ] {
            #expect(try device.holdVisit(start).problem == .slotTaken, "\(start)")
        }
        device.cookie = nil
        #expect(try device.holdVisit().problem == .deviceUnknown)
        try backend.changeShop { $0.policy.phones.hasVisits = false }
        let other = TestDevice(backend)
        #expect(
            try await eventually {
                try other.call(.slots, "{\"shop\":\"ROM1\"}").problem == .noVisitsOnPhones
            })
        #expect(try other.holdVisit().problem == .noVisitsOnPhones)
    }

    @Test("A device has one place a day, whose page it is shown [UC4.2]")
    func oneADay() throws {
        for _ in 0..<2 { #expect(try device.holdVisit(key: "same").status == 201) }
        #expect(try device.holdVisit(sunday, key: "same").problem == .keyReused)
        let visit = try device.book()
        let refused = try device.holdVisit("2026-11-21T17:00:00+01:00").decoded(Problem.self)
        #expect(refused.refusal == .alreadyWaiting && refused.link == visit.link)
        #expect(
            refused.place?.day == CalendarDay("2026-11-21") && refused.place?.number == visit.number
        )
    }

    @Test("A moved visit keeps its code, and has another number and link on another day")
    func moves() throws {
        try TestDevice(backend).book(sunday)
        let visit = try device.book()
        let first = try device.move(visit, to: sunday, key: "once")
        let moved = try first.decoded(Reservation.self)
        #expect(moved.number.rawValue == 2 && moved.typedCode == visit.typedCode)
        #expect(moved.link != visit.link)
        let again = try device.move(visit, to: sunday, key: "once")
        // An answer that was lost is given again, to the device that knows the former link only.
        #expect(again.status == 201 && again.body == first.body)
        let shown = try device.look(moved)
        #expect(shown.reservation.visit?.start.moment == LocalMoment(sunday)?.moment)
        #expect(shown.reservation.number == moved.number && shown.entry != nil)
        #expect(try device.call(.place, of: visit).problem == .notFound)
        let stranger = TestDevice(backend)
        #expect(try stranger.move(visit, to: sunday, key: "once").problem == .notFound)
        #expect(try stranger.move(moved, to: noon, code: "0000000000").problem == .wrongDigits)
        // After a restart, in which what was remembered of links is lost, the answer is the same.
        try backend.restart()
        #expect(try device.move(visit, to: sunday, key: "once").body == first.body)
        // The day that it had is free for its holder.
        try device.book()
    }

    @Test("A visit on the same day keeps its link, and a move that is sent again is answered again")
    func movesOnDay() throws {
        let visit = try device.book()
        let first = try device.move(visit, to: noon, key: "once")
        #expect(first.status == 201)
        #expect(try device.move(visit, to: noon, key: "once").body == first.body)
        #expect(try device.move(visit, to: saturday, key: "once").problem == .keyReused)
        #expect(try device.look(visit).reservation.visit?.start.moment == LocalMoment(noon)?.moment)
    }

    @Test("One address books no more than its part of a shop's visits")
    func addresses() throws {
        let (backend, _) = try TestBackend.withVisits(
            [.joins: RateLimit(perSecond: 999, burst: 999)], capacity: 100)
        let most = 35 * 4 / 4
        var booked = 0
        for number in 0..<(most + 3) {
            let day = 21 + number % 9
            let answer = try TestDevice(backend).holdVisit(
                "2026-11-\(day)T10:00:00+01:00", from: "198.51.100.7")
            booked += answer.status == 201 ? 1 : 0
            #expect(answer.status == 201 || answer.problem == .tooManyRequests)
        }
        #expect(booked == most)
        #expect(try TestDevice(backend).holdVisit(from: "198.51.100.8").status == 201)
    }
}
