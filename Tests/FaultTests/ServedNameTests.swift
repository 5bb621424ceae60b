import BackendAPI
import Cryptography
import TestSupport
import Testing

@Suite("The names by which a backend is called, over a restart")
struct ServedNameTests {
    @Test("A name that an enrolled machine has called is known after a restart; another one is not")
    func learned() async throws {
        try await ServingBackend.withMachines(1) { backend, keys in
            func status(
                _ route: Route, _ body: String = "", as key: SigningKey? = nil, called name: String
            ) -> Int? {
                SignedCall(route, body, as: key, to: backend.address, called: name).status()
            }
            #expect(status(.queue, called: "queue.example") == 421)
            let report = """
                {"condition": {"version": "1", "printers": [], "reader": true, "clockOffset": 0, "fingerprint": ""}, \
                "memory": "m", "papers": [], "dropped": 0, "events": [], "obeyed": []}
                """
            #expect(
                status(.machineStatus, report, as: keys[0], called: "queue.example:8443") == 200)
            // A request without a signature is now refused for that, and no longer for the name.
            #expect(status(.queue, called: "queue.example") == 401)
            for _ in 0..<2 {
                try await backend.killAndRestart()
                #expect(status(.queue, called: "queue.example") == 401)
                #expect(status(.queue, called: "other.example") == 421)
                #expect(status(.queue, as: keys[0], called: "other.example") == 421)
                #expect(status(.queue, as: keys[0], called: "queue.example:8443") == 200)
            }
        }
    }

    @Test("Names are accepted with commas and from an option given several times")
    func several() async throws {
        try await ServingBackend.with(
            machines: [],
            options: ["--name", "One.example,two.example", "--name", "three.example"]
        ) { backend in
            for (name, status) in [
                ("one.example", 401), ("two.example", 401), ("three.example:8443", 401),
                ("four.example", 421), ("localhost", 421),
            ] {
                let call = SignedCall(.queue, as: nil, to: backend.address, called: name)
                #expect(call.status() == status, "\(name)")
            }
        }
    }
}
