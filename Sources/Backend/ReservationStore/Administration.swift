public import Cryptography
internal import QueueEngine
public import Reservations

/// The changes of administrators: shops and the allow list of keys.
///
/// Each change raises the shop's change sequence in its transaction, so that every running server sees
/// it within a second (rules: one-server). Works beside a server on the same database.
public final class Administration {
    let database: any Database
    let actor: String
    /// The moment, by which what a command asks for is judged too.
    public let now: () -> Moment

    /// `actor` is the administrator's name, as the audit will contain it.
    public init(
        database: any Database, actor: String = "administrator", now: @escaping () -> Moment
    ) {
        self.database = database
        self.actor = actor
        self.now = now
    }

    public func shops() throws(StoreError) -> [Shop] { try database.shops() }

    /// Marks the database permanently as one of a demonstration, whose clock may be moved.
    public func markDemonstration() throws(StoreError) {
        guard try !isDemonstration() else { return }
        let since = now()
        _ = try database.transaction { () throws(StoreError) in
            try database.execute(Self.insertMark, since)
        }
    }

    /// Whether the database belongs to a demonstration, so that nothing in it is real (rules: demonstration-clock).
    public func isDemonstration() throws(StoreError) -> Bool {
        try database.rows(Self.selectMark) { $0.integer(0) }.isEmpty == false
    }

    private static let insertMark = Query.insert(into: "demonstration", "since_ms")
    private static let selectMark = Query("SELECT since_ms FROM demonstration")

    public func machineKeys() throws(StoreError) -> [MachineKeyRecord] {
        try database.machineKeys()
    }

    /// Remote commands for the machines of a shop, including those carried out, the oldest first of each machine.
    public func commands(of shop: ShopID) throws(StoreError) -> [RemoteCommandRecord] {
        try database.remoteCommands(of: shop)
    }

    /// Gives a machine a remote command; an older one of the same kind, or about its service, becomes void.
    @discardableResult public func order(
        _ kind: RemoteCommand.Kind, message: String? = nil, for machine: MachineID, of shop: ShopID
    ) throws(StoreError) -> RemoteCommandRecord {
        try database.transaction { () throws(StoreError) in
            let keys = try database.machineKeys()
            guard
                keys.contains(where: {
                    $0.shop == shop && $0.machine == machine && $0.role == .ticketMachine
                        && $0.revoked == nil
                })
            else { throw refusal("order a machine", "shop \(shop) has no machine \(machine)") }
            _ = try database.lock(shop)
            let order = try database.giveCommand(
                kind, message: message, to: machine, of: shop, at: now())
            try database.raiseChangeSequence(of: shop)
            try record(
                .machineOrdered,
                "\(kind.rawValue) \(machine)\(message.map { ": \($0)" } ?? "")", of: shop)
            return order
        }
    }

    /// Adds a shop; refuses a name or a tag that exists already.
    public func addShop(_ shop: Shop) throws(StoreError) {
        try shop.check()
        try shop.checkName()
        try administer { () throws(StoreError) in
            for known in try database.shops() {
                if known.id == shop.id {
                    throw refusal("add a shop", "there is a shop \(shop.id) already")
                }
                try refuseTag(of: shop, against: known)
            }
            try database.insert(shop, at: now())
            try database.raiseChangeSequence(of: shop.id)
            try record(.shopAdded, "\(shop.tag) \(shop.name)", of: shop.id)
        }
    }

    /// Replaces the settings of a shop.
    ///
    /// Booked visits for which its hours leave no place are named in the refusal, or deleted (rules: capacity).
    /// - Parameter openings: The openings of the changed shop, from now on for longer than visits are booked; nil if
    ///   its hours have not changed.
    public func updateShop(
        _ shop: Shop, openings: [OpenInterval]? = nil, cancelVisits: Bool = false
    ) throws(StoreError) {
        try shop.check()
        try administer { () throws(StoreError) in
            let known = try database.shops()
            guard let former = known.first(where: { $0.id == shop.id }) else {
                throw unknown(shop.id)
            }
            if shop.name != former.name { try shop.checkName() }
            let sequence = try database.lock(shop.id)
            for other in known where other.id != shop.id { try refuseTag(of: shop, against: other) }
            var cancelled = 0
            if let openings {
                cancelled = try keepVisits(of: shop.id, in: openings, orCancel: cancelVisits)
            }
            try database.write(queueSequence: sequence + 1, of: shop.id)
            try database.update(shop)
            try database.raiseChangeSequence(of: shop.id)
            try record(
                .shopChanged, shop.changes(since: former, cancelledVisits: cancelled), of: shop.id)
        }
    }

    /// Puts a key on the allow list; refuses a key identifier or a public key that is there already.
    public func addMachineKey(_ key: MachineKeyRecord) throws(StoreError) {
        guard key.publicKey.count == 32 else {
            throw refusal(
                "add a machine", "an Ed25519 public key has 32 bytes, not \(key.publicKey.count)")
        }
        guard PlainName.isValid(key.keyID) else {
            throw refusal(
                "add a machine", "a key identifier is \(MachineID.nameRule), not \"\(key.keyID)\"")
        }
        try check(machine: key.machine)
        try administer { () throws(StoreError) in try add(key, as: .keyAdded) }
    }

    /// Pairs the machine that shows a code, and returns its key.
    ///
    /// Refuses a code that is unknown, used or expired, each with a sentence of its own.
    public func pairMachine(
        code: String, as machine: MachineID, role: KeyRole, of shop: ShopID
    ) throws(StoreError) -> MachineKeyRecord {
        try check(machine: machine)
        return try administer { () throws(StoreError) in
            let pairing = try database.pairing(of: code, at: now())
            let key = MachineKeyRecord(
                shop: shop, machine: machine, keyID: pairing.keyID, publicKey: pairing.publicKey,
                role: role, created: now())
            try add(key, as: .keyPaired)
            try database.use(pairing, at: now())
            return key
        }
    }

    /// Puts a key on the allow list, unless the key or its machine's name is there; called in a transaction.
    private func add(_ key: MachineKeyRecord, as action: AuditEntry.Action) throws(StoreError) {
        guard try database.shops().contains(where: { $0.id == key.shop }) else {
            throw unknown(key.shop)
        }
        for known in try database.machineKeys() {
            if known.keyID == key.keyID || known.publicKey == key.publicKey {
                throw refusal(
                    "add a machine",
                    "this key is on the allow list already, for machine \(known.machine) of shop "
                        + "\(known.shop)\(known.revoked == nil ? "" : ", and revoked")")
            }
            if known.shop == key.shop, known.machine == key.machine, known.revoked == nil {
                throw refusal(
                    "add a machine",
                    "shop \(key.shop) has a \(known.role.rawValue) \(key.machine) already: give "
                        + "another name, or revoke that one first if this is to replace it")
            }
        }
        try database.insert(key)
        try database.raiseChangeSequence(of: key.shop)
        try record(action, "\(key.role.rawValue) \(key.machine), key \(key.keyID)", of: key.shop)
    }

    private func check(machine: MachineID) throws(StoreError) {
        guard machine.isGiveable else {
            throw refusal(
                "add a machine",
                "a machine's or device's name is \(MachineID.nameRule), and does not begin with -; not "
                    + "\"\(machine)\"")
        }
    }

    /// Takes all keys of a shop for which `isMeant` is true off the allow list permanently, in one transaction in which
    /// the machine can add no other key; returns them, including those that were revoked before.
    @discardableResult public func revokeMachineKeys(
        of shop: ShopID, where isMeant: (MachineKeyRecord) -> Bool
    ) throws(StoreError) -> [MachineKeyRecord] {
        try administer { () throws(StoreError) in
            _ = try database.lock(shop)
            let keys = try database.machineKeys().filter { $0.shop == shop && isMeant($0) }
            for key in keys where key.revoked == nil {
                try database.revoke(key.keyID, of: shop, at: now())
                try record(
                    .keyRevoked, "\(key.role.rawValue) \(key.machine), key \(key.keyID)", of: shop)
            }
            if keys.contains(where: { $0.revoked == nil }) {
                try database.raiseChangeSequence(of: shop)
            }
            let revoked = Set(keys.map(\.keyID))
            return try database.machineKeys().filter {
                $0.shop == shop && revoked.contains($0.keyID)
            }
        }
    }

    /// Runs a transaction while no other administrator's transaction runs.
    func administer<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try database.transaction { () throws(StoreError) in
            try database.excludeAdministrators()
            return try body()
        }
    }

    /// The public half of the key by which machines recognize this backend; nil before there was one.
    public func backendKey() throws(StoreError) -> [UInt8]? {
        try database.rows(Self.selectBackendKey, "") { $0.blob(0) }.first
    }

    /// Stores the public half of the backend's key, and records in every shop's audit if it is a key that their
    /// machines do not know.
    public func keepBackendKey(_ key: [UInt8], keyID: String) throws(StoreError) {
        let isAnother = try backendKey().map { $0 != key } ?? false
        _ = try database.transaction { () throws(StoreError) in
            try database.execute(Self.writeBackendKey, "", key)
        }
        guard isAnother else { return }
        for shop in try shops() {
            try database.transaction { () throws(StoreError) in
                try record(.backendKeyMade, "key \(keyID)", of: shop.id)
            }
        }
    }

    // The key belongs to no shop: its row has the empty identifier.
    private static let selectBackendKey = Query(
        "SELECT public_key FROM backend_key WHERE shop_id = $shop")
    private static let writeBackendKey = Query.insert(
        into: "backend_key", "shop_id, public_key", replacing: "shop_id")

    /// Passes the rows of a shop's audit to `body`, in order.
    public func audit(of shop: ShopID, _ body: (AuditRecord) throws(StoreError) -> Void)
        throws(StoreError)
    { try database.eachAuditRecord(of: shop, after: 0, body) }

    /// Verifies the hash chain of a shop's audit.
    ///
    /// - Parameters:
    ///   - kept: An earlier end of the chain, as it was written down elsewhere.
    ///   - key: The backend's key, with which the audit must be signed; nil if signatures are not to be verified.
    public func verifyAudit(
        of shop: ShopID, kept: AuditHead? = nil, signedBy key: PublicKey? = nil
    ) throws(StoreError) -> AuditFinding {
        try database.snapshot { () throws(StoreError) in
            try database.verifyAudit(shop, kept: kept, key: key)
        }
    }

    /// The sequence up to which the key has signed a shop's audit, and when; nil if it has not.
    public func auditSeal(of shop: ShopID, by key: PublicKey) throws(StoreError) -> AuditSeal? {
        try database.auditSeal(of: shop, by: key)
    }

    /// Signs the end of every shop's audit, if it follows from what was signed before.
    public func sealAudits(_ sealer: AuditSealer) throws(StoreError) {
        for shop in try shops() { try sealer.seal(shop.id, at: now(), in: database) }
    }

    func record(
        _ action: AuditEntry.Action, _ detail: String, of shop: ShopID
    ) throws(StoreError) {
        try database.append(
            AuditEntry(actor: actor, action: action, detail: detail), of: shop, at: now())
    }

    /// Returns how many visits were cancelled.
    private func keepVisits(
        of shop: ShopID, in openings: [OpenInterval], orCancel mayCancel: Bool
    ) throws(StoreError) -> Int {
        let now = now()
        let stranded = try database.liveReservations(of: shop).filter { record in
            guard record.state == .planned, let visit = record.hold.visit, now < visit.end.moment
            else { return false }
            return !openings.contains {
                $0.opens.moment <= visit.start.moment && visit.end.moment <= $0.ends.moment
            }
        }
        guard !stranded.isEmpty else { return 0 }
        guard mayCancel else {
            let list = stranded.compactMap { record -> String? in
                guard let number = record.confirmation?.number, let start = record.hold.visit?.start
                else { return nil }
                return "\(number.text) on \(start.day) at \(start.time)"
            }
            throw refusal(
                "change a shop",
                "\(list.count) booked visits would have no place: \(list.joined(separator: ", ")); "
                    + "say --cancel-visits to delete them")
        }
        for record in stranded {
            let cancelled = record.change(
                to: .deleted, at: max(now, record.since), because: .cancelledByShop)
            try database.write(cancelled, of: shop)
            try database.writeNotices(of: cancelled, at: now, in: shop)
        }
        return stranded.count
    }

    private func refuseTag(of shop: Shop, against other: Shop) throws(StoreError) {
        guard other.tag != shop.tag else {
            throw refusal("store a shop", "the tag \(shop.tag) is that of shop \(other.id)")
        }
    }

    private func unknown(_ shop: ShopID) -> StoreError { .noShop(shop, operation: "find a shop") }

    func refusal(_ operation: String, _ sentence: String) -> StoreError {
        StoreError(.refused, operation: operation, sentence)
    }
}
