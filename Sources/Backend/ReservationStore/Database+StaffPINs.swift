public import Reservations
internal import RowColumns

private let selectPIN = Query("SELECT staff_pin FROM shop WHERE shop_id = $shop")
private let writePIN = Query("UPDATE shop SET staff_pin = $pin WHERE shop_id = $shop")

/// The PINs of shops for the pages of their staff (rules: blocks).
extension Database {
    /// Nil if the shop has none.
    func staffPIN(of shop: ShopID) throws(StoreError) -> StaffPIN? {
        let texts = try rows(selectPIN, shop) { $0.isNull(0) ? nil : $0.text(0) }
        guard let text = texts.first ?? nil else { return nil }
        guard let pin = StaffPIN(text: text) else {
            throw .unreadable("a row", "the PIN of shop \(shop)", operation: "read a PIN")
        }
        return pin
    }

    func write(_ pin: StaffPIN?, of shop: ShopID) throws(StoreError) {
        try execute(writePIN, pin?.text, shop)
    }
}

extension QueueStore {
    /// The PIN for the pages of a shop's staff, nil if it has none; `completion` is called as by `lookUp`.
    public func staffPIN(
        of shop: ShopID,
        completion: @escaping @Sendable (Result<StaffPIN?, StoreError>) -> Void
    ) {
        aside(of: shop, completion) { writer throws(StoreError) in
            try writer.database.staffPIN(of: shop)
        }
    }

    /// The holders who may take no place in a shop now. They are read from memory, as `status`.
    public func blockedHolders(of shop: ShopID) -> [HolderID] {
        let now = context.now()
        return published.queue(of: shop)?.read(at: now) { state, _ in
            state.blockedHolders(at: now)
        } ?? []
    }
}

extension Administration {
    /// Gives the pages of a shop's staff a new PIN, or none.
    public func setStaffPIN(_ pin: StaffPIN?, of shop: ShopID) throws(StoreError) {
        try administer { () throws(StoreError) in
            try database.write(pin, of: shop)
            try record(.staffPINSet, pin == nil ? "none" : "", of: shop)
        }
    }
}
