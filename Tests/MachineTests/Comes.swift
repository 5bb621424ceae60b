import MachineClock
import TestSupport

/// Asks again and again whether a condition holds; false if it did not hold in time.
///
/// As `eventually` of TestSupport, for values of the main actor.
///
/// - Parameter time: a machine's clock that is moved meanwhile.
@MainActor
func comes(moving time: MachineClock? = nil, _ isTrue: () throws -> Bool) async rethrows -> Bool {
    try await eventually(maxPause: .milliseconds(time == nil ? 20 : 2)) {
        if try isTrue() { return true }
        time?.move(by: .milliseconds(250))
        return false
    }
}

/// Lets time pass by a machine's clock, in steps after each of which the machine does what is due.
@MainActor
func pass(_ duration: Duration, of time: MachineClock) async {
    let end = time.now.advanced(by: duration)
    while time.now < end {
        time.move(by: min(.milliseconds(250), time.now.duration(to: end)))
        for _ in 0..<20 { await Task.yield() }
    }
}
