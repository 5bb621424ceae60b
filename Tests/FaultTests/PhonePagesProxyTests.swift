import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The pages of places behind nginx [rules: place-page]")
struct PhonePagesProxyTests {
    /// A backend whose pages are at an address of nginx, and its machine.
    private func withPages(
        shop: [String] = [],
        body: (ServingBackend, ReverseProxy, ServedMachine) async throws -> Void
    ) async throws {
        try await ServingBackend.withPhones(
            shop: shop, options: ["--phones-url", "https://localhost"]
        ) { backend, machine in
            try await ReverseProxy.with(to: backend.address, phones: backend.phones) {
                try await body(backend, $0, machine)
            }
        }
    }

    /// The readable part of the answer to a request, its head included.
    private func ask(
        _ proxy: ReverseProxy, _ line: String, _ fields: [String] = ["Connection: close"],
        body: String = "", within seconds: Int = 120
    ) async throws -> String {
        let head =
            ["\(line) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)"] + fields
        return try await proxy.answer(
            to: head.map { "\($0)\\r\\n" }.joined() + "\\r\\n" + body, within: seconds)
    }

    @Test("The page for joining names the device, once, with a cookie that is its own only")
    func cookie() async throws {
        try await withPages(shop: ["--phone-places", "yes"]) { backend, proxy, machine in
            func cookies(_ page: String, _ fields: String...) async throws -> [String] {
                try await ask(proxy, "GET \(page)", fields + ["Connection: close"])
                    .split(whereSeparator: \.isNewline).map { String($0) }
                    .filter { $0.lowercased().hasPrefix("set-cookie:") }
            }
            let set = try await cookies("/j")
            #expect(set.count == 1)
            let first = try #require(set.first)
            let secret = try #require(
                first.firstMatch(of: /__Host-clup-device=([0-9A-Z]{26});/)?.1)
            for attribute in [
                "Path=/", "Max-Age=7776000", "HttpOnly", "SameSite=Lax", "Secure",
            ] {
                #expect(first.contains("; \(attribute)"), "\(first)")
            }
            // The device keeps its name, for longer; another one gets another name.
            let again = try await cookies("/j", "Cookie: a=1; __Host-clup-device=\(secret)")
            #expect(again == set)
            #expect(try await cookies("/j", "Cookie: __Host-clup-device=x") != set)
            #expect(try await cookies("/t").isEmpty)
            // With the name, and only with it, the device is offered a place.
            let invitation = try await machine.invitation(at: backend)
            for (field, status) in [
                ("Cookie: __Host-clup-device=\(secret)", " 201 "), ("X-Nothing: 1", " 403 "),
            ] {
                let answer = try await ask(
                    proxy, "POST \(PublicCall.holds.path)",
                    [
                        "Content-Type: application/json",
                        "Idempotency-Key: k\(status.count)", "Connection: close", field,
                    ],
                    body: "{\"invitation\":\"\(invitation.rawValue)\"}")
                #expect(answer.contains(status), "\(answer)")
            }
        }
    }

    @Test("Page, calls and WebSocket pass; no secret is in a log, and machines are elsewhere")
    func passes() async throws {
        try await withPages { backend, proxy, machine in
            let ticket = try await machine.ticket(at: backend)
            let link = try #require(ticket.link)
            #expect(link.hasPrefix("https://localhost/t#TEST"))
            let capability = String(link.suffix(Capability.length))

            for (path, accepted, encoding) in [("t", "gzip", "gzip"), ("j", "gzip, br", "br")] {
                let page = try await ask(
                    proxy, "GET /\(path)", ["Accept-Encoding: \(accepted)", "Connection: close"])
                #expect(
                    page.contains(" 200 ") && page.contains("content-encoding: \(encoding)"),
                    "\(page)")
            }
            let worker = try await ask(proxy, "GET /worker.js")
            #expect(worker.contains("addEventListener"), "\(worker)")
            for part in [
                "notices.js", "question.js", "sms.js", "extras.js", "visit.js",
                "calendar-check.js", "calendar-reader.js", "shops", "places", "join/TEST",
                "manifest.json", "icon.png",
            ] {
                let answer = try await ask(proxy, "GET /\(part)")
                #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
            }

            // Programs that hand a link on may write `#` as %23: the code is in no log then either.
            let secret = ticket.code.bare
            for (path, link) in [
                ("/T%23\(secret)", "/T#"), ("/T/\(secret)", "/T#"), ("/t/%23\(secret)", "/T#"),
                ("//T%23CLUP:1:\(secret)", "/T#"), ("/C%23\(secret)", "/C#"),
            ] {
                // The escapes of printf(1).
                let path = path.replacing("%", with: "\\x25")
                let answer = try await ask(proxy, "GET \(path)")
                #expect(answer.hasPrefix("HTTP/1.1 302 "), "\(path): \(answer)")
                #expect(answer.contains("Location: \(link)\(secret)\r\n"), "\(path): \(answer)")
            }

            func post(_ call: PublicCall) async throws -> String {
                try await ask(
                    proxy, "POST \(call.path)",
                    ["Content-Type: application/json", "Connection: close"],
                    body: "{\"capability\":\"\(capability)\"}")
            }
            let place = try await post(.place)
            #expect(place.contains("\"number\":\(ticket.number.rawValue)"), "\(place)")
            #expect(place.contains("\"state\":\"called\""))
            // A socket is open until its client hangs up, which on a busy computer may be before it has spoken.
            var socket = ""
            let hasSpoken = try await eventually(within: longTimeout) {
                let session = try await post(.sessions)
                let open = try #require(
                    session.firstMatch(of: /"ticket":"([^"]+)"/).map { String($0.1) })
                socket = try await ask(
                    proxy, "GET \(PublicCall.updates.path)?ticket=\(open)",
                    [
                        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                    ], within: 5)
                return socket.contains("\"type\":\"place\"")
            }
            #expect(hasSpoken && socket.hasPrefix("HTTP/1.1 101 "), "\(socket)")
            let isLogged = try await eventually {
                try proxy.log.contains("\"GET /v1/public/updates\" 101")
            }
            #expect(isLogged)
            for text in [try proxy.log, try proxy.errors] {
                #expect(!text.contains(capability) && !text.contains("ticket="))
                #expect(!text.contains(secret))
            }
            // The calls of machines go where machines are answered.
            #expect(
                try await ask(proxy, "GET /v1/queue").contains(
                    "not-authentic"))
        }
    }

    @Test("Addresses and header fields as people, apps and browsers send them get a page")
    func addresses() async throws {
        let browser = ["Accept: text/html,application/xhtml+xml,*/*;q=0.8", "Connection: close"]
        try await withPages(shop: ["--remote-places", "yes"]) { _, proxy, _ in
            func open(_ path: String, _ more: String...) async throws -> String {
                try await ask(proxy, "GET \(path)", browser + more)
            }
            for (path, page) in [
                ("/", "https://localhost/shops"), ("/shops/", "/shops"), ("/Orders", "/orders"),
                ("/JOIN/test", "/join/test"), ("/join/TEST/", "/join/TEST"), ("/c", "/C"),
            ] {
                let answer = try await open(path)
                #expect(answer.hasPrefix("HTTP/1.1 302 "), "\(path): \(answer)")
                #expect(
                    answer.lowercased().contains("location: \(page.lowercased())\r\n"), "\(path)")
            }
            for path in ["/join/TEST?utm_campaign=a|b", "/shops?q={a}^b`c", "/join/test"] {
                let answer = try await open(path)
                #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(path): \(answer)")
            }
            for field in [
                "User-Agent: Caf\\xE9", "Referer: https://a.example/\\xE9", "Cookie: a=\\xE9",
            ] {
                let answer = try await open("/shops", field)
                #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(field): \(answer)")
            }
            for path in ["/anything", "/join/NOSUCH", "/display/TEST/x", "/v1/nothing", "/shops/x"]
            {
                let answer = try await open(path)
                #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(path): \(answer)")
                #expect(answer.contains("<html") && answer.contains("/shops\""), "\(path)")
                let program = try await ask(proxy, "GET \(path)")
                #expect(!program.contains("<html"), "\(path): \(program)")
            }
        }
    }

    @Test(
        "While no backend answers, a browser gets a page from nginx that tries again; programs get the status"
    )
    func unavailable() async throws {
        // Nothing listens at the first port.
        let nowhere = "http://127.0.0.1:1"
        try await ReverseProxy.with(to: nowhere, phones: nowhere) { proxy in
            for path in ["/shops", "/display/TEST", "/"] {
                let answer = try await ask(
                    proxy, "GET \(path)", ["Accept: text/html,*/*;q=0.8", "Connection: close"])
                #expect(answer.hasPrefix("HTTP/1.1 502 "), "\(path): \(answer)")
                #expect(answer.contains("Content-Type: text/html; charset=utf-8\r\n"), "\(answer)")
                #expect(answer.contains("http-equiv=\"refresh\""), "\(path): \(answer)")
                #expect(answer.contains("resta tuo"), "\(path)")
                let program = try await ask(proxy, "GET \(path)")
                #expect(program.hasPrefix("HTTP/1.1 502 ") && !program.contains("<"), "\(program)")
            }
        }
    }
}
