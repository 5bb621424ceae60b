import BackendAPI
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

/// With pages for phones, and full, so that further tickets wait.
class FullShop: OpenShop {
    override init() throws { super.init(try TestBackend.full()) }
}

/// With places for phones.
class JoinableShop: OpenShop {
    override init() throws { super.init(try TestBackend.joinable()) }
}

/// With visits that phones book, and a phone.
class VisitShop: OpenShop {
    let device: TestDevice
    let saturday = TestBackend.saturday
    let noon = "2026-11-21T12:00:00+01:00"
    let sunday = TestBackend.sunday

    override init() throws {
        let shop = try TestBackend.withVisits()
        device = TestDevice(shop.0)
        super.init(shop)
    }
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
