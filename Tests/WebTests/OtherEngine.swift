import TestSupport

/// The engines of phones beside Chromium.
enum OtherEngine: String, CaseIterable, Sendable {
    /// That of iPhones.
    case webKit
    case firefox

    /// Opens a page on a phone whose owner reads a language.
    func open(
        _ url: String, in language: String, body: (any DrivenPage) async throws -> Void
    ) async throws {
        switch self {
        case .webKit:
            try await Browser.phone(.webKit) { page in
                try await page.open(url, in: language)
                try await body(page)
            }
        case .firefox:
            try await FirefoxPhone.with(language: language) { page in
                try await page.open(url)
                try await body(page)
            }
        }
    }

    /// Touches a button; the driver of WebKit has no fingers, so that a script does it there.
    func press(_ selector: String, opens part: String? = nil, on page: any DrivenPage) async throws
    {
        switch self {
        case .webKit: try await page.click(selector)
        case .firefox: try await page.press(selector)
        }
        if let part { try await page.require(part) }
    }
}
