import Glibc

/// The shop's languages from the backend's last answer, so that a start without the backend uses the shop's own
/// language.
struct RememberedLanguages {
    private let path: String
    private static let name = "languages"

    init(state: String) { path = "\(state)/shop.conf" }

    /// The languages, the shop's own first; empty if no readable file was stored.
    private var codes: [String] {
        let value = (try? KeyValueFile(path, kind: "memory"))?[Self.name] ?? ""
        return value.split(separator: ",").map(String.init)
    }

    /// If the power fails, only the order of languages is lost.
    func keep(_ codes: [String]) -> Bool {
        KeyValueFile.keep([(Self.name, codes.joined(separator: ","))], at: path)
    }

    /// The available languages in the order for a start before the backend has answered: the remembered ones first;
    /// without any, as configured, or English before the others by their file names.
    func order(_ there: [String], isConfigured: Bool) -> [String] {
        let known = codes.filter(there.contains)
        let first = known.isEmpty && !isConfigured ? there.filter { $0 == "en" } : known
        return first + there.filter { !first.contains($0) }
    }
}
