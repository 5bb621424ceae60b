import Catalogue
import Foundation
import KioskScreens

/// The catalogues of the tree, compiled by the same script as for deployment.
enum Languages {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    static let codes = ["de", "en", "es", "fr", "it"]

    static let all: [String: Strings] = {
        do {
            let folder = try compiled()
            let wordings = try Catalogue.load(folder)
            try FileManager.default.removeItem(atPath: folder)
            return Dictionary(uniqueKeysWithValues: wordings.map { ($0.language, $0) })
        } catch {
            fatalError("the catalogues cannot be compiled and read: \(error)")
        }
    }()

    /// Compiles all catalogues into a new folder and returns its path.
    static func compiled() throws -> String {
        let folder = try emptyFolder()
        try run("\(root)/Kiosk/compile-catalogues", folder)
        return folder
    }

    static func emptyFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "clup-locale-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    static func run(_ program: String, _ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        ended.wait()
        guard process.terminationStatus == 0 else {
            throw CocoaError(.executableLoad, userInfo: ["program": program])
        }
    }
}
