internal import CSodium
internal import TextForms

/// The errors of keys and secrets, in words that may be shown to an administrator.
public enum CryptographyError: Error, Equatable, CustomStringConvertible {
    /// libsodium found no source of randomness (sodium_init(3)).
    case unavailable
    /// There is no protected memory: the memory or the address space is used up.
    case noProtectedMemory
    /// The system did not let the process hide its memory (prctl(2), setrlimit(2)).
    case notHidden
    case wrongLength(what: String, expected: Int, got: Int)
    /// The bytes are not a secret that this program sealed.
    case notSealed
    /// The sealed bytes were cut or changed.
    case changed
    /// The wrapping key is a different one.
    case cannotOpen

    public var description: String {
        switch self {
        case .unavailable: "libsodium cannot start: the system gives no random bytes"
        case .noProtectedMemory: "no protected memory for a secret could be had"
        case .notHidden: "the system does not let this process keep its memory to itself"
        case .wrongLength(let what, let expected, let got):
            "\(what) has \(got) bytes instead of \(expected)"
        case .notSealed: "this is not a sealed secret of CLup, or of a newer version"
        case .changed: "the sealed secret was cut or changed"
        case .cannotOpen: "the sealed secret does not open: the wrapping key is another one"
        }
    }
}

/// The start of the library; all other functions of this module are safe from any thread afterwards.
public enum Cryptography {
    private static let isReady = sodium_init() >= 0

    /// Starts libsodium once; further calls cost nothing.
    public static func start() throws(CryptographyError) {
        guard isReady else { throw .unavailable }
    }

    /// Keeps the memory of this process private: no core dump, and only processes of root may read it
    /// (PR_SET_DUMPABLE, prctl(2)). To be called before there is a secret.
    public static func hideProcess() throws(CryptographyError) {
        guard clup_hide_process() == 0 else { throw .notHidden }
    }

    /// Compares two arrays in a time that does not depend on the place of the first difference.
    public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && sodium_memcmp(left, right, left.count) == 0
    }
}

/// Base64 (RFC 4648), strict: no white space, no missing or stray bits, padding exactly as the alphabet requires.
public enum Base64 {
    /// The two alphabets of this product.
    public enum Alphabet: Sendable {
        /// With padding, as Structured Fields write byte sequences (RFC 8941 3.3.5).
        case standard
        /// Without padding, as keys are shown and typed (RFC 4648 5).
        case urlSafe

        fileprivate var variant: Int32 {
            switch self {
            case .standard: sodium_base64_VARIANT_ORIGINAL
            case .urlSafe: sodium_base64_VARIANT_URLSAFE_NO_PADDING
            }
        }
    }

    public static func encode(_ bytes: [UInt8], _ alphabet: Alphabet = .standard) -> String {
        // The length from libsodium includes the terminating zero.
        let length = sodium_base64_encoded_len(bytes.count, alphabet.variant)
        return String(unsafeUninitializedCapacity: length) { text in
            text.withMemoryRebound(to: CChar.self) {
                guard let start = $0.baseAddress else { return 0 }
                sodium_bin2base64(start, length, bytes, bytes.count, alphabet.variant)
                return length - 1
            }
        }
    }

    /// The bytes; nil if the text is not exactly what `encode` writes.
    public static func decode(_ text: String, _ alphabet: Alphabet = .standard) -> [UInt8]? {
        // libsodium 1.0.18 accepts bytes above 0x7F as digits.
        guard text.hasOnlyBytes(where: { $0 < 0x80 }) else { return nil }
        let capacity = text.utf8.count / 4 * 3 + 3
        var isValid = false
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { bytes, count in
            guard let start = bytes.baseAddress else { return }
            // Without a pointer for the end, libsodium also treats bytes after the last character as an error.
            isValid =
                sodium_base642bin(
                    start, capacity, text, text.utf8.count, nil, &count, nil,
                    alphabet.variant) == 0
            if !isValid { count = 0 }
        }
        return isValid ? bytes : nil
    }
}

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// The 32 bytes of the digest.
    public static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
        return digest
    }
}

/// Bytes that cannot be guessed (getrandom(2) by way of libsodium).
public enum RandomBytes {
    public static func make(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }
}
