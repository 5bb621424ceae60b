import Foundation

/// The files of the repository, for tests that read them.
enum Tree {
    static let top = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    struct File {
        /// The path below the top, for example "Sources/Shared/Reservations/Refusal.swift".
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

    static func file(_ path: String) throws -> File {
        File(path: path, text: try String(contentsOf: top.appending(path: path), encoding: .utf8))
    }

    /// The paths of all files and folders below the top.
    static func paths() -> Set<String> {
        folders.reduce(into: Set(folders + topFiles)) { paths, folder in
            let names = FileManager.default.enumerator(atPath: top.appending(path: folder).path)
            for name in names?.allObjects as? [String] ?? [] { paths.insert("\(folder)/\(name)") }
        }
    }

    /// Every text written by people: without the drawn screens, and without the fuzzers' bytes.
    static func texts() throws -> [File] {
        try paths().sorted().compactMap { path in
            guard !["/Expected/", "/Corpus/"].contains(where: path.contains) else { return nil }
            var isFolder: ObjCBool = false
            let url = top.appending(path: path)
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
                !isFolder.boolValue
            else { return nil }
            let bytes = try Data(contentsOf: url)
            guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
                return nil
            }
            return File(path: path, text: text)
        }
    }

    private static let folders = ["Sources", "Tests", "Kiosk", "Assets"]
    private static let topFiles = ["README.md", "Package.swift"]
}
