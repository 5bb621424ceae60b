/// Asks every 20 ms whether a condition holds; false if it did not hold in time.
///
/// As `eventually` of TestSupport, for values of the main actor.
@MainActor
func comes(_ isTrue: () throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while try !isTrue() {
        guard ContinuousClock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(20))
    }
    return true
}
