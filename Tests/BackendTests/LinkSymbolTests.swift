import BackendAPI
import BackendService
import QRCode
import Reservations
import Testing

@Suite("One symbol, once all that reads codes in a shop reads links [rules: code-links]")
struct LinkSymbolTests {
    private func report(_ machine: TestMachine, readsLinks: Bool?) throws {
        var condition = MachineStatusTests.well
        condition.readsLinks = readsLinks
        let report = MachineStatusReport(condition: condition, memory: "m")
        #expect(try machine.call(.machineStatus, sortedJSON(report)).status == 200)
    }

    private func session(_ device: TestMachine, readsLinks: Bool? = true) throws {
        let body = readsLinks.map { "{\"readsLinks\":\($0)}" } ?? ""
        #expect(try device.call(.sessions, body).status == 201)
    }

    /// Whether new reservations have the link in their symbol, once the server has seen what was said.
    private func hasLinks(
        _ expected: Bool, _ machine: TestMachine, _ backend: TestBackend
    ) throws -> Bool {
        for _ in 0..<200 {
            let mine = try machine.reservation()
            #expect(try machine.delete(mine).status == 204)
            if (mine.symbol != nil) == expected {
                if let symbol = mine.symbol {
                    #expect(symbol == mine.code.link(at: "https://clup.example.it"))
                    #expect(mine.link != nil)
                }
                return true
            }
            backend.store.tick()
        }
        return false
    }

    private static func pages(at origin: String = "https://clup.example.it") -> PhonePages {
        PhonePages(
            page: origin + "/t", joinPage: origin + "/j", orderPage: origin + "/orders",
            host: "127.0.0.1", maxSocketsPerShop: 10)
    }

    @Test("Papers change over when the shop's machines, readers and desks say they read links")
    func changesOver() throws {
        let backend = try TestBackend(phones: Self.pages())
        let machine = try backend.enrol()
        let devices = try [KeyRole.entrance, .checkout, .turnstile, .desk].map {
            try backend.enrol($0.rawValue, role: $0)
        }
        // Displays and staff pages read no codes.
        _ = try backend.enrol("display", role: .display)
        _ = try backend.enrol("staff", role: .staff)
        #expect(try machine.reservation().symbol == nil)
        try report(machine, readsLinks: true)
        for device in devices {
            #expect(try hasLinks(false, machine, backend))
            try session(device)
        }
        #expect(try hasLinks(true, machine, backend))
        // An older program comes back at a door; then a new machine comes.
        try session(devices[0], readsLinks: nil)
        #expect(try hasLinks(false, machine, backend))
        try session(devices[0])
        #expect(try hasLinks(true, machine, backend))
        let other = try backend.enrol("second")
        #expect(try hasLinks(false, machine, backend))
        try report(other, readsLinks: nil)
        #expect(try hasLinks(false, machine, backend))
        try report(other, readsLinks: true)
        #expect(try hasLinks(true, machine, backend))
    }

    @Test("The page of a place shows the symbol that the paper has")
    func page() throws {
        let backend = try TestBackend(phones: Self.pages())
        let machine = try backend.enrol()
        try report(machine, readsLinks: true)
        #expect(try hasLinks(true, machine, backend))
        let mine = try machine.reservation()
        let symbol = try #require(mine.symbol)
        let opening = try backend.post(.opening, "{\"code\":\"\(mine.code.bare)\"}").decoded(
            PlaceOpening.self)
        let rows = try QRCode.matrix(ofCode: symbol).rows
        #expect(opening.symbol == rows && rows.count <= QRMatrix.maxCodeSide)
        #expect(opening.capability == mine.link?.split(separator: "#").last.map { String($0) })
        // Both forms let in, and the link that only shows the place does not.
        let entrance = try backend.enrol("in", role: .entrance)
        #expect(try entrance.enter(#require(mine.link)).problem == .symbolForPhones)
        #expect(try entrance.enter(symbol).status == 200)
        #expect(try entrance.enter(mine).problem == .inside)
    }

    @Test(
        "The address may have as many characters as a symbol of version 3 takes",
        arguments: [(15, true), (31, true), (32, false)])
    func names(length: Int, isSmall: Bool) throws {
        let origin = "https://" + String(repeating: "q", count: length - 3) + ".it"
        let backend = try TestBackend(phones: Self.pages(at: origin))
        let machine = try backend.enrol()
        try report(machine, readsLinks: true)
        var symbol: String?
        for _ in 0..<100 where symbol == nil {
            let mine = try machine.reservation()
            #expect(try machine.delete(mine).status == 204)
            symbol = mine.symbol
            backend.store.tick()
        }
        #expect((symbol != nil) == isSmall)
        let side = try symbol.map { try QRCode.matrix(ofCode: $0).side }
        #expect(side.map { $0 == QRMatrix.maxCodeSide } ?? true)
    }

    @Test("A shop without pages for phones, and a backend without them, keep the code alone")
    func withoutPages() throws {
        for backend in [
            try TestBackend(), try TestBackend(phones: Self.pages()) { $0.phones.hasPages = false },
        ] {
            let machine = try backend.enrol()
            try report(machine, readsLinks: true)
            #expect(try hasLinks(false, machine, backend))
            let mine = try machine.reservation()
            #expect(mine.symbol == nil && mine.link == nil)
        }
    }
}
