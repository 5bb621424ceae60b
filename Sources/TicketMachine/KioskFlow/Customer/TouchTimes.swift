internal import Reservations

/// When the machine was touched last and when its screen changed, which decides what a second touch was meant for.
struct TouchTimes: Hashable, Sendable, Codable {
    private(set) var last: Duration = .zero
    private var screenChanged: Duration = .zero - KioskTiming.doubleTap

    mutating func touched(_ now: Duration) { last = now }
    mutating func screenChanged(_ now: Duration) { screenChanged = now }

    /// Whether a touch comes so soon after a change of screen that it was meant for the screen before.
    func isTooSoon(_ now: Duration) -> Bool { now < screenChanged + KioskTiming.doubleTap }
}

/// The shop's clock, as far as the backend has reported it.
struct ShopClock: Hashable, Sendable, Codable {
    private var shop: LocalMoment?
    private var received: Duration = .zero

    mutating func set(_ shop: LocalMoment, now: Duration) {
        self.shop = shop
        received = now
    }

    func time(now: Duration) -> LocalMoment? { shop.map { $0.at($0.moment + (now - received)) } }
}

/// Makes keys of attempts that are unique over all starts of the machine.
struct AttemptKeys: Hashable, Sendable, Codable {
    private let prefix: String
    private var made = 0

    /// - Parameter prefix: random characters `a-z 0-9`, new at each start.
    init(prefix: String) { self.prefix = prefix }

    mutating func next() -> AttemptKey {
        made += 1
        return AttemptKey("\(prefix)-\(made)")
    }
}
