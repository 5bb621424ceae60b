@testable import BackendService
import Reservations
import Testing

@Suite("Another shop nearby, named where the wait is long (rules: nearby-shop)")
struct NearbyShopTests {
    /// Makes the tests' shop crowded, with empty shops of public waits around it, and returns its machine.
    private static func crowded(
        _ places: [Int], tickets: Int = 12, hours: String = "Mon-Sun 08:00-20:00",
        _ change: (Int?, inout Shop) throws -> Void = { _, _ in }
    ) throws -> (TestBackend, TestMachine) {
        let backend = try TestBackend(hours: hours, isStepped: true)
        let machine = try backend.enrol()
        try backend.surround(by: places) { number, shop in
            shop.policy.nearbyWaitMinutes = number == nil ? 30 : shop.policy.nearbyWaitMinutes
            shop.policy.phones.hasPlaces = number != nil
            shop.policy.phones.hasRemotePlaces = number != nil
            try change(number, &shop)
        }
        for _ in 0..<tickets { _ = try machine.reservation() }
        return (backend, machine)
    }

    @Test("The nearest shop with a much shorter wait is named, with its distance and its wait")
    func nearest() throws {
        let (backend, machine) = try Self.crowded([40, 5, -8])
        let status = try machine.queue()
        #expect(try #require(status.wait).minutes(at: status.now) >= 30)
        #expect(status.nearby == NearbyShop(name: "Milano 1", metres: 556, minutes: 0))
        backend.stop()
        #expect(try backend.count("reservation WHERE shop_id <> 'shop-1'") == 0, "nothing is held")
    }

    @Test("Of two shops at the same distance the one whose name comes first is named")
    func sameDistance() throws {
        let (_, machine) = try Self.crowded([5, 5, 5]) { number, shop in
            if let number { shop.name = ["Milano C", "Milano A", "Milano B"][number] }
        }
        #expect(try machine.queue().nearby?.name == "Milano A")
    }

    @Test("A shop that has no ticket left names every other one that has; a closed one none")
    func noTicket() throws {
        let (_, machine) = try Self.crowded([5], tickets: 0, hours: "Mon-Sun 08:00-10:15")
        let status = try machine.queue()
        #expect(status.isOpen && !status.ticketAvailable)
        #expect(status.nearby?.name == "Milano 0")
        let (_, closed) = try Self.crowded([5], tickets: 0, hours: "Mon-Sun 08:00-09:00")
        #expect(try !closed.queue().isOpen && closed.queue().nearby == nil)
    }

    /// What keeps a shop from being named.
    enum Obstacle: CaseIterable {
        case closed, full, notPublic, visitsOfMachinesOnly, far, noPosition, absurdPosition

        func put(in shop: inout Shop) throws {
            switch self {
            case .closed: shop.hours = try OpeningHours(week: "Sat 08:00-20:00")
            case .full: shop.hours = try OpeningHours(week: "Mon-Sun 08:00-10:15")
            case .notPublic: shop.policy.phones.hasRemotePlaces = false
            case .visitsOfMachinesOnly: shop.policy.phones.hasPlaces = false
            case .far:
                shop.address.position = .init(latitude: 45_516_000, longitude: 9_200_000)
            case .noPosition: shop.address.position = nil
            case .absurdPosition:
                shop.address.position = ShopAddress.Position(latitude: 0, longitude: 0)
            }
        }
    }

    @Test("A shop that cannot help is never named", arguments: Obstacle.allCases)
    func obstacles(_ obstacle: Obstacle) throws {
        let (_, machine) = try Self.crowded([5, 30]) { number, shop in
            if number == 0 { try obstacle.put(in: &shop) }
        }
        // The other one, farther away, is.
        #expect(try machine.queue().nearby?.name == "Milano 1")
    }

    @Test("A shop with public visits shows its wait too")
    func visits() throws {
        let (_, machine) = try Self.crowded([5]) { number, shop in
            shop.policy.phones.hasRemotePlaces = false
            shop.policy.phones.hasVisits = number == 0
        }
        #expect(try machine.queue().nearby?.name == "Milano 0")
    }

    @Test("Without a position, switched off, or with a shorter wait than set, a shop names none")
    func settings() throws {
        let changes: [@Sendable (inout Shop) -> Void] = [
            { $0.address.position = nil }, { $0.policy.nearbyWaitMinutes = 0 },
            { $0.policy.nearbyWaitMinutes = 240 },
            { $0.address.position = ShopAddress.Position(latitude: 0, longitude: 0) },
        ]
        for change in changes {
            let (_, machine) = try Self.crowded([5]) { number, shop in
                if number == nil { change(&shop) }
            }
            let status = try machine.queue()
            #expect(status.wait != nil && status.nearby == nil)
        }
    }

    @Test("The wait there is at most half of this one, and ten minutes shorter")
    func muchShorter() throws {
        let (backend, machine) = try Self.crowded([5])
        let there = try backend.enrol("there", of: ShopID("near-0"))
        var named: [Bool] = []
        for _ in 0..<14 {
            backend.time.advance(by: NearbyShops.age)
            let (here, other) = (try machine.queue(), try there.queue())
            let minutes = try #require(here.wait).minutes(at: here.now)
            let wait = try #require(other.wait)
            let others = wait.isNow(at: other.now) ? 0 : max(1, wait.minutes(at: other.now))
            #expect(
                here.nearby?.minutes
                    == (others * 2 <= minutes && others + 10 <= minutes ? others : nil))
            #expect(other.nearby == nil)
            named.append(here.nearby != nil)
            _ = try there.reservation()
        }
        // With its own queue the other shop stops being better.
        #expect(named.first == true && named.last == false)
    }

    @Test("The other shops are looked at once within seconds, however often machines ask")
    func kept() throws {
        let (backend, machine) = try Self.crowded([5])
        let there = try backend.enrol("there", of: ShopID("near-0"))
        #expect(try machine.queue().nearby?.minutes == 0)
        for _ in 0..<14 { _ = try there.reservation() }
        #expect(try machine.queue().nearby?.minutes == 0)
        backend.time.advance(by: NearbyShops.age)
        #expect(try machine.queue().nearby == nil)
    }

    @Test("A name older than the rule for names arrives in a line of 80 characters, no controls")
    func attack() throws {
        let (backend, machine) = try Self.crowded([5])
        let letters = String(repeating: "CLUP GRATIS ", count: 40)
        let name = "\u{1B}[2J\u{202E}\n\(letters)\u{7}"
        try backend.run("UPDATE shop SET name = '\(name)' WHERE shop_id = 'near-0'")
        try backend.restart()
        let nearby = try #require(try machine.queue().nearby)
        #expect(nearby.name.hasPrefix("[2J CLUP GRATIS CLUP"))
        #expect(nearby.name.unicodeScalars.count <= NearbyShop.maxNameLength)
        #expect(nearby.name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        #expect(nearby.isPlausible)
    }
}
