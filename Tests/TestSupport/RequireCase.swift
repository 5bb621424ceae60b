/// What a test expected to be one case of an enum, and what it was.
public struct UnexpectedCase: Error, CustomStringConvertible {
    public let description: String
}

/// The payload of an enum's value that is to be a certain case; a test that meets another case ends here.
///
/// - Parameter embed: the case as the function that makes a value of it, as `KioskState.offer`.
@discardableResult
public func requireCase<Value, Payload>(
    _ embed: (Payload) -> Value, of value: Value, file: String = #fileID, line: Int = #line
) throws(UnexpectedCase) -> Payload {
    // Two values of one case have the same label.
    func label(_ value: Value) -> String? { Mirror(reflecting: value).children.first?.label }
    guard let payload = Mirror(reflecting: value).children.first?.value as? Payload,
        label(embed(payload)) == label(value)
    else { throw UnexpectedCase(description: "\(file):\(line): another case: \(value)") }
    return payload
}
