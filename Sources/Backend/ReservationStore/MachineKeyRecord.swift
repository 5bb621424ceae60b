public import Reservations

/// A machine's public key on the white list [DD, client components].
public struct MachineKeyRecord: Hashable, Sendable {
    public var shop: ShopID
    public var machine: MachineID
    /// What signatures name it by; unique in the whole database.
    public var keyID: String
    /// Ed25519: 32 bytes.
    public var publicKey: [UInt8]
    public var role: KeyRole
    public var created: Moment
    /// From then on nothing signed with it is taken; nil while it is valid.
    public var revoked: Moment?

    public init(
        shop: ShopID, machine: MachineID, keyID: String, publicKey: [UInt8], role: KeyRole,
        created: Moment, revoked: Moment? = nil
    ) {
        self.shop = shop
        self.machine = machine
        self.keyID = keyID
        self.publicKey = publicKey
        self.role = role
        self.created = created
        self.revoked = revoked
    }
}
