import BackendService
import Reservations

/// A visit that was booked on a phone, or a ticket of a machine, its page, and a stranger who has its link.
struct LinkedPlace {
    let gateway = FakeGateway()
    let services = FakePushServices()
    let backend: TestBackend
    let machine: TestMachine
    let owner: TestDevice
    let visit: Reservation
    let phone: TestPhone
    let stranger: TestDevice

    init(
        _ limits: [LimitedAction: RateLimit] = [:], isTicket: Bool = false,
        at start: String = TestBackend.saturday,
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws {
        (backend, machine) = try TestBackend.joinable(
            limits, pushes: services.pushes, sms: gateway.sms()
        ) {
            $0.phones.hasVisits = true
            $0.phones.hasRemotePlaces = true
            $0.phones.smsPerDay = 100
            $0.allowsDelays = true
            $0.allowsReclaims = true
            decide(&$0)
        }
        owner = TestDevice(backend)
        visit = try isTicket ? machine.reservation() : owner.book(start)
        phone = try TestPhone(backend, visit)
        stranger = TestDevice(backend)
    }

    var link: String { #""capability":"\#(phone.capability.rawValue)""# }
}
