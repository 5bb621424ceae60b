import Foundation
import TestSupport

enum KeptPictures {
    /// Where pictures of pages are kept; nil if no person wants to look at them.
    static let folder = ProcessInfo.processInfo.environment["CLUP_KEEP_PICTURES"]
}

extension DrivenPage {
    /// Keeps a picture of the page for a person to look at, if `CLUP_KEEP_PICTURES` names a folder for it.
    func keepPicture(_ name: String) async throws {
        guard let folder = KeptPictures.folder else { return }
        try await photograph("\(folder)/\(name).png")
    }
}
