import TestSupport
import Testing

/// A condition of a page or another program comes to hold.
func expectSoon(
    _ what: String = "",
    at place: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async {
    let holds = await patiently(until: condition)
    #expect(holds, "\(what)", sourceLocation: place)
}

// What a test does at a page, and what it then expects to see there within a time; a picture of each is kept.
extension DrivenPage {
    /// Opens a page in a language; returns once it shows a part, if one is named.
    func open(_ url: String, in language: String, opens part: String? = nil) async throws {
        try await open(url)
        try await speak(language)
        if let part { try await require(part) }
    }

    /// Opens a page; returns once it shows a part.
    func open(_ url: String, opens part: String) async throws {
        try await open(url)
        try await require(part)
    }

    func reload() async throws {
        if let phone = self as? FirefoxPhone { return try await phone.reload() }
        try await run("location.reload()")
    }

    /// Goes back to the page before. A driver runs a script a second time if its page goes before it has answered, so that
    /// this one answers first.
    func goBack() async throws { try await run("setTimeout(() => history.back())") }

    /// Opens the page again; returns once it shows a part.
    func reload(opens part: String) async throws {
        try await reload()
        try await require(part)
    }

    /// Touches a button once; returns once what it opens is shown.
    func press(_ selector: String, opens part: String) async throws {
        try await press(selector)
        try await require(part)
    }

    /// Touches a button by a script, as engines need it whose drivers have no fingers.
    func click(_ selector: String, opens part: String? = nil) async throws {
        try await run("document.querySelector('\(selector)').click()")
        if let part { try await require(part) }
    }

    /// Loses the answers to calls whose path matches a pattern while a condition holds, by default until `window.isLost` is
    /// false: the calls arrive. `window.keys` has the keys with which they were sent.
    func loseAnswers(to calls: String, while condition: String = "window.isLost") async throws {
        try await run(
            """
            const real = window.fetch;
            window.isLost = true;
            window.keys = [];
            window.fetch = async (path, options) => {
              const isMeant = /\(calls)/.test(path);
              if (isMeant) window.keys.push(options.headers["idempotency-key"]);
              const answer = await real(path, options);
              if (isMeant && \(condition)) throw new TypeError("lost");
              return answer;
            };
            """)
    }

    /// How often the page has asked its server for a path.
    func requests(of path: String) async throws -> String {
        try await value("performance.getEntriesByName(location.origin + '\(path)').length")
    }

    /// Waits for a part, without which nothing that follows is of use.
    func require(_ part: String) async throws {
        guard await waits(for: part) else {
            throw TestSupportError("no \(part): \(try await text("body"))")
        }
        try await keepStep()
    }

    /// An element comes to be shown, and its text to be these words, to have them, or to begin with them.
    func expect(
        _ selector: String, _ words: String? = nil, has part: (any StringProtocol)? = nil,
        begins start: String? = nil, in state: String = "",
        at place: SourceLocation = #_sourceLocation
    ) async {
        let asksForText = words ?? start != nil || part != nil
        await expect("\(selector) \(state)", at: place) {
            try await asksForText ? text(selector) : "\(shows(selector))"
        } isRight: { found in
            guard asksForText else { return found == "true" }
            return found == words ?? found && found.hasPrefix(start ?? "")
                && part.map { found.contains(String($0)) } ?? true
        }
    }

    func expect(
        no selector: String, in state: String = "", at place: SourceLocation = #_sourceLocation
    ) async {
        await expect("no \(selector) \(state)", at: place, { try await "\(shows(selector))" }) {
            $0 == "false"
        }
    }

    func expect(
        value expression: String, _ value: String, in state: String = "",
        at place: SourceLocation = #_sourceLocation
    ) async {
        await expect("\(expression) \(state)", at: place, { try await self.value(expression) }) {
            $0 == value
        }
    }

    /// The page of a place comes to look so.
    func expect(
        look wanted: String, in state: String = "", at place: SourceLocation = #_sourceLocation
    ) async {
        await expect("look \(state)", at: place, { try await look() }) { $0 == wanted }
    }

    /// A column of a desk's page comes to have these orders.
    func expect(
        orders wanted: String, in column: String, at place: SourceLocation = #_sourceLocation
    ) async {
        await expect(column, at: place, { try await orders(column) }) { $0 == wanted }
    }

    func state() async throws -> String {
        try await value("document.getElementById('reader').dataset.state")
    }

    func reason() async throws -> String {
        try await value("document.getElementById('reader').dataset.reason")
    }

    /// The page of a reader comes to be in a state.
    func expect(state wanted: String, at place: SourceLocation = #_sourceLocation) async {
        await expect("state", at: place, { try await state() }) { $0 == wanted }
    }

    /// The page of a reader comes to show why it refuses.
    func expect(reason wanted: String, at place: SourceLocation = #_sourceLocation) async {
        await expect("reason", at: place, { try await reason() }) { $0 == wanted }
    }

    private func expect(
        _ what: String, at place: SourceLocation, _ find: () async throws -> String,
        isRight: (String) -> Bool
    ) async {
        var last = ""
        let holds = await patiently {
            last = try await find()
            return isRight(last)
        }
        if !holds { Issue.record("\(what): \(last)", sourceLocation: place) }
        try? await keepStep()
    }

    /// The texts of elements that are shown.
    func texts(_ selectors: String...) async throws -> [String] {
        var texts: [String] = []
        for selector in selectors { texts.append(try await text(selector)) }
        return texts
    }

    /// Those of the elements that are shown.
    func shown(of selectors: String...) async throws -> [String] {
        var shown: [String] = []
        for selector in selectors where try await shows(selector) { shown.append(selector) }
        return shown
    }
}
