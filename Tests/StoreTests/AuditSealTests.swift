internal import Cryptography
internal import ReservationStore
internal import Reservations
internal import class TestSupport.Locked
internal import func TestSupport.requireCase
internal import Testing

@Suite(
    "The end of the audit is signed with the backend's key, which database writers do not have",
    .stopsStores)
struct AuditSealTests {
    private let key: SigningKey
    /// What a sealer stores outside of the database, and the damage that it found.
    private let kept = Locked<[ShopID: AuditHead]>([:])
    private let found = Locked<[String]>([])

    init() throws {
        try Cryptography.start()
        key = try SigningKey.generate()
    }

    private func sealer(remembering: Bool = false) -> AuditSealer {
        AuditSealer(
            signer: AnswerSigner(key: key), signed: remembering ? kept.value : [:],
            keep: { [kept] all in kept.change { $0 = all } },
            found: { [found] shop, sentence in found.change { $0.append("\(shop) \(sentence)") } })
    }

    private func act(_ count: Int, on site: Site) throws {
        for _ in 0..<count { try site.decide { $0.capacity = $0.capacity % 1_000 + 1 } }
    }

    /// Removes the rows after `sequence`, and sets the head to what it was then.
    private static func cut(after sequence: Int) -> String {
        """
        DELETE FROM audit WHERE sequence > \(sequence);
        UPDATE audit_head SET sequence = \(sequence),
            hash = (SELECT hash FROM audit WHERE sequence = \(sequence));
        """
    }

    private func verify(_ site: Site) throws -> AuditFinding {
        try site.administration().verifyAudit(of: Site.shopID, signedBy: key.publicKey)
    }

    private func isWhole(_ site: Site) throws -> Bool {
        if case .whole = try verify(site) { true } else { false }
    }

    @Test(
        "An end that was cut off with its head restored is found up to the signed row",
        arguments: engines)
    func cut(_ engine: StoreEngine) throws {
        let site = try Site(engine)
        try act(4, on: site)
        try site.administration().sealAudits(sealer())
        #expect(try isWhole(site))
        try act(2, on: site)
        #expect(try isWhole(site), "later rows follow from the signed ones")
        let seal = try site.administration().auditSeal(of: Site.shopID, by: key.publicKey)
        #expect(seal?.head.sequence == 5 && seal?.at == site.clock.now)
        // Rows after the signed one are protected by the chain only.
        try site.run(Self.cut(after: 6))
        #expect(try isWhole(site))
        try site.run(Self.cut(after: 3))
        #expect(
            try site.administration().verifyAudit(of: Site.shopID).brokenAt == nil,
            "the chain itself is whole")
        #expect(try verify(site).brokenAt == 4, "the cut was not found")
    }

    @Test(
        "A chain that was emptied or computed again is found by its signature, and by a head kept elsewhere",
        arguments: engines)
    func replaced(_ engine: StoreEngine) throws {
        let site = try Site(engine)
        try act(4, on: site)
        let administration = try site.administration()
        try administration.sealAudits(sealer())
        let head = try requireCase(AuditFinding.whole, of: try verify(site))
        /// Where the chain is broken in itself, by the head that was kept, and by the signature.
        func broken() throws -> [Int64?] {
            [
                try administration.verifyAudit(of: Site.shopID).brokenAt,
                try administration.verifyAudit(of: Site.shopID, kept: head).brokenAt,
                try verify(site).brokenAt,
            ]
        }
        try act(1, on: site)
        #expect(try broken() == [nil, nil, nil], "the kept head is one of the chain")
        try site.run("DELETE FROM audit; DELETE FROM audit_head")
        #expect(try broken() == [1, 1, 1], "the emptied chain")
        // Another administrator repeats some commands, and then as many as there were; the first one leaves no row.
        let forger = try site.administration(by: "bert")
        for number in 0..<9 {
            try forger.keepBackendKey([UInt8(number)], keyID: "\(number)")
            if number == 3 { #expect(try broken() == [nil, 4, 4], "the forged chain is shorter") }
        }
        #expect(try broken() == [nil, 5, 5], "the forged chain is another one")
    }

    @Test("Without its signature, or with one of another shop or key, it is reported as wrong")
    func withoutSignature() throws {
        let site = try Site(.sqlite)
        let administration = try site.administration()
        #expect(try !isWhole(site), "nothing was signed yet")
        try administration.sealAudits(sealer())
        #expect(try isWhole(site))
        let stranger = AuditSealer(signer: AnswerSigner(key: try SigningKey.generate()))
        try administration.sealAudits(stranger)
        #expect(try !isWhole(site))
        try administration.sealAudits(sealer())
        try site.add(ShopID("s2"), tag: "OTHR")
        try administration.sealAudits(sealer())
        #expect(try isWhole(site))
        try site.run(
            """
            UPDATE audit_seal SET vouched = (SELECT vouched FROM audit_seal WHERE shop_id = 's2')
            WHERE shop_id = 's1'
            """)
        #expect(try !isWhole(site))
        try site.run("DELETE FROM audit_seal")
        #expect(try !isWhole(site))
    }

    @Test(
        "The backend signs nothing that does not follow from its last signature, and reports it once",
        arguments: engines)
    func laundering(_ engine: StoreEngine) throws {
        let site = try Site(engine)
        try act(4, on: site)
        let running = sealer()
        try site.administration().sealAudits(running)
        #expect(kept.value[Site.shopID]?.sequence == 5)
        // The signature is deleted too.
        try site.run(Self.cut(after: 3) + "DELETE FROM audit_seal;")
        for _ in 0..<3 { try site.administration().sealAudits(running) }
        #expect(found.value.count == 1)
        #expect(found.value.first?.contains("row 5: it is missing") == true)
        #expect(try site.count("SELECT count(*) FROM audit_seal") == 0)
        // After a restart the sealer knows it from the copy beside the key.
        try site.administration().sealAudits(sealer(remembering: true))
        #expect(found.value.count == 2)
        #expect(try site.count("SELECT count(*) FROM audit_seal") == 0)
        // A chain with a damaged row is not signed for the first time either.
        try site.run("UPDATE audit SET actor = 'bert' WHERE sequence = 2")
        try site.administration().sealAudits(sealer())
        #expect(found.value.count == 3)
        #expect(try site.count("SELECT count(*) FROM audit_seal") == 0)
    }

    @Test("A server signs by itself, and again after an hour", arguments: engines)
    func server(_ engine: StoreEngine) throws {
        let site = try Site(engine)
        let store = try site.store(
            on: try site.open(for: .serve), isStepped: true, sealer: sealer())
        store.tick()
        let first = try site.administration().auditSeal(of: Site.shopID, by: key.publicKey)
        #expect(first?.head.sequence == 1)
        store.stop()
        site.clock.pass(.seconds(600))
        try site.administration().sealAudits(sealer())
        #expect(try site.administration().auditSeal(of: Site.shopID, by: key.publicKey) == first)
        site.clock.pass(.seconds(3_600))
        try site.administration().sealAudits(sealer())
        let later = try site.administration().auditSeal(of: Site.shopID, by: key.publicKey)
        #expect(later?.head == first?.head && later?.at == site.clock.now)
    }
}
