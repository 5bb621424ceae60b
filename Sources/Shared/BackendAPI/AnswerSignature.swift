/// What a signed answer of the backend may be used for; the `tag` of its signature says it.
public enum AnswerUse: String, Hashable, Sendable, CaseIterable {
    /// The backend has verified the request and answers just this one: a decision.
    case decided = "clup-answer"
    /// The backend refuses a request whose sender is unknown. It reports its time, and that something is wrong with
    /// the request or the key, but nothing about the subject of the request. Parts of the request that the signature
    /// covers may have been replaced: an attacker in the path can provoke such a refusal.
    case unverified = "clup-unverified"
    /// The form for clients that do not ask for another one: bound to the request by its signature only.
    ///
    /// A backend that knows no other form also signs refusals of unverified requests in this form, so that an
    /// attacker in the path can copy a machine's `signature` to another request and pass the refusal off as the
    /// answer to the machine's request. With such a backend the attacker can have a known code called unknown, have
    /// an action of the staff reported as refused that was carried out, and leave everything unanswered;
    /// `isDecision` prevents more than that.
    case older = "clup-backend"

    /// Statuses of refusals that need no verified request in any version of the backend.
    private static let refusedUnverified: Set = [400, 401, 404, 405, 413, 426]

    /// Whether an answer of this status is certain to be the backend's decision on the request.
    public func isDecision(ofStatus status: Int) -> Bool {
        switch self {
        case .decided: true
        case .unverified: false
        case .older: !Self.refusedUnverified.contains(status)
        }
    }
}

/// The facts about an answer that the backend's key has signed: when it was made, in seconds since 1970 by the
/// backend's clock, and its use.
public typealias VerifiedAnswer = (created: Int64, use: AnswerUse)

/// How the backend's answers are signed: a second profile of RFC 9421, bound to the whole request (RFC 9421 2.4)
/// and, by the request's signature, to its nonce, which is new each time.
public enum AnswerSignature {
    /// The value of `accept-signature` by which a client asks for answers bound to the whole request (RFC 9421 5).
    ///
    /// Its tag names the profile, which says which parts are covered. The request's signature does not cover this
    /// field, since a backend that knows only the older form refuses a further component. An attacker who removes
    /// the field gets an answer in the older form, which a machine that knows the newer form does not believe, and
    /// the 401 as the only refusal of an unverified request. The attacker gains no more than by holding the answer
    /// back.
    public static let request = "\(MachineSignature.label)=();tag=\"\(AnswerUse.decided.rawValue)\""

    /// The longest value of a request's `signature` that an answer is bound to, in bytes; this product's have 95
    /// bytes, and other signatures may be in the same field.
    private static let maxBindingBytes = 1_024

    /// Parts that every request has.
    private static let always = ["@method", "@authority", "@path", "@query"]
    /// Parts that are covered if the request has them.
    private static let optional = [HeaderField.contentDigest, HeaderField.idempotencyKey]

    /// The components that must be covered: all of the answer that the machine uses, and the request with its
    /// signature.
    public static func components(
        of answer: WireResponse, to request: WireRequest, _ use: AnswerUse
    ) -> [String] {
        var names = ["@status", HeaderField.contentDigest]
        for name in [HeaderField.contentType, HeaderField.retryAfter]
        where answer.fields[name] != nil { names.append(name) }
        var asked: [String] = []
        if use != .older { asked = always + optional.filter { request.fields[$0] != nil } }
        return names + (asked + [HeaderField.signature]).map { $0 + SignatureParameters.ofRequest }
    }

    /// The request's `signature` if an answer can be bound to it; nil for an unsigned request.
    public static func binding(of request: WireRequest) -> String? {
        request.fields[HeaderField.signature].flatMap {
            $0.utf8.count <= maxBindingBytes && SignatureText.signature($0) != nil ? $0 : nil
        }
    }

    /// Whether the request asks for an answer that is bound to all of it.
    public static func isAsked(by request: WireRequest) -> Bool {
        guard let field = request.fields[HeaderField.acceptSignature] else { return false }
        return field == Self.request
            || SignatureText.input(field)?.parameters.tag == AnswerUse.decided.rawValue
    }
}

extension SignatureParameters {
    /// The end of a component's name if it belongs to the request and not to the answer (RFC 9421 2.4).
    static let ofRequest = ";req"

    /// The octets of the signature of an answer to the request; nil if a component is missing in either.
    ///
    /// - Parameter binding: the request's `signature` to which the answer is bound.
    public func base(
        for answer: WireResponse, to request: WireRequest, binding: String
    ) -> [UInt8]? {
        base { name in
            guard Self.isOfRequest(name) else {
                if name == "@status" { return String(answer.status) }
                return name.utf8.first == UInt8(ascii: "@") ? nil : answer.fields[name]
            }
            let asked = String(name.dropLast(Self.ofRequest.utf8.count))
            return asked == HeaderField.signature ? binding : request.component(asked)
        }
    }

    private static func isOfRequest(_ name: String) -> Bool {
        name.utf8.suffix(ofRequest.utf8.count).elementsEqual(ofRequest.utf8)
    }

    /// Appends a component's name as a base and an inner list write it (RFC 9421 2).
    static func append(identifier name: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        if isOfRequest(name) {
            text += name.utf8.dropLast(ofRequest.utf8.count)
            text.append(UInt8(ascii: "\""))
            text += ofRequest.utf8
        } else {
            text += name.utf8
            text.append(UInt8(ascii: "\""))
        }
    }
}
