import BackendAPI
import Cryptography
import ReservationStore
import Reservations
import Testing

@Suite("A machine changes its key without a visit (rules 23)")
struct KeyRotationTests {
    private func offer(
        _ key: SigningKey, by machine: TestMachine, attempt: String? = nil
    ) throws -> WireResponse {
        try machine.call(
            .machineKey, "{\"key\":\"\(key.publicKey.text)\"}", key: attempt)
    }

    @Test("The new key is let in by the old one and then puts it out; the machine keeps its place")
    func rotation() throws {
        let backend = try TestBackend()
        let old = try backend.enrol("door")
        let hold = try old.hold().decoded(HeldPlace.self)
        let new = TestMachine(backend: backend, key: try SigningKey.generate())
        #expect(try new.call(.queue).status == 401)
        // A lost answer: the same again, with the same attempt and with another.
        for attempt in ["a", "a", "b"] {
            #expect(try offer(new.key, by: old, attempt: attempt).status == 204)
        }
        // At once, and both: whatever happens now, the machine can call.
        #expect(try new.call(.queue).status == 200)
        #expect(try old.call(.queue).status == 200)
        for attempt in ["c", "c"] {
            #expect(try offer(new.key, by: new, attempt: attempt).status == 204)
        }
        #expect(try old.call(.queue).status == 401)
        #expect(try new.call(.machine).decoded(MachineProfile.self).machine.rawValue == "door")
        #expect(try new.call(.holdConfirmation(hold.id)).status == 201)
        // The old one never comes back, not by the new one either.
        #expect(try offer(old.key, by: new).problem == .keyTaken)
        try backend.restart()
        #expect(try new.call(.queue).status == 200)
        #expect(try old.call(.queue).status == 401)
    }

    @Test("A key that was let in and never used is put out by the next one")
    func begunAnew() throws {
        let backend = try TestBackend()
        let old = try backend.enrol("door")
        let lost = TestMachine(backend: backend, key: try SigningKey.generate())
        let new = TestMachine(backend: backend, key: try SigningKey.generate())
        #expect(try offer(lost.key, by: old).status == 204)
        #expect(try offer(new.key, by: old).status == 204)
        #expect(try lost.call(.queue).status == 401)
        #expect(try new.call(.queue).status == 200)
    }

    @Test("A change of keys stands in the audit, step by step")
    func audit() throws {
        let backend = try TestBackend()
        let old = try backend.enrol("door")
        let new = TestMachine(backend: backend, key: try SigningKey.generate())
        for attempt in ["a", "b"] {
            #expect(try offer(new.key, by: old, attempt: attempt).status == 204)
        }
        for attempt in ["c", "d"] {
            #expect(try offer(new.key, by: new, attempt: attempt).status == 204)
        }
        var rows: [String] = []
        try backend.administration.audit(of: TestBackend.shop) {
            rows.append("\($0.actor): \($0.action)")
        }
        #expect(
            rows.suffix(3) == [
                "machine door: key-offered", "machine door: key-revoked",
                "machine door: key-rotated",
            ])
    }

    @Test("Nobody takes another machine's key, and nothing that is no key is let in")
    func refused() throws {
        let backend = try TestBackend()
        let door = try backend.enrol("door")
        let other = try backend.enrol("other")
        let reader = try backend.enrol("reader", role: .entrance)
        #expect(try offer(other.key, by: door).problem == .keyTaken)
        #expect(try offer(SigningKey.generate(), by: reader).problem == .forbidden)
        for body in ["", "{}", "{\"key\":\"\"}", "{\"key\":\"AAAA\"}", "{\"key\":7}"] {
            #expect(try door.call(.machineKey, body).problem == .malformed, "\(body)")
        }
        #expect(try door.call(.queue).status == 200)
        #expect(try other.call(.queue).status == 200)
    }
}
