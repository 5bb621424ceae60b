import BackendAPI
import Testing

@Suite("The names by which the backend is called (RFC 9110 7.4)")
struct ServedNamesTests {
    private func asked(
        _ machine: TestMachine, _ route: Route, as authority: String, isSigned: Bool = true
    ) throws -> WireResponse {
        var request = machine.request(route, route == .holds ? "{\"kind\":\"ticket\"}" : "")
        request.authority = authority
        return try machine.send(isSigned ? machine.sign(request) : request)
    }

    @Test("With configured names, a request sent or signed for another name is refused")
    func given() throws {
        let backend = try TestBackend(names: ["queue.example"])
        let machine = try backend.add("north")
        for authority in ["queue.example", "queue.example:8443"] {
            #expect(try asked(machine, .holds, as: authority).status == 201, "\(authority)")
        }
        for authority in ["other.example", "127.0.0.1:8480", "localhost", "queue.example.it"] {
            for isSigned in [true, false] {
                let answer = try asked(machine, .holds, as: authority, isSigned: isSigned)
                #expect(answer.problem == .misdirected, "\(authority)")
            }
        }
        #expect(try asked(machine, .machine, as: "queue.example", isSigned: false).status == 401)
        // The administrator's health check comes from the same computer.
        for (authority, status) in [("127.0.0.1", 200), ("queue.example", 200), ("a.b", 421)] {
            let health = try RawClient(backend.address).get("/healthz", as: authority)
            #expect(health?.status == status, "\(authority)")
        }
    }

    @Test("Without them, the loopback's names and the one by which a machine has called are good")
    func learned() throws {
        let backend = try TestBackend()
        let local = try backend.enrol("local")
        let known = try backend.add("known")
        // A web page that points its own name at this address, or an unknown client.
        for path in ["/v1/machine", "/v1/pairings", "/v1/turns?ticket=x", "/healthz", "/v1/none"] {
            let parts = path.split(separator: "?").map(String.init)
            let request = WireRequest(
                method: "GET", authority: "evil.example", path: parts[0],
                query: parts.count > 1 ? parts[1] : "")
            #expect(try local.send(request).problem == .misdirected, "\(path)")
        }
        // A machine that is known by one name does not make another name valid.
        #expect(try asked(local, .machine, as: "evil.example").problem == .misdirected)
        #expect(try asked(known, .holds, as: "queue.example").status == 201)
        #expect(try asked(known, .holds, as: "other.example").problem == .misdirected)
        #expect(try asked(local, .machine, as: "queue.example").status == 200)
        #expect(
            try asked(local, .machine, as: "queue.example", isSigned: false).problem
                == .notAuthentic)
        #expect(
            backend.lines.value.contains {
                $0.contains("\"misdirected\"") && $0.contains("--name evil.example")
            })
    }
}
