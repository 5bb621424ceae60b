import CommandSyntax
import Foundation
import KeyFile
import StaffStore
import Testing

@testable import KioskCommands

@Suite("The exit status of faults of the machine's files")
struct FileStatusTests {
    private func status(_ body: () throws -> Void) -> CommandSyntax.ExitStatus? {
        do { try body() } catch { return (error as? any CommandFailure)?.status }
        return nil
    }

    @Test("A state directory in use may be free later; one that is missing will not")
    func lock() throws {
        try withFolder { folder in
            let first = try StateLock(state: folder)
            withExtendedLifetime(first) {
                #expect(status { _ = try StateLock(state: folder) } == .temporary)
            }
            #expect(status { _ = try StateLock(state: "\(folder)/none") } == .configuration)
        }
    }

    @Test("A key that is missing or cannot be used is a fault of the configuration")
    func key() throws {
        try withFolder { folder in
            let file = "\(folder)/wrapping-key"
            let missing = status { _ = try WrappingKey(credentials: nil, file: file).load() }
            #expect(missing == .configuration)
            let wrapping = try WrappingKey(credentials: nil, file: file).ensure()
            let key = SealedKey.ofMachine(state: folder)
            #expect(status { _ = try key.load(under: wrapping) } == .configuration)
            _ = try key.make(under: wrapping)
            #expect(status { _ = try key.make(under: wrapping) } == .failure)
            let nowhere = SealedKey.ofMachine(state: "\(folder)/none")
            #expect(status { _ = try nowhere.make(under: wrapping) } == .configuration)
        }
        let full = KeyFileError.cannotUse("key", operation: "written", reason: "full", .temporary)
        #expect(full.status == .temporary)
    }

    @Test("A broken list of staff members is a fault of the configuration, a locked one is not")
    func staff() throws {
        try withFolder { folder in
            let path = "\(folder)/staff"
            try Data(repeating: 0x41, count: 4_096).write(to: URL(filePath: path))
            #expect(status { _ = try StaffStore(path: path) } == .configuration)
        }
        let locked = StaffError.unusable(path: "staff", reason: "locked", isTemporary: true)
        #expect(locked.status == .temporary && StaffError.unknown("Anna").status == .failure)
    }
}

/// A folder that is removed after use.
func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
}
