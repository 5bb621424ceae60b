/// The way on which a customer took a place; the database contains the raw values.
public enum Channel: String, Hashable, Sendable, CaseIterable {
    /// At a ticket machine, without any identification.
    case machine
    /// On the customer's own phone.
    case phone
}

/// One value for each channel.
public struct ByChannel<Value> {
    public var machine: Value
    public var phone: Value

    public init(machine: Value, phone: Value) {
        self.machine = machine
        self.phone = phone
    }

    /// The same value for all channels.
    public init(all value: Value) { self.init(machine: value, phone: value) }

    public subscript(_ channel: Channel) -> Value {
        get {
            switch channel {
            case .machine: machine
            case .phone: phone
            }
        }
        set {
            switch channel {
            case .machine: machine = newValue
            case .phone: phone = newValue
            }
        }
    }
}

extension ByChannel: Equatable where Value: Equatable {}
extension ByChannel: Hashable where Value: Hashable {}
extension ByChannel: Sendable where Value: Sendable {}
