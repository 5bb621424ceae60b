import Testing

/// A comment that cites a decision, a fault or a requirement leads its reader to a place that exists.
@Suite("Citations of decisions, faults and requirements")
struct CitationTests {
    private func anchors() throws -> Set<Citation> {
        let documents: [Citation.Document] = [.decisions, .faults, .requirements]
        return try documents.reduce(into: []) { anchors, document in
            let text = try Tree.file(document.rawValue).text
            let found = Citation.anchors(document, text)
            try #require(!found.isEmpty, "\(document.rawValue) has no anchor")
            anchors.formUnion(found)
        }
    }

    @Test("Each citation leads to a place that exists")
    func resolved() throws {
        let anchors = try anchors()
        var count = 0
        // This file cites anchors that do not exist.
        for file in try Tree.texts() where file.path != "Tests/TreeTests/CitationTests.swift" {
            let citations = Citation.all(in: file.text)
            count += citations.count
            for citation in Set(citations) where !anchors.contains(citation) {
                Issue.record("\(file.path) cites \(citation)")
            }
        }
        // This shows that the search finds citations.
        #expect(count > 400, "\(count)")
    }

    @Test("A wrong citation is found: alone, in a list, in a range, over two lines, in brackets")
    func isFound() throws {
        let anchors = try anchors()
        func wrong(_ text: String) -> [String] {
            Set(Citation.all(in: text)).subtracting(anchors).map(\.anchor).sorted()
        }
        #expect(wrong("/// Nobody waits (rules: codes, scans).") == [])
        #expect(wrong("/// Rules: nowhere: after so long.") == ["nowhere"])
        #expect(wrong("(rules: codes, nowhere)") == ["nowhere"])
        #expect(wrong("/// as it was (rules:\n    /// nowhere,\n    /// codes)") == ["nowhere"])
        #expect(wrong("@Test(\"It is killed [faults 70-72]\")") == ["71", "72"])
        #expect(wrong("fault 1 and 98") == ["98"])
        #expect(wrong("[UC11, R10], [SP2], [DD, Alloy model]") == [])
        #expect(wrong("[UC99, R3, R99] [DD, servers]") == ["DD, servers", "R99", "UC99"])
        #expect(wrong("UC11, exception 3") == [])
        #expect(wrong("UC11, exception 4") == ["UC11, exception 4"])
    }
}
