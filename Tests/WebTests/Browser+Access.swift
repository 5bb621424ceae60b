import Foundation
import TestSupport
import Testing

// What each page for phones owes to customers who see, touch or read with difficulty.
extension Browser {
    /// The page as it is now has no fault that axe or a ruler finds; keeps pictures of its parts.
    ///
    /// The ruler measures in every language, since each has words of another length. What axe looks at is the same in all
    /// of them, so one of the languages of a state is enough for it, another one for each state.
    ///
    /// - Parameter languages: those in which the state is looked at, one after the other.
    func expectAccess(
        _ state: String, in language: String,
        of languages: [String] = ["it", "en", "de", "fr", "es"]
    ) async throws {
        let name = "\(state)-\(language)"
        for (width, size) in [(320, 0), (360, 1), (320, 2), (1_280, 0), (360, 0)] {
            try await resize(width, 640)
            try await run("document.documentElement.dataset.size = '\(size)'")
            let faults = try await value(
                "(document.documentElement.scrollWidth > innerWidth + 1 ? 'too wide ' : '')"
                    + "+ [...document.querySelectorAll('button, select, input')].filter((e) => {"
                    + "const b = e.getBoundingClientRect();"
                    + "return b.width && (b.width < 44 || b.height < 44) })"
                    + ".map((e) => e.id || e.value || e.tagName).join(' ')")
            #expect(faults == "", "\(name) \(width) \(size)")
        }
        if KeptPictures.folder != nil {
            for (part, isTop) in [("top", true), ("end", false)] {
                try await run("scrollTo(0, \(isTop ? 0 : 9_999))")
                try await keepPicture("phone-\(name)-\(part)")
            }
        }
        let sum = state.utf8.reduce(0) { $0 + Int($1) }
        guard TestLength.isLong || languages[sum % languages.count] == language else { return }
        try await run(
            Self.axe() + """
                ;const found = await axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] });
                window.found = found.violations.map((v) =>
                    v.id + ": " + v.nodes.map((n) => n.html).join(", ")).join("; ");
                """)
        #expect(try await value("window.found") == "", "\(name)")
    }

    private static func axe() throws -> String {
        let path =
            ".build/schemathesis/lib/python3.11/site-packages/axe_playwright_python/axe.min.js"
        return try String(contentsOf: Tool.repository.appending(path: path), encoding: .utf8)
    }
}
