internal import CSodium

/// A secret in memory of its own: between guard pages, locked against swapping, left out of core dumps, never
/// changed after it is made, wiped at the end (sodium_malloc(3)).
///
/// It stays readable: making it unreadable between two uses would cost a server two changes of its page tables for
/// each answer that it signs, and the guard pages already stop code that reads past the end of another buffer.
public final class GuardedBytes: @unchecked Sendable {
    // @unchecked: the memory is written in the initialiser only.
    private let memory: UnsafeMutableRawPointer
    public let count: Int
    /// Whether the system keeps the bytes out of the swap; false if RLIMIT_MEMLOCK is too low.
    public let isLocked: Bool

    /// Allocates `count` bytes, at least one, and lets `fill` write them in place; an error of `fill` is passed on.
    init(
        count: Int, fill: (UnsafeMutablePointer<UInt8>) throws(CryptographyError) -> Void
    ) throws(CryptographyError) {
        precondition(count > 0, "a secret has at least one byte")
        try Cryptography.start()
        guard let memory = sodium_malloc(count) else { throw .noProtectedMemory }
        self.memory = memory
        self.count = count
        // sodium_malloc locks too, but does not report whether it succeeded.
        isLocked = sodium_mlock(memory, count) == 0
        try fill(memory.assumingMemoryBound(to: UInt8.self))
        sodium_mprotect_readonly(memory)
    }

    /// Copies bytes that the caller has; the caller's copy stays where it is.
    public convenience init(copying bytes: [UInt8]) throws(CryptographyError) {
        try self.init(count: bytes.count) { $0.update(from: bytes, count: bytes.count) }
    }

    /// Makes a new random secret, as a wrapping key of 32 bytes.
    public convenience init(randomCount count: Int) throws(CryptographyError) {
        try self.init(count: count) { randombytes_buf($0, count) }
    }

    /// Lends the bytes while `body` runs; do not copy them and do not keep the pointer.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    { try withPointer { try body(UnsafeRawBufferPointer(start: $0, count: count)) } }

    /// `withBytes` with the pointer type of libsodium's functions.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>) throws -> Result) rethrows -> Result {
        try body(UnsafePointer(memory.assumingMemoryBound(to: UInt8.self)))
    }

    // sodium_free makes the pages writable again, wipes and unlocks them.
    deinit { sodium_free(memory) }
}

extension GuardedBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text that shows nothing of the secret.
    public var description: String { "\(count) secret bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
