internal import KioskFlow

/// How long the machine waits between two polls of the backend, by what the last ones brought.
struct PollPace {
    /// Polls that brought no answer, one after the other.
    private var unanswered = 0
    private var isRefused = false

    mutating func answered(_ failure: BackendFailure?) {
        isRefused = failure?.isOfKey == true
        unanswered = failure == nil || isRefused ? 0 : unanswered + 1
    }

    /// Milliseconds, any of the range: machines that failed together come back apart.
    ///
    /// A lost poll is made up for at once, so that an outage is known soon and a hiccup is none. A try
    /// takes 2.5 s at most: with the pause, a backend that is back is found within 5 s (faults 12).
    var pause: ClosedRange<Int> {
        if isRefused { return 8_000...12_000 }
        switch unanswered {
        // Every 3 to 5 s costs the idle machine what it may (rules 19).
        case 0: return 3_000...5_000
        case 1: return 200...500
        default: return 800...1_800
        }
    }
}
