internal import KioskFlow

/// How long the machine waits between two polls of the backend, depending on the results of the last ones.
struct PollPace {
    private var unanswered = 0
    private var isRefused = false

    mutating func answered(_ failure: BackendFailure?) {
        isRefused = failure?.concernsKey == true
        unanswered = failure == nil || isRefused ? 0 : unanswered + 1
    }

    /// A range of milliseconds from which each pause is chosen, so that machines that failed together do not poll
    /// together.
    ///
    /// A lost poll is repeated at once, so that an outage is noticed soon and a short interruption is not shown as one.
    /// An attempt takes 2.5 s at most; with the pause, a backend that is back is found within 5 s (faults 12).
    var pause: ClosedRange<Int> {
        if isRefused { return 8_000...12_000 }
        switch unanswered {
        // A poll every 3 to 5 s costs no more than an idle machine may use (rules: idle-cost).
        case 0: return 3_000...5_000
        case 1: return 200...500
        default: return 800...1_800
        }
    }
}
