internal import BackendAPI
private import Dispatch
internal import QueueEngine
internal import ReservationStore
internal import Reservations
private import Synchronization

/// Sends every page the turns to show, the pages of staff members the calls for help, and those of desks the orders: when its
/// socket opens, at each change, and every few seconds, so that silence means trouble. Closes the sockets of revoked keys.
final class TurnFeed: Sendable {
    /// The longest silence of an open socket; pages consider the connection lost after three of them.
    static let heartbeatSeconds = 5
    /// The shortest time between two messages of a shop, so that a burst of changes costs little.
    private static let minMessageInterval = Duration.milliseconds(20)
    /// The most sockets of one key: a page may be open in two windows, and a dead connection is noticed after 45
    /// seconds.
    static let maxSocketsPerKey = 4

    private struct Subscriber {
        let shop: ShopID
        let keyID: String
        /// Whether the socket is of a page that shows calls for help.
        let showsHelp: Bool
        /// Whether the socket is of a page that shows the orders whose customers are here.
        let showsOrders: Bool
        let socket: WireSocket
    }

    private struct Content {
        var subscribers: [Int: Subscriber] = [:]
        var added = 0
        var sequences: [ShopID: Int64] = [:]
        var helpSequences: [ShopID: Int64] = [:]
        var deskSequences: [ShopID: Int64] = [:]
        var sent: [ShopID: ContinuousClock.Instant] = [:]
        var scheduled: Set<ShopID> = []
        var addSymbols: @Sendable (inout TurnsMessage, ShopID) -> Void = { _, _ in }
    }

    private let content = Mutex(Content())
    /// The queue on which the messages of a shop are made and sent in order.
    private let queue = DispatchQueue(label: "clup.turns", qos: .userInitiated)
    private let store: QueueStore
    private let directory: MachineDirectory
    private let clock: @Sendable () -> Moment
    private let maxSocketsPerShop: Int

    /// `clock` is the real time: it makes sequences begin above those before a restart.
    init(
        store: QueueStore, directory: MachineDirectory, maxSocketsPerShop: Int,
        clock: @escaping @Sendable () -> Moment
    ) {
        self.maxSocketsPerShop = maxSocketsPerShop
        self.store = store
        self.directory = directory
        self.clock = clock
    }

    /// Begins to follow the store. `addSymbols` adds the symbols for phones to the message of a shop; `heard` gets each
    /// message that is not of the queue, and `changed` each shop whose queue or forecast has changed.
    func start(
        addSymbols: @escaping @Sendable (inout TurnsMessage, ShopID) -> Void,
        heard: @escaping @Sendable (String, ShopID) -> Void,
        changed: @escaping @Sendable (ShopID) -> Void
    ) {
        content.withLock { $0.addSymbols = addSymbols }
        store.observe { [weak self] in
            self?.schedule($0)
            changed($0)
        }
        store.observeHelp { [weak self] shop in
            self?.queue.async { [weak self] in self?.sendHelp(to: shop) }
        }
        store.observePickups { [weak self] shop in
            self?.queue.async { [weak self] in self?.sendOrders(to: shop) }
            self?.schedule(shop)
        }
        store.observeMessages { [weak self] in
            heard($1, $0)
            self?.send(Array($1.utf8), to: $0)
        }
        beat(0)
    }

    /// Whether the shop has its share of the sockets and a socket of the key would be an additional one.
    func isFull(_ shop: ShopID, for keyID: String) -> Bool {
        content.withLock { isFull(shop, for: keyID, $0) }
    }

    private func isFull(_ shop: ShopID, for keyID: String, _ content: borrowing Content) -> Bool {
        let ofShop = content.subscribers.values.filter { $0.shop == shop }
        return ofShop.count >= maxSocketsPerShop
            && ofShop.count(where: { $0.keyID == keyID }) < Self.maxSocketsPerKey
    }

    /// Adds a socket and sends it the present state; answers a function that removes it. The key's oldest socket is
    /// closed if the key has as many as it may have.
    func add(
        _ socket: WireSocket, keyID: String, role: KeyRole, of shop: ShopID
    ) -> @Sendable () -> Void {
        let subscriber = Subscriber(
            shop: shop, keyID: keyID, showsHelp: KeyRole.helpers.contains(role),
            showsOrders: role == .desk, socket: socket)
        let (id, former): (Int?, WireSocket?) = content.withLock { content in
            // Many sockets that were admitted at once arrive here one after the other.
            guard !isFull(shop, for: keyID, content) else { return (nil, nil) }
            let ofKey = content.subscribers.filter { $0.value.keyID == keyID }.keys
            var former: WireSocket?
            if ofKey.count >= Self.maxSocketsPerKey, let oldest = ofKey.min() {
                former = content.subscribers.removeValue(forKey: oldest)?.socket
            }
            content.added += 1
            content.subscribers[content.added] = subscriber
            return (content.added, former)
        }
        former?.close(CloseCode.replaced)
        guard let id else {
            socket.close(CloseCode.tryAgainLater)
            return {}
        }
        queue.async { [self] in
            // A call for help comes first.
            if subscriber.showsHelp, let help = helpMessage(of: shop) {
                socket.send(JSONText.bytes(help))
            }
            if subscriber.showsOrders, let orders = deskMessage(of: shop) {
                socket.send(JSONText.bytes(orders))
            }
            if let message = message(of: shop) { socket.send(JSONText.bytes(message)) }
        }
        return { [weak self] in self?.content.withLock { $0.subscribers[id] = nil } }
    }

    /// Sends a message that is not of the queue to every socket of a shop.
    private func send(_ bytes: [UInt8], to shop: ShopID) {
        queue.async { [self] in
            for subscriber in subscribers(of: shop) { subscriber.socket.send(bytes) }
        }
    }

    /// Sends a change at once, or as soon as the last message is old enough.
    private func schedule(_ shop: ShopID) {
        let wait: Duration? = content.withLock { content in
            guard content.subscribers.contains(where: { $0.value.shop == shop }),
                content.scheduled.insert(shop).inserted
            else { return nil }
            guard let sent = content.sent[shop] else { return .zero }
            return max(.zero, sent + Self.minMessageInterval - .now)
        }
        guard let wait else { return }
        let milliseconds = Int(wait.wholeMilliseconds)
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            self?.notify(shop)
        }
    }

    private func notify(_ shop: ShopID) {
        content.withLock {
            $0.scheduled.remove(shop)
            $0.sent[shop] = .now
        }
        guard let message = message(of: shop) else { return }
        let bytes = JSONText.bytes(message)
        for subscriber in subscribers(of: shop) { subscriber.socket.send(bytes) }
    }

    /// Sends the calls for help to the pages that show them.
    private func sendHelp(to shop: ShopID) {
        let pages = subscribers(of: shop).filter(\.showsHelp)
        guard !pages.isEmpty, let message = helpMessage(of: shop) else { return }
        let bytes = JSONText.bytes(message)
        for page in pages { page.socket.send(bytes) }
    }

    /// Sends the orders whose customers are here to the pages of desks.
    private func sendOrders(to shop: ShopID) {
        let pages = subscribers(of: shop).filter(\.showsOrders)
        guard !pages.isEmpty, let message = deskMessage(of: shop) else { return }
        let bytes = JSONText.bytes(message)
        for page in pages { page.socket.send(bytes) }
    }

    /// Once a second, closes the sockets of revoked keys, sends the calls for help and the orders, and the turns to shops that have
    /// been silent.
    private func beat(_ second: Int) {
        queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
            guard let self else { return }
            let subscribers = self.content.withLock { Array($0.subscribers.values) }
            for subscriber in subscribers
            where self.directory.machine(keyID: subscriber.keyID) == nil {
                subscriber.socket.close(CloseCode.revoked)
            }
            for shop in Set(subscribers.filter(\.showsHelp).map(\.shop)) { self.sendHelp(to: shop) }
            for shop in Set(subscribers.filter(\.showsOrders).map(\.shop)) {
                self.sendOrders(to: shop)
            }
            if second % Self.heartbeatSeconds == 0 {
                for shop in Set(subscribers.map(\.shop)) { self.notify(shop) }
            }
            self.beat(second + 1)
        }
    }

    private func subscribers(of shop: ShopID) -> [Subscriber] {
        content.withLock { $0.subscribers.values.filter { $0.shop == shop } }
    }

    /// The present state of a shop; nil if the shop does not exist any more.
    private func message(of id: ShopID) -> TurnsMessage? {
        guard var message = store.turns(of: id) else { return nil }
        message.sequence = next(\.sequences, of: id)
        content.withLock(\.addSymbols)(&message, id)
        return message
    }

    /// The present calls for help of a shop; nil if the shop does not exist any more.
    private func helpMessage(of id: ShopID) -> HelpMessage? {
        store.helpCalls(of: id).map { HelpMessage(sequence: next(\.helpSequences, of: id), $0) }
    }

    /// The present orders of a shop's desks; nil if the shop does not exist any more.
    private func deskMessage(of id: ShopID) -> DeskMessage? {
        store.deskOrders(of: id).map { DeskMessage(sequence: next(\.deskSequences, of: id), $0) }
    }

    /// The next number of a shop's messages, above those before a restart.
    private func next(
        _ sequences: WritableKeyPath<Content, [ShopID: Int64]>, of shop: ShopID
    ) -> Int64 {
        content.withLock { content in
            let next = max(content[keyPath: sequences][shop, default: 0] + 1, clock().milliseconds)
            content[keyPath: sequences][shop] = next
            return next
        }
    }
}
