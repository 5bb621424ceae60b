internal import QueueEngine
internal import Reservations

private let updateCode = Query(
    """
    UPDATE reservation SET code = $code, typed_code = $typed
    WHERE shop_id = $shop AND id = $id AND state = $state
    """)
private let insertRetired = Query(
    "INSERT INTO retired_code (shop_id, typed_code, day) VALUES ($shop, $typed, $day)")
private let selectRetired = Query(
    "SELECT 1 FROM retired_code WHERE shop_id = $shop AND typed_code = $typed")
private let deleteRetired = Query("DELETE FROM retired_code WHERE shop_id = $shop AND day < $day")

/// Codes of papers that were photographed, which no other reservation gets as long as theirs is stored (rules: new-codes).
extension Database {
    /// Writes the code that a reservation has instead of its former one, and ends what was asked for with the former paper:
    /// who photographed that has its digits too. Numbers do nothing more until `deleteNumbers` takes them away.
    func recode(
        _ record: ReservationRecord, insteadOf former: TypedCode, _ shop: ShopID
    ) throws(StoreError) {
        guard let confirmation = record.confirmation else { throw .notAsKnown(updateCode) }
        try post(
            updateCode, confirmation.code, confirmation.typedCode, shop, record.hold.id,
            record.state, changing: 1)
        try post(insertRetired, shop, former, record.hold.day, changing: 1)
        try endProofs(of: record.hold.id, in: shop)
    }

    func isRetired(_ code: TypedCode, in shop: ShopID) throws(StoreError) -> Bool {
        try !rows(selectRetired, shop, code) { _ in true }.isEmpty
    }

    func pruneRetiredCodes(of shop: ShopID, before day: CalendarDay) throws(StoreError) {
        try execute(deleteRetired, shop, day)
    }
}
