import TestSupport
import Testing

// The form for a mobile number and its code.
extension Browser {
    /// Loses the requests for these addresses from now on; without one, loses none any more.
    func block(_ addresses: String...) async throws {
        try await devTools("Network.enable")
        try await devTools("Network.setBlockedURLs", ["urls": addresses])
    }

    /// Touches a button of the form, or the one of the page's part for SMS; returns once what it opens is shown.
    func press(_ button: NumberFormButton?, opens part: String) async throws {
        try await press(button)
        try await require(part)
    }

    /// Touches a button of the form, which then says this of what went wrong.
    func press(
        _ button: NumberFormButton, mistake words: String, in state: String = "",
        at place: SourceLocation = #_sourceLocation
    ) async throws {
        try await press(button)
        #expect(await waits(forMistake: words), "\(words) \(state)", sourceLocation: place)
    }

    /// Touches a button; then the page's part for SMS says this.
    func press(
        _ button: NumberFormButton?, says words: String,
        at place: SourceLocation = #_sourceLocation
    ) async throws {
        try await press(button)
        #expect(await waits(forSMS: words), "\(words)", sourceLocation: place)
    }

    /// Types a number and agrees.
    func agree(_ digits: String, opens part: String = "#smsCode") async throws {
        try await typeNumber(digits)
        try await press(.main, opens: part)
    }

    /// Puts a number in place of what is there.
    func fillNumber(_ number: String) async throws {
        try await run("document.querySelector('#smsNumber').value = '\(number)'")
    }

    func numberShown() async throws -> String {
        try await value("document.querySelector('#smsNumber').value")
    }
}
