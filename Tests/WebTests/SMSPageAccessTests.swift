import Foundation
import TestSupport
import Testing

@Suite("Access to SMS on customers' pages [rules 38]", .serialized)
struct SMSPageAccessTests {
    private func expect(_ state: String, in language: String, of browser: Browser) async throws {
        try await browser.expectAccess("sms-\(state)", in: language)
        try await browser.run("document.documentElement.dataset.size = '2'")
        try await browser.run(
            "document.querySelector('#smsNumber').parentElement.parentElement.scrollIntoView()")
        try await browser.keepPicture("sms-\(state)-\(language)-large")
        try await browser.run("document.documentElement.dataset.size = '0'")
    }

    @Test(
        "Each state fits every language and size of letters, can be touched with gloves, and axe finds nothing",
        arguments: ["it", "en", "de", "fr", "es"])
    func place(language: String) async throws {
        try await SMSPageTests.waiting(language: language) { _, _, mine, browser, gateway in
            #expect(await browser.waits(for: "#smsButton"))
            try await expect("off", in: language, of: browser)
            try await browser.press(nil)
            #expect(await browser.waits(for: "#smsDigits"))
            try await browser.type("1\u{E007}")
            #expect(await browser.waits(for: "#smsDigits ~ [role=alert]"))
            try await expect("digits", in: language, of: browser)
            try await browser.run("document.querySelector('#smsDigits').value = ''")
            try await browser.type(mine.typedCode.rawValue + "\u{E007}")
            #expect(await browser.waits(for: "#smsNumber"))
            try await expect("number", in: language, of: browser)
            try await browser.press(.main)
            #expect(await browser.waits(for: "#smsNumber ~ [role=alert]"))
            try await expect("not-served", in: language, of: browser)
            try await browser.typeNumber("3331234567")
            try await browser.press(.main)
            #expect(await browser.waits(for: "#smsCode"))
            try await expect("code", in: language, of: browser)
            try await browser.darken()
            try await browser.press(.main)
            #expect(await browser.waits(for: "#smsNumber ~ [role=alert]"))
            try await expect("wrong-code", in: language, of: browser)
            try await browser.typeCode(gateway.code())
            try await browser.press(.main)
            #expect(await patiently { try await browser.smsText().contains("567") })
            #expect(await browser.waits(for: "#smsButton"))
            try await expect("on", in: language, of: browser)
        }
    }

    @Test(
        "So do those of the page for joining at a shop that asks for a number",
        arguments: ["it", "en", "de", "fr", "es"])
    func joining(language: String) async throws {
        try await SMSJoinTests.asked(language: language) { _, browser, _ in
            try await expect("join-number", in: language, of: browser)
            try await browser.darken()
            try await browser.typeNumber("3331234567")
            try await browser.press(.main)
            #expect(await browser.waits(for: "#smsCode"))
            try await expect("join-code", in: language, of: browser)
        }
    }
}
