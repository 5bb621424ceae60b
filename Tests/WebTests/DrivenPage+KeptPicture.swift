import Foundation
import TestSupport

extension DrivenPage {
    /// Keeps a picture of the page for a person to look at, if `CLUP_KEEP_PICTURES` names a folder for it.
    func keepPicture(_ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["CLUP_KEEP_PICTURES"] else { return }
        try await photograph("\(folder)/\(name).png")
    }
}
