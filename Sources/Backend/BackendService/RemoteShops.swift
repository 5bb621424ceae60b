internal import BackendAPI
internal import ReservationStore
internal import Reservations
private import Synchronization
internal import TextForms

/// The shops that give places or visits to customers who are elsewhere, as their page lists them (rules: elsewhere, visits).
///
/// All of them are read together, for all who ask within a few seconds.
final class RemoteShops: Sendable {
    private struct Listed {
        let shop: ListedShop
        /// The text in which words are looked for.
        let text: String
    }

    private struct Content {
        var listed: [Listed] = []
        var read: ContinuousClock.Instant?
    }

    /// For so long the waits are those of the last reading.
    private static let age = Duration.seconds(3)

    private let content = Mutex(Content())
    private let store: QueueStore

    init(store: QueueStore) { self.store = store }

    /// The shops in whose name, street or town each of the words begins a word.
    func found(_ search: String) -> ShopList {
        let words = Self.folded(search).split(separator: " ")
        let found = listed().filter { one in
            words.allSatisfy { one.text.contains(" \($0)") }
        }
        return ShopList(
            shops: found.prefix(ShopList.maxShops).map(\.shop),
            hasMore: found.count > ShopList.maxShops)
    }

    private func listed() -> [Listed] {
        // Those who ask at the same time wait for one reading.
        content.withLock { content in
            let now = ContinuousClock.now
            if let read = content.read, now - read < Self.age { return content.listed }
            let shops = store.shops().filter(\.policy.phones.isListed)
            content.listed = shops.compactMap(listed).sorted { Self.key($0) < Self.key($1) }
            content.read = now
            return content.listed
        }
    }

    private static func key(_ one: Listed) -> (String, String, String) {
        let shop = one.shop
        let town = shop.address?.town.map(folded) ?? "\u{FFFF}"
        return (town, folded(shop.name), shop.tag)
    }

    private func listed(_ shop: Shop) -> Listed? {
        guard let status = store.status(of: shop.id) else { return nil }
        let places = [shop.name, shop.address.street, shop.address.town].compactMap(\.self)
        return Listed(
            shop: ListedShop(
                tag: shop.tag, name: shop.name, address: PublicAddress(shop.address),
                now: status.now, wait: status.wait, opens: status.opens, isOpen: status.isOpen,
                hasPlace: status.wait != nil && store.remotePlaces(in: shop.id).isFree,
                hasVisits: shop.policy.phones.hasVisits),
            text: " " + Self.folded(places.joined(separator: " ")))
    }

    /// A text in lower case, without accents, and with one blank for everything that is neither letter nor digit.
    static func folded(_ text: String) -> String {
        var folded = ""
        for scalar in text.lowercased().unicodeScalars {
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                folded.unicodeScalars.append(contentsOf: base(of: scalar))
            } else if scalar.properties.generalCategory != .nonspacingMark, folded.last != " " {
                folded += " "
            }
        }
        return folded
    }

    /// The letter under a Latin letter's accent, by its name in Unicode ("LATIN SMALL LETTER E WITH ACUTE").
    private static func base(of scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        let words = (scalar.properties.name ?? "").split(separator: " ")
        if words.count > 4, words[0] == "LATIN", words[3].utf8.count == 1, words[4] == "WITH" {
            return words[3].lowercased().unicodeScalars
        }
        return String(scalar).unicodeScalars
    }
}
