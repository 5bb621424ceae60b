/// A push, and the caller who waits for its outcome. One thread uses it once it is handed over.
final class PendingPush {
    let push: Push
    private var caller: CheckedContinuation<PushOutcome, Never>?

    init(_ push: Push, for caller: CheckedContinuation<PushOutcome, Never>) {
        self.push = push
        self.caller = caller
    }

    /// Hands the outcome to the caller; only the first one counts.
    func end(_ outcome: PushOutcome) {
        caller?.resume(returning: outcome)
        caller = nil
    }
}
