import BackendAPI
import BackendService
import Reservations
import Testing

@Suite("A browser that has forgotten its places finds them by its cookie [rules: joining]")
struct DevicePlacesTests {
    private static func places(
        of device: TestDevice, from address: String? = nil
    ) throws -> [String] {
        try device.call(.devicePlaces, "{}", from: address).decoded(DevicePlaces.self)
            .capabilities
    }

    @Test("A ticket and a visit are found, and nothing of another device or of a paper")
    func found() throws {
        let (backend, machine) = try TestBackend.joinable {
            $0.phones.hasVisits = true
            $0.phones.sharePercent = 100
        }
        let (device, other) = (TestDevice(backend), TestDevice(backend))
        #expect(try Self.places(of: device).isEmpty)
        let visit = try device.book()
        let ticket = try device.join(machine)
        _ = try machine.reservation()
        let theirs = try other.join(machine)
        #expect(try Self.places(of: device) == [ticket.capability, visit.capability])
        #expect(try Self.places(of: other) == [theirs.capability])
        // What it finds is opened with the code for the door, as by the browser that took it.
        #expect(try device.look(ticket).entry?.typedCode == ticket.typedCode)

        device.cookie = nil
        #expect(try Self.places(of: device).isEmpty)
        device.cookie = "__Host-clup-device=\(String(repeating: "0", count: 26))"
        #expect(try Self.places(of: device).isEmpty)
    }

    @Test("A place that was given up is found no more, and one on offer is none yet")
    func ended() throws {
        let (backend, machine) = try TestBackend.joinable { $0.phones.sharePercent = 100 }
        let device = TestDevice(backend)
        let offer = try device.offer(machine.invitation())
        #expect(try Self.places(of: device).isEmpty)
        let ticket = try device.confirm(offer)
        #expect(try Self.places(of: device).count == 1)
        #expect(try device.call(.withdrawal, of: ticket).status == 204)
        #expect(try Self.places(of: device).isEmpty)
    }

    @Test("Who asks without end is refused, and others are not")
    func limited() throws {
        let (backend, _) = try TestBackend.joinable([.lists: .only(3)])
        let device = TestDevice(backend)
        for _ in 1...3 { _ = try Self.places(of: device, from: "192.0.2.1") }
        let refused = try device.call(.devicePlaces, "{}", from: "192.0.2.1")
        #expect(refused.problem == .tooManyRequests)
        #expect(try Self.places(of: device, from: "192.0.2.2").isEmpty)
        let empty = try device.call(.devicePlaces, "", from: "192.0.2.3")
        #expect(empty.problem == .malformed)
    }
}
