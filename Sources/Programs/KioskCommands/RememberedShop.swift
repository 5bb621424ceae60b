import Glibc
import Reservations
import TextForms

/// What the backend's last answer said of the shop, so that a start without the backend uses the shop's own language
/// and knows the telephone number for customers who need help.
struct RememberedShop {
    private let path: String

    private enum Name {
        static let languages = "languages"
        static let phone = "help-phone"
        static let showsNames = "help-names"
    }

    init(state: String) { path = "\(state)/shop.conf" }

    private func value(_ name: String) -> String? {
        (try? KeyValueFile(path, kind: "memory"))?[name]
    }

    /// The languages, the shop's own first; empty if no readable file was stored.
    private var codes: [String] {
        (value(Name.languages) ?? "").split(separator: ",").map(String.init)
    }

    /// What the shop had decided about calls for help; nil if the backend has never said it.
    var help: ShopHelp? {
        value(Name.showsNames).map { ShopHelp(phone: value(Name.phone), showsNames: $0 == "yes") }
    }

    /// Whether what is stored would change.
    func differs(from shop: MachineProfile) -> Bool {
        codes != shop.languages || shop.help.map { Self.stored($0) != help } ?? false
    }

    /// Replaces what was stored; an older backend, which says nothing about help, leaves that as it was.
    func keep(_ shop: MachineProfile) -> Bool {
        var values = [(Name.languages, shop.languages.joined(separator: ","))]
        if let help = shop.help.map(Self.stored) ?? help {
            values.append((Name.showsNames, help.showsNames ? "yes" : "no"))
            if let phone = help.phone { values.append((Name.phone, phone)) }
        }
        return KeyValueFile.keep(values, at: path)
    }

    /// As it can be read again: without characters that a line of the file cannot have, and nil for an empty number.
    private static func stored(_ help: ShopHelp) -> ShopHelp {
        let phone = help.phone.map {
            ForeignText.clean($0, limit: ShopHelp.maxPhoneCharacters).trimmed
        }
        return ShopHelp(phone: phone?.isEmpty == true ? nil : phone, showsNames: help.showsNames)
    }

    /// The available languages in the order for a start before the backend has answered: the remembered ones first;
    /// without any, as configured, or English before the others by their file names.
    func order(_ there: [String], isConfigured: Bool) -> [String] {
        let known = codes.filter(there.contains)
        let first = known.isEmpty && !isConfigured ? there.filter { $0 == "en" } : known
        return first + there.filter { !first.contains($0) }
    }
}
