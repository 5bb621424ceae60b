internal import Cryptography
internal import Reservations
internal import TextForms

/// The PIN of a shop for the pages of its staff, as it is stored: its hash (rules: blocks).
///
/// It is drawn and not chosen, so that none is easily guessed; machines have a PIN of each person instead.
public struct StaffPIN: Hashable, Sendable {
    /// The digits of a PIN.
    public static let length = 8

    private let hash: PasswordHash
    private let digest: [UInt8]

    /// A new PIN and what is stored of it.
    public static func make() throws -> (pin: String, stored: StaffPIN) {
        let bytes = RandomBytes.make(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let pin = Int(bytes % 100_000_000).padded(length)
        let hash = PasswordHash.make()
        return (pin, StaffPIN(hash: hash, digest: try hash.digest(pin)))
    }

    public static func isPIN(_ text: String) -> Bool {
        text.utf8.count == length && text.utf8.allSatisfy(\.isASCIIDigit)
    }

    /// Whether this is the PIN; takes a tenth of a second and the hash's memory.
    public func matches(_ pin: String) -> Bool {
        guard let other = try? hash.digest(pin) else { return false }
        return Cryptography.equal(digest, other)
    }

    private init(hash: PasswordHash, digest: [UInt8]) {
        self.hash = hash
        self.digest = digest
    }

    // MARK: - The stored text

    /// Passes, memory in KiB, salt and digest, separated by dots.
    var text: String {
        [
            "\(hash.passes)", "\(hash.memory)", Base64.encode(hash.salt, .urlSafe),
            Base64.encode(digest, .urlSafe),
        ].joined(separator: ".")
    }

    init?(text: String) {
        let words = text.split(separator: ".").map { String($0) }
        guard words.count == 4, let passes = Int(words[0]), let memory = Int(words[1]),
            let salt = Base64.decode(words[2], .urlSafe),
            let digest = Base64.decode(words[3], .urlSafe)
        else { return nil }
        self.init(hash: PasswordHash(passes: passes, memory: memory, salt: salt), digest: digest)
    }
}
