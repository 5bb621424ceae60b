/// A value from files that may change while the machine runs. The files are read again if they changed or could not
/// be used; each failure, and the first success after one, is logged once.
struct WatchedFile<Value, Version: Equatable> {
    /// The name of the value in the log, as "the machine's key".
    private let name: String
    private let log: @Sendable (String) -> Void
    /// Nil while the files on the disk cannot be used.
    private var value: Value?
    private var version: Version?
    /// The last logged failure; nil if there was none.
    private var trouble: String?

    init(_ name: String, log: @escaping @Sendable (String) -> Void) {
        self.name = name
        self.log = log
    }

    mutating func current(_ version: Version, read: () throws -> Value) throws -> Value {
        if let value, version == self.version { return value }
        value = nil
        do {
            let value = try read()
            self.value = value
            self.version = version
            if trouble != nil { log("\(name) can be used again") }
            trouble = nil
            return value
        } catch {
            if "\(error)" != trouble { log("\(name) cannot be used: \(error)") }
            trouble = "\(error)"
            throw error
        }
    }

    mutating func forget() { value = nil }
}
