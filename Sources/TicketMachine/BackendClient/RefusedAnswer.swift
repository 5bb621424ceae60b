internal import BackendAPI
internal import FoundationEssentials
internal import KioskFlow
internal import Reservations

/// An answer that is not a success, identified by its problem document or, without one, by its status.
struct RefusedAnswer {
    let failure: BackendFailure
    let isWorthRetrying: Bool
    /// How long the answer asks the client to wait.
    let retryAfter: Duration

    /// A longer wait is not useful in any call.
    private static let maxRetryAfterSeconds = 60

    /// Reads the refusal of a call of an endpoint.
    ///
    /// An answer that may belong to another request only shows whether the key and the contract are accepted, so the
    /// call is repeated.
    init(_ answer: WireResponse, _ use: AnswerUse, to endpoint: EndpointName) {
        let problem = Self.problem(of: answer)
        // An older backend has no other way to report an unknown code, and nothing depends on that answer.
        let isDecision =
            use.isDecision(ofStatus: answer.status)
            || use == .older && (endpoint == .lookup || endpoint == .staffActions)
                && problem?.refusal == .notFound
        retryAfter =
            answer.fields[HeaderField.retryAfter].flatMap { Int(digits: $0) }
            .map { .seconds(min($0, Self.maxRetryAfterSeconds)) } ?? .zero
        let concernsKey = problem?.refusal == .notAuthentic
        isWorthRetrying =
            answer.status >= 500 || answer.status == 429 || !isDecision && !concernsKey
        failure =
            if isDecision { Self.failure(problem, status: answer.status) } else {
                concernsKey ? .refusal(.notAuthentic) : .notUnderstood
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
            // A proxy's error page does not show what the backend did (rules: signed-answers).
            return status >= 500 || status == 429 ? .unanswered : .notUnderstood
        }
        // The answer came from another server than the configured backend.
        let isElsewhere = [.unknownRoute, .misdirected].contains(refused.refusal)
        return isElsewhere ? .notUnderstood : .refused(refused)
    }
}
