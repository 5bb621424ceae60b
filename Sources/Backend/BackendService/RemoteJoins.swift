internal import BackendAPI
internal import Cryptography
internal import Reservations
private import Synchronization
internal import TextForms

/// Bounds what one address and its programs can take of the places for customers who are elsewhere (rules: join-limits):
/// a part of them for each network address, and some work for each device while very many ask.
///
/// Each server counts what it admits itself.
final class RemoteJoins: Sendable {
    /// Where a request comes from.
    struct Origin: Hashable {
        /// An IPv4 address, or the first 64 bits of an IPv6 one: a household, or all customers of a carrier's gateway.
        let network: String
        /// An IPv4 address, or the first 48 bits of an IPv6 one.
        let site: String
    }

    enum Admission: Hashable {
        /// `finished` is to be called when the request is answered.
        case admitted
        /// Too many devices of the address have places; so long until one of them counts no more.
        case full(Duration)
        case workNeeded(DemandedWork)
    }

    /// A device that has a place, or asks for one.
    private struct Entry {
        let holder: HolderID
        let origin: Origin
        /// When it asked for the first time, or took its place.
        var since: Moment
        /// The end of the hold that it has; nil if it has none.
        var held: Moment?
        var isConfirmed = false
        /// Its requests that are under way.
        var requests = 1

        func counts(at now: Moment) -> Bool {
            guard since <= now else { return false }
            return isConfirmed
                ? now < since + RemoteJoins.period : requests > 0 || held.map { now < $0 } ?? false
        }
    }

    /// For so long a device that has taken a place counts for its address.
    private static let period = Duration.minutes(60)
    /// A shop is stormed if within this time so many devices got places as are half of an hour's, and four at least.
    private static let stormPeriod = Duration.minutes(10)
    private static let minStorm = 4
    /// Devices of one address that always get places: those of a household.
    private static let minOfNetwork = 4
    private static let minOfSite = 8
    /// The most devices that are remembered of a shop, which are more than the limits let in within an hour.
    private static let maxEntries = 4_096
    /// A second for a phone.
    static let workBits = 16
    /// Minutes for which a challenge is good after its own.
    private static let workMinutes: Int64 = 5

    private let entries = Mutex<[ShopID: [Entry]]>([:])
    private let signer: AnswerSigner
    private let clock: @Sendable () -> Moment

    init(signer: AnswerSigner, clock: @escaping @Sendable () -> Moment) {
        self.signer = signer
        self.clock = clock
    }

    /// Admits a device that asks for a place of a shop, or says what it has to do first.
    ///
    /// - Parameter places: how many such places the shop gives within an hour.
    func admit(
        _ holder: HolderID, from origin: Origin, to shop: Shop, places: Int, work: String?
    ) -> Admission {
        let now = clock()
        let isDone = work.map { self.isDone($0, by: holder, for: shop.tag, at: now) } ?? false
        let admission = entries.withLock { entries -> Admission? in
            var known = entries[shop.id, default: []].filter { $0.counts(at: now) }
            defer { entries[shop.id] = known.isEmpty ? nil : known.suffix(Self.maxEntries) }
            // It repeats its request, or asks once more.
            if let place = known.firstIndex(where: { $0.holder == holder }) {
                known[place].requests += 1
                return .admitted
            }
            for (part, most) in [
                (\Origin.network, max(Self.minOfNetwork, places / 4)),
                (\Origin.site, max(Self.minOfSite, places / 2)),
            ] where !origin[keyPath: part].isEmpty {
                let same = known.filter { $0.origin[keyPath: part] == origin[keyPath: part] }
                if same.count >= most { return .full(Self.wait(for: same, at: now)) }
            }
            let lately = known.count { $0.since > now - Self.stormPeriod }
            guard isDone || lately < max(Self.minStorm, places / 2) else { return nil }
            known.append(Entry(holder: holder, origin: origin, since: now))
            return .admitted
        }
        return admission
            ?? .workNeeded(
                DemandedWork(
                    challenge: challenge(holder, shop.tag, now.seconds / 60), bits: Self.workBits))
    }

    /// Until the first of these devices counts no more.
    private static func wait(for devices: [Entry], at now: Moment) -> Duration {
        let ends = devices.map { device in
            device.isConfirmed ? device.since + period : device.held ?? now + .minutes(1)
        }
        return max(.seconds(1), (ends.min() ?? now) - now)
    }

    /// A request of an admitted device is answered.
    ///
    /// - Parameter held: The end of the hold that it got; nil if it got none.
    func finished(_ holder: HolderID, in shop: ShopID, held: Moment?) {
        change(holder, in: shop) { entry in
            entry.requests -= 1
            entry.held = held ?? entry.held
        }
    }

    /// A device has taken its place, or given its hold back; nothing happens if it was never admitted.
    func ended(_ holder: HolderID, in shop: ShopID, isConfirmed: Bool) {
        let now = clock()
        change(holder, in: shop) { entry in
            entry.held = nil
            guard isConfirmed, !entry.isConfirmed else { return }
            entry.isConfirmed = true
            entry.since = now
        }
    }

    private func change(
        _ holder: HolderID, in shop: ShopID, _ change: (inout Entry) -> Void
    ) {
        entries.withLock { entries in
            guard let place = entries[shop]?.lastIndex(where: { $0.holder == holder }) else {
                return
            }
            change(&entries[shop, default: []][place])
        }
    }

    // MARK: - Work

    /// A text that no other device can use, nor this one for long; it is stored nowhere.
    private func challenge(_ holder: HolderID, _ tag: ShopTag, _ minute: Int64) -> String {
        let proof = signer.proof(of: "work.\(tag).\(holder).\(minute)", bytes: 10)
        return "\(minute).\(Crockford.encode(proof))"
    }

    /// Whether a text is the work that was demanded of the device a moment ago.
    private func isDone(
        _ work: String, by holder: HolderID, for tag: ShopTag, at now: Moment
    ) -> Bool {
        let parts = work.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let minute = Int64(parts[0]),
            (0...Self.workMinutes).contains(now.seconds / 60 - minute),
            (1...DemandedWork.maxDigits).contains(parts[2].utf8.count),
            parts[2].utf8.allSatisfy(\.isASCIIDigit),
            Self.zeros(SHA256.digest(Array(work.utf8))) >= Self.workBits
        else { return false }
        return Cryptography.equal(
            Array("\(parts[0]).\(parts[1])".utf8),
            Array(challenge(holder, tag, minute).utf8))
    }

    /// The number of bits 0 with which a digest begins.
    static func zeros(_ digest: [UInt8]) -> Int {
        let whole = digest.prefix { $0 == 0 }.count
        return whole * 8 + (whole < digest.count ? digest[whole].leadingZeroBitCount : 0)
    }
}
