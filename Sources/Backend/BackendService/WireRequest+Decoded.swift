import BackendAPI
import Reservations

extension WireRequest {
    /// The decoded body; fails with a sentence about the form that the body must have, and what is wrong with it.
    ///
    /// - Parameters:
    ///   - form: What follows "the body must be".
    ///   - isRight: Whether values of the right types are also within their limits.
    func decoded<Body: Decodable>(
        _ type: Body.Type, _ form: String, where isRight: (Body) -> Bool = { _ in true }
    ) throws(BackendService.RefusedCall) -> Body {
        let value: Body
        do throws(DecodingError) { value = try JSONText.decoded(type, body) } catch {
            throw .wrongBody(form, error.sentence)
        }
        guard isRight(value) else { throw .wrongBody(form) }
        return value
    }
}

extension BackendService.RefusedCall {
    /// The refusal of a body that does not have the form.
    static func wrongBody(_ form: String, _ reason: String? = nil) -> BackendService.RefusedCall {
        let rule = "the body must be \(form)"
        return BackendService.RefusedCall(.malformed, reason.map { "\(rule): \($0)" } ?? rule)
    }
}

extension DecodingError {
    /// What is wrong with a JSON text, in words of JSON, for the programmer of the other side.
    fileprivate var sentence: String {
        switch self {
        case .keyNotFound(let key, let context):
            "there is no \(Self.quoted(context.codingPath + [key]))"
        case .valueNotFound(_, let context): "\(Self.quoted(context.codingPath)) is null"
        case .typeMismatch(let type, let context):
            "\(Self.quoted(context.codingPath)) is not \(Self.name(of: type))"
        case .dataCorrupted(let context):
            if let wrong = context.underlyingError as? WrongForm {
                "\(Self.quoted(context.codingPath)) is \"\(wrong.excerpt)\", and not \(wrong.form)"
            } else if context.codingPath.isEmpty {
                "it is not JSON"
            } else {
                "\(Self.quoted(context.codingPath)) has a value that is not allowed"
            }
        @unknown default: "it cannot be read"
        }
    }

    /// The member's name after those of the members that it is in, `"visit.start"`; the body itself has no name.
    private static func quoted(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "the body" }
        var name = ""
        for key in path {
            if let index = key.intValue {
                name += "[\(index)]"
            } else {
                name += name.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return "\"\(name)\""
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is [Any].Type: "a list"
        case is [String: Any].Type: "an object"
        default: "of the right type"
        }
    }
}
