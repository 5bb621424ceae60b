internal import ReservationStore
internal import RowColumns
internal import Synchronization

/// When a database fails: at one operation, counted from when the plan was armed, and how often.
final class FaultPlan: Sendable {
    private struct Content: Sendable {
        var remaining: Int?
        var scripts: [String] = []
        var code = StoreError.Code.inputOutput
        var statements: Set<String> = []
        var afterCommit: (@Sendable () -> Void)?
    }

    private let content = Mutex(Content())

    /// Fails the operation after `count` more, once.
    func arm(after count: Int, code: StoreError.Code = .inputOutput) {
        content.withLock {
            $0.remaining = count
            $0.code = code
        }
    }

    /// Whether the fault that was armed is still to come; disarms it.
    func disarm() -> Bool { replace(\.remaining, by: nil) != nil }

    /// Whether the fault is still to come.
    var isArmed: Bool { content.withLock { $0.remaining != nil } }

    /// Runs a script on the database's own connection before its next transaction.
    func run(_ script: String) { content.withLock { $0.scripts.append(script) } }

    /// Runs a body after the next transaction that is committed, once.
    func afterNextCommit(_ body: @escaping @Sendable () -> Void) {
        content.withLock { $0.afterCommit = body }
    }

    func takeAfterCommit() -> (@Sendable () -> Void)? { replace(\.afterCommit, by: nil) }

    func takeScripts() -> [String] { replace(\.scripts, by: []) }

    /// What a part of the plan was until now.
    private func replace<Part: Sendable>(
        _ part: WritableKeyPath<Content, Part>, by new: Part
    ) -> Part {
        content.withLock { content in
            defer { content[keyPath: part] = new }
            return content[keyPath: part]
        }
    }

    /// The SQL texts that were run, each once.
    var statements: Set<String> { content.withLock { $0.statements } }

    /// Begins the list of texts again.
    func forgetStatements() { content.withLock { $0.statements = [] } }

    func run(statement: String) throws(StoreError) {
        content.withLock { _ = $0.statements.insert(statement) }
        try step(statement)
    }

    func step(_ operation: String) throws(StoreError) {
        let code = content.withLock { content -> StoreError.Code? in
            guard let remaining = content.remaining else { return nil }
            content.remaining = remaining == 0 ? nil : remaining - 1
            return remaining == 0 ? content.code : nil
        }
        if let code { throw StoreError(code, operation: operation, "injected") }
    }
}

/// A database that fails at the operation of its plan, before it has an effect.
final class FaultyDatabase: Database {
    private let base: any Database
    private let plan: FaultPlan

    init(_ base: any Database, plan: FaultPlan) {
        self.base = base
        self.plan = plan
    }

    var dialect: Dialect { base.dialect }
    var connections: Int { base.connections }

    func beginWrite() throws(StoreError) {
        for script in plan.takeScripts() { try base.run(script: script) }
        try plan.step("begin")
        try base.beginWrite()
    }

    func beginRead() throws(StoreError) {
        try plan.step("begin")
        try base.beginRead()
    }

    func excludeAdministrators() throws(StoreError) { try base.excludeAdministrators() }

    func commit() throws(StoreError) {
        try plan.step("commit")
        try base.commit()
        plan.takeAfterCommit()?()
    }

    func rollback() { base.rollback() }

    func savepoint() throws(StoreError) {
        try plan.step("savepoint")
        try base.savepoint()
    }

    func releaseSavepoint() throws(StoreError) {
        try plan.step("release")
        try base.releaseSavepoint()
    }

    func rollbackSavepoint() throws(StoreError) { try base.rollbackSavepoint() }

    func execute(_ query: Query, _ values: [DatabaseValue]) throws(StoreError) -> Int {
        try plan.run(statement: query.text)
        return try base.execute(query, values)
    }

    func query(
        _ query: Query, _ values: [DatabaseValue], row: (any Columns) throws(StoreError) -> Void
    ) throws(StoreError) {
        try plan.run(statement: query.text)
        try base.query(query, values, row: row)
    }

    func run(script: String) throws(StoreError) { try base.run(script: script) }
}
