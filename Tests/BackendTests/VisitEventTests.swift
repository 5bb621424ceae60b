import BackendAPI
import BackendService
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The event of a visit for the customer's own calendar [rules: own-calendar]")
final class VisitEventTests: VisitShop {
    /// Asks for the event of a reservation; the answer is a file or a problem.
    private static func ask(
        _ device: TestDevice, _ visit: Reservation, in language: String = "en"
    ) throws -> WireResponse {
        let capability = try visit.capability
        return try device.call(
            .calendar, "{\"capability\":\"\(capability)\",\"language\":\"\(language)\"}")
    }

    private static func read(
        _ device: TestDevice, _ visit: Reservation, in language: String = "en"
    ) async throws -> ReadEvent {
        try await ReadEvent.read(ask(device, visit, in: language).body)
    }

    @Test("A booked visit is an event with its times, the shop's address and the link to its page")
    func booked() async throws {
        let name = "Bread; milk, \\cheese"
        try backend.changeShop {
            $0.name = name
            $0.address = ShopAddress(street: "Via Roma 1", town: "Torino")
        }
        #expect(await eventually { backend.store.shop(TestBackend.shop)?.name == name })
        let visit = try device.book()
        let answer = try Self.ask(device, visit, in: "it")
        #expect(answer.status == 200)
        #expect(answer.fields["content-type"] == "text/calendar; charset=utf-8")
        #expect(answer.fields["cache-control"] == "no-store")
        let read = try await ReadEvent.read(answer.body)
        let slot = try #require(visit.visit)
        #expect(read.method == "PUBLISH" && read.status == "CONFIRMED" && read.sequence == 0)
        #expect(read.id == "\(visit.id)@127.0.0.1")
        #expect(read.written == Int(backend.time.now.milliseconds / 1_000))
        #expect(read.start == Int(slot.start.moment.milliseconds / 1_000))
        #expect(read.end == Int(slot.end.moment.milliseconds / 1_000))
        #expect(read.summary == "Visita: \(name)")
        #expect(read.location == "\(name), Via Roma 1, Torino")
        #expect(read.page == visit.link)
        let details = try #require(read.details)
        #expect(details.hasPrefix("Il tuo numero è \(visit.number.text). "), "\(details)")
        #expect(details.hasSuffix(try #require(visit.link)), "\(details)")
        #expect(read.alarms.map(\.seconds) == [-3_600])
    }

    @Test("A moved visit, also one that is given back then, is the same event with a higher number")
    func moved() async throws {
        let visit = try device.book()
        let first = try await Self.read(device, visit)
        _ = try device.move(visit, to: noon)
        let second = try await Self.read(device, visit)
        #expect(second.id == first.id && second.sequence == 1)
        #expect(second.start == first.start + 7_200)
        _ = try device.move(visit, to: saturday)
        let third = try await Self.read(device, visit)
        #expect(third.sequence == 2 && third.start == first.start)
        // Another day gives the visit another link; the former one opens nothing any more.
        let other = try device.move(visit, to: sunday).decoded(Reservation.self)
        #expect(try Self.ask(device, visit).problem == .notFound)
        let last = try await Self.read(device, other)
        #expect(last.id == first.id && last.sequence == 3 && last.page == other.link)
        #expect(last.start == Int(try #require(LocalMoment(sunday)).moment.milliseconds / 1_000))
        // Given back it is cancelled in the calendar, until its link ends.
        #expect(try device.call(.withdrawal, of: other).status == 204)
        let end = try await Self.read(device, other)
        #expect(end.method == "CANCEL" && end.status == "CANCELLED" && end.sequence == 4)
        #expect(end.id == first.id && end.alarms.isEmpty)
        #expect(end.summary == "Cancelled visit: Città")
        #expect(end.details == "This visit is no longer booked.")
        backend.time.advance(by: .minutes(16))
        #expect(try Self.ask(device, other).problem == .notFound)
    }

    @Test("A visit that is missed is cancelled; one whose customer is called or inside is not")
    func missed() async throws {
        let entrance = try backend.enrol("entrance", role: .entrance)
        let (here, away) = (TestDevice(backend), TestDevice(backend))
        let visits = try (here.book(), away.book())
        backend.pass(.seconds(86_400))
        let called = try await Self.read(away, visits.1)
        #expect(called.method == "PUBLISH" && called.sequence == 0)
        #expect(try entrance.enter(visits.0).status == 200)
        backend.pass(.minutes(11))
        #expect(try await Self.read(here, visits.0).method == "PUBLISH")
        let missed = try await Self.read(away, visits.1)
        #expect(missed.method == "CANCEL" && missed.sequence == 1 && missed.id == called.id)
    }

    @Test(
        "The event speaks the language that is asked for, or English",
        arguments: [
            ("en", "Visit: ", "booked with:"), ("it", "Visita: ", "prenotato:"),
            ("de", "Termin: ", "gebucht haben:"),
            ("fr", "Visite\u{A0}: ", "réservé\u{A0}:"), ("es", "Visita: ", "reservó:"),
            ("xx", "Visit: ", "booked with:"),
        ])
    func languages(language: String, summary: String, details: String) async throws {
        let visit = try device.book()
        let read = try await Self.read(device, visit, in: language)
        #expect(read.summary == "\(summary)Città")
        let said = try #require(read.details)
        #expect(said.contains(" \(visit.number.text). ") && said.contains(details), "\(said)")
    }

    @Test("A visit of a machine is an event too; a ticket is none, and nor is what is unknown")
    func refused() async throws {
        let ticket = try machine.reservation()
        let answer = try Self.ask(device, ticket)
        #expect(answer.problem == .unsupportedKind && answer.status == 422)
        for body in [
            "", "{}", "{\"capability\":\"x\"}", "{\"capability\":\"x\",\"language\":\"Italiano\"}",
            "{\"capability\":\"x\",\"language\":1}",
        ] {
            #expect(try device.call(.calendar, body).problem == .malformed, "\(body)")
        }
        for capability in ["", "x", String(repeating: "A", count: Capability.length)] {
            let body = "{\"capability\":\"\(capability)\",\"language\":\"it\"}"
            #expect(try device.call(.calendar, body).problem == .notFound, "\(body)")
        }
        // At night the machine has visits only.
        backend.pass(.minutes(585))
        let hold = try machine.holdVisit().decoded(HeldPlace.self)
        let visit = try machine.confirmed(hold)
        let read = try await Self.read(device, visit)
        #expect(read.details?.contains("Please bring your printed ticket.") == true)
    }

    @Test("Events are limited as looks at the place are, and guesses as guesses")
    func limits() throws {
        let few = RateLimit.only(2)
        let (backend, _) = try TestBackend.withVisits([.pages: few, .capabilities: few])
        let device = TestDevice(backend)
        let visit = try device.book()
        #expect(try Self.ask(device, visit).status == 200)
        _ = try device.look(visit)
        #expect(try Self.ask(device, visit).problem == .tooManyRequests)
        let guess = "{\"capability\":\"\(String(repeating: "A", count: 38))\",\"language\":\"it\"}"
        for expected in [Refusal.notFound, .notFound, .tooManyRequests] {
            #expect(try device.call(.calendar, guess).problem == expected)
        }
    }

    /// The object as a program with a calendar stores it: an object of a collection has no METHOD, which says only what is to
    /// be done with the file (RFC 4791 4.1).
    private static func stored(_ file: [UInt8]) throws -> String {
        let text = String(decoding: file, as: UTF8.self)
        let lines = text.components(separatedBy: "\r\n")
        let others = lines.filter { !$0.hasPrefix("METHOD:") }
        try #require(others.count == lines.count - 1)
        return others.joined(separator: "\r\n")
    }

    /// What a server of calendars of other authors, Debian's Radicale, makes of the events: it stores each as one event, finds
    /// it by its time, takes a moved visit as the same event, and keeps a cancelled one as cancelled or deletes it.
    @Test("On a server of calendars (CalDAV, RFC 4791) a visit, its move and its end are one event")
    func life() async throws {
        let server = try await CalendarServer()
        let visit = try device.book()
        let booked = try Self.stored(Self.ask(device, visit).body)
        #expect(try await server.put(booked, as: "visit.ics") == 201)
        // Ten o'clock in Rome on Saturday, and a quarter past four on Sunday.
        let formerTime = ("20261121T090000Z", "20261121T091000Z")
        let newTime = ("20261122T151500Z", "20261122T152500Z")
        #expect(try await server.names(from: formerTime.0, to: formerTime.1) == ["visit.ics"])
        #expect(try await server.names(from: newTime.0, to: newTime.1).isEmpty)

        let other = try device.move(visit, to: sunday).decoded(Reservation.self)
        let moved = try Self.stored(Self.ask(device, other).body)
        // It is the same event: beside the former one the server refuses it (RFC 4791 5.3.2.1, no-uid-conflict).
        #expect(try await server.put(moved, as: "other.ics") == 409)
        #expect(try await server.put(moved, as: "visit.ics") == 201)
        #expect(try await server.names(from: formerTime.0, to: formerTime.1).isEmpty)
        #expect(try await server.names(from: newTime.0, to: newTime.1) == ["visit.ics"])
        let kept = try await ReadEvent.read(try #require(await server.object("visit.ics")).utf8)
        #expect(kept.sequence == 1 && kept.summary == "Visit: Città" && kept.alarms.count == 1)

        let phone = try TestPhone(backend, other)
        #expect(try phone.call(.withdrawal, code: visit.digits).status == 204)
        let cancelled = try Self.stored(Self.ask(device, other).body)
        #expect(try await server.put(cancelled, as: "visit.ics") == 201)
        let last = try await ReadEvent.read(try #require(await server.object("visit.ics")).utf8)
        #expect(last.id == kept.id && last.sequence == 2 && last.status == "CANCELLED")
        #expect(last.alarms.isEmpty)
        // A program that removes what is cancelled finds it by the same name.
        #expect(try await server.delete("visit.ics") == 200)
        #expect(try await server.object("visit.ics") == nil)
        #expect(try await server.names(from: newTime.0, to: newTime.1).isEmpty)
    }
}
