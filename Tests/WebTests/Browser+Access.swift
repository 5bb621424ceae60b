import Foundation
import TestSupport
import Testing

// What each page for phones owes to customers who see, touch or read with difficulty.
extension Browser {
    /// The page as it is now has no fault that axe or a ruler finds; keeps pictures of its parts.
    func expectAccess(_ name: String) async throws {
        for (width, size) in [(320, 0), (360, 1), (320, 2), (1_280, 0), (360, 0)] {
            try await resize(width, 640)
            try await run("document.documentElement.dataset.size = '\(size)'")
            let wide = try await value(
                "document.documentElement.scrollWidth > innerWidth + 1")
            #expect(wide == "false", "\(name) \(width) \(size)")
            let small = try await value(
                "[...document.querySelectorAll('button, select, input')].filter((e) => {"
                    + "const b = e.getBoundingClientRect();"
                    + "return b.width && (b.width < 44 || b.height < 44) })"
                    + ".map((e) => e.id || e.value).join(' ')")
            #expect(small == "", "\(name) \(width) \(size)")
        }
        for (part, isTop) in [("top", true), ("end", false)] {
            try await run("scrollTo(0, \(isTop ? 0 : 9_999))")
            try await keepPicture("phone-\(name)-\(part)")
        }
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
