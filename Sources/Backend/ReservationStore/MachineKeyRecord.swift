public import Reservations

/// A machine's public key on the allow list [DD, client components].
public struct MachineKeyRecord: Hashable, Sendable {
    public var shop: ShopID
    public var machine: MachineID
    /// The identifier by which signatures name it; unique in the whole database.
    public var keyID: String
    /// Ed25519: 32 bytes.
    public var publicKey: [UInt8]
    public var role: KeyRole
    public var created: Moment
    /// The moment from which nothing signed with it is accepted; nil while it is valid.
    public var revoked: Moment?
    /// Whether its program has said that it reads codes in links (rules: code-links).
    public var readsLinks: Bool

    public init(
        shop: ShopID, machine: MachineID, keyID: String, publicKey: [UInt8], role: KeyRole,
        created: Moment, revoked: Moment? = nil, readsLinks: Bool = false
    ) {
        self.shop = shop
        self.machine = machine
        self.keyID = keyID
        self.publicKey = publicKey
        self.role = role
        self.created = created
        self.revoked = revoked
        self.readsLinks = readsLinks
    }
}
