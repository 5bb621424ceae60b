import BackendAPI
import Foundation
import FoundationNetworking
import Reservations
import TestSupport
import Testing

@Suite("The pages for phones in Firefox [rules 33, 35]", .serialized)
struct FirefoxPageTests {
    private static let worker = "navigator.serviceWorker.controller?.state"
    private static let fits = "document.documentElement.scrollWidth <= innerWidth"

    @Test("It follows a place, lets two ahead, gives the place back and takes it back")
    func follows() async throws {
        try await PageShop.full(shop: ["--delays", "yes"]) { shop, called in
            let mine = try await shop.ticket()
            for _ in 0..<2 { _ = try await shop.ticket() }
            try await FirefoxPhone.with(language: "it") { phone in
                try await phone.open(#require(mine.link))
                #expect(await patiently { try await phone.text("#number") == mine.number.text })
                #expect(await phone.waits(for: "#range"))
                #expect(try await phone.value("[innerWidth, innerHeight]") == "360,640")
                let range = try await phone.text("#range")
                #expect(range.contains("tra le") || range.contains("momento"), "\(range)")
                #expect(try await phone.look() == "planned")
                try await phone.keepPicture("phone-firefox")
                #expect(await phone.press("#offer0", until: "#code"))
                try await phone.scan(mine.typedCode.rawValue)
                #expect(await patiently { try await phone.text("#second").contains("2") })
                #expect(await phone.waits(for: "#back"))
                try await phone.keepPicture("phone-firefox-delayed")
                try await phone.press("#back")
                #expect(await patiently { try await !phone.text("#second").contains("2") })
                #expect(await phone.press("#open", until: "#code"))
                try await phone.scan(mine.typedCode.rawValue)
                #expect(await patiently { try await phone.look() == "ended" })
                #expect(await phone.waits(for: "#mayUndo"))
                try await phone.press("#back")
                #expect(await patiently { try await phone.look() == "planned" })
                try await shop.free(called[0].number)
                #expect(await patiently { try await phone.look() == "called" })
                #expect(try await phone.text("#alarm").contains(mine.number.text))
                try await phone.keepPicture("phone-firefox-called")
                #expect(try await phone.value(Self.fits) == "true")
            }
        }
    }

    @Test("Without a network it shows the last state with its age, also when it is opened again")
    func offline() async throws {
        try await PageShop.full { shop, _ in
            let mine = try await shop.ticket()
            try await FirefoxPhone.with(language: "de") { phone in
                try await phone.open(#require(mine.link))
                #expect(await phone.waits(for: "#range"))
                #expect(await patiently { try await phone.value(Self.worker) == "activated" })
                try await phone.keepPicture("phone-firefox-german")
                await shop.backend.drain()
                try await phone.jump(seconds: 70)
                #expect(await phone.waits(for: "#notice"))
                #expect(await patiently { try await phone.isMinutesOld() })
                try await phone.reload()
                #expect(await patiently { try await phone.text("#number") == mine.number.text })
                #expect(try await phone.shows("#range"))
                #expect(await phone.waits(for: "#notice"))
                try await phone.keepPicture("phone-firefox-offline")
            }
        }
    }

    @Test("It joins at the door and shows the code, also without a network")
    func joins() async throws {
        try await PageShop.atDoor { shop, called in
            try await FirefoxPhone.with(language: "de") { phone in
                try await phone.open(#require(try await shop.invitation()))
                #expect(await phone.waits(for: "#decline"))
                #expect(try await phone.text("#first") == "Erwarteter Einlass")
                try await phone.keepPicture("join-firefox-offer")
                try await phone.press("#act")
                #expect(await phone.waits(for: "#modules"))
                #expect(try await phone.value("location.pathname") == "/t")
                let number = try #require(Int(try await phone.text("#number")))
                #expect(number == called[1].number.rawValue + 1)
                let entry = try #require(try await phone.place().entry)
                #expect(try await phone.text("#entryDigits") == entry.typedCode.grouped)
                try await expectReadable(phone)
                try await phone.keepPicture("join-firefox-place")
                #expect(await patiently { try await phone.value(Self.worker) == "activated" })
                await shop.backend.drain()
                try await phone.reload()
                #expect(await phone.waits(for: "#modules"))
                #expect(try await phone.text("#entryDigits") == entry.typedCode.grouped)
                try await expectReadable(phone)
                try await phone.keepPicture("join-firefox-offline")
                #expect(try await phone.value(Self.fits) == "true")
            }
        }
    }

    @Test("It joins from elsewhere, and answers that the customer is coming")
    func comes() async throws {
        try await PageShop.remoteWithLine { shop, line in
            try await FirefoxPhone.with(language: "it") { phone in
                try await phone.open(shop.list)
                #expect(await phone.waits(for: "#list a"))
                try await phone.keepPicture("remote-firefox-list")
                try await phone.press("#list a")
                #expect(await phone.waits(for: "#decline"))
                try await phone.keepPicture("remote-firefox-offer")
                try await phone.press("#act")
                #expect(await phone.waits(for: "#modules"))
                for reservation in line.dropFirst(2) { try await shop.free(reservation.number) }
                #expect(await phone.waits(for: "#yes"))
                try await phone.keepPicture("remote-firefox-question")
                try await phone.press("#yes")
                #expect(await patiently { try await phone.text("#coming").contains("Grazie") })
                #expect(try await phone.place().reservation.answerBy == nil)
                #expect(try await phone.value(Self.fits) == "true")
            }
        }
    }

    @Test(
        "It subscribes at the push service of the tests, which refuses what no push service takes")
    func subscribes() async throws {
        try await PageShop.full { shop, called in
            try await FirefoxPhone.with(language: "en") { phone in
                try await phone.open(#require(called[0].link))
                #expect(await patiently { try await phone.value(Self.worker) == "activated" })
                let endpoint = try await phone.value(
                    """
                    navigator.serviceWorker.getRegistration('/t').then(async ({ pushManager }) => {
                      const { publicKey } = await crypto.subtle.generateKey(
                        { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
                      const applicationServerKey = await crypto.subtle.exportKey('raw', publicKey);
                      return (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })).endpoint;
                    })
                    """)
                #expect(endpoint.hasPrefix(phone.pushService))
                let sealed = ["content-encoding": "aes128gcm"]
                for (fields, size, status) in [
                    (sealed, 100, 400), (["ttl": "60"], 100, 400),
                    (sealed.merging(["ttl": "60"]) { $1 }, 4_097, 413),
                    (sealed.merging(["ttl": "60"]) { $1 }, 100, 401),
                    (
                        sealed.merging(["ttl": "60", "authorization": "vapid t=a.b.c, k=d"]) { $1 },
                        100, 401
                    ),
                ] {
                    #expect(try await post(fields, size, to: endpoint) == status, "\(fields)")
                }
                try await phone.answerPosts(503)
                #expect(try await post(sealed, 100, to: endpoint) == 503)
                #expect(try await phone.posts().map(\.status) == [400, 400, 413, 401, 401, 503])
                #expect(try await phone.notifications().isEmpty)
            }
        }
    }

    private func post(
        _ fields: [String: String], _ size: Int, to endpoint: String
    ) async throws -> Int? {
        var request = URLRequest(url: try #require(URL(string: endpoint)))
        request.httpMethod = "POST"
        request.httpBody = Data(count: size)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let (_, answer) = try await URLSession.shared.data(for: request)
        return (answer as? HTTPURLResponse)?.statusCode
    }

    /// A reader reads the entry code from a picture of the page.
    private func expectReadable(_ phone: FirefoxPhone) async throws {
        try await phone.run(
            "document.querySelector('#modules').scrollIntoView({ block: 'center' })")
        #expect(
            await patiently { try await phone.entryCodes().first.flatMap(EntryCode.init) != nil })
    }
}
