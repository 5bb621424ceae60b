import Foundation
import TestSupport
import Testing

/// The proxy plays another version of the backend, with additional fields or without some calls.
@Suite("A backend of another version than the machine's [fault 30]")
struct VersionTests {
    /// Members that no version has, in every object of an answer.
    private static let reportsMore = Fault.rewrite { answer in
        let (head, body) = HTTPBytes.split(answer)
        let text = String(decoding: body, as: UTF8.self).replacing(
            "{\"", with: "{\"inLaterVersions\":{\"numbers\":[1,null,\"x\"]},\"")
        let fields = String(decoding: head, as: UTF8.self).replacing(
            #/(?i)content-length: \d+/#, with: "Content-Length: \(text.utf8.count)")
        return Array((fields + text).utf8)
    }

    @Test("One with more fields or without the fleet view: ticket, look-up and deletion work")
    func fields() async throws {
        try await FaultyKiosk.with { kiosk in
            kiosk.proxy.inject(
                .answer(HTTPBytes.problem(404, "not-found")), path: "/machine/status")
            kiosk.proxy.inject(Self.reportsMore)
            try await kiosk.atHome { screen in
                #expect(await eventually { !kiosk.proxy.asked("POST", "/machine/status").isEmpty })
                try await kiosk.takeTicket(on: screen)
                try await kiosk.expectOneTicket()
                try await kiosk.finish(on: screen)
                let code = try #require(try await kiosk.product.codes().first)
                try await screen.types(code)
                try await screen.shows("disdire", FaultWords.keep)
                try await screen.press("Tab", "Enter")
                let isDeleted = try await eventually {
                    try await kiosk.numbered().map(\.state) == ["deleted"]
                }
                #expect(isDeleted)
            }
        }
    }

    /// The answers of a backend that knows only the older form of its answers' signature.
    private static let signsOlderForm = Fault.rewriteRequest { request in
        let text = String(decoding: request.bytes, as: UTF8.self)
        return Array(text.replacing(#/(?i)accept-signature: [^\r]*\r\n/#, with: "").utf8)
    }

    @Test("An older one that binds its answers only to the request's signature, until it is newer")
    func olderForm() async throws {
        try await FaultyKiosk.with(isPinned: true) { kiosk in
            let record = "\(kiosk.product.services.state)/backend-answers.conf"
            kiosk.proxy.inject(Self.signsOlderForm)
            try await kiosk.atHome { screen in
                try await kiosk.takeTicket(on: screen)
                try await kiosk.expectOneTicket()
                try await kiosk.finish(on: screen)
                #expect(!FileManager.default.fileExists(atPath: record))
                kiosk.proxy.pass()
                #expect(await eventually { FileManager.default.fileExists(atPath: record) })
                kiosk.proxy.inject(Self.signsOlderForm)
                try await screen.passes(
                    until: FaultWords.outOfService, "N1", within: .seconds(60))
            }
            // The older form is not accepted after a restart either.
            try await kiosk.started { screen in
                try await screen.passes(
                    until: FaultWords.outOfService, "N1", within: .seconds(60))
                kiosk.proxy.pass()
                try await screen.passes(until: FaultWords.home, within: .seconds(60))
            }
            kiosk.proxy.inject(Self.signsOlderForm)
            try FileManager.default.removeItem(atPath: record)
            try await kiosk.atHome { _ in }
        }
    }

    @Test(
        "One that dropped the machine's protocol: the staff's code says update; once back, it serves",
        arguments: [404, 410, 426])
    func withdrawn(status: Int) async throws {
        try await FaultyKiosk.with { kiosk in
            kiosk.proxy.inject(
                .answer(
                    status == 404
                        ? HTTPBytes.problem(404, "not-found")
                        : HTTPBytes.answer(status, "", fields: ["Upgrade: clup/2"])))
            try await kiosk.started { screen in
                try await screen.shows(FaultWords.outOfService, "N2")
                kiosk.proxy.pass()
                try await screen.shows(FaultWords.home)
                try await kiosk.takeTicket(on: screen)
                try await kiosk.expectOneTicket()
            }
        }
    }
}
