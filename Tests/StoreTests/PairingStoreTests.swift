internal import ReservationStore
internal import Reservations
internal import TestSupport
internal import Testing

@Suite("Pairing codes: ten minutes, once", .stopsStores)
struct PairingStoreTests {
    private func ask(
        _ store: QueueStore, _ site: Site, key: UInt8 = 1, nonce: String = fresh("nonce"),
        from origin: String = "203.0.113.9"
    ) async throws -> PairingOutcome {
        let now = site.clock.now
        let request = PairingRequest(
            publicKey: [UInt8](repeating: key, count: 32),
            nonce: SignatureNonce(keyID: "key-\(key)", value: nonce, expires: now + .seconds(61)),
            now: now, origin: origin)
        return try await store.done { store.openPairing(request, completion: $0) }
    }

    private func code(_ outcome: PairingOutcome) throws -> String {
        guard case .open(let code, _) = outcome else { throw SiteError.unexpected("\(outcome)") }
        return code
    }

    private func pair(_ site: Site, _ code: String, as name: String = "door") throws {
        _ = try site.administration().pairMachine(
            code: code, as: MachineID(name), role: .ticketMachine, of: Site.shopID)
    }

    @Test(
        "The machine that shows the code is paired, once, and never by another code",
        arguments: engines)
    func once(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        let shown = try code(await ask(store, site))
        #expect(shown.count == 8 && shown.allSatisfy(\.isNumber))
        // If the machine asks again, after a lost answer or a restart, the code is the same.
        #expect(try code(await ask(store, site)) == shown)
        let other = String(shown.reversed().map { $0 == "0" ? "1" : "0" })
        let unknown = #expect(throws: StoreError.self) { try pair(site, other) }
        #expect(unknown?.description.contains("no machine shows the code \(other)") == true)
        try pair(site, shown)
        try await store.shows { $0.machineKeys().map(\.keyID) == ["key-1"] }
        #expect(store.machineKeys().map(\.publicKey) == [[UInt8](repeating: 1, count: 32)])
        let used = #expect(throws: StoreError.self) { try pair(site, shown, as: "window") }
        #expect(used?.description.contains("was used before") == true)
        // If a name is refused, the code stays valid.
        let second = try code(await ask(store, site, key: 2))
        for name in ["door", "no name"] {
            #expect(throws: StoreError.self) { try pair(site, second, as: name) }
        }
        try pair(site, second, as: "window")
        // A paired machine needs no code, and a revoked one gets none.
        #expect(try await ask(store, site) == .keyKnown)
        try site.administration().revokeMachineKeys(of: Site.shopID) { $0.keyID == "key-1" }
        #expect(try await ask(store, site) == .keyKnown)
    }

    @Test("After ten minutes the code is invalid, and the machine gets another", arguments: engines)
    func expired(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        let first = try code(await ask(store, site))
        site.clock.pass(.seconds(10 * 60))
        let error = #expect(throws: StoreError.self) { try pair(site, first) }
        #expect(error?.description.contains("has expired") == true)
        let second = try code(await ask(store, site))
        #expect(second != first)
        site.clock.pass(.seconds(10 * 60 - 1))
        try pair(site, second)
    }

    @Test(
        "Sixteen codes of an address are valid at a time; a signature counts once; both survive a restart",
        arguments: engines)
    func bounded(_ engine: StoreEngine) async throws {
        let site = try Site(engine)
        try await site.serve { store in
            for key in 1...UInt8(16) {
                _ = try code(await ask(store, site, key: key, nonce: "n\(key)"))
            }
        }
        let store = try site.store()
        #expect(try await ask(store, site, key: 33) == .originFull)
        _ = try code(await ask(store, site, key: 40, from: "198.51.100.7"))
        #expect(try await ask(store, site, key: 7, nonce: "n7") == .nonceSeen)
        _ = try code(await ask(store, site, key: 7))
        site.clock.pass(.seconds(10 * 60))
        _ = try code(await ask(store, site, key: 33))
        site.clock.pass(.seconds(2 * 86_400))
        _ = try code(await ask(store, site, key: 34))
        #expect(try site.count("SELECT count(*) FROM pairing") == 1)
    }

    @Test("Servers of one database count the codes together")
    func together() async throws {
        let site = try Site(.postgresql)
        let stores = try (0..<2).map { _ in try site.store() }
        let outcomes = try await atOnce(1...UInt8(40)) { key in
            try await ask(stores[Int(key) % 2], site, key: key)
        }
        #expect(outcomes.filter { $0 == .originFull }.count == 24)
        #expect(try site.count("SELECT count(*) FROM pairing") == 16)
    }
}
