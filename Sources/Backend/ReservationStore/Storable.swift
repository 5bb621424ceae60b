internal import QueueEngine
internal import Reservations
internal import RowColumns

/// A value that a column can hold.
protocol Storable { var stored: DatabaseValue { get } }

extension Int64: Storable { var stored: DatabaseValue { .integer(self) } }
extension Int: Storable { var stored: DatabaseValue { .integer(Int64(self)) } }
extension Bool: Storable { var stored: DatabaseValue { .integer(self ? 1 : 0) } }
extension String: Storable { var stored: DatabaseValue { .text(self) } }
extension Array: Storable where Element == UInt8 { var stored: DatabaseValue { .blob(self) } }
extension Moment: Storable { var stored: DatabaseValue { .integer(milliseconds) } }
/// The offset has a column of its own.
extension LocalMoment: Storable { var stored: DatabaseValue { moment.stored } }
extension CalendarDay: Storable { var stored: DatabaseValue { .text(description) } }
extension Identifier: Storable { var stored: DatabaseValue { .text(rawValue) } }
extension QueueNumber: Storable { var stored: DatabaseValue { rawValue.stored } }

extension Optional: Storable where Wrapped: Storable {
    var stored: DatabaseValue { self?.stored ?? .null }
}

extension RawRepresentable where RawValue == String {
    var stored: DatabaseValue { .text(rawValue) }
}

extension Channel: Storable {}
extension HelpCall.End: Storable {}
extension KeyRole: Storable {}
extension NoticeReason: Storable {}
extension OrderState: Storable {}
extension PickupNumber: Storable { var stored: DatabaseValue { rawValue.stored } }
extension RefusedRequestKind: Storable {}
extension RemoteCommand.Kind: Storable {}
extension ReservationKind: Storable {}
extension ReservationState: Storable {}
extension ShopTag: Storable {}
extension SymbolCode: Storable {}
extension TransitionCause: Storable {}
extension TypedCode: Storable {}
