internal import Foundation
internal import ReservationStore
internal import RowColumns
internal import Synchronization

/// The next failures of a simulated disk and process; the simulation draws them from the seed.
final class Failures: Sendable {
    enum Kind: Hashable, Sendable {
        /// One operation fails without an effect; later ones work.
        case once(StoreError.Code)
        /// The commit is on the disk, and its answer says that it failed.
        case lostCommit
        /// The process ends: no operation works from here on, until another process opens the file.
        case death
    }

    private struct Content {
        var kind: Kind?
        var remaining = 0
        var isDead = false
    }

    private let content = Mutex(Content())
    /// Held while the gate is closed at which the writer waits.
    private let gate = NSLock()
    private let waiting = Atomic(false)

    /// Lets `operations` more succeed, then fails.
    func arm(_ kind: Kind, after operations: Int) {
        content.withLock {
            $0.kind = kind
            $0.remaining = operations
        }
    }

    func disarm() { content.withLock { $0.kind = nil } }

    /// Whether the process has ended; asking this starts a new one.
    func hasDied() -> Bool {
        content.withLock { content in
            defer { content.isDead = false }
            return content.isDead
        }
    }

    /// Stops the writer before its next transaction, so that requests that come meanwhile become one batch; the thread that
    /// stops it lets it go on.
    func closeGate() { gate.lock() }
    func openGate() { gate.unlock() }
    /// Whether the writer waits at the closed gate.
    var isWaiting: Bool { waiting.load(ordering: .acquiring) }

    fileprivate func begin() throws(StoreError) {
        waiting.store(true, ordering: .releasing)
        gate.withLock {}
        waiting.store(false, ordering: .releasing)
        try step("begin")
    }

    /// Returns, or throws the disk's error; true if a commit's answer is to be lost.
    @discardableResult
    fileprivate func step(
        _ operation: String, isCommit: Bool = false
    ) throws(StoreError) -> Bool {
        let failure = content.withLock { content -> Kind? in
            if content.isDead { return .death }
            guard let kind = content.kind else { return nil }
            if kind == .lostCommit {
                guard isCommit else { return nil }
            } else if content.remaining > 0 {
                content.remaining -= 1
                return nil
            }
            content.kind = nil
            if kind == .death { content.isDead = true }
            return kind
        }
        switch failure {
        case nil: return false
        case .lostCommit: return true
        case .once(let code): throw StoreError(code, operation: operation, "simulated")
        case .death: throw StoreError(.inputOutput, operation: operation, "simulated end")
        }
    }
}

/// A database with the failures that its simulation has drawn.
final class FailingDatabase: Database {
    private let base: any Database
    private let failures: Failures

    init(_ base: any Database, _ failures: Failures) {
        self.base = base
        self.failures = failures
    }

    var dialect: Dialect { base.dialect }
    var connections: Int { base.connections }

    func beginWrite() throws(StoreError) {
        try failures.begin()
        try base.beginWrite()
    }

    func beginRead() throws(StoreError) {
        try failures.step("begin")
        try base.beginRead()
    }

    func excludeAdministrators() throws(StoreError) { try base.excludeAdministrators() }

    func commit() throws(StoreError) {
        let isLost = try failures.step("commit", isCommit: true)
        try base.commit()
        if isLost { throw StoreError(.inputOutput, operation: "commit", "simulated: answer lost") }
    }

    func rollback() { base.rollback() }

    func savepoint() throws(StoreError) {
        try failures.step("savepoint")
        try base.savepoint()
    }

    func releaseSavepoint() throws(StoreError) {
        try failures.step("release")
        try base.releaseSavepoint()
    }

    func rollbackSavepoint() throws(StoreError) { try base.rollbackSavepoint() }

    func execute(_ query: Query, _ values: [DatabaseValue]) throws(StoreError) -> Int {
        try failures.step("execute")
        return try base.execute(query, values)
    }

    func query(
        _ query: Query, _ values: [DatabaseValue], row: (any Columns) throws(StoreError) -> Void
    ) throws(StoreError) {
        try failures.step("query")
        try base.query(query, values, row: row)
    }

    func run(script: String) throws(StoreError) { try base.run(script: script) }
}
