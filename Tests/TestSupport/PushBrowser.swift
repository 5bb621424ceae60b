import Foundation

/// A browser that opens pushes, with the libraries of the authors of Web Push, which share no code with the product.
public struct PushBrowser: Sendable {
    /// Its public key and its secret, each in base64url (RFC 8291 2).
    public let p256dh: String
    public let auth: String
    private let folder: TemporaryFolder
    private let keys: String

    private static let script = "Tests/WebPushTests/receive-pushes.py"

    private struct PublicKeys: Decodable {
        let p256dh: String
        let auth: String
    }

    private struct SavedRequest: Encodable {
        let origin: String
        let fields: [String: String]
        let body: Data
    }

    /// What a request holds.
    public struct Opened: Sendable, Decodable {
        public let content: String
        /// The sender's public key in base64url, and how to reach it.
        public let sender: String
        public let subject: String?
        /// The bytes of the body.
        public let size: Int
        public let salt: String
        public let key: String
    }

    /// Makes a browser with keys of its own.
    public init() async throws {
        folder = try TemporaryFolder()
        keys = folder.file("keys")
        let known: PublicKeys = try await Tool.python(Self.script, "keys", keys)
        (p256dh, auth) = (known.p256dh, known.auth)
    }

    /// Opens requests to the push service with this origin, in order; an error if it would refuse one, or this browser
    /// cannot open one.
    public func open(
        _ requests: [FakePushService.Request], at origin: String
    ) async throws -> [Opened] {
        let saved = requests.map {
            SavedRequest(origin: origin, fields: $0.fields, body: Data($0.body))
        }
        let file = try folder.write(try JSONEncoder().encode(saved), to: UUID().uuidString)
        return try await Tool.python(Self.script, "open", keys, file)
    }
}
