import Foundation
import TestSupport
import Testing

// What each page for phones owes to customers who see, touch or read with difficulty.
extension Browser {
    /// The page as it is now fits every language and size of letters, can be touched with gloves, and has no fault that
    /// axe finds; keeps pictures of its parts. Then it is as it was.
    ///
    /// The ruler measures in every language, since each has words of another length. What axe looks at is the same in all
    /// of them, so one of the languages of a state is enough for it, another one for each state.
    ///
    /// - Parameter part: of what a picture with the largest letters is kept too.
    func expectAccess(
        _ state: String, of languages: [String] = ["it", "en", "de", "fr", "es"],
        lookingAt part: String? = nil
    ) async throws {
        let former = try await value("document.documentElement.lang")
        for (width, size) in [(320, 0), (360, 1), (320, 2), (1_280, 0), (360, 0)] {
            try await resize(width, 640)
            try await run(Self.measure(languages, size))
            #expect(try await value("window.faults") == "", "\(state) \(width) \(size)")
        }
        for language in KeptPictures.folder == nil ? [] : languages {
            try await run(Self.choose(language))
            for (place, isTop) in [("top", true), ("end", false)] {
                try await run("scrollTo(0, \(isTop ? 0 : 9_999))")
                try await keepPicture("phone-\(state)-\(language)-\(place)")
            }
            guard let part else { continue }
            try await run(
                """
                document.documentElement.dataset.size = "2";
                document.querySelector("\(part)").scrollIntoView({ block: "center" });
                """)
            try await keepPicture("\(state)-\(language)-large")
            try await run("document.documentElement.dataset.size = '0'")
        }
        let sum = state.utf8.reduce(0) { $0 + Int($1) }
        for language in TestLength.isLong ? languages : [languages[sum % languages.count]] {
            try await run(Self.choose(language))
            try await expectNoFindings("\(state) \(language)")
        }
        try await run(Self.choose(former))
    }

    /// Expects that axe finds nothing that is against WCAG on the page as it is.
    func expectNoFindings(_ state: Comment) async throws {
        try await run(
            Self.axe() + """
                ;const found = await axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] });
                window.found = found.violations.map((v) =>
                    v.id + ": " + v.nodes.map((n) => n.html).join(", ")).join("; ");
                """)
        #expect(try await value("window.found") == "", state)
    }

    /// Chooses a language in the list of a page for phones, or by the button of a page for the staff.
    private static func choose(_ language: String) -> String {
        """
        const choice = document.getElementById("languages");
        choice.value = "\(language)";
        choice.dispatchEvent(new Event("change"));
        choice.querySelector("button[lang=\(language)]")?.click();
        """
    }

    /// Looks in each language, with letters of a size, whether something is too wide or too small for a finger.
    private static func measure(_ languages: [String], _ size: Int) -> String {
        """
        document.documentElement.dataset.size = "\(size)";
        window.faults = "";
        for (const language of \(languages)) {
          (() => { \(choose("${language}").replacing("\"${language}\"", with: "language")
              .replacing("\"button[lang=${language}]\"", with: "`button[lang=${language}]`")) })();
          // The parts that load apart draw themselves after the page.
          await new Promise((next) => setTimeout(next));
          const small = [...document.querySelectorAll("button, select, input")].filter((e) => {
            const { width, height } = e.getBoundingClientRect();
            return width && (width < 44 || height < 44);
          });
          const faults = [document.documentElement.lang !== language && "not spoken",
            document.documentElement.scrollWidth > innerWidth + 1 && "too wide",
            ...small.map((e) => e.id || e.value || e.tagName)].filter(Boolean);
          if (faults.length) window.faults += `${language}: ${faults.join(", ")}; `;
        }
        """
    }

    private static func axe() throws -> String {
        let path =
            ".build/schemathesis/lib/python3.11/site-packages/axe_playwright_python/axe.min.js"
        return try String(contentsOf: Tool.repository.appending(path: path), encoding: .utf8)
    }
}
