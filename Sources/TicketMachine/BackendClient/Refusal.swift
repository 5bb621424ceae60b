internal import BackendAPI
internal import FoundationEssentials
internal import KioskFlow

/// An answer that is not a success, told by its problem document or, without one, by its status.
struct Refusal {
    let failure: BackendFailure
    let isWorthRetrying: Bool
    /// What the answer asks to wait; at most what is worth waiting for at all.
    let retryAfter: Duration

    /// What is refused to a call of `route`.
    ///
    /// What may have been said of another request tells of the key and of the contract only, and is asked again.
    init(_ answer: WireResponse, _ standing: AnswerStanding, to route: Route) {
        let problem = Self.problem(of: answer)
        // An older backend has no other way to say that it does not know a code; nothing hangs on it.
        let isDecision =
            standing.isDecision(ofStatus: answer.status)
            || standing == .older && route.asksAboutCode && problem?.problemType == .notFound
        retryAfter =
            answer.fields[HeaderField.retryAfter].flatMap { Int(digits: $0) }
            .map { .seconds(min($0, 60)) } ?? .zero
        let isOfKey = problem?.problemType == .notAuthentic
        isWorthRetrying =
            answer.status >= 500 || answer.status == 429
            || !isDecision && !isOfKey
        guard isDecision else {
            failure = isOfKey ? .notAuthentic : .notUnderstood
            return
        }
        let code = route.isOfCode ? problem?.problemType?.codeRefusal : nil
        failure = code.map { .code($0) } ?? Self.failure(problem, status: answer.status)
    }

    private static func problem(of answer: WireResponse) -> Problem? {
        guard answer.fields[HeaderField.contentType]?.hasPrefix(Problem.contentType) == true else {
            return nil
        }
        return try? JSONDecoder().decode(Problem.self, from: Data(answer.body))
    }

    private static func failure(_ problem: Problem?, status: Int) -> BackendFailure {
        switch problem?.problemType {
        case .noTicketToday: .noTicketToday
        case .shopClosed: .shopClosed(opens: problem?.opens)
        case .holdLapsed: .holdLapsed
        case .notAuthentic: .notAuthentic
        case .notFound, .alreadyDeleted, .alreadyUsed, .missed, .closedBeforeTurn, .inside: .gone
        case .unavailable, .tooManyRequests: .busy
        case .ticketAvailable: .ticketAvailable
        case .nothingWithinAMonth: .nothingWithinAMonth
        case .malformed, .keyReused, .methodNotAllowed, .tooLarge, .unsupportedKind, .otherShop,
            .unreadableCode, .notYetCalled, .keyTaken, .notInside, .stillValid, .full, .implausible,
            .forbidden, .upgradeRequired, .headTooLarge, .requestTimeout, .lengthRequired,
            .notImplemented, .versionNotSupported:
            .refused(problem?.problemType?.rawValue ?? "")
        case .unknownRoute, .misdirected: .notUnderstood
        case nil:
            // A proxy's error page says nothing about what the backend did (rules 22).
            status >= 500 || status == 429 ? .unanswered : .notUnderstood
        }
    }
}

extension Route {
    /// Whether a code is what is asked about: then *not found* means an unknown code.
    fileprivate var isOfCode: Bool { asksAboutCode || isReservation }

    /// Whether it is so and no customer's reservation is changed.
    fileprivate var asksAboutCode: Bool { self == .lookup || self == .staffActions }

    private var isReservation: Bool {
        if case .reservation = self { true } else { false }
    }
}

extension ProblemType {
    /// Why a code leads nowhere; nil for a problem that is not about the code.
    fileprivate var codeRefusal: CodeRefusal? {
        switch self {
        case .notFound: .unknown
        case .otherShop: .otherShop
        case .alreadyUsed: .used
        case .missed: .missed
        case .closedBeforeTurn: .closed
        case .alreadyDeleted: .deleted
        case .inside: .inside
        case .unreadableCode: .unreadable
        case .tooManyRequests: .tooManyTries
        default: nil
        }
    }
}
