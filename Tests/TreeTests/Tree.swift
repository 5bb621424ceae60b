import Foundation

/// The files of the repository, for tests that read them.
enum Tree {
    static let top = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    struct File {
        /// Below the top, as "Sources/Shared/Reservations/Refusal.swift".
        let path: String
        let text: String

        var lines: [Substring] {
            text.split(separator: "\n", omittingEmptySubsequences: false)
        }
    }

    /// Every file of these folders with one of these endings.
    static func files(in folders: [String], _ endings: [String]) throws -> [File] {
        try folders.flatMap { folder in
            let names = FileManager.default.enumerator(atPath: top.appending(path: folder).path)
            return try (names?.allObjects as? [String] ?? []).sorted()
                .filter { name in endings.contains { name.hasSuffix($0) } }
                .map { name in
                    let path = "\(folder)/\(name)"
                    return File(
                        path: path,
                        text: try String(contentsOf: top.appending(path: path), encoding: .utf8))
                }
        }
    }
}
