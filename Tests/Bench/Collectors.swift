import BackendAPI
import FoundationEssentials
import Reservations
import TestSupport

/// Brings orders of a shop into every state that customers and a desk lead to, for demonstrations.
enum Collectors {
    /// What a desk does with the orders whose customers come, by their references.
    private static let steps: [(reference: String, desk: Int, steps: [DeskStep])] = [
        ("4716", 1, []), ("4717", 1, [.fetch]), ("4718", 2, [.fetch, .ready]),
        ("4719", 2, [.fetch, .notFound]), ("4720", 1, [.fetch, .ready, .handOver]),
    ]

    static func run(_ options: Options) throws {
        let port = try options.backendPort()
        let machine = try DeviceConnection(
            "machine", port: port, key: Customers.key(options.required("state")))
        let page = try DeviceConnection(
            "desk", port: port, key: Customers.key(options.required("desk")))
        let file = try String(contentsOfFile: options.required("orders"), encoding: .utf8)
        let orders = try file.split(separator: "\n").map {
            try JSONDecoder().decode(ServedOrder.self, from: Data($0.utf8))
        }
        for (reference, desk, steps) in steps {
            guard let order = orders.last(where: { $0.reference == reference }) else {
                throw BenchError("no order \(reference) is announced")
            }
            let request = CodeRequest(code: order.code.rawValue)
            let came = try machine.call(API.orderArrival, of: order.order, request)
            guard came.status == 201 else { throw BenchError("no arrival: \(came.status)") }
            for step in steps {
                let taken = try page.call(
                    API.deskStep, of: order.order, DeskStepRequest(step, desk: desk))
                guard taken.status == 201 else {
                    throw BenchError("\(reference) is not \(step.rawValue): \(taken.status)")
                }
            }
        }
    }
}
