internal import ReservationStore

/// The text of a query as PostgreSQL takes it: `$1` for the first of its parameters.
func numbered(_ query: Query) -> String {
    var text = ""
    var rest = query.text[...]
    while let dollar = rest.firstIndex(of: "$") {
        text += rest[..<dollar]
        let name = rest[rest.index(after: dollar)...].prefix { $0.isLetter || $0.isNumber }
        guard let place = query.parameters.firstIndex(of: String(name)) else {
            preconditionFailure("every parameter is named: \(name)")
        }
        text += "$\(place + 1)"
        rest = rest[name.endIndex...]
    }
    return text + rest
}
