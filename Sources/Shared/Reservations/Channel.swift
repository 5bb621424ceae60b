/// The way on which a customer took a place. The database contains the raw values of a machine and of a phone, and beside
/// these whether the phone was elsewhere.
public enum Channel: String, Hashable, Sendable, CaseIterable {
    /// At a ticket machine, without any identification.
    case machine
    /// On the customer's own phone, at the shop's door (rules: joining).
    case phone
    /// On the customer's own phone, elsewhere (rules: elsewhere).
    case remote

    /// Whether it was taken on a phone, so that its holder is known by a name.
    public var isPhone: Bool { self != .machine }
}

/// One value for each channel.
public struct ByChannel<Value> {
    public var machine: Value
    public var phone: Value
    public var remote: Value

    public init(machine: Value, phone: Value, remote: Value) {
        self.machine = machine
        self.phone = phone
        self.remote = remote
    }

    /// The same value for all channels.
    public init(all value: Value) { self.init(machine: value, phone: value, remote: value) }

    public subscript(_ channel: Channel) -> Value {
        get {
            switch channel {
            case .machine: machine
            case .phone: phone
            case .remote: remote
            }
        }
        set {
            switch channel {
            case .machine: machine = newValue
            case .phone: phone = newValue
            case .remote: remote = newValue
            }
        }
    }
}

extension ByChannel: Equatable where Value: Equatable {}
extension ByChannel: Hashable where Value: Hashable {}
extension ByChannel: Sendable where Value: Sendable {}
