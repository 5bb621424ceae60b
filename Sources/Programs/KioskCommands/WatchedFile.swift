/// What is read from files that may change under a running machine: read again where they are other ones or did
/// not do; why it cannot be used, and that it can again, is logged once.
struct WatchedFile<Value, Version: Equatable> {
    /// What the log calls it, as "the machine's key".
    private let name: String
    private let log: @Sendable (String) -> Void
    /// Nil while what is on the disk cannot be used.
    private var value: Value?
    private var version: Version?
    /// What was logged last; nil where all was well.
    private var trouble: String?

    init(_ name: String, log: @escaping @Sendable (String) -> Void) {
        self.name = name
        self.log = log
    }

    /// The value of the files as they are; throws what `read` throws.
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

    /// Lets go of the value.
    mutating func forget() { value = nil }
}
