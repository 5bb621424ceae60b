import Reservations
import Testing

@Suite(
    "Calls about orders that are collected (rules: order-codes, order-arrivals)",
    .timeLimit(.minutes(10)))
struct OrderClientTests {
    private let arrived = BackendFacts.order(.arrived, ticket: BackendFacts.pickup)
    private let calls = CallsWithCode<PickupOrder>(
        code: BackendFacts.pickup.code.rawValue,
        paths: ["/v1/orders/lookup", "/v1/orders/order-1/arrival"]
    ) { port, key in
        let code = PresentedOrderCode.entry(BackendFacts.pickup.code)
        return [
            await port.lookUpOrder(code, key), await port.arrive(OrderID("order-1"), code, key),
        ]
    }

    @Test("A call has its path, proof and key; if its answer is lost it is repeated [faults 70]")
    func passed() async throws { try await calls.expectPassed(arrived) }

    @Test(
        "A refusal comes through as it is",
        arguments: [Refusal.notFound, .otherShop, .unreadableCode, .shopClosed, .unsupportedKind])
    func refused(_ refusal: Refusal) async throws {
        try await calls.expect(.refusal(refusal), for: .refusal(refusal))
    }

    @Test("An impossible order is not believed: no parcels, called without a desk, another ticket")
    func implausible() async throws {
        let foreign = PickupTicket(
            code: PickupCode(tag: ShopTag(rawValue: "CITT")!, random: Array(0..<16)),
            typedCode: BackendFacts.pickup.typedCode)
        for order in [
            BackendFacts.order(.onShelf, parcels: 0), BackendFacts.order(.called),
            BackendFacts.order(.called, desk: 21), BackendFacts.order(.arrived, ticket: foreign),
        ] {
            try await calls.expect(.notUnderstood, for: .json(200, order))
        }
    }

    @Test("An answer about another order is not shown as this customer's")
    func otherOrder() async throws {
        let other = BackendFacts.order(.arrived, id: "order-2", ticket: BackendFacts.pickup)
        // Only the arrival names its order; the look-up finds it by the code.
        let answers = try await calls.answers { _ in .json(200, other) }.all
        #expect(answers[1] == .failure(.notUnderstood))
    }
}
