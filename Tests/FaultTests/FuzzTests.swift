import BackendClient
import Foundation
import KioskFlow
import KioskRuntime
import Reservations
import Synchronization
import TestSupport
import Testing

@Suite("Meaningless answers [fault 17]")
struct FuzzTests {
    /// The number of mutated answers; that of the long run is given in faults 17.
    private static let count = TestLength.choose(10_000, long: 100_000)

    @Test("An answer outside the contract is refused, and asked for once")
    func garbage() async throws {
        try await FaultyShop.with { shop in
            let client = try shop.client()
            let hold = try await shop.hold()
            let bodies = [
                "", "null", "[]", "{}", "true", "\"text\"", "{", "<html></html>",
                "{\"number\":1}", "\u{0}\u{1}\u{2}", String(repeating: "[", count: 50_000),
            ]
            for body in bodies {
                shop.proxy.pass()
                shop.proxy.inject(.answer(HTTPBytes.answer(201, body)))
                let name = "\(body.prefix(20))"
                #expect(
                    await client.takePlace(.ticket, .fresh()).failure == .notUnderstood, "\(name)")
                #expect(await client.confirm(hold, .fresh()).failure == .notUnderstood, "\(name)")
                #expect(await client.queue().failure == .notUnderstood, "\(name)")
                #expect(await client.shop().failure == .notUnderstood, "\(name)")
            }
            #expect(shop.proxy.asked("POST", "/confirmation").count == bodies.count)
        }
    }

    @Test("A field of a reservation that is missing or meaningless is refused")
    func fields() async throws {
        try await FaultyShop.with { shop in
            let client = try shop.client()
            let (hold, truth) = try await confirmed(shop)
            let fields: KeyValuePairs = [
                "id": ["1", "\"\"", "\"../..\"", "\"another-place\"", "null"],
                "kind": ["\"lottery\"", "1", "null"],
                "number": [
                    "-1", "0", "1000000", "9223372036854775808", "-9223372036854775809", "1e400",
                    "1.5", "\"1\"", "null", "[1]", "NaN",
                ],
                "shopName": ["\"\"", "7", "null"],
                "code": ["\"\"", "\"CLUP:2:TEST00000000000000000000000000\"", "5", "null"],
                "typedCode": ["\"\"", "\"12345\"", "\"12345678901\"", "\"-123456789\"", "5"],
                "issued": ["\"\"", "\"yesterday\"", "0", "\"2026-02-30T10:00:00Z\""],
                "wait": ["{}", "null", "[]", "{\"peopleAhead\":-1}"],
            ]
            for (name, lies) in fields {
                for lie in lies + ["missing"] {
                    let body = replace(name, in: truth, by: lie == "missing" ? nil : lie)
                    shop.proxy.pass()
                    shop.proxy.inject(.answer(HTTPBytes.answer(201, body)))
                    let answer = await client.confirm(hold, .fresh())
                    #expect(answer.failure == .notUnderstood, "\(name): \(lie)")
                }
            }
            // The unchanged answer is accepted: the others were refused for the changed field only.
            shop.proxy.pass()
            shop.proxy.inject(.answer(HTTPBytes.answer(201, truth)))
            #expect(await client.confirm(hold, .fresh()).failure == nil)
        }
    }

    @Test("Mutated reservations never crash, and never give a place other than the requested one")
    func reservations() async throws {
        try await FaultyShop.with { shop in
            let (hold, truth) = try await confirmed(shop)
            let mutator = Mutator(seed: 17)
            shop.proxy.inject(
                .invent {
                    HTTPBytes.answer(
                        201, String(decoding: mutator.mutated(truth.utf8), as: UTF8.self))
                })
            let accepted = try await repeated(Self.count * 9 / 10, shop) { client in
                try? await client.confirm(hold, .fresh()).get()
            }
            // An accepted answer has the contract's form and is the place that was asked for. A digit that was changed
            // on the wire cannot be detected unless answers are signed (rules: signed-answers).
            #expect(accepted.allSatisfy { $0.id == hold })
            #expect(accepted.count < Self.count / 4, "\(accepted.count) of \(Self.count)")
            #expect(try await shop.numbered().count == 1)
        }
    }

    @Test("Mutated heads and framings never crash, and end in time")
    func heads() async throws {
        try await FaultyShop.with { shop in
            let client = try shop.client()
            #expect(await client.queue().failure == nil)
            let truth = HTTPBytes.answer(200, try await answer("GET", "/queue", shop))
            let mutator = Mutator(seed: 18)
            shop.proxy.inject(.invent { mutator.mutated(truth) })
            let (reports, time) = try await timed {
                try await repeated(Self.count / 10, shop) { try? await $0.queue().get() }
            }
            #expect(reports.allSatisfy { $0.waiting >= 0 })
            // Every one of them ended the connection: waiting for timeouts would take 625 ms each.
            #expect(time < .milliseconds(300 * Self.count / 10))
        }
    }

    // MARK: Parts

    /// A confirmed place, and the body of the backend's answer to it.
    private func confirmed(_ shop: FaultyShop) async throws -> (ReservationID, truth: String) {
        let reservation = try await shop.reservation()
        return (reservation.id, try await answer("POST", "/confirmation", shop))
    }

    /// The body of the last answer, which the proxy logs once it is sent.
    private func answer(
        _ method: String, _ path: String, _ shop: FaultyShop
    ) async throws -> String {
        var text: String?
        _ = await eventually {
            if case .answered(_, let body)? = shop.proxy.asked(method, path).last?.outcome {
                text = String(decoding: body, as: UTF8.self)
            }
            return text != nil
        }
        return try #require(text)
    }

    /// Makes this many calls, on four connections, and gathers the results that are not nil.
    private func repeated<Value: Sendable>(
        _ count: Int, _ shop: FaultyShop,
        _ call: @escaping @Sendable (BackendClient) async -> Value?
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: [Value].self) { group in
            for _ in 0..<4 {
                let client = try shop.client()
                group.addTask {
                    var values: [Value] = []
                    for _ in 0..<(count / 4) {
                        if let value = await call(client) { values.append(value) }
                    }
                    return values
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// The object with one value replaced by another text, or without the field.
    private func replace(_ name: String, in object: String, by value: String?) -> String {
        guard let parsed = try? JSONSerialization.jsonObject(with: Data(object.utf8)),
            var fields = parsed as? [String: Any]
        else { return "" }
        let mark = "replaced"
        fields[name] = value.map { _ in mark }
        let text = (try? JSONSerialization.data(withJSONObject: fields)) ?? Data()
        return String(decoding: text, as: UTF8.self)
            .replacing("\"\(mark)\"", with: value ?? "")
    }
}

/// Damages bytes, in the same way for the same seed while one thread calls it.
private final class Mutator: Sendable {
    private static let pieces: [[UInt8]] = [
        "null", "-1", "0", "9223372036854775808", "1e999", "\"\"", "[]", "{}", "true", "\\u0000",
        "\u{1B}[2J", "\u{202E}", "\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
        "Content-Length: 18446744073709551616\r\n", "Transfer-Encoding: chunked\r\n",
        "\"id\":\"elsewhere\",", "\"number\":7,", "<script>", "%s%n",
    ].map { Array($0.utf8) }

    private let dice: Mutex<SplitMix>

    init(seed: UInt64) { dice = Mutex(SplitMix(seed: seed)) }

    /// The bytes with one to three changes.
    func mutated(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        dice.withLock { dice in
            var result = Array(bytes)
            for _ in 0..<Int.random(in: 1...3, using: &dice) { Self.damage(&result, &dice) }
            return result
        }
    }

    private static func damage(_ bytes: inout [UInt8], _ dice: inout SplitMix) {
        let at = Int.random(in: 0...max(0, bytes.count - 1), using: &dice)
        let end = min(bytes.count, at + Int.random(in: 1...40, using: &dice))
        guard at < end else { return }
        switch Int.random(in: 0..<7, using: &dice) {
        case 0: bytes.removeSubrange(at...)
        case 1: bytes.removeSubrange(at..<end)
        case 2: bytes[at] = UInt8.random(in: .min ... .max, using: &dice)
        case 3: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        case 4: bytes.insert(contentsOf: bytes[at..<end], at: at)
        case 5: bytes.insert(contentsOf: pieces.randomElement(using: &dice) ?? [], at: at)
        default:
            bytes.replaceSubrange(at..<end, with: pieces.randomElement(using: &dice) ?? [])
        }
    }
}
