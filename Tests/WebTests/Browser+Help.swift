import TestSupport
import Testing

// The bands of calls for help.
extension Browser {
    /// Counts the sounds that the page makes from now on: each has six notes.
    func countSounds() async throws {
        try await run(
            """
            const make = AudioContext.prototype.createOscillator;
            window.notes = 0;
            AudioContext.prototype.createOscillator = function () {
              window.notes += 1;
              return make.call(this);
            };
            """)
    }

    /// The notes that the page has made since then.
    func notes() async throws -> Int { try #require(Int(try await value("window.notes"))) }

    /// Touches a button of the band until the condition holds: a band that has just moved takes no touch.
    func pressHelp(_ action: String, until condition: () async throws -> Bool) async -> Bool {
        await patiently {
            if try await shows(".help-\(action)") {
                try await touch(".help-\(action)")
            }
            return await patiently(.seconds(2), until: condition)
        }
    }

    /// Touches a button of the band; then a part says this.
    func pressHelp(
        _ action: String, _ part: String, says words: String,
        at place: SourceLocation = #_sourceLocation
    ) async {
        let isSaid = await pressHelp(action) { try await text(part) == words }
        #expect(isSaid, "\(part): \(words)", sourceLocation: place)
    }

    /// Touches a button of the band that ends the call.
    func endHelp(_ action: String, at place: SourceLocation = #_sourceLocation) async {
        let isGone = await pressHelp(action) { try await !shows(".help-band") }
        #expect(isGone, sourceLocation: place)
    }
}
