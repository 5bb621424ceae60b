/// A browser with a page that a test drives.
public protocol DrivenPage: Sendable {
    func open(_ url: String) async throws
    /// The value of a JavaScript expression as text; empty for null and undefined.
    func value(_ expression: String) async throws -> String
    /// Runs the body of an asynchronous function, and throws what it throws.
    func run(_ body: String) async throws
    /// Touches the middle of an element.
    func touch(_ selector: String) async throws
    /// Types characters, or keys by their numbers in WebDriver 17.4.2.
    func type(_ text: String) async throws
    /// Writes a picture of the page (PNG).
    func photograph(_ path: String) async throws
}

extension DrivenPage {
    /// The text of an element that is shown; empty if there is none.
    public func text(_ selector: String) async throws -> String {
        try await value("document.querySelector('\(selector)')?.innerText")
    }

    /// Whether an element is shown.
    public func shows(_ selector: String) async throws -> Bool {
        try await value(
            "(document.querySelector('\(selector)')?.getClientRects().length ?? 0) > 0") == "true"
    }

    /// Types as a code reader with the US layout does, and ends with Enter.
    public func scan(_ code: String) async throws { try await type(code + "\u{E007}") }

    /// Sets the clock that the page computes with forward, as if nothing had happened for this many seconds.
    public func jump(seconds: Int) async throws {
        guard seconds > 0 else { return }
        try await run(
            """
            const now = performance.now.bind(performance);
            performance.now = () => now() + \(seconds * 1_000);
            """)
    }

    /// Lets the page's timers run that are due within this time: however busy the computer is, they run before this
    /// returns.
    public func lets(timersRun milliseconds: Int) async throws {
        try await run("await new Promise((next) => setTimeout(next, \(milliseconds)))")
    }

    /// Touches a button, which may be below the page's visible part, once it has kept still for 150 ms: parts that load
    /// apart move it. One that has moved out of the visible part after all was not touched, and is brought back.
    public func press(_ selector: String) async throws {
        for attempt in 1... {
            try await run(
                """
                const place = () => {
                  const button = document.querySelector('\(selector)');
                  button.scrollIntoView({ block: 'center' });
                  return button.getBoundingClientRect().y;
                };
                for (let still = 0, last = place(), looks = 0; still < 3 && looks < 40; looks += 1) {
                  await new Promise((next) => setTimeout(next, 50));
                  const now = place();
                  still = now === last ? still + 1 : 0;
                  last = now;
                }
                """)
            do {
                return try await touch(selector)
            } catch {
                guard attempt < 10, "\(error)".contains("move target out of bounds") else {
                    throw error
                }
            }
        }
    }

    /// Touches a button until what it opens is shown, as a person does: a part of the page that comes late may move the
    /// button away from under the finger.
    public func press(_ selector: String, until opened: String) async -> Bool {
        await patiently {
            if try await !shows(opened), try await shows(selector) { try await press(selector) }
            return try await shows(opened)
        }
    }

    /// Waits until an element is shown.
    public func waits(for selector: String) async -> Bool {
        await patiently { try await shows(selector) }
    }
}
