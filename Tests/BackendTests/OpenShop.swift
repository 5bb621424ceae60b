import BackendService
import Reservations

/// A shop and its machine, which each test of a suite gets for itself.
class OpenShop {
    let backend: TestBackend
    let machine: TestMachine

    init(_ shop: (TestBackend, TestMachine)) { (backend, machine) = shop }

    init() throws {
        backend = try TestBackend()
        machine = try backend.enrol()
    }
}

/// With pages for phones, and full, so that a customer waits, whose phone has opened the page.
class FullShop: OpenShop {
    let mine: Reservation
    let phone: TestPhone

    init(
        _ limits: [LimitedAction: RateLimit] = [:], pushes: NoticePushes? = nil,
        sms: SMSSending? = nil,
        _ decide: (inout ShopPolicy) -> Void = { _ in }
    ) throws {
        let shop = try TestBackend.full(limits, pushes: pushes, sms: sms, decide)
        mine = try shop.1.reservation()
        phone = try TestPhone(shop.0, mine)
        super.init(shop)
    }
}

/// With places for phones, and a phone.
class JoinableShop: OpenShop {
    let device: TestDevice

    override init(_ shop: (TestBackend, TestMachine)) {
        device = TestDevice(shop.0)
        super.init(shop)
    }

    override init() throws {
        let shop = try TestBackend.joinable()
        device = TestDevice(shop.0)
        super.init(shop)
    }
}

/// With visits that phones book.
class VisitShop: JoinableShop {
    let saturday = TestBackend.saturday
    let noon = "2026-11-21T12:00:00+01:00"
    let sunday = TestBackend.sunday

    override init() throws { super.init(try TestBackend.withVisits()) }
}

/// With two desks at which orders are handed over, and the page of one.
class OrderShop: OpenShop {
    let desk: TestMachine

    override init() throws {
        let backend = try TestBackend { $0.orders.desks = 2 }
        desk = try backend.enrol("desk-1", role: .desk)
        super.init((backend, try backend.enrol("door-1")))
    }
}
