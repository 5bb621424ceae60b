import Foundation
import Synchronization
import TestSupport
import Testing

enum KeptPictures {
    /// Where pictures of pages are kept; nil if no person wants to look at them.
    static let folder = ProcessInfo.processInfo.environment["CLUP_KEEP_PICTURES"]
    /// How many steps of each test have a picture so far.
    private static let steps = Mutex<[Test.ID: Int]>([:])

    /// The name of the picture of the present test's next step.
    static func nextStep() -> String? {
        guard let test = Test.current else { return nil }
        let step = steps.withLock { steps in
            steps[test.id, default: 0] += 1
            return steps[test.id] ?? 0
        }
        let file = test.sourceLocation.fileName.prefix { $0 != "." }
        return "\(file)-\(test.name.prefix { $0 != "(" })-\(step)"
    }
}

extension DrivenPage {
    /// Keeps a picture of the page for a person to look at, if `CLUP_KEEP_PICTURES` names a folder for it.
    func keepPicture(_ name: String) async throws {
        guard let folder = KeptPictures.folder else { return }
        try await photograph("\(folder)/\(name).png")
    }

    /// Keeps a picture of what the present test has come to.
    func keepStep() async throws {
        if KeptPictures.folder != nil, let name = KeptPictures.nextStep() {
            try await keepPicture(name)
        }
    }
}
