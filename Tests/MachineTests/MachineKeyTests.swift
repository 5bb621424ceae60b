import Cryptography
import Foundation
import KeyFile
import Synchronization
import TestSupport
import Testing

@Suite("The machine's key on its disk (rules: machine-key)")
struct MachineKeyTests {
    private let directory: TemporaryFolder

    init() throws { directory = try TemporaryFolder() }

    private var state: String { directory.path }
    private var wrappingFile: String { "\(directory.path)/wrapping-key" }
    private var wrapping: WrappingKey { WrappingKey(credentials: nil, file: wrappingFile) }
    private var machineKey: SealedKey { .ofMachine(state: state) }

    private func expectRefused(
        _ error: KeyFileError, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: error, sourceLocation: sourceLocation) { try wrapping.load() }
    }

    @Test("After one enrolment the same key opens at every start, and a second one is refused")
    func enrol() throws {
        let wrapping = try self.wrapping.ensure()
        let missing = #expect(throws: KeyFileError.self) { try machineKey.load(under: wrapping) }
        #expect(missing?.description.contains("clup-kiosk enrol") == true)
        let made = try machineKey.make(under: wrapping)
        let again = try self.wrapping.load()
        let opened = try machineKey.load(under: again)
        #expect(opened.publicKey == made.publicKey)
        #expect(opened.sign([1, 2, 3]) == made.sign([1, 2, 3]))
        #expect(throws: KeyFileError.self) { try machineKey.make(under: wrapping) }
    }

    @Test("The secret is never stored unencrypted")
    func sealed() throws {
        let wrapping = try self.wrapping.ensure()
        let seed = [UInt8](repeating: 7, count: 32)
        let sealed = try SigningKey(seed: GuardedBytes(copying: seed)).sealed(under: wrapping)
        #expect(!Data(sealed.bytes).contains(7) || Data(sealed.bytes).range(of: Data(seed)) == nil)
    }

    @Test("Another wrapping key opens nothing, and the sentence names the remedy")
    func otherWrappingKey() throws {
        let wrapping = try self.wrapping.ensure()
        _ = try machineKey.make(under: wrapping)
        let other = try WrappingKey(credentials: nil, file: "\(directory.path)/other").ensure()
        let error = #expect(throws: KeyFileError.self) { try machineKey.load(under: other) }
        #expect(error?.description.contains("enrol") == true)
    }

    @Test("A pipe in the place of a key delays nothing, and is named")
    func pipe() throws {
        #expect(mkfifo(wrappingFile, 0o600) == 0)
        let ended = DispatchSemaphore(value: 0)
        let path = wrappingFile
        let said = Mutex<String?>(nil)
        Thread.detachNewThread {
            do {
                _ = try WrappingKey(credentials: nil, file: path).load()
            } catch {
                said.withLock { $0 = "\(error)" }
            }
            ended.signal()
        }
        let isEnded = ended.wait(timeout: .now() + 30) == .success
        #expect(isEnded)
        // Releases a reader that waits for a writer.
        if !isEnded { close(open(path, O_WRONLY | O_NONBLOCK)) }
        #expect(said.withLock { $0 }?.contains("no regular file") == true)
    }

    @Test("A key that others may read or that was cut, a link and a folder are refused by name")
    func refused() throws {
        _ = try wrapping.ensure()
        chmod(wrappingFile, 0o644)
        expectRefused(.notPrivate(wrappingFile))
        chmod(wrappingFile, 0o600)
        #expect(truncate(wrappingFile, 3) == 0)
        expectRefused(.badWrappingKey(wrappingFile, 3))
        unlink(wrappingFile)
        let other = "\(directory.path)/other"
        _ = try WrappingKey(credentials: nil, file: other).ensure()
        #expect(symlink(other, wrappingFile) == 0)
        expectRefused(.notRegular(wrappingFile))
        unlink(wrappingFile)
        #expect(mkdir(wrappingFile, 0o700) == 0)
        expectRefused(.notRegular(wrappingFile))
    }

    @Test("A key of another user is refused", .enabled(if: geteuid() == 0))
    func owner() throws {
        _ = try wrapping.ensure()
        #expect(chown(wrappingFile, 65_534, 65_534) == 0)
        let error = #expect(throws: KeyFileError.foreignOwner(wrappingFile, owner: 65_534)) {
            try wrapping.load()
        }
        #expect(error?.description.contains("another user") == true)
    }

    @Test("A systemd credential takes precedence over the file")
    func credential() throws {
        let credential = "\(directory.path)/machine-key"
        _ = FileManager.default.createFile(
            atPath: credential, contents: Data(repeating: 9, count: 32),
            attributes: [.posixPermissions: 0o400])
        let wrapping = try WrappingKey(credentials: directory.path, file: wrappingFile).ensure()
        #expect(wrapping.withBytes { $0.allSatisfy { $0 == 9 } })
        #expect(!FileManager.default.fileExists(atPath: wrappingFile))
    }
}
