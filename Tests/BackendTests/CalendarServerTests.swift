import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

/// What a server of calendars of other authors, Debian's Radicale, makes of the events: it stores each as one event, finds it
/// by its time, takes a moved visit as the same event, and keeps a cancelled one as cancelled or deletes it.
@Suite("The event of a visit on a server of calendars (CalDAV, RFC 4791) [rules 39]")
final class CalendarServerTests: VisitShop {
    /// The object as a program with a calendar stores it: an object of a collection has no METHOD, which says only what is to
    /// be done with the file (RFC 4791 4.1).
    private static func stored(_ file: [UInt8]) throws -> String {
        let text = String(decoding: file, as: UTF8.self)
        let lines = text.components(separatedBy: "\r\n")
        let others = lines.filter { !$0.hasPrefix("METHOD:") }
        try #require(others.count == lines.count - 1)
        return others.joined(separator: "\r\n")
    }

    @Test("A visit is stored, is at its new time only when moved, and cancelled when cancelled")
    func life() async throws {
        let server = try await CalendarServer()
        let visit = try device.book()
        let booked = try Self.stored(VisitEventTests.file(device, visit))
        #expect(try await server.put(booked, as: "visit.ics") == 201)
        // Ten o'clock in Rome on Saturday, and a quarter past four on Sunday.
        let formerTime = ("20261121T090000Z", "20261121T091000Z")
        let newTime = ("20261122T151500Z", "20261122T152500Z")
        #expect(try await server.names(from: formerTime.0, to: formerTime.1) == ["visit.ics"])
        #expect(try await server.names(from: newTime.0, to: newTime.1).isEmpty)

        let other = try device.move(visit, to: sunday).decoded(Reservation.self)
        let moved = try Self.stored(VisitEventTests.file(device, other))
        // It is the same event: beside the former one the server refuses it (RFC 4791 5.3.2.1, no-uid-conflict).
        #expect(try await server.put(moved, as: "other.ics") == 409)
        #expect(try await server.put(moved, as: "visit.ics") == 201)
        #expect(try await server.names(from: formerTime.0, to: formerTime.1).isEmpty)
        #expect(try await server.names(from: newTime.0, to: newTime.1) == ["visit.ics"])
        let kept = try await ReadEvent.read(try #require(await server.object("visit.ics")).utf8)
        #expect(kept.sequence == 1 && kept.summary == "Visit: Città" && kept.alarms.count == 1)

        let phone = try TestPhone(backend, other)
        #expect(try phone.call(.withdrawal, code: visit.digits).status == 204)
        let cancelled = try Self.stored(VisitEventTests.file(device, other))
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
