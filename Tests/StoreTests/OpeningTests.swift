internal import Foundation
internal import Glibc
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import SQLite
internal import SQLiteStore
internal import TestSupport
internal import Testing

@Suite("Opening a database", .stopsStores)
struct OpeningTests {
    /// Why a file is not opened; nil if it is.
    private func opening(_ path: String, for purpose: SQLiteDatabase.Purpose) -> StoreError? {
        refusal { _ = try SQLiteDatabase.open(path: path, for: purpose) }
    }

    @Test("A second server on the same file is refused, and the first one's process is named")
    func secondServer() throws {
        let (site, store) = try Site.serving(.sqlite)
        let error = opening(site.path, for: .serve)
        #expect(error?.code == .served)
        for words in ["process \(getpid())", "stop it first"] {
            #expect(error?.description.contains(words) == true)
        }
        store.stop()
    }

    @Test("A server notices an administrator's change within a second")
    func administration() async throws {
        let (site, store) = try Site.serving(.sqlite)
        let clock = site.clock
        let administration = try site.administration()
        let key = MachineKeyRecord.sample(key: "k1")
        try administration.addMachineKey(key)
        #expect(throws: StoreError.self) { try administration.addMachineKey(key) }
        try await store.shows { $0.machineKeys() == [key] }
        try await store.ticket()
        try administration.revokeMachineKeys(of: Site.shopID) { $0.keyID == "k1" }
        var shop = site.shop
        shop.policy.capacity = 1
        shop.hours.exceptions[Site.day.advanced(by: 3)] = []
        try administration.updateShop(shop)
        try await store.shows {
            $0.machineKeys().map(\.revoked) == [clock.now] && $0.shops() == [shop]
        }
        // The queue is the same; the capacity of one is full now.
        #expect(store.status(of: Site.shopID)?.wait?.expected.time.description == "10:20")
        #expect(try await store.ticket().number == 2)
    }

    @Test(
        "The queues of many shops are read together, and each shop has its own",
        arguments: engines)
    func manyShops(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        let administration = try site.administration()
        let others = try (0..<70).map { number in
            var shop = site.shop
            shop.policy.capacity = 1 + number
            let other = Shop(
                id: ShopID("other-\(number)"), tag: ShopTag(rawValue: "A\(100 + number)")!,
                name: "Other", timeZone: number.isMultiple(of: 2) ? "Europe/Rome" : "Asia/Tokyo",
                hours: shop.hours, policy: shop.policy, languages: ["it"])
            try administration.addShop(other)
            return other.id
        }
        func queues(_ store: QueueStore) -> [StaffQueue?] {
            others.map { store.staffQueue(of: $0) }
        }
        func used() async throws -> [StaffQueue?] {
            let store = try site.store(isStepped: true)
            defer { store.stop() }
            for number in stride(from: 0, to: others.count, by: 9) {
                let shop = others[number]
                for _ in 0...(number % 4) { try await store.ticket(in: shop) }
                _ = try await store.hold(in: shop)
            }
            _ = try await store.words(.make(.staff(.occupancy(people: 2)), shop: others[1]))
            return queues(store)
        }
        let before = try await used()
        let new = try site.store(isStepped: true)
        #expect(queues(new) == before)
        #expect(Set(before).count > 5)
    }

    @Test("An impossible shop is refused with a sentence")
    func badShop() throws {
        let site = try Site(.sqlite)
        let administration = try site.administration()
        func refuses(_ change: (inout Shop) -> Void, _ word: String) {
            var shop = Shop(
                id: ShopID("other"), tag: ShopTag(rawValue: "OTHR")!, name: "Other",
                timeZone: "Europe/Rome", hours: site.shop.hours, policy: site.shop.policy,
                languages: ["it"])
            change(&shop)
            let error = refusal { try administration.addShop(shop) }
            #expect(error?.description.contains(word) == true, "\(String(describing: error))")
        }
        for name in ["a\u{1B}[2J", " ", "", "-x", "x ", "Mar\u{202E}ket"] {
            refuses({ $0.name = name }, "name")
        }
        refuses({ $0.policy.capacity = 0 }, "capacity")
        refuses({ $0.policy.usualStayMinutes = 0 }, "stay")
        refuses({ $0.policy.holdSeconds = 10 }, "hold-seconds is 180 to 3600, not 10")
        refuses({ $0.languages = [] }, "languages")
        refuses({ $0.tag = site.shop.tag }, "tag")
        refuses({ $0.hours.weekly = [:] }, "open")
        #expect(try administration.shops() == [site.shop])
    }

    @Test("A number of a shop is stored within its bounds, and refused beyond", arguments: engines)
    func bounds(_ engine: StoreEngine) throws {
        let site = try Site(engine)
        for (number, kept, refused) in [
            (\.visitSharePercent, [1, 100], [0, 101]),
            (\.nearbyWaitMinutes, [0, 10, 240], [-1, 1, 9, 241]),
            (\.orders.desks, [0, 20], [-1, 21]), (\.orders.fetchMinutes, [1, 120], [0, 121]),
            (\.orders.keptDays, [1, 60], [0, 61]), (\.orders.rememberedDays, [1, 400], [0, 401]),
        ] as [(WritableKeyPath<ShopPolicy, Int>, [Int], [Int])] {
            for value in kept + refused {
                let error = refusal { try site.decide { $0[keyPath: number] = value } }
                #expect((error == nil) == kept.contains(value), "\(value)")
            }
            let stored = try site.administration().shops()[0].policy[keyPath: number]
            #expect(stored == kept.last)
        }
    }

    @Test("A database of a newer program is refused")
    func newer() throws {
        let site = try Site(.sqlite)
        let connection = try Connection(path: site.path)
        try connection.run("UPDATE schema_version SET version = 99")
        let error = opening(site.path, for: .serve)
        #expect(error?.code == .newer && error?.description.contains("99") == true)
    }

    @Test("A server does not create a missing file again, and a missing folder is named")
    func missing() throws {
        let site = try Site(.sqlite)
        let path = site.folder + "/nothing.sqlite"
        #expect(opening(path, for: .serve)?.code == .missing)
        #expect(access(path, F_OK) != 0)
        // It does not accept a file that lost its content either.
        try Data().write(to: URL(filePath: path))
        #expect(opening(path, for: .serve)?.code == .missing)
        let nowhere = "/nowhere/clup.sqlite"
        #expect(opening(nowhere, for: .administer)?.description.contains(nowhere) == true)
    }

    @Test("A file of another program is refused and left as it is")
    func notOurs() throws {
        let site = try Site(.sqlite)
        let path = site.folder + "/other"
        try Data("this is a shopping list, and by no means a database".utf8)
            .write(to: URL(filePath: path))
        #expect(opening(path, for: .administer)?.code == .notOurs)
        unlink(path)
        do {
            let foreign = try Connection(path: path)
            try foreign.execute("PRAGMA journal_mode = DELETE; CREATE TABLE cake (flour)")
        }
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(opening(path, for: .administer)?.code == .notOurs)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test("A damaged file is refused")
    func corrupt() async throws {
        let site = try Site(.sqlite)
        try await site.serve { _ = try await $0.tickets(50) }
        let connection = try Connection(path: site.path)
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        var bytes = try Data(contentsOf: URL(filePath: site.path))
        // The schema and its version stay whole: only a check of every page finds the damage.
        for index in stride(from: bytes.count * 3 / 4, to: bytes.count, by: 3) {
            bytes[index] = 0xA5
        }
        try bytes.write(to: URL(filePath: site.path))
        #expect(opening(site.path, for: .serve)?.code == .corrupt)
    }
}

extension QueueStore {
    /// Waits until the store has looked at the database by itself.
    func shows(_ isTrue: (QueueStore) -> Bool) async throws {
        guard await eventually({ isTrue(self) }) else {
            throw SiteError.unexpected("no change was seen")
        }
    }
}
