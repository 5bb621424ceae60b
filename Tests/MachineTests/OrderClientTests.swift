import BackendAPI
import BackendClient
import Cryptography
import Foundation
import KioskFlow
import KioskRuntime
import Reservations
import Synchronization
import TestSupport
import Testing

@Suite("Calls about orders that are collected (rules 41)", .timeLimit(.minutes(10)))
struct OrderClientTests {
    private static let now = LocalMoment(
        Moment(milliseconds: 1_795_179_600_000), offsetMinutes: 60)
    private static let ticket = PickupTicket(
        code: PickupCode(tag: ShopTag(rawValue: "CITT")!, random: Array(16..<32)),
        typedCode: TypedCode(rawValue: "7419384512")!)

    private static func order(
        _ state: OrderState, id: String = "order-1", parcels: Int = 3, desk: Int? = nil,
        ticket: PickupTicket? = nil
    ) -> PickupOrder {
        PickupOrder(
            id: OrderID(id), reference: "4711", shopName: "Shop", state: state, since: now,
            now: now, parcels: parcels, promised: now, isReady: state == .onShelf,
            number: state.isHere ? PickupNumber(rawValue: 17) : nil, desk: desk, ticket: ticket)
    }

    private let key = AttemptKey("start-1")
    private let presented = PresentedOrderCode.entry(ticket.code)
    private let id = OrderID("order-1")

    private func client(_ server: ScriptedServer) throws -> BackendClient {
        try Cryptography.start()
        let signer = RequestSigner(key: try .generate())
        return BackendClient(servers: try BackendServers("http://127.0.0.1:\(server.port)")) {
            signer.sign($0, created: 1_795_179_600, nonce: RequestSigner.makeNonce())
        }
    }

    private static func json(_ status: Int, _ value: some Encodable) -> String {
        let body = (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
        let type = status < 300 ? "application/json" : Problem.contentType
        return "HTTP/1.1 \(status) x\r\ncontent-type: \(type)\r\n"
            + "content-length: \((body ?? "").utf8.count)\r\n\r\n\(body ?? "")"
    }

    /// Makes both calls on a server, and returns their answers.
    private func both(
        _ answer: @escaping @Sendable (String) -> ScriptedServer.Answer
    ) async throws -> [BackendAnswer<PickupOrder>] {
        let server = try ScriptedServer(answer)
        defer { server.stop() }
        let port = try client(server)
        return [
            await port.lookUpOrder(presented, key), await port.arrive(id, presented, key),
        ]
    }

    @Test("Each call has its path, the code as proof and its key; its answer is the order")
    func calls() async throws {
        let seen = Mutex<[String]>([])
        let answers = try await both { request in
            seen.withLock { $0.append(request) }
            return .answer(Self.json(200, Self.order(.arrived, ticket: Self.ticket)))
        }
        let expected = Self.order(.arrived, ticket: Self.ticket)
        #expect(answers == [.success(expected), .success(expected)])
        let requests = seen.withLock { $0 }
        try #require(requests.count == 2)
        #expect(requests[0].hasPrefix("POST /v1/orders/lookup "))
        #expect(requests[1].hasPrefix("POST /v1/orders/order-1/arrival "))
        for request in requests {
            #expect(request.contains("\"code\":\"\(Self.ticket.code.rawValue)\""))
            #expect(request.lowercased().contains("idempotency-key: start-1"))
        }
    }

    @Test(
        "A lost answer is asked for again with the same key, so that one number is drawn [faults 70]"
    )
    func lost() async throws {
        let keys = Mutex<[String]>([])
        let answers = try await both { request in
            let line = request.lowercased().split(separator: "\r\n")
                .first { $0.hasPrefix("idempotency-key") }
            let isFirst = keys.withLock { keys in
                keys.append(String(line ?? ""))
                return keys.count % 2 == 1
            }
            return isFirst
                ? .hangUp : .answer(Self.json(201, Self.order(.arrived, ticket: Self.ticket)))
        }
        let numbers = try answers.map { try $0.get().number?.text }
        #expect(numbers.allSatisfy { $0 == "C-017" })
        #expect(keys.withLock { $0 } == Array(repeating: "idempotency-key: start-1", count: 4))
    }

    @Test(
        "A refusal comes through as it is",
        arguments: [Refusal.notFound, .otherShop, .unreadableCode, .shopClosed, .unsupportedKind])
    func refused(_ refusal: Refusal) async throws {
        let answers = try await both { _ in .answer(Self.json(refusal.status, Problem(refusal))) }
        #expect(answers == [.failure(.refusal(refusal)), .failure(.refusal(refusal))])
    }

    @Test(
        "An impossible order is not believed: no parcels, a call without a desk, a foreign ticket")
    func implausible() async throws {
        let foreign = PickupTicket(
            code: PickupCode(tag: ShopTag(rawValue: "CITT")!, random: Array(0..<16)),
            typedCode: Self.ticket.typedCode)
        for order in [
            Self.order(.onShelf, parcels: 0), Self.order(.called), Self.order(.called, desk: 21),
            Self.order(.arrived, ticket: foreign),
        ] {
            let answers = try await both { _ in .answer(Self.json(200, order)) }
            #expect(answers == [.failure(.notUnderstood), .failure(.notUnderstood)])
        }
    }

    @Test("An answer about another order is not shown as this customer's")
    func otherOrder() async throws {
        let answers = try await both { _ in
            .answer(Self.json(200, Self.order(.arrived, id: "order-2", ticket: Self.ticket)))
        }
        // Only the arrival names its order; the look-up finds it by the code.
        #expect(answers[1] == .failure(.notUnderstood))
    }
}
