import Catalogue
import KioskScreens
import TestSupport

/// The catalogues of the tree, compiled by the same script as for deployment.
enum Languages {
    static let root = Tool.repository.path

    static let codes = ["de", "en", "es", "fr", "it"]

    static let all: [String: Strings] = {
        do {
            let folder = try compiled()
            let wordings = try Catalogue.load(folder.path)
            return Dictionary(uniqueKeysWithValues: wordings.map { ($0.language, $0) })
        } catch {
            fatalError("the catalogues cannot be compiled and read: \(error)")
        }
    }()

    /// Compiles all catalogues into a new folder.
    static func compiled() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try Tool.succeedBlocking("\(root)/Kiosk/compile-catalogues", [folder.path])
        return folder
    }
}
