import KioskFlow
import KioskRuntime
import MachineClock
import Reservations
import TestSupport
import Testing

/// An answer and the failure that the machine should report for it.
struct GivenAnswer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let failure: BackendFailure

    /// A problem document.
    init(_ status: Int, _ problem: String, _ failure: BackendFailure) {
        testDescription = "\(status) \(problem)"
        bytes = HTTPBytes.problem(status, problem)
        self.failure = failure
    }

    /// The error page of a proxy.
    init(page status: Int, _ failure: BackendFailure) {
        testDescription = "\(status) page"
        bytes = HTTPBytes.answer(status, "<html>", type: "text/html")
        self.failure = failure
    }
}

@Suite("Answers that are refusals, false or incomplete [faults 15-18]")
struct AnswerTests {
    @Test(
        "A temporary failure is tried at most three times more, with the same key [fault 15]",
        arguments: [
            GivenAnswer(page: 500, .unanswered), GivenAnswer(500, "what-nobody-knows", .unanswered),
            GivenAnswer(page: 502, .unanswered),
            GivenAnswer(503, "unavailable", .refusal(.unavailable)),
            GivenAnswer(429, "too-many-requests", .refusal(.tooManyRequests)),
        ])
    func passing(given: GivenAnswer) async throws {
        try await FaultyShop.with { shop in
            let clock = MachineClock(isRunning: false)
            let client = try shop.client(time: clock)
            shop.proxy.inject(.answer(given.bytes))
            let (result, time) = await timed(by: clock) {
                await client.takePlace(.ticket, .fresh())
            }
            #expect(result.failure == given.failure)
            #expect(time < .seconds(3))
            let holds = shop.proxy.asked("POST", "/holds")
            #expect(holds.count == 4)
            #expect(Set(holds.map(\.key)).count == 1)

            shop.proxy.pass()
            let hold = try await shop.hold()
            shop.proxy.inject(.answer(given.bytes), path: "/confirmation", times: 3)
            let confirmed = await timed(by: clock) { await client.confirm(hold, .fresh()) }
            #expect(try confirmed.value.get().id == hold)
            let tries = shop.proxy.asked("POST", "/confirmation")
            #expect(tries.count == 4)
            #expect(Set(tries.map(\.key)).count == 1)
            #expect(try await shop.numbered().count == 1)
            try await shop.judge()
        }
    }

    @Test("Retry-After is followed if it fits, and ends the call if it does not [fault 15]")
    func retryAfter() async throws {
        try await FaultyShop.with { shop in
            let clock = MachineClock(isRunning: false)
            let client = try shop.client(time: clock)
            shop.proxy.inject(
                .answer(HTTPBytes.problem(503, "unavailable", fields: ["Retry-After: 2"])),
                times: 1)
            let (result, time) = await timed(by: clock) {
                await client.takePlace(.ticket, .fresh())
            }
            #expect(result.failure == nil)
            #expect(time >= .seconds(2) && time < .seconds(3))
            shop.proxy.inject(
                .answer(HTTPBytes.problem(429, "too-many-requests", fields: ["Retry-After: 30"])))
            let (failed, failedTime) = await timed(by: clock) {
                await client.takePlace(.ticket, .fresh())
            }
            #expect(failed.failure == .refusal(.tooManyRequests))
            // Retries end after 9 s, and the wait would be 30 s.
            #expect(failedTime < .seconds(1))
            #expect(shop.proxy.asked("POST", "/holds").count == 3)
        }
    }

    @Test(
        "A final refusal is asked once, one of the signature once more [fault 16, rules: signed-answers]"
    )
    func forGood() async throws {
        try await FaultyShop.with { shop in
            let client = try shop.client()
            for given in [
                GivenAnswer(400, "malformed", .refusal(.malformed)),
                GivenAnswer(401, "not-authentic", .refusal(.notAuthentic)),
                GivenAnswer(page: 401, .notUnderstood),
                GivenAnswer(page: 403, .notUnderstood),
                GivenAnswer(422, "key-reused", .refusal(.keyReused)),
                GivenAnswer(409, "hold-lapsed", .refusal(.holdExpired)),
                GivenAnswer(404, "not-found", .refusal(.notFound)),
                GivenAnswer(418, "what-nobody-knows", .notUnderstood),
            ] {
                shop.proxy.pass()
                shop.proxy.inject(.answer(given.bytes))
                let key = AttemptKey.fresh()
                #expect(await client.takePlace(.ticket, key).failure == given.failure)
                let tries = shop.proxy.log.filter { $0.key == key.rawValue }
                let expected = given.failure == .refusal(.notAuthentic) ? 2 : 1
                #expect(tries.count == expected, "\(given.testDescription)")
            }
            #expect(shop.proxy.log.count == 9)
        }
    }

    @Test("An answer cut off anywhere is no answer: the same key brings the same place [fault 18]")
    func cut() async throws {
        try await FaultyShop.with { shop in
            let client = try shop.client()
            for count in [0, 1, 9, 40, 120, 200, 260, 340] {
                for fault in [Fault.cut(after: count), .reset(after: count)] {
                    shop.proxy.pass()
                    let hold = try await shop.hold()
                    let before = shop.proxy.asked("POST", "/confirmation").count
                    shop.proxy.inject(fault, path: "/confirmation", times: 1)
                    #expect(try await client.confirm(hold, .fresh()).get().id == hold)
                    let tries = shop.proxy.asked("POST", "/confirmation").dropFirst(before)
                    #expect(tries.count == 2)
                    #expect(tries.first?.outcome == .unknown)
                    #expect(Set(tries.map(\.key)).count == 1)
                }
            }
            #expect(try await shop.numbered().count == 16)
            try await shop.judge()
        }
    }

    @Test("A wrong Content-Length gives an incomplete answer or an incomplete text [fault 18]")
    func lyingLength() async throws {
        try await FaultyShop.with { shop in
            let client = try shop.client()
            let hold = try await shop.hold()
            let key = AttemptKey.fresh()
            func lie(by difference: Int) -> Fault {
                .rewrite { answer in
                    let body = HTTPBytes.split(answer).body
                    return HTTPBytes.answer(
                        201, String(decoding: body, as: UTF8.self),
                        length: body.count + difference)
                }
            }
            shop.proxy.inject(lie(by: -5), path: "/confirmation", times: 1)
            #expect(await client.confirm(hold, key).failure == .notUnderstood)
            shop.proxy.inject(lie(by: 50), path: "/confirmation", times: 1)
            #expect(try await client.confirm(hold, key).get().id == hold)
            #expect(shop.proxy.asked("POST", "/confirmation").count == 3)
            #expect(try await shop.numbered().count == 1)
            try await shop.judge()
        }
    }
}
