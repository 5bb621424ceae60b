import BackendAPI
import BackendService
import Foundation
import Reservations
import Testing

/// The limits of the code, and those that the contract names.
@Suite("Every limit is in the contract, and every limit of the contract is there")
struct ContractLimitTests {
    private var rates: [String: (burst: Double, seconds: Double)] {
        let lines = Contract.lines.drop { $0 != "x-rates:" }.dropFirst()
            .prefix { $0.hasPrefix("  ") }
        return lines.reduce(into: [:]) { rates, line in
            let match = line.firstMatch(
                of: #/^  ([a-z-]+): \{ burst: (\d+), seconds: ([\d.]+) \}$/#)
            guard let match, let burst = Double(match.2), let seconds = Double(match.3) else {
                return
            }
            rates[String(match.1)] = (burst, seconds)
        }
    }

    @Test("Each limit has its line with its numbers, and each line its limit")
    func lines() throws {
        let rates = rates
        #expect(Set(rates.keys) == Set(LimitedAction.allCases.map(\.rate)))
        for action in LimitedAction.allCases {
            let (described, limit) = (try #require(rates[action.rate]), action.standard)
            #expect(described.burst == limit.burst, "\(action.rate)")
            #expect(abs(described.seconds * limit.perSecond - 1) < 1e-9, "\(action.rate)")
        }
    }

    @Test("Each call says which rates it counts for and documents its 429; each rate has a call")
    func documented() {
        let known = Set(rates.keys)
        let refusal = ##"        "429": { $ref: "#/components/responses/TooManyRequests" }"##
        for call in Contract.calls where !call.name.hasSuffix("z") {
            #expect(call.list("x-rates")?.isSubset(of: known) == true, "\(call.name)")
            let isRefused = call.list("x-rates") != []
            #expect(call.lines.contains { $0 == refusal } == isRefused, "\(call.name)")
        }
        let named = Contract.calls.reduce(into: Set()) { $0.formUnion($1.list("x-rates") ?? []) }
        #expect(known.subtracting(named) == [LimitedAction.smsAnswers.rate])
    }

    @Test(
        "A call is refused by the limits that the contract names", arguments: LimitedAction.allCases
    )
    func refused(by action: LimitedAction) throws {
        let backend = try TestBackend([action: .only(0)], isStepped: true) { $0.orders.desks = 2 }
        var keys: [KeyRole: TestMachine] = [:]
        for role in KeyRole.allCases { keys[role] = try backend.add(role.rawValue, role: role) }
        let described = Dictionary(
            uniqueKeysWithValues: Contract.calls.map { ($0.name, $0.list("x-rates") ?? []) })
        // The ticket of a socket is asked for before, and the socket itself is no call.
        for endpoint in API.all where endpoint.name != .turns {
            let name = "\(endpoint.method.rawValue) \(endpoint.path)"
            let path = PathParameter.allCases.reduce(endpoint.path) {
                $0.replacing($1.mark, with: "none")
            }
            let route = try #require(Route(path: path, method: endpoint.method.rawValue))
            let role = KeyRole.allCases.first { endpoint.roles.contains($0) }
            let key = try #require(keys[role ?? .ticketMachine])
            let statuses = try bodies(of: endpoint.name, key).map { try key.call(route, $0).status }
            #expect(
                statuses.contains(429) == described[name]?.contains(action.rate),
                "\(action.rate), \(name): \(statuses)")
            #expect(!statuses.contains(400) && !statuses.contains(403), "\(name): \(statuses)")
        }
    }

    /// Bodies of a call that are well formed, one for each limit that only some bodies count for.
    private func bodies(of name: EndpointName, _ machine: TestMachine) throws -> [String] {
        func body(_ value: some Encodable) throws -> String {
            String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        }
        let typed = "{\"code\":\"0000000000\"}"
        switch name {
        case .machine, .queue, .staffQueue, .helpCalls, .deskOrders, .sessions, .turns, .help,
            .holdExtension, .hold, .holdConfirmation, .orderCancellation:
            return [""]
        case .machineKey, .pairings: return ["{\"key\":\"\(machine.key.publicKey.text)\"}"]
        case .machineStatus:
            return [try body(MachineStatusReport(condition: MachineStatusTests.well, memory: "m"))]
        case .holds: return ["{\"kind\":\"ticket\"}"]
        case .lookup, .reservation, .reclaim, .entries, .exits, .orderLookup, .orderArrival:
            return [typed]
        case .delay: return ["{\"code\":\"0000000000\",\"people\":1}"]
        case .staffActions:
            return [
                try body(StaffActionRequest(.endTickets)),
                try body(
                    StaffActionRequest(
                        .unblock, reference: BlockReference(rawValue: "00000000"))),
            ]
        case .helpAcknowledgement, .helpMute: return ["{\"by\":\"Giulia\"}"]
        case .helpCall: return ["{\"end\":\"helped\",\"by\":\"Giulia\"}"]
        case .deskStep:
            return [DeskStep.handOver, .fetch].map { "{\"step\":\"\($0.rawValue)\",\"desk\":1}" }
        case .handovers: return ["{\"code\":\"0000000000\",\"desk\":1}"]
        case .orderAnnouncement:
            let promised = LocalMoment(TestBackend.morning + .minutes(60), offsetMinutes: 60)
            return [
                try body(
                    OrderAnnouncement(
                        promised: promised, parcels: [Parcel(text: "small")].compactMap(\.self)))
            ]
        }
    }
}

extension LimitedAction {
    /// The name of its rate in the contract.
    fileprivate var rate: String {
        let others: [LimitedAction: String] = [
            .requests: "requests", .codes: "typed-codes", .writes: "changes",
            .staff: "staff-actions", .help: "help-calls", .desk: "desk-steps",
        ]
        return others[self] ?? rawValue
    }
}
