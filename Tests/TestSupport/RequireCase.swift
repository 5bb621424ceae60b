/// The enum case that a test expected, and the value that it got.
public struct UnexpectedCase: Error, CustomStringConvertible {
    public let description: String
}

/// The payload of an enum's value that must be a certain case; a test with another case ends here.
///
/// - Parameter embed: the case as the function that makes a value of it, for example `KioskState.offer`.
@discardableResult
public func requireCase<Value, Payload>(
    _ embed: (Payload) -> Value, of value: Value, file: String = #fileID, line: Int = #line
) throws(UnexpectedCase) -> Payload {
    // Two values of the same case have the same label.
    func label(_ value: Value) -> String? { Mirror(reflecting: value).children.first?.label }
    guard let payload = Mirror(reflecting: value).children.first?.value as? Payload,
        label(embed(payload)) == label(value)
    else { throw UnexpectedCase(description: "\(file):\(line): another case: \(value)") }
    return payload
}

/// What a pattern finds in a value; a test whose value does not match it ends here.
///
/// - Parameter payload: `{ if case .retry(let key) = $0 { key } else { nil } }`, with `true` for a pattern without names.
@discardableResult
public func requireCase<Value, Payload>(
    of value: Value, file: String = #fileID, line: Int = #line, _ payload: (Value) -> Payload?
) throws(UnexpectedCase) -> Payload {
    guard let payload = payload(value) else {
        throw UnexpectedCase(description: "\(file):\(line): another case: \(value)")
    }
    return payload
}
