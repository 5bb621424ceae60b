internal import BackendAPI
internal import FoundationEssentials
internal import KioskFlow
internal import Reservations

/// An answer that is not a success, known by its problem document or, without one, by its status.
struct RefusedAnswer {
    let failure: BackendFailure
    let isWorthRetrying: Bool
    /// What the answer asks to wait.
    let retryAfter: Duration

    /// More is not worth waiting for at all.
    private static let maxRetryAfterSeconds = 60

    /// What is refused to a call of an endpoint.
    ///
    /// What may have been said of another request says something of the key and of the contract only, and is asked
    /// again.
    init(_ answer: WireResponse, _ standing: AnswerUse, to endpoint: EndpointName) {
        let problem = Self.problem(of: answer)
        // An older backend has no other way to say that it does not know a code; nothing depends on it.
        let isDecision =
            standing.isDecision(ofStatus: answer.status)
            || standing == .older && (endpoint == .lookup || endpoint == .staffActions)
                && problem?.refusal == .notFound
        retryAfter =
            answer.fields[HeaderField.retryAfter].flatMap { Int(digits: $0) }
            .map { .seconds(min($0, Self.maxRetryAfterSeconds)) } ?? .zero
        let isOfKey = problem?.refusal == .notAuthentic
        isWorthRetrying =
            answer.status >= 500 || answer.status == 429 || !isDecision && !isOfKey
        failure =
            if isDecision {
                Self.failure(problem, status: answer.status)
            } else {
                isOfKey ? .refusal(.notAuthentic) : .notUnderstood
            }
    }

    private static func problem(of answer: WireResponse) -> Problem? {
        guard answer.fields[HeaderField.contentType]?.hasPrefix(Problem.contentType) == true else {
            return nil
        }
        return try? JSONDecoder().decode(Problem.self, from: Data(answer.body))
    }

    private static func failure(_ problem: Problem?, status: Int) -> BackendFailure {
        guard let refused = problem?.refused else {
            // A proxy's error page says nothing about what the backend did (rules 22).
            return status >= 500 || status == 429 ? .unanswered : .notUnderstood
        }
        // An answer that is not the wanted backend's.
        let isElsewhere = [.unknownRoute, .misdirected].contains(refused.refusal)
        return isElsewhere ? .notUnderstood : .refused(refused)
    }
}
