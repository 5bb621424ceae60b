import BackendAPI
import Foundation
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("The files of the pages")
struct StaticPagesTests {
    private static let assets = Tool.repository.appending(path: "Assets/Web")
    private let pages: StaticPages

    init() throws {
        pages = try StaticPages(directory: Self.assets.path)
    }

    private func get(_ path: String, _ method: String = "GET") -> WireResponse? {
        pages.response(to: WireRequest(method: method, authority: "shop.example", path: path))
    }

    @Test(
        "Each page is available for any shop, and loads nothing from other sites",
        arguments: ["display", "entrance", "checkout", "turnstile", "staff"])
    func page(role: String) throws {
        let page = try #require(get("/\(role)/ROM1"))
        #expect(page.status == 200 && page.fields["content-type"] == "text/html; charset=utf-8")
        let policy = try #require(page.fields["content-security-policy"])
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
        let text = page.text
        #expect(!text.contains("http:") && !text.contains("https:") && !text.contains("style="))
        for name in text.matches(of: /"(\/web\/[^"]+)"/).map({ String($0.output.1) }) {
            #expect(get(name)?.status == 200, "\(name)")
        }
    }

    @Test("Every module that a page imports is available")
    func modules() throws {
        for name in [
            "blocks.js", "display.js", "reader.js", "staff.js", "device.js", "help.js", "parts.js",
            "scanner.js", "sounds.js", "words.js",
        ] {
            let module = try #require(get("/web/\(name)"))
            #expect(module.fields["content-type"] == "text/javascript; charset=utf-8")
            let text = module.text
            for used in text.matches(of: /from "([^"]+)"/).map({ String($0.output.1) }) {
                #expect(get(used)?.status == 200, "\(name): \(used)")
            }
        }
    }

    @Test("The font is served as one, small, and allowed by the pages' policy")
    func fonts() throws {
        let style = String(decoding: try #require(get("/web/page.css")).body, as: UTF8.self)
        let names = style.matches(of: /url\("([^"]+)"\) format\("woff"\)/).map { String($0.1) }
        #expect(names.count == 2)
        for name in names {
            let font = try #require(get(name))
            #expect(font.status == 200 && font.fields["content-type"] == "font/woff", "\(name)")
            #expect(font.body.starts(with: "wOFF".utf8) && font.body.count < 60_000, "\(name)")
            let page = String(
                decoding: try #require(get("/display/ROM1")).body, as: UTF8.self)
            #expect(page.contains("href=\"\(name)\" as=\"font\""), "\(name)")
        }
        let policy = try #require(get("/display/ROM1")?.fields["content-security-policy"])
        #expect(policy.contains("font-src 'self';"))
    }

    @Test("No other file of the computer can be read, and pages cannot be written")
    func others() {
        for path in ["/web/../README.md", "/web/%2e%2e/README.md", "/web/", "/web/words"] {
            #expect(get(path)?.status == 404, "\(path)")
        }
        for path in [
            "/", "/display", "/display/ROM1/x", "/display/ROM12", "/nothing/ROM1", "/v1/queue",
        ] {
            #expect(get(path) == nil, "\(path)")
        }
        #expect(get("/display/ROM1", "POST")?.status == 405)
        #expect(throws: StaticPages.Failure.self) { try StaticPages(directory: "/nowhere") }
    }

    @Test(
        "A page for phones is served compressed or not, once for each version [rules: place-page, joining]",
        arguments: [PhoneFiles.page, PhoneFiles.joinPage, PhoneFiles.placesPage])
    func phone(path: String) throws {
        let files = try PhoneFiles(directory: Self.assets.appending(path: "phone").path)
        func get(
            _ path: String, _ fields: [String: String] = [:], _ method: String = "GET"
        ) -> WireResponse? {
            files.response(
                to: WireRequest(
                    method: method, authority: "shop.example", path: path, fields: fields))
        }
        let plain = try #require(get(path))
        let page = plain.text
        #expect(plain.status == 200 && plain.fields["content-encoding"] == nil)
        // Its own policy comes before all that it loads; no other site is named.
        let policy = try #require(page.firstRange(of: "http-equiv=\"Content-Security-Policy\""))
        #expect(try policy.lowerBound < #require(page.firstRange(of: "<script")).lowerBound)
        #expect(page.contains("default-src 'none'") && !page.contains("unsafe"))
        #expect(plain.fields["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
        #expect(plain.fields["referrer-policy"] == "no-referrer")
        for (codings, coding, most) in [
            ("gzip", "gzip", 16_000), ("br, gzip", "br", 14_000),
            ("gzip, deflate, BR", "br", 14_000),
            ("deflate,gzip;q=1.0", "gzip", 16_000), ("GZIP", "gzip", 16_000),
            ("br;q=0, gzip", "gzip", 16_000), ("br", "br", 14_000),
        ] {
            let packed = try #require(get(path, ["accept-encoding": codings]))
            #expect(packed.fields["content-encoding"] == coding, "\(codings)")
            #expect(packed.body.count <= most, "\(codings)")
            #expect(packed.body.starts(with: [0x1F, 0x8B]) == (coding == "gzip"))
            let tag = try #require(packed.fields["etag"])
            #expect(tag != plain.fields["etag"] && tag.hasSuffix("-\(coding)\""))
            let again = get(path, ["accept-encoding": codings, "if-none-match": tag])
            #expect(again?.status == 304 && again?.body == [])
        }
        for codings in ["", "brotli", "gzip;q=0", "br; q=0", "identity"] {
            #expect(
                get(path, ["accept-encoding": codings])?.fields["content-encoding"] == nil,
                "\(codings)")
        }
        let scripts = [
            "worker", "notices", "question", "sms", "extras", "calendar-check", "calendar-reader",
        ].map { ("/\($0).js", "text/javascript; charset=utf-8", "br" as String?) }
        let pages = ["/shops", "/join/TEST"].map {
            ($0, "text/html; charset=utf-8", "br" as String?)
        }
        for (part, type, coding) in scripts + pages + [
            ("/manifest.json", "application/manifest+json", nil), ("/icon.png", "image/png", nil),
        ] {
            let answer = try #require(get(part, ["accept-encoding": "gzip, br"]))
            #expect(answer.fields["content-type"] == type, "\(part)")
            #expect(answer.fields["content-encoding"] == coding, "\(part)")
            let tag = try #require(answer.fields["etag"])
            let again = get(part, ["accept-encoding": "gzip, br", "if-none-match": tag])
            #expect(again?.status == 304, "\(part)")
        }
        #expect(get(path, [:], "POST")?.status == 405)
        for path in [
            "/t.html", "/j.html.br", "/worker.js.gz", "/t-worker.js", "/Worker.js", "/shops/x",
            "/manifest.json.br", "/v1/public/place", "/join/TES", "/join/TEST/x", "/join/",
        ] {
            #expect(get(path) == nil, "\(path)")
        }
        #expect(throws: StaticPages.Failure.self) { try PhoneFiles(directory: "/nowhere") }
    }

    @Test(
        "A page is found by its address in other letters, and with a slash at its end",
        arguments: [
            ("/shops/", "/shops"), ("/SHOPS", "/shops"), ("//shops", "/shops"),
            ("/orders/", "/orders"), ("/Places/", "/places"), ("/j/", "/j"), ("/t/", "/t"),
            ("/T/", "/t"), ("/c", "/C"), ("/JOIN/citt", "/join/citt"),
            ("/join/CITT/", "/join/CITT"),
            ("/Visit/citt", "/visit/citt"), ("/", "/shops"),
        ])
    func meant(path: String, page: String) throws {
        let files = try PhoneFiles(directory: Self.assets.appending(path: "phone").path)
        let request = WireRequest(method: "GET", authority: "shop.example", path: path)
        let answer = files.response(to: request)
        #expect(answer?.status == 302 && answer?.fields["location"] == page)
        let found = WireRequest(method: "GET", authority: "shop.example", path: page)
        #expect(files.response(to: found)?.status == 200)
    }

    @Test("So is the page of a device; the address of the server alone opens the list of shops")
    func meantByStaff() throws {
        for path in ["/display/rom1", "/Display/ROM1", "/DISPLAY/rom1/", "//display/ROM1"] {
            let answer = get(path)
            #expect(
                answer?.status == 302 && answer?.fields["location"] == "/display/ROM1", "\(path)")
        }
        let shops = "https://queue.example.it/shops"
        let pages = try StaticPages(directory: Self.assets.path, shops: shops)
        let root = WireRequest(method: "GET", authority: "shop.example", path: "/")
        #expect(pages.response(to: root)?.fields["location"] == shops)
    }

    @Test(
        "A page that the browser has is not sent again, however the browser names it",
        arguments: [
            ("TAG", 304), ("W/TAG", 304), ("\"x\", TAG", 304), ("\"x\",W/TAG , \"y\"", 304),
            ("*", 304),
            ("\"x\"", 200), ("W/\"x\"", 200), ("", 200), ("w/TAG", 200),
        ])
    func conditions(condition: String, status: Int) throws {
        let files = try PhoneFiles(directory: Self.assets.appending(path: "phone").path)
        func get(_ fields: [String: String]) -> WireResponse? {
            files.response(
                to: WireRequest(
                    method: "GET", authority: "shop.example", path: "/shops", fields: fields))
        }
        let tag = try #require(get([:])?.fields["etag"])
        let named = condition.replacing("TAG", with: tag)
        #expect(get(["if-none-match": named])?.status == status)
    }

    @Test("A browser that is refused a page gets a page with the way on; programs get the refusal")
    func errors() throws {
        let shops = "https://queue.example.it/shops"
        let errors = try StaticPages(directory: Self.assets.path, shops: shops).errors
        func answer(
            _ status: Int, _ fields: [String: String] = ["accept": "text/html,*/*;q=0.8"],
            method: String = "GET", of errors: ErrorPage = errors
        ) throws -> WireResponse {
            let request = WireRequest(
                method: method, authority: "shop.example", path: "/anything", fields: fields)
            let given = Mutex<WireResponse?>(nil)
            errors.answering(request) { answer in given.withLock { $0 = answer } }(
                .plainRefusal(status))
            return try #require(given.withLock { $0 })
        }
        for status in [404, 400, 405, 421, 429, 503] {
            let page = try answer(status)
            #expect(page.status == status)
            #expect(page.fields["content-type"] == "text/html; charset=utf-8")
            #expect(page.fields["cache-control"] == "no-store")
            #expect(page.fields["retry-after"] == "7")
            #expect(page.text.contains("href=\"\(shops)\""))
            let cause = status == 429 || status == 503 ? "busy" : "address"
            #expect(page.text.contains("data-cause=\"\(cause)\""), "\(status)")
        }
        #expect(try answer(404, method: "HEAD").text.contains("<html"))
        #expect(try answer(200).text == "why")
        for fields in [["accept": "*/*"], ["accept": "application/json"], [:]] {
            #expect(try answer(404, fields).text == "why", "\(fields)")
        }
        #expect(try answer(404, ["accept": "text/html", "signature": "x"]).text == "why")
        #expect(try answer(404, method: "POST").text == "why")
        // Without phones there are no shops to go to.
        let without = try answer(404, of: pages.errors).text
        #expect(!without.contains("/shops\"") && without.contains("id=\"toShops\" hidden"))
    }
}

extension WireResponse {
    fileprivate static func plainRefusal(_ status: Int) -> WireResponse {
        WireResponse(
            status: status, fields: ["content-type": "text/plain", "retry-after": "7"],
            body: Array("why".utf8))
    }
}
