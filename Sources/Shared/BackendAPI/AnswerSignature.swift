/// What an answer of the backend's may be used for; its signature's `tag` says it.
public enum AnswerUse: String, Hashable, Sendable, CaseIterable {
    /// The backend has verified the request and answers just this one: a decision.
    case decided = "clup-answer"
    /// The backend refuses without knowing who asks: it tells its time, and that something is wrong with the
    /// request or the key, but nothing of what the request was about. A part of the request that the signature
    /// covers may still be another one: who is in the path can have such a refusal made.
    case unverified = "clup-unverified"
    /// The form for who does not ask for another: bound to the request by its signature only.
    ///
    /// A backend that knows no other form signs refusals of requests that it has not verified in this one too,
    /// so that who is in the path can copy a machine's `signature` to a request of his own and pass the refusal
    /// off as the answer to the machine's. What is left to him before such a backend is to have a code called
    /// unknown that is known, an action of the staff refused that was carried out, and everything unanswered;
    /// `isDecision` keeps him from more.
    case older = "clup-backend"

    /// Statuses of refusals that need no verified request at any version of the backend.
    private static let refusedUnverified: Set = [400, 401, 404, 405, 413, 426]

    /// Whether an answer of this status is surely what the backend decided on the request.
    public func isDecision(ofStatus status: Int) -> Bool {
        switch self {
        case .decided: true
        case .unverified: false
        case .older: !Self.refusedUnverified.contains(status)
        }
    }
}

/// What is known of an answer that the backend's key has signed.
public struct VerifiedAnswer: Hashable, Sendable {
    /// When it was made, in seconds since 1970 by the backend's clock.
    public let created: Int64
    public let standing: AnswerUse

    public init(created: Int64, standing: AnswerUse) {
        self.created = created
        self.standing = standing
    }
}

/// How the backend's answers are signed: a second profile of RFC 9421, bound to the whole request (RFC 9421 2.4)
/// and, by the request's signature, to its nonce, which is new each time.
public enum AnswerSignature {
    public static let label = MachineSignature.label

    /// The value of `accept-signature` by which a client asks for answers bound to the whole request (RFC 9421 5).
    ///
    /// Its tag names the profile, which says what is covered. The request's signature does not cover it, since a
    /// backend that knows the older form only refuses a further component. Who takes it away gets an answer in
    /// the older form, which a machine that knows better does not believe, and no other refusal of an unverified
    /// request than the 401: no more than who keeps the answer back.
    public static let request = "\(label)=();tag=\"\(AnswerUse.decided.rawValue)\""

    /// Longest value of a request's `signature` that an answer is bound to; ours have 95 bytes, and others may stand
    /// beside it.
    public static let maxBindingBytes = 1_024

    /// Parts of a request that every request has.
    private static let always = ["@method", "@authority", "@path", "@query"]
    /// Parts of a request that are covered where it has them.
    private static let optional = [HeaderField.contentDigest, HeaderField.idempotencyKey]

    /// What must be covered: all of the answer that the machine heeds, and the request with its signature.
    public static func components(
        of answer: WireResponse, to request: WireRequest, _ standing: AnswerUse
    ) -> [String] {
        var names = ["@status", HeaderField.contentDigest]
        for name in [HeaderField.contentType, HeaderField.retryAfter]
        where answer.fields[name] != nil { names.append(name) }
        var asked: [String] = []
        if standing != .older {
            asked = always + optional.filter { request.fields[$0] != nil }
        }
        return names
            + (asked + [HeaderField.signature]).map { $0 + SignatureParameters.ofRequest }
    }

    /// The request's `signature` where an answer can be bound to it; nil for an unsigned request.
    public static func binding(of request: WireRequest) -> String? {
        request.fields[HeaderField.signature].flatMap {
            $0.utf8.count <= maxBindingBytes && SignatureText.signature($0) != nil ? $0 : nil
        }
    }

    /// Whether the request asks for an answer that is bound to all of it.
    public static func isAsked(by request: WireRequest) -> Bool {
        request.fields[HeaderField.acceptSignature].flatMap(SignatureText.input)?
            .parameters.tag == AnswerUse.decided.rawValue
    }

    /// The parameters of an answer of ours; `created` is in seconds since 1970 at the backend.
    public static func parameters(
        of answer: WireResponse, to request: WireRequest, _ standing: AnswerUse,
        created: Int64, keyID: String
    ) -> SignatureParameters {
        SignatureParameters(
            components: components(of: answer, to: request, standing), created: created,
            keyID: keyID, tag: standing.rawValue)
    }
}

extension SignatureParameters {
    /// Ends the name of a component that is the request's and not the answer's (RFC 9421 2.4).
    static let ofRequest = ";req"

    /// Makes the parameters of an answer of ours.
    init(components: [String], created: Int64, keyID: String, tag: String) {
        let values = [
            (name: "created", value: "\(created)"), (name: "keyid", value: keyID),
            (name: "tag", value: tag),
        ]
        let list = components.map(Self.identifier).joined(separator: " ")
        self.init(
            components: components, parameters: values,
            text: "(\(list));created=\(created);keyid=\"\(keyID)\";tag=\"\(tag)\"")
    }

    /// The octets that are signed of an answer to the request; nil where one lacks a component.
    public func base(for answer: WireResponse, to request: WireRequest) -> String? {
        base { name in
            guard name.hasSuffix(Self.ofRequest) else {
                if name == "@status" { return "\(answer.status)" }
                return name.hasPrefix("@") ? nil : answer.fields[name]
            }
            let asked = String(name.dropLast(Self.ofRequest.count))
            return asked == HeaderField.signature
                ? AnswerSignature.binding(of: request) : request.signable.component(asked)
        }
    }

    /// A component's name as a base and an inner list write it (RFC 9421 2).
    static func identifier(_ name: String) -> String {
        name.hasSuffix(ofRequest)
            ? "\"\(name.dropLast(ofRequest.count))\"\(ofRequest)" : "\"\(name)\""
    }
}
