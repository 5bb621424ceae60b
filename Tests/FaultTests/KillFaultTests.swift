import TestSupport
import Testing

@Suite("The machine is killed at any point of a ticket [faults 1-6]")
struct KillFaultTests {
    @Test("On the first screen: back within 2 s, and nothing was asked for [fault 1]")
    func atHome() async throws {
        try await FaultyKiosk.with { kiosk in
            try await kiosk.atHome { try await $0.kill() }
            try await kiosk.started { screen in
                try await screen.shows(FaultWords.home)
                // Four seconds are what a busy computer may add. The programs as shipped have no clock to be asked.
                if let passed = await screen.clock.now() { #expect(passed < .seconds(2 + 4)) }
            }
            // The machine reports its own state from time to time.
            #expect(
                kiosk.proxy.log.allSatisfy {
                    $0.method == "GET" || $0.path == "/v1/machine/status"
                })
        }
    }

    @Test(
        "With the confirmation on its way: the key is sent again, one number, one paper",
        arguments: [
            // The key is on disk; the backend never receives it [fault 3].
            (Fault.neverAnswer, 0),
            // The backend has committed; the answer never comes [fault 4].
            (.holdAnswer, 1),
        ])
    func onItsWay(fault: Fault, committed: Int) async throws {
        try await FaultyKiosk.with { kiosk in
            kiosk.proxy.inject(fault, path: "/confirmation")
            try await kiosk.atHome { screen in
                try await kiosk.confirm(on: screen)
                let isSent = try await eventually {
                    try await kiosk.numbered().count == committed
                        && !kiosk.proxy.asked("POST", "/confirmation").isEmpty
                }
                #expect(isSent)
                try await screen.kill()
            }
            let before = try await kiosk.numbered()
            #expect(try kiosk.product.papers().isEmpty)
            kiosk.proxy.pass()
            try await kiosk.started { screen in
                try await screen.shows(FaultWords.printed)
                #expect(kiosk.proxy.asked("POST", "/confirmation").count >= 2)
                try await kiosk.expectOneTicket()
                if committed == 1 { #expect(try await kiosk.numbered() == before) }
            }
        }
    }

    @Test(
        "An unresolved place that its customer leaves is deleted once it is known, also after a kill (rules: unanswered-confirmation)",
        arguments: [false, true])
    func left(isKilled: Bool) async throws {
        try await FaultyKiosk.with { kiosk in
            func expectDeleted() async throws {
                #expect(try await kiosk.numbered().map(\.state) == ["called"])
                kiosk.proxy.pass()
                let isDeleted = try await eventually {
                    try await kiosk.numbered().map(\.state) == ["deleted"]
                }
                #expect(isDeleted)
                #expect(Set(kiosk.proxy.asked("POST", "/confirmation").map(\.key)).count == 1)
                #expect(try kiosk.product.papers().isEmpty)
                try await kiosk.judge()
            }
            try await kiosk.atHome { screen in
                // The answer to a confirmation is lost, and the customer leaves without knowing it.
                kiosk.proxy.inject(.dropAnswer, path: "/confirmation")
                try await kiosk.confirm(on: screen)
                try await screen.shows(FaultWords.unresolved)
                try await kiosk.finish(on: screen)
                try await isKilled ? screen.kill() : expectDeleted()
            }
            if isKilled { try await kiosk.atHome { _ in try await expectDeleted() } }
        }
    }
}
