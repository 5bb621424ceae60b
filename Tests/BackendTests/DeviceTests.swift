import BackendAPI
import BackendService
import Foundation
import Reservations
import Synchronization
import Testing

@Suite("Readers at the doors and their keys")
final class DeviceTests: OpenShop {
    private let entrance: TestMachine
    private let checkout: TestMachine
    private let turnstile: TestMachine

    override init() throws {
        let backend = try TestBackend()
        entrance = try backend.enrol("door", role: .entrance)
        checkout = try backend.enrol("till", role: .checkout)
        turnstile = try backend.enrol("gate", role: .turnstile)
        super.init((backend, try backend.enrol()))
    }

    /// Lets four customers in, so that the shop is full.
    private func fill() throws -> [Reservation] {
        try (0..<4).map { _ in
            let reservation = try machine.reservation()
            try #require(try entrance.enter(reservation).status == 200)
            return reservation
        }
    }

    @Test("A called customer enters once and leaves once")
    func passes() throws {
        let second = try machine.reservation()
        let entry = try entrance.enter(second)
        #expect(entry.status == 200)
        #expect(try entry.decoded(Passage.self).number == second.number)
        let other = try backend.enrol("back-door", role: .entrance)
        #expect(try other.enter(second).problem == .inside)
        let exit = try checkout.leave(second)
        #expect(exit.status == 200)
        #expect(try exit.decoded(Passage.self).staySeconds == 0)
        #expect(try other.enter(second).problem == .alreadyUsed)
        // The door's own scan frees the place that the check-out reserved for the way out.
        #expect(try turnstile.leave(second).status == 200)
    }

    @Test("The same paper at the same door within five seconds is answered as at first")
    func twice() throws {
        let reservation = try machine.reservation()
        let first = try entrance.enter(reservation)
        let second = try entrance.enter(reservation)
        #expect(first.status == 200 && second.body == first.body)
        let key = "again"
        let left = try checkout.leave(reservation, key: key)
        #expect(try checkout.leave(reservation, key: key).body == left.body)
        #expect(try checkout.leave(reservation).body == left.body)
        #expect(backend.doors.value.count == 2, "the second reading opens no door")
    }

    @Test("A door opens for customers who may pass, and the check-out learns which customer leaves")
    func doors() throws {
        let reservations = try fill()
        #expect(backend.doors.value.map(\.number) == reservations.map(\.number.text))
        #expect(backend.doors.value.allSatisfy { $0.door.role == .entrance })
        _ = try entrance.enter("0000000000")
        _ = try checkout.leave(reservations[0])
        #expect(backend.doors.value.count == 5)
        #expect(backend.doors.value.last?.door.role == .checkout)
        #expect(backend.doors.value.last?.seconds == 5)
        _ = try turnstile.leave(reservations[1])
        #expect(backend.doors.value.last?.door.role == .turnstile)
    }

    @Test("A code of another shop, an unknown one and text that is no code are refused by name")
    func wrongCodes() throws {
        let other = "CLUP:1:MIL1" + String(repeating: "0", count: 26)
        let unknown = "CLUP:1:ROM1" + String(repeating: "0", count: 26)
        for reader in [entrance, checkout, turnstile] {
            let route: Route = reader.key.publicKey == entrance.key.publicKey ? .entries : .exits
            func present(_ code: String) throws -> Refusal? {
                try reader.call(route, sortedJSON(["code": code])).problem
            }
            #expect(try present(other) == .otherShop)
            #expect(try present(unknown) == .notFound)
            #expect(try present("\u{1B}[2J") == .unreadableCode)
            #expect(try present(String(repeating: "7", count: 4_000)) == .unreadableCode)
        }
        #expect(try entrance.call(.entries, "{}").problem == .malformed)
    }

    @Test("One paper and its copy at two doors at once: one comes in")
    func copied() throws {
        let doors = try (0..<4).map { try backend.enrol("door-\($0)", role: .entrance) }
        for _ in 0..<4 {
            let reservation = try machine.reservation()
            let answers = Mutex<[WireResponse?]>([])
            DispatchQueue.concurrentPerform(iterations: doors.count) { index in
                let answer = try? doors[index].enter(reservation)
                answers.withLock { $0.append(answer) }
            }
            let all = answers.withLock { $0 }
            #expect(all.count { $0?.status == 200 } == 1)
            #expect(all.count { $0?.problem == .inside } == doors.count - 1)
        }
        #expect(backend.doors.value.count == 4)
    }

    @Test("Every role makes only its own calls", arguments: KeyRole.allCases)
    func roles(role: KeyRole) throws {
        let caller = try backend.enrol("one-of-\(role.rawValue)", role: role)
        // The feed of turns is refused first of all if the request is no WebSocket (`TurnsTests`), and a key that asks
        // for pairing has no role yet (`PairingTests`).
        for endpoint in API.all where ![.turns, .pairings].contains(endpoint.name) {
            let route = try #require(
                Route(
                    path: endpoint.path.replacing(/\{\w+\}/, with: "none"),
                    method: endpoint.method.rawValue))
            let answer = try caller.call(route, endpoint.method == .get ? "" : "{}")
            #expect(
                (answer.problem == .forbidden) == !endpoint.roles.contains(role),
                "\(role) \(endpoint.name): \(answer.status)")
        }
    }
}
