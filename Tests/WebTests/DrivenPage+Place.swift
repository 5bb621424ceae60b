import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

extension DrivenPage {
    /// How the page of a place looks: `planned`, `called`, `calm` or `ended`.
    func look() async throws -> String { try await value("document.body.dataset.look") }

    /// The place as the backend shows it to this page.
    func place() async throws -> FollowedPlace {
        try await run(
            """
            const answer = await fetch("/v1/public/place", { method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ capability: location.hash.slice(1) }) });
            window.place = await answer.text();
            """)
        return try await JSONDecoder().decode(
            FollowedPlace.self, from: Data(value("window.place").utf8))
    }

    /// Chooses a language of the page, once its script has begun: WebKit's driver does not wait for that.
    func speak(_ language: String) async throws {
        let speaks = await patiently {
            let label = try await value("document.querySelector('#languages').ariaLabel")
            guard !label.isEmpty else { return false }
            try await run(
                "const l = document.querySelector('#languages'); l.value = '\(language)';"
                    + "l.dispatchEvent(new Event('change'))")
            return try await value("document.documentElement.lang") == language
        }
        guard speaks else { throw TestSupportError("the page does not speak \(language)") }
    }
}

/// The clock of a shop's backend, which a test moves.
struct MovedClock {
    private let folder: TemporaryFolder
    private let socket: String

    init() throws {
        folder = try TemporaryFolder()
        socket = folder.file("clock")
    }

    var options: [String] { ["--clock", "control:\(socket)"] }

    func set(_ moment: LocalMoment) throws {
        try ClockControl(socket).carryOut("set \(moment)")
    }
}
