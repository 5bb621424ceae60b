import BackendAPI
import Cryptography
import Testing

@Suite("A machine changes its key without a visit to the shop (rules: machine-key)")
final class KeyRotationTests: OpenShop {
    @Test("The new key is accepted by the old one and replaces it; the machine keeps its place")
    func rotation() throws {
        let old = try backend.enrol("door")
        let hold = try old.held()
        let new = TestMachine(backend: backend, key: try SigningKey.generate())
        #expect(try new.call(.queue).status == 401)
        // The answer may be lost: the offer is repeated, with the same attempt key and with another one.
        for attempt in ["a", "a", "b"] {
            #expect(try old.offer(new.key, attempt: attempt).status == 204)
        }
        // Both keys are accepted at once, so that the machine can call in any case.
        #expect(try new.call(.queue).status == 200)
        #expect(try old.call(.queue).status == 200)
        for attempt in ["c", "c", "d"] {
            #expect(try new.offer(new.key, attempt: attempt).status == 204)
        }
        // Each step is in the audit once.
        let rows = try backend.audit("key-").suffix(3)
        #expect(
            rows.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
                "machine door: key-offered", "machine door: key-revoked",
                "machine door: key-rotated",
            ])
        #expect(try old.call(.queue).status == 401)
        #expect(try new.profile().machine.rawValue == "door")
        #expect(try new.call(.holdConfirmation(hold.id)).status == 201)
        // The old key never becomes valid again, not even through the new one.
        #expect(try new.offer(old.key).problem == .keyTaken)
        try backend.restart()
        #expect(try new.call(.queue).status == 200)
        #expect(try old.call(.queue).status == 401)
    }

    @Test("A key that was accepted and never used is replaced by the next one")
    func restarted() throws {
        let old = try backend.enrol("door")
        let lost = TestMachine(backend: backend, key: try SigningKey.generate())
        let new = TestMachine(backend: backend, key: try SigningKey.generate())
        #expect(try old.offer(lost.key).status == 204)
        #expect(try old.offer(new.key).status == 204)
        #expect(try lost.call(.queue).status == 401)
        #expect(try new.call(.queue).status == 200)
    }

    @Test("No machine takes another one's key, and text that is no key is refused")
    func refused() throws {
        let door = try backend.enrol("door")
        let other = try backend.enrol("other")
        let reader = try backend.enrol("reader", role: .entrance)
        #expect(try door.offer(other.key).problem == .keyTaken)
        #expect(try reader.offer(SigningKey.generate()).problem == .forbidden)
        for body in ["", "{}", "{\"key\":\"\"}", "{\"key\":\"AAAA\"}", "{\"key\":7}"] {
            #expect(try door.call(.machineKey, body).problem == .malformed, "\(body)")
        }
        #expect(try door.call(.queue).status == 200)
        #expect(try other.call(.queue).status == 200)
    }
}
