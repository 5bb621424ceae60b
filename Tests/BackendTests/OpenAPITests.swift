import BackendAPI
import Foundation
import Reservations
import Testing

@Suite("The published description of the API")
struct OpenAPITests {
    private let lines: [Substring]

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appending(path: "Assets/Api/openapi.yaml"), encoding: .utf8)
        lines = text.split(separator: "\n")
    }

    /// Every path of the description with its methods.
    private var operations: Set<String> {
        var path = ""
        var operations: Set<String> = []
        for line in lines.drop(while: { $0 != "paths:" }).prefix(while: { $0 != "components:" }) {
            if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
            if line.hasPrefix("    "), !line.hasPrefix("     "), line.hasSuffix(":") {
                operations.insert("\(line.dropFirst(4).dropLast().uppercased()) \(path)")
            }
        }
        return operations
    }

    @Test("Exactly the routes that exist are described")
    func routes() {
        let id = ReservationID("{id}")
        let routes: [Route] = [
            .machine, .machineKey, .machineStatus, .queue, .holds, .holdExtension(id), .hold(id),
            .holdConfirmation(id), .lookup, .reservation(id), .entries, .exits, .staffActions,
            .staffQueue, .sessions, .turns, .pairings,
        ]
        // A new route must come here: this switch then no longer compiles.
        for route in routes {
            switch route {
            case .machine, .machineKey, .machineStatus, .queue, .holds, .holdExtension, .hold,
                .holdConfirmation, .lookup, .reservation, .entries, .exits, .staffActions,
                .staffQueue, .sessions, .turns, .pairings:
                break
            }
        }
        let existing =
            routes.map { "\($0.method.rawValue) \($0.path)" } + ["GET /healthz", "GET /readyz"]
        #expect(operations == Set(existing))
    }

    @Test("Every problem is described with its status", arguments: ProblemType.allCases)
    func problems(problem: ProblemType) {
        let line = "            - urn:clup:problem:\(problem.rawValue) # \(problem.status)"
        #expect(lines.contains { $0 == line }, "\(line)")
    }

    @Test("The description names no problem that does not exist")
    func noOthers() {
        let described = lines.filter { $0.contains("- urn:clup:problem:") }
        #expect(described.count == ProblemType.allCases.count)
    }
}
