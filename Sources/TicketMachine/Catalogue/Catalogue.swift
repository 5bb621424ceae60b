import FoundationEssentials
public import KioskScreens

/// The reason why the texts of the screens cannot be read.
public struct CatalogueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or folder.
    public let path: String
    /// A sentence that names the fault and its remedy.
    public let fault: String

    public var description: String { "\(path): \(fault)" }
}

/// The languages in a folder of compiled message files, one `<language>.mo` each.
public enum Catalogue {
    /// 20 times the size of a complete catalogue of today.
    static let maxFileBytes = 1 << 20
    /// A chooser on a screen cannot show more languages.
    static let maxLanguages = 20

    /// Reads every catalogue of a folder, in the order of their codes. English needs no file, because its texts are
    /// the keys of the messages.
    ///
    /// - Throws: `CatalogueError`, naming the file that is missing, damaged or asks for other values than its
    ///   source text.
    public static func load(_ directory: String) throws(CatalogueError) -> [Strings] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            throw CatalogueError(
                path: directory, fault: "The folder of the languages cannot be read.")
        }
        let files = names.filter { $0.hasSuffix(".mo") }.sorted()
        guard !files.isEmpty, files.count <= maxLanguages else {
            throw CatalogueError(
                path: directory,
                fault: files.isEmpty
                    ? "There is no compiled catalogue (.mo) here; run Kiosk/compile-catalogues."
                    : "There are more than \(maxLanguages) languages here.")
        }
        var wordings: [Strings] = []
        for file in files { wordings.append(try wording(at: "\(directory)/\(file)")) }
        if !wordings.contains(where: { $0.language == Strings.english.language }) {
            wordings.append(.english)
        }
        return wordings.sorted { $0.language < $1.language }
    }

    private static func wording(at path: String) throws(CatalogueError) -> Strings {
        let language = String(path.dropLast(3).split(separator: "/").last ?? "")
        guard language.allSatisfy({ $0.isASCII && $0.isLowercase }),
            (2...3).contains(language.count)
        else {
            throw CatalogueError(
                path: path, fault: "The name is no language code of two or three letters.")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CatalogueError(path: path, fault: "The file cannot be read.")
        }
        guard data.count <= maxFileBytes else {
            throw CatalogueError(path: path, fault: "The file is larger than 1 MiB.")
        }
        do {
            return try CatalogueStrings.wording(language: language, MessageFile.read([UInt8](data)))
        } catch { throw CatalogueError(path: path, fault: error.description) }
    }
}
