internal import BackendAPI
private import Dispatch
internal import QueueEngine
internal import ReservationStore
internal import Reservations
private import Synchronization

/// The places that pages on phones show (rules: place-page): remembers their reservations, so that a page that looks
/// again costs no look at the database, and sends each page its place when its socket opens, at each change that the
/// page shows, and every few seconds.
///
/// It works on a queue of its own, behind those of machines and displays.
final class FollowedPlaces: Sendable {
    /// The longest silence of an open socket; pages give a socket up that is silent half as long again.
    static let heartbeat = Duration.seconds(10)
    /// The shortest time between two messages about the queue of a shop to its pages.
    private static let minMessageInterval = Duration.seconds(1)
    /// The most pages of one place: a family, and a connection that is dead and not noticed yet.
    static let maxSocketsPerPlace = 3
    /// The places that are remembered, beside those with an open page.
    private static let maxRemembered = 10_000
    /// How long what was read of a reservation that has ended is shown without another look at the database.
    private static let memoryOfEnded = Duration.seconds(30)
    /// How long a page may ask about a reservation that has ended.
    static let afterlife = Duration.minutes(15)

    /// What a page shows of a place, to the minute: a message is sent if it differs.
    private struct Shown: Hashable {
        let status: ReservationStatus
        let ahead: Int?
        let earliest: Int64?
        let latest: Int64?
        let enterBy: Moment?
        let undoBy: Moment?
        let reclaimBy: Moment?
        /// The people and the latest call of each delay that is offered.
        let delays: [[Int64]]?

        init(_ place: FollowedPlace) {
            let wait = place.reservation.wait
            status = place.reservation.status
            ahead = wait?.peopleAhead
            earliest = wait.map { $0.earliest.moment.milliseconds / 60_000 }
            latest = wait.map { $0.latest.moment.milliseconds / 60_000 }
            enterBy = place.reservation.enterBy?.moment
            undoBy = place.reservation.undoBy?.moment
            reclaimBy = place.reservation.reclaimBy?.moment
            delays = place.reservation.delayOffers?.map {
                [Int64($0.people), $0.wait.latest.moment.milliseconds / 60_000]
            }
        }
    }

    private struct Place {
        let shop: ShopID
        /// As it was read from the database, and when.
        private(set) var record: ReservationRecord
        private var read = ContinuousClock.now
        /// Whether it was seen in the queue since then.
        var wasInQueue = false
        var sockets: [Int: WireSocket] = [:]
        var shown: Shown?
        var sent = ContinuousClock.now
        /// Whether the database is being asked about it.
        var isAsking = false

        init(_ record: ReservationRecord, of shop: ShopID) {
            self.shop = shop
            self.record = record
        }

        mutating func take(_ stored: ReservationRecord) {
            record = stored
            read = .now
            wasInQueue = false
        }

        /// The record of a reservation that has ended, if it can be shown as it was read.
        var ended: ReservationRecord? {
            record.hasEnded && !wasInQueue && ContinuousClock.now - read < memoryOfEnded
                ? record : nil
        }
    }

    private struct Content {
        var places: [ReservationID: Place] = [:]
        /// The reservations of capabilities that were shown.
        var known: [Capability: ReservationID] = [:]
        var added = 0
        var sockets: [ShopID: Int] = [:]
        var scheduled: Set<ShopID> = []
        var passed: [ShopID: ContinuousClock.Instant] = [:]

        /// Takes the sockets of a place away, which its pages still have.
        mutating func takeSockets(from id: ReservationID) -> [WireSocket] {
            guard let place = places[id] else { return [] }
            places[id]?.sockets = [:]
            left(place.sockets.count, of: place.shop)
            return Array(place.sockets.values)
        }

        /// Counts sockets of a shop that are its pages' no more.
        mutating func left(_ count: Int, of shop: ShopID) {
            let left = sockets[shop, default: 0] - count
            sockets[shop] = left > 0 ? left : nil
        }
    }

    private let content = Mutex(Content())
    private let queue = DispatchQueue(label: "clup.places", qos: .utility)
    private let store: QueueStore
    private let maxSocketsPerShop: Int

    init(store: QueueStore, maxSocketsPerShop: Int) {
        self.store = store
        self.maxSocketsPerShop = maxSocketsPerShop
    }

    /// Begins to send the places of which nothing was sent for a while.
    func start() { beat() }

    // MARK: - What is remembered

    func record(of capability: Capability) -> ReservationRecord? {
        content.withLock { content in
            content.known[capability].flatMap { content.places[$0]?.record }
        }
    }

    /// A remembered reservation by its identifier.
    func record(of id: ReservationID) -> ReservationRecord? {
        content.withLock { $0.places[id]?.record }
    }

    func remember(_ record: ReservationRecord, of shop: ShopID, as capability: Capability? = nil) {
        let moved: [WireSocket] = content.withLock { content in
            let id = record.hold.id
            var former: [WireSocket] = []
            if content.places[id] == nil, content.places.count >= Self.maxRemembered {
                // Pages whose place is forgotten cost one look at the database.
                content.places = content.places.filter { !$0.value.sockets.isEmpty }
                content.known = content.known.filter { content.places[$0.value] != nil }
            }
            if content.places[id]?.record.hasSameLink(as: record) == false {
                // Its former links open nothing.
                content.known = content.known.filter { $0.value != id }
                former = content.takeSockets(from: id)
            }
            content.places[id, default: Place(record, of: shop)].take(record)
            if let capability { content.known[capability] = id }
            return former
        }
        for socket in moved { socket.close(CloseCode.normal) }
    }

    // MARK: - What is shown

    /// What is shown of a reservation now; nil once it has ended for so long that its capability has ended too, and if it was
    /// moved to another day since the record was read: then it has another link.
    ///
    /// `completion` is called exactly once, now or from the store's queue of answers.
    func show(
        _ record: ReservationRecord, of shop: Shop,
        _ completion: @escaping @Sendable (Result<FollowedPlace?, StoreError>) -> Void
    ) {
        let id = record.hold.id
        if let found = store.found([record], of: shop.id)[0] {
            content.withLock { $0.places[id]?.wasInQueue = true }
            return completion(.success(record.shown(as: found, of: shop)))
        }
        if let ended = content.withLock({ $0.places[id]?.ended }) {
            return completion(.success(place(ended, of: shop)))
        }
        renew(record, of: shop) { completion($0.map { $0?.shown }) }
    }

    /// A reservation as it is stored now, and what is shown of it; nil once the capability has ended of the record that was
    /// read before.
    ///
    /// `completion` is called as by `QueueStore.record`.
    func renew(
        _ former: ReservationRecord, of shop: Shop,
        _ completion:
            @escaping @Sendable (
                Result<(record: ReservationRecord, shown: FollowedPlace)?, StoreError>
            ) -> Void
    ) {
        store.record(of: .id(former.hold.id), in: shop.id) { [self] result in
            completion(
                result.map { stored in
                    guard let stored else { return nil }
                    remember(stored, of: shop.id)
                    guard stored.hasSameLink(as: former) else { return nil }
                    return place(stored, of: shop).map { (stored, $0) }
                })
        }
    }

    /// What is shown of a reservation as it is stored; nil once its capability has ended.
    private func place(_ record: ReservationRecord, of shop: Shop) -> FollowedPlace? {
        guard !record.hasEnded || store.now < record.since + Self.afterlife,
            let found = store.found(record, of: shop.id)
        else { return nil }
        return record.shown(as: found, of: shop)
    }

    // MARK: - Sockets

    /// Whether the shop's pages have as many sockets as they may, and one of this place would be an additional one.
    func isFull(_ shop: ShopID, for id: ReservationID) -> Bool {
        content.withLock { isFull(shop, for: id, $0) }
    }

    private func isFull(
        _ shop: ShopID, for id: ReservationID, _ content: borrowing Content
    ) -> Bool {
        content.sockets[shop, default: 0] >= maxSocketsPerShop
            && (content.places[id]?.sockets.count ?? 0) < Self.maxSocketsPerPlace
    }

    /// Adds a socket and sends it the present state; answers a function that removes it. The place's oldest socket is
    /// closed if it has as many as it may have.
    func add(
        _ socket: WireSocket, to record: ReservationRecord, of shop: ShopID
    ) -> @Sendable () -> Void {
        let id = record.hold.id
        let (key, former): (Int?, WireSocket?) = content.withLock { content in
            guard !isFull(shop, for: id, content) else { return (nil, nil) }
            var place = content.places[id] ?? Place(record, of: shop)
            var former: WireSocket?
            if place.sockets.count >= Self.maxSocketsPerPlace, let oldest = place.sockets.keys.min()
            {
                former = place.sockets.removeValue(forKey: oldest)
            } else {
                content.sockets[shop, default: 0] += 1
            }
            content.added += 1
            place.sockets[content.added] = socket
            place.shown = nil
            content.places[id] = place
            return (content.added, former)
        }
        former?.close(CloseCode.replaced)
        guard let key else {
            socket.close(CloseCode.tryAgainLater)
            return {}
        }
        queue.async { [self] in send(to: [id], of: shop) }
        return { [weak self] in self?.remove(key, from: id) }
    }

    private func remove(_ key: Int, from id: ReservationID) {
        content.withLock { content in
            guard let place = content.places[id], place.sockets[key] != nil else { return }
            content.places[id]?.sockets[key] = nil
            content.left(1, of: place.shop)
        }
    }

    // MARK: - Messages

    /// A shop's queue or forecast has changed: its pages hear of it at once, or as soon as the last message is old
    /// enough.
    func changed(_ shop: ShopID) {
        let wait: Duration? = content.withLock { content in
            guard content.sockets[shop] != nil, content.scheduled.insert(shop).inserted else {
                return nil
            }
            return content.passed[shop].map { max(.zero, $0 + Self.minMessageInterval - .now) }
                ?? .zero
        }
        guard let wait else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(wait.wholeMilliseconds))) {
            [weak self] in
            guard let self else { return }
            let ids = self.content.withLock { content in
                content.scheduled.remove(shop)
                content.passed[shop] = .now
                return content.places.filter { $0.value.shop == shop && !$0.value.sockets.isEmpty }
                    .map(\.key)
            }
            self.send(to: ids, of: shop)
        }
    }

    /// Once a second, sends the places of which nothing was sent for a while.
    private func beat() {
        queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
            guard let self else { return }
            let silent = ContinuousClock.now - Self.heartbeat
            let due = self.content.withLock { content in
                let due = content.places.filter {
                    !$0.value.sockets.isEmpty && $0.value.sent < silent
                }
                for id in due.keys { content.places[id]?.shown = nil }
                return Dictionary(grouping: due, by: \.value.shop)
            }
            for (shop, places) in due { self.send(to: places.map(\.key), of: shop) }
            self.beat()
        }
    }

    /// Sends the places to their pages unless these show the same already. Runs on the queue.
    private func send(to ids: [ReservationID], of shop: ShopID) {
        guard let shop = store.shop(shop) else { return }
        let records = content.withLock { content in ids.compactMap { content.places[$0]?.record } }
        for (record, found) in zip(records, store.found(records, of: shop.id)) {
            let id = record.hold.id
            if let found {
                send(record.shown(as: found, of: shop), to: id, isInQueue: true)
            } else if let ended = content.withLock({ $0.places[id]?.ended }) {
                sendOrEnd(ended, of: shop)
            } else {
                ask(id, of: shop)
            }
        }
    }

    private func sendOrEnd(_ record: ReservationRecord, of shop: Shop) {
        guard let place = place(record, of: shop) else { return end(record.hold.id) }
        send(place, to: record.hold.id)
    }

    private func send(_ place: FollowedPlace, to id: ReservationID, isInQueue: Bool = false) {
        let shown = Shown(place)
        let sockets: [WireSocket] = content.withLock { content in
            if isInQueue { content.places[id]?.wasInQueue = true }
            guard let former = content.places[id], former.shown != shown else { return [] }
            content.places[id]?.shown = shown
            content.places[id]?.sent = .now
            return Array(former.sockets.values)
        }
        guard !sockets.isEmpty else { return }
        let bytes = JSONText.bytes(place)
        for socket in sockets { socket.send(bytes) }
    }

    /// Asks the database what became of a reservation that is in the queue no more, and sends that.
    private func ask(_ id: ReservationID, of shop: Shop) {
        let mayAsk = content.withLock { content in
            guard content.places[id]?.isAsking == false else { return false }
            content.places[id]?.isAsking = true
            return true
        }
        guard mayAsk else { return }
        store.record(of: .id(id), in: shop.id) { [weak self] result in
            guard let self else { return }
            self.content.withLock { $0.places[id]?.isAsking = false }
            // After a failure the next heartbeat asks again.
            guard case .success(let stored) = result else { return }
            guard let stored else { return self.end(id) }
            self.remember(stored, of: shop.id)
            self.sendOrEnd(stored, of: shop)
        }
    }

    /// The place's capability has ended.
    private func end(_ id: ReservationID) {
        let sockets = content.withLock { Array(($0.places[id]?.sockets ?? [:]).values) }
        for socket in sockets { socket.close(CloseCode.normal) }
    }
}

extension ReservationRecord {
    /// Whether it was used, missed or given back.
    fileprivate var hasEnded: Bool { state == .expired || state == .deleted }

    fileprivate func shown(as found: FoundReservation, of shop: Shop) -> FollowedPlace {
        FollowedPlace(found, taken: hold.channel, of: shop)
    }
}
