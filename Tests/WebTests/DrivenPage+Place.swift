import BackendAPI
import Foundation
import Reservations
import TestSupport

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

    /// Touches a button, which may be below the page's visible part, once it has kept still for 150 ms: parts that load
    /// apart move it.
    func press(_ selector: String) async throws {
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
        try await touch(selector)
    }

    /// Waits until an element is shown.
    func waits(for selector: String) async -> Bool {
        await patiently { try await shows(selector) }
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
