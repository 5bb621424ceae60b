/// The talk with a printer about one job, as a value: what it says goes in, what to do comes out.
///
/// The printer is asked first; a band is sent when all but one before it are on the paper, so that
/// little is on its way when something goes wrong. Times count from the talk's beginning.
public struct ESCPOSDialogue {
    public enum Action: Hashable, Sendable {
        case send([UInt8])
        case report(PrinterStatus)
        case end(Ending)
    }

    public enum Ending: Hashable, Sendable {
        /// The printer has said that everything is on the paper; or, without a paper, how it is.
        case done
        /// Nobody waits so long for a paper: it must not come out later.
        case givenUp
        case cancelled
    }

    /// A printer answers within milliseconds.
    static let answering = Duration.milliseconds(1_500)
    /// Between two rounds of questions.
    static let pause = Duration.milliseconds(300)
    /// A ticket machine cancels its job before (eight seconds); this is for all others.
    static let patience = Duration.seconds(20)
    /// For the answer to DLE DC4; a printer that does not know it gives none.
    static let clearing = Duration.milliseconds(500)

    private enum State {
        /// For a printer that is ready.
        case waiting
        case printing(next: Int, pending: Int)
        /// Everything is on the paper; one more look at the printer.
        case looking
        case clearing(since: Duration, then: Ending)
        case ended
    }

    private let parts: [[UInt8]]
    private var state = State.waiting
    private var reader = AnswerReader()
    private var asked: (question: ESCPOSCommand.Question, at: Duration)?
    private var answers: [ESCPOSCommand.Question: UInt8] = [:]
    private var nextRound = Duration.zero
    private var lastProgress = Duration.zero
    private var known: PrinterStatus?

    /// `pages` without a page asks how the printer is, and nothing else.
    public init(_ pages: [DotPage]) {
        parts = pages.flatMap { page in
            page.bands + [ESCPOSCommand.feedAndCut]
        }
    }

    /// Whether something may be on the paper already.
    public var hasBegun: Bool {
        switch state {
        case .waiting: false
        case .printing, .looking, .clearing, .ended: true
        }
    }

    // MARK: Events

    public mutating func received(_ bytes: some Sequence<UInt8>, at now: Duration) -> [Action] {
        var actions: [Action] = []
        for byte in bytes {
            switch reader.read(byte) {
            case .status(let answer): actions += answered(answer, at: now)
            case .done: actions += done(at: now)
            case .cleared: actions += cleared()
            case nil: break
            }
        }
        return actions
    }

    public mutating func timePassed(to now: Duration) -> [Action] {
        var actions: [Action] = []
        if case .clearing(let since, let ending) = state {
            return now - since >= Self.clearing ? end(ending) : []
        }
        if let asked, now - asked.at >= Self.answering {
            // Not asked again: a late answer would be taken for one to another question.
            actions += learned(.mute)
            if case .looking = state { return actions + end(.done) }
            if parts.isEmpty { return actions + end(.done) }
        }
        if asked == nil, now >= nextRound { actions += ask(.printer, at: now) }
        if now - lastProgress >= Self.patience { actions += stop(.givenUp, at: now) }
        return actions
    }

    /// Nobody wants the paper any more: what the printer still holds of it must not come out.
    public mutating func cancelled(at now: Duration) -> [Action] { stop(.cancelled, at: now) }

    // MARK: What follows

    private mutating func ask(_ question: ESCPOSCommand.Question, at now: Duration) -> [Action] {
        if case .ended = state { return [] }
        asked = (question, now)
        return [.send(question.bytes)]
    }

    private mutating func answered(_ answer: UInt8, at now: Duration) -> [Action] {
        guard let question = asked?.question else { return [] }
        answers[question] = answer
        if let next = ESCPOSCommand.Question(rawValue: question.rawValue + 1) {
            return ask(next, at: now)
        }
        asked = nil
        nextRound = now + Self.pause
        let status = PrinterStatus(answers)
        answers = [:]
        return learned(status) + proceed(status, at: now)
    }

    private mutating func learned(_ status: PrinterStatus) -> [Action] {
        guard status != known else { return [] }
        known = status
        return [.report(status)]
    }

    private mutating func proceed(_ status: PrinterStatus, at now: Duration) -> [Action] {
        switch state {
        case .waiting where parts.isEmpty: return end(.done)
        case .waiting where status.isReady:
            lastProgress = now
            state = .printing(next: 0, pending: 0)
            let start = ESCPOSCommand.tellNothingUnasked + ESCPOSCommand.initialise
            return [.send(start)] + fill()
        case .looking: return end(.done)
        case .waiting, .printing, .clearing, .ended: return []
        }
    }

    /// Sends as much as may be on its way.
    private mutating func fill() -> [Action] {
        var actions: [Action] = []
        while case .printing(let next, let pending) = state, next < parts.count, pending < 2 {
            actions.append(.send(parts[next] + ESCPOSCommand.tellWhenDone))
            state = .printing(next: next + 1, pending: pending + 1)
        }
        return actions
    }

    private mutating func done(at now: Duration) -> [Action] {
        guard case .printing(let next, let pending) = state, pending > 0 else { return [] }
        lastProgress = now
        state = .printing(next: next, pending: pending - 1)
        if next == parts.count, pending == 1 {
            state = .looking
            nextRound = now
            return []
        }
        return fill()
    }

    private mutating func stop(_ ending: Ending, at now: Duration) -> [Action] {
        switch state {
        case .waiting: return end(ending)
        case .printing:
            state = .clearing(since: now, then: ending)
            return [.send(ESCPOSCommand.clearBuffers)]
        case .looking: return end(.done)
        case .clearing, .ended: return []
        }
    }

    /// The torn paper is cut off, at once or when the printer can.
    private mutating func cleared() -> [Action] {
        guard case .clearing(_, let ending) = state else { return [] }
        return [.send(ESCPOSCommand.feedAndCut)] + end(ending)
    }

    private mutating func end(_ ending: Ending) -> [Action] {
        state = .ended
        return [.end(ending)]
    }
}
