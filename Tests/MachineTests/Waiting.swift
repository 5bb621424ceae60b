/// Asks every 20 ms whether it is so; false when it was not in time.
///
/// As TestSupport's `eventually`, for what lives on the main actor.
@MainActor
func comes(_ isTrue: () throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while try !isTrue() {
        guard ContinuousClock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(20))
    }
    return true
}
