/// A state machine for the dialogue with a printer about one job: the printer's bytes go in, actions come out.
///
/// The printer is asked for its state first. A band is sent when all but one before it are on the paper, so that
/// little is on its way when a fault occurs. Times count from the beginning of the dialogue.
public struct ESCPOSDialogue {
    public enum Action: Hashable, Sendable {
        case send([UInt8])
        case report(ESCPOSStatus)
        case end(Ending)
    }

    public enum Ending: Hashable, Sendable {
        /// The printer has reported that everything is on the paper or, for a job without a paper, its state.
        case done
        /// No person waits so long for a paper, so it must not come out later.
        case givenUp
        case cancelled
    }

    /// Timeout of an answer; a printer answers within milliseconds.
    static let answerTimeout = Duration.milliseconds(1_500)
    /// The pause between two rounds of questions.
    static let roundInterval = Duration.milliseconds(300)
    /// Timeout of a job without progress. A ticket machine cancels its jobs earlier, after eight seconds; this is for
    /// all other jobs.
    static let jobTimeout = Duration.seconds(20)
    /// Timeout of the answer to DLE DC4; a printer that does not know the command gives none.
    static let clearing = Duration.milliseconds(500)

    private enum State {
        /// Waiting until the printer is ready.
        case waiting
        case printing(next: Int, pending: Int)
        /// Everything is on the paper; the printer is asked once more.
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
    private var known: ESCPOSStatus?

    /// - Parameter pages: without a page, the printer is only asked for its state.
    public init(_ pages: [DotPage]) {
        parts = pages.flatMap { page in page.bands + [ESCPOSCommand.feedAndCut] }
    }

    /// Whether a part of the job may be on the paper already.
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
        if let asked, now - asked.at >= Self.answerTimeout {
            // The question is not asked again, because a late answer would be taken for the answer to another one.
            actions += learned(.mute)
            if case .looking = state { return actions + end(.done) }
            if parts.isEmpty { return actions + end(.done) }
        }
        if asked == nil, now >= nextRound { actions += ask(.printer, at: now) }
        if now - lastProgress >= Self.jobTimeout { actions += stop(.givenUp, at: now) }
        return actions
    }

    /// Handles the cancellation of the job: data that the printer still holds must not be printed.
    public mutating func cancelled(at now: Duration) -> [Action] { stop(.cancelled, at: now) }

    // MARK: Reactions

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
        nextRound = now + Self.roundInterval
        let status = ESCPOSStatus(answers)
        answers = [:]
        return learned(status) + proceed(status, at: now)
    }

    private mutating func learned(_ status: ESCPOSStatus) -> [Action] {
        guard status != known else { return [] }
        known = status
        return [.report(status)]
    }

    private mutating func proceed(_ status: ESCPOSStatus, at now: Duration) -> [Action] {
        switch state {
        case .waiting where parts.isEmpty: return end(.done)
        case .waiting where status.isReady:
            lastProgress = now
            state = .printing(next: 0, pending: 0)
            let start = ESCPOSCommand.reportNothingUnasked + ESCPOSCommand.initialise
            return [.send(start)] + fill()
        case .looking: return end(.done)
        case .waiting, .printing, .clearing, .ended: return []
        }
    }

    private mutating func fill() -> [Action] {
        var actions: [Action] = []
        while case .printing(let next, let pending) = state, next < parts.count, pending < 2 {
            actions.append(.send(parts[next] + ESCPOSCommand.reportWhenDone))
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

    /// Cuts off the torn paper, at once or when the printer can.
    private mutating func cleared() -> [Action] {
        guard case .clearing(_, let ending) = state else { return [] }
        return [.send(ESCPOSCommand.feedAndCut)] + end(ending)
    }

    private mutating func end(_ ending: Ending) -> [Action] {
        state = .ended
        return [.end(ending)]
    }
}
