internal import Reservations

/// What waits for the writers of a store, and which of them have nothing to do.
struct WriterLine: Sendable {
    var waiting = WaitingQueue()
    var lookups = 0
    /// The look-ups for customers' phones, which leave those of machines their room.
    var phoneLookups = 0
    /// The changes of phones' subscriptions to notices.
    var subscriptions = 0
    /// What is counted and looked up for SMS.
    var sms = 0
    /// Shops that another server has changed and that are soon looked at.
    var announced: Set<ShopID> = []
    var stopped = false
    private let writers: Int
    /// The writers with nothing to do, by their index.
    private var resting: [Int]
    /// How often a writer has taken work.
    private var taken = 0
    /// Whether it will be asked whether the writers at work are enough.
    private var isWatched = false

    /// What is to be done so that work does not wait for too long.
    struct Call {
        /// The writer to wake; nil if those at work are enough, or nothing waits.
        var writer: Int?
        /// What `findWriter` is to be asked a while later, to find out whether they are enough; nil if it is not to be.
        var watched: Int?
    }

    init(writers: Int) {
        self.writers = writers
        resting = Array(0..<writers)
    }

    /// Finds a writer if work waits and none is at work; otherwise leaves the work to those, unless they take long.
    ///
    /// - Parameter known: How often a writer had taken work a while ago; nil if nothing is known.
    mutating func findWriter(since known: Int?) -> Call {
        if known != nil { isWatched = false }
        var call = Call()
        guard waiting.hasTurn, !resting.isEmpty else { return call }
        if resting.count == writers || known == taken { call.writer = resting.popLast() }
        if !isWatched, call.writer == nil || known != nil {
            isWatched = true
            call.watched = taken
        }
        return call
    }

    /// The next work for a writer, which rests if there is none.
    mutating func takeBatches(for writer: Int, atMost limit: Int) -> [Batch] {
        let batches = waiting.takeBatches(atMost: limit)
        if batches.isEmpty { resting.append(writer) } else { taken += 1 }
        return batches
    }

    /// Ends batches; if they are not written, each of them waits again.
    mutating func finished(_ batches: [Batch], isWritten: Bool) {
        for batch in batches {
            if !isWritten { waiting.putBack(batch) }
            waiting.finished(batch.shop)
        }
    }
}
