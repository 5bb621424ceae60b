public import Reservations

/// The body of POST /v1/public/device-places, `{}`: the cookie of the device says whose places are meant.
public struct DevicePlacesRequest: Codable, Hashable, Sendable {
    public init() {}
}

/// The places that a device has taken and that are not over: the answer to POST /v1/public/device-places.
public struct DevicePlaces: Codable, Hashable, Sendable {
    /// A `Capability` for each, the soonest first.
    public var capabilities: [String]

    public init(_ capabilities: [Capability]) { self.capabilities = capabilities.map(\.rawValue) }
}
