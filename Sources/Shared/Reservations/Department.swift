internal import TextForms

/// A part of a shop that the customer of a visit may name, as the fish counter, so that there are not too many people in it
/// (rules: departments) [R22, R24].
public struct Department: Hashable, Sendable {
    /// As the sign in the shop says it; 1 to `maxCharacters` characters, without commas and equals signs.
    public let name: String
    /// The most visitors who have named it and are inside at once; nil for as many as the shop has place for.
    public let capacity: Int?

    public init(name: String, capacity: Int? = nil) {
        self.name = name
        self.capacity = capacity
    }

    /// The most departments of a shop.
    public static let maxCount = 8
    /// The most characters (Unicode scalars) of a name.
    public static let maxCharacters = 30
    /// The most visitors that a department can be said to have place for.
    public static let capacityBounds = 1...1_000_000

    /// The rule of a shop's departments in words, for an administrator.
    public static let rule =
        "departments are at most \(maxCount) different names with 1 to \(maxCharacters) characters, of which those with a "
        + "capacity have it after an equals sign, as \"Fish=4, Bakery=6, Wine\"; a name \(GivenName.rule)"

    private var isGood: Bool {
        GivenName.isGood(name, maxCharacters: Self.maxCharacters)
            && name.unicodeScalars.count <= Self.maxCharacters
            && !name.contains { ",=".contains($0) }
            && capacity.map(Self.capacityBounds.contains) ?? true
    }

    private init?(_ text: Substring) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard let name = parts.first, parts.count <= 2 else { return nil }
        let capacity = parts.dropFirst().first.map { Int(GivenName.trimmed(String($0))) }
        if case .some(nil) = capacity { return nil }
        self.init(name: GivenName.trimmed(String(name)), capacity: capacity ?? nil)
        guard isGood else { return nil }
    }

    /// The departments that a text names, in its order; nil if it breaks the rule. An empty text names none.
    public static func list(_ text: String) -> [Department]? {
        guard !GivenName.trimmed(text).isEmpty else { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let departments = parts.compactMap { Department($0) }
        guard departments.count == parts.count, departments.count <= maxCount,
            Set(departments.map(\.name)).count == departments.count
        else { return nil }
        return departments
    }

    /// The text of these departments, as `list` reads it.
    public static func text(_ departments: [Department]) -> String {
        departments.map { department in
            department.capacity.map { "\(department.name)=\($0)" } ?? department.name
        }.joined(separator: ", ")
    }
}
