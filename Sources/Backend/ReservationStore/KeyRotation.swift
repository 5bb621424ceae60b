internal import Reservations

/// Changes a machine's key without a visit: the old key adds the new one, which then revokes it (rules: machine-key).
enum KeyRotation {
    /// Carries out a command that changes the allow list; returns false if it is refused.
    static func perform(
        _ change: KeyChange, of request: AuthenticatedRequest, at now: Moment,
        in database: any Database
    ) throws(StoreError) -> Bool {
        let keys = try database.machineKeys()
        // The key may have been revoked since the signature was verified.
        guard
            let own = keys.first(where: {
                $0.shop == request.shop && $0.keyID == request.nonce?.keyID && $0.revoked == nil
            })
        else { return false }
        func record(_ action: AuditEntry.Action, _ keyID: String) throws(StoreError) {
            try database.append(
                AuditEntry(actor: "machine \(own.machine)", action: action, detail: "key \(keyID)"),
                of: own.shop, at: now)
        }
        var kept = [own.keyID]
        if case .add(let key, let id) = change {
            kept.append(id)
            if let known = keys.first(where: { $0.keyID == id || $0.publicKey == key }) {
                return known.shop == own.shop && known.machine == own.machine
                    && known.role == own.role && known.revoked == nil
            }
            try database.insert(
                MachineKeyRecord(
                    shop: own.shop, machine: own.machine, keyID: id, publicKey: key,
                    role: own.role, created: now))
            try record(.keyOffered, id)
        }
        // A key that was added and never used is revoked too.
        let others = keys.filter { other in
            other.shop == own.shop && other.machine == own.machine && other.revoked == nil
                && !kept.contains(other.keyID)
        }
        for other in others {
            try database.revoke(other.keyID, of: own.shop, at: now)
            try record(.keyRevoked, other.keyID)
        }
        if change == .keepOnlyThis, !others.isEmpty { try record(.keyRotated, own.keyID) }
        try database.raiseChangeSequence(of: own.shop)
        return true
    }
}
