import Glibc

/// The shop's languages as the backend told them last: a start without the backend speaks the shop's own.
struct RememberedLanguages {
    private let path: String
    private static let name = "languages"

    init(state: String) { path = "\(state)/shop.conf" }

    /// Codes, the shop's own first; none where nothing readable has been kept.
    private var codes: [String] {
        let lines = (try? KeyValueFile.read(path, kind: "memory")) ?? []
        let value = lines.first { $0.name == Self.name }?.value ?? ""
        return value.split(separator: ",").map(String.init)
    }

    /// A loss in a power cut costs an order of languages.
    func keep(_ codes: [String]) -> Bool {
        KeyValueFile.keep([(Self.name, codes.joined(separator: ","))], at: path)
    }

    /// Languages that are there, as a customer finds them before the backend has answered: the remembered
    /// ones first; else as configured, or English before the others' file names.
    func order(_ there: [String], isConfigured: Bool) -> [String] {
        let known = codes.filter(there.contains)
        let first = known.isEmpty && !isConfigured ? there.filter { $0 == "en" } : known
        return first + there.filter { !first.contains($0) }
    }
}
