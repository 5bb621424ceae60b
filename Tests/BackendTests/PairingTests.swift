import BackendAPI
import Cryptography
import Reservations
import Testing

@Suite("A machine that is not enrolled yet asks for a code")
struct PairingTests {
    private func stranger(_ backend: TestBackend) throws -> TestMachine {
        TestMachine(backend: backend, key: try SigningKey.generate())
    }

    private func body(_ key: SigningKey) -> String { "{\"key\":\"\(key.publicKey.text)\"}" }

    private func ask(_ machine: TestMachine) throws -> WireResponse {
        try machine.call(.pairings, body(machine.key))
    }

    private func pair(
        _ backend: TestBackend, _ code: String, role: KeyRole = .ticketMachine
    ) throws {
        _ = try backend.administration.pairMachine(
            code: code, as: MachineID("door"), role: role, of: TestBackend.shop)
    }

    @Test("The code enrols the machine, and the answer is signed by the key that it names")
    func paired() throws {
        let backend = try TestBackend()
        let machine = try stranger(backend)
        let request = machine.sign(machine.request(.pairings, body(machine.key)))
        let answer = try machine.send(request)
        #expect(answer.status == 201)
        let reply = try answer.decoded(PairingReply.self)
        #expect(reply.seconds == 600)
        let named = try #require(PublicKey(text: reply.backendKey))
        #expect(AnswerVerifier(key: named).verified(answer, to: request) != nil)
        #expect(try machine.call(.machine).status == 401)
        try pair(backend, reply.code)
        try machine.waitUntil { $0.status == 200 }
        #expect(try machine.profile().machine.rawValue == "door")
        #expect(try ask(machine).problem == .keyTaken)
    }

    @Test("No machine gets a code for a key that it does not hold, or with a replayed signature")
    func refused() throws {
        let backend = try TestBackend()
        let machine = try stranger(backend)
        let other = try SigningKey.generate()
        // The body has the other machine's key, but the signature is the caller's; then it has the other one's name as
        // well.
        #expect(try machine.call(.pairings, body(other)).status == 401)
        let claimed = RequestSigner(key: machine.key, keyID: other.publicKey.keyID).sign(
            machine.request(.pairings, body(other)),
            created: backend.time.now.milliseconds / 1_000, nonce: RequestSigner.makeNonce())
        #expect(try machine.send(claimed).status == 401)
        #expect(try machine.send(machine.request(.pairings, body(machine.key))).status == 401)
        let stale = machine.sign(machine.request(.pairings, body(machine.key)), offset: -61)
        #expect(try machine.send(stale).status == 401)
        let good = machine.sign(machine.request(.pairings, body(machine.key)))
        #expect(try machine.send(good).status == 201)
        #expect(try machine.send(good).status == 401)
        for text in ["", "{}", "{\"key\":\"AAAA\"}"] {
            #expect(try machine.call(.pairings, text).problem == .malformed)
        }
        #expect(try backend.count("pairing") == 1)
    }

    private func ask(_ backend: TestBackend, from address: String?) throws -> WireResponse {
        let machine = try stranger(backend)
        var request = machine.sign(machine.request(.pairings, body(machine.key)))
        request.fields["x-real-ip"] = address
        return try machine.send(request)
    }

    @Test("An address has sixteen open codes: none is replaced, and other addresses have their own")
    func ofOneAddress() throws {
        let backend = try TestBackend()
        let codes = try (0..<16).map { _ in
            try ask(backend, from: "203.0.113.9").decoded(PairingReply.self).code
        }
        for _ in 0..<3 {
            let refused = try ask(backend, from: "203.0.113.9")
            #expect(refused.problem == .tooManyRequests && refused.fields["retry-after"] != nil)
        }
        #expect(try ask(backend, from: "::ffff:203.0.113.9").problem == .tooManyRequests)
        #expect(try ask(backend, from: "203.0.113.10").status == 201)
        for host in 1...16 {
            #expect(try ask(backend, from: "2001:db8:7:\(host)::1").status == 201)
        }
        #expect(try ask(backend, from: "2001:db8:7:ffff::1").problem == .tooManyRequests)
        #expect(try ask(backend, from: "2001:db8:8::1").status == 201)
        // Text that is no address counts as this computer.
        #expect(try ask(backend, from: "unix:").status == 201)
        try pair(backend, try #require(codes.first))
        #expect(
            try ask(backend, from: "203.0.113.9").status == 201, "a code that was used is not open")
    }

    @Test("An address that asks too often must wait; other addresses and machines are served")
    func limited() throws {
        let backend = try TestBackend([.pairings: .only(5)])
        let machine = try backend.enrol()
        for address in [nil, "203.0.113.9"] {
            for _ in 0..<5 { #expect(try ask(backend, from: address).status == 201) }
            let refused = try ask(backend, from: address)
            #expect(refused.problem == .tooManyRequests)
            #expect(refused.fields["retry-after"].flatMap { Int($0) } ?? 0 > 0)
        }
        #expect(try ask(backend, from: "203.0.113.10").status == 201)
        #expect(try machine.hold().status == 201)
    }
}
