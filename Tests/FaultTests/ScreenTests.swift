import Glibc
import TestSupport
import Testing

@Suite("A broken network as the customer sees it [faults 10-13, 19]")
struct ScreenTests {
    /// The ways in which the backend is away.
    enum Outage: CaseIterable {
        case refused, silent

        func begin(_ kiosk: FaultyKiosk) throws {
            switch self {
            case .refused: try kiosk.proxy.refuse()
            case .silent: kiosk.proxy.inject(.neverAnswer)
            }
        }

        func end(_ kiosk: FaultyKiosk) throws {
            switch self {
            case .refused: try kiosk.proxy.accept()
            case .silent: kiosk.proxy.pass()
            }
        }
    }

    @Test(
        "A dead backend is shown within 3 s of a touch, one that hangs within 9 s, and back by itself within 5 s, then served [faults 12, 13]",
        arguments: [(Outage.refused, 3, 5), (.silent, 9, 13)])
    func gone(outage: Outage, noTicket: Int, outOfService: Int) async throws {
        try await FaultyKiosk.atHome { kiosk, screen in
            // The customer has looked already: the next poll would find the backend gone, and leave nothing to press.
            try await screen.clock.pass(.milliseconds(500))
            try outage.begin(kiosk)
            try await screen.pressBlindly(["Enter"])
            try await screen.passes(
                until: FaultWords.noTicket, "N1", inSilence: true, within: .seconds(noTicket))
            try await screen.press("Enter")
            try await screen.passes(
                until: FaultWords.outOfService, "N1", inSilence: true,
                within: .seconds(outOfService))
            try outage.end(kiosk)
            try await screen.passes(until: FaultWords.home, within: .seconds(5))
            try await kiosk.takeTicket(on: screen)
            try await kiosk.expectOneTicket()
        }
    }

    @Test("An abandoned call does not go on and take the next customer's place away [fault 13]")
    func givenUp() async throws {
        try await FaultyKiosk.atHome { kiosk, screen in
            kiosk.proxy.inject(.neverAnswer, method: "POST", path: "/holds", times: 1)
            try await screen.press("Enter")
            try await screen.shows(FaultWords.cancel)
            try await screen.press("Escape")
            try await screen.shows(FaultWords.home)
            try await screen.press("Enter")
            try await screen.shows(FaultWords.confirm)
            // A machine's new place ends its older one, and the abandoned call paused for 200 to 300 ms. On a slow
            // computer it was sent twice before it was abandoned.
            let sent = kiosk.proxy.asked("POST", "/holds").count
            try await screen.clock.pass(.seconds(1))
            try await screen.press("Enter")
            try await screen.shows(FaultWords.printed)
            try await kiosk.expectOneTicket()
            #expect(kiosk.proxy.asked("POST", "/holds").count == sent)
        }
    }

    @Test("A scan at Home while the backend is away shows a sentence, and loses nothing [fault 12]")
    func scanWithoutBackend() async throws {
        try await FaultyKiosk.atHome { kiosk, screen in
            try await kiosk.takeTicket(on: screen)
            try await kiosk.expectOneTicket()
            try await kiosk.finish(on: screen)
            let code = try #require(try await kiosk.product.codes().first)
            try kiosk.proxy.refuse()
            try await screen.types(code)
            let message = try await screen.passes(until: "N1", within: .seconds(5))
            #expect(!message.contains(FaultWords.confirm))
            try kiosk.proxy.accept()
            try await screen.press("Escape")
            try await screen.shows(FaultWords.home)
            try await screen.types(code)
            try await screen.shows("disdire", FaultWords.keep)
            #expect(try await kiosk.product.codes() == [code])
        }
    }

    @Test("A final refusal shows the staff's code, and is logged [fault 16]")
    func refused() async throws {
        try await FaultyKiosk.atHome { kiosk, screen in
            kiosk.proxy.inject(
                .answer(HTTPBytes.problem(400, "malformed")), method: "POST", path: "/holds")
            try await screen.press("Enter")
            try await screen.shows(FaultWords.noTicket, "N2")
            #expect(kiosk.proxy.asked("POST", "/holds").count == 1)
            let log = try await Tool.succeed(
                "cat", ["\(kiosk.product.services.state)/kiosk.log"])
            #expect(log.contains("refused(\"malformed\")"))
        }
    }

    @Test("The answer is lost after the commit: neither yes nor no, then one number [fault 19]")
    func lostAnswer() async throws {
        try await FaultyKiosk.atHome { kiosk, screen in
            kiosk.proxy.inject(.dropAnswer, path: "/confirmation")
            try await kiosk.confirm(on: screen)
            try await screen.shows(FaultWords.unresolved, FaultWords.leave)
            #expect(try await kiosk.numbered().count == 1)
            #expect(try kiosk.product.papers().isEmpty)
            kiosk.proxy.pass()
            try await kiosk.expectCode(in: screen.shows(FaultWords.printed))
            try await kiosk.expectOneTicket()
        }
    }

    @Test("Ten touches a second bring one ticket [fault 11]")
    func manyTouches() async throws {
        try await FaultyKiosk.atHome { kiosk, screen in
            try await screen.press("Enter")
            try await screen.shows(FaultWords.confirm)
            // The touches are inside Confirm in 80 x 24, and beside Done on the next screen: ten a second and more,
            // also in the moment in which a touch still refers to the previous screen.
            let isIssued = try await eventually {
                try await screen.tap(row: 17, column: 60)
                return try await screen.text().contains(FaultWords.issued)
            }
            #expect(isIssued)
            for _ in 0..<5 { try await screen.tap(row: 17, column: 60) }
            try await screen.shows(FaultWords.issued)
            try await kiosk.expectOneTicket()
            #expect(kiosk.proxy.asked("POST", "/holds").count == 1)
        }
    }

    @Test("Touches made while the machine was stopped have no effect [fault 10]", arguments: 1...3)
    func stoodStill(round: Int) async throws {
        try await FaultyKiosk.atHome { kiosk, screen in
            let process = try await screen.process()
            try await screen.clock.standsStill(for: .seconds(4), process) {
                for _ in 0..<3 { try await screen.tap(row: 12, column: 40) }
            }
            // The touches are read before these keys.
            try await screen.shows(FaultWords.home)
            try await kiosk.confirm(on: screen)
            try await screen.shows(FaultWords.issued)
            #expect(kiosk.proxy.asked("POST", "/holds").count == 1)
        }
    }

    @Test("After thirty seconds of standstill a finished screen ends; no old touch acts [fault 10]")
    func stoodStillForLong() async throws {
        try await FaultyKiosk.atHome { kiosk, screen in
            try await kiosk.takeTicket(on: screen)
            let process = try await screen.process()
            try await screen.clock.standsStill(for: .seconds(30), process) {
                // Get a ticket is at this place on Home, and Done on the screen that is shown.
                for _ in 0..<3 { try await screen.tap(row: 12, column: 40) }
            }
            try await screen.shows(FaultWords.home)
            // The touches are read before this key.
            try await screen.press("Tab")
            try await screen.clock.pass(.seconds(1))
            #expect(kiosk.proxy.asked("POST", "/holds").count == 1)
            try await kiosk.expectOneTicket()
        }
    }

    @Test("An untouched Home shows that the backend is gone, and recovers by itself [fault 12]")
    func untouched() async throws {
        try await FaultyKiosk.atHome { kiosk, screen in
            for outage in Outage.allCases {
                try outage.begin(kiosk)
                // A poll comes after 5 s at the latest, and a second one confirms the outage.
                try await screen.passes(
                    until: FaultWords.outOfService, "N1", inSilence: true,
                    within: .seconds(13))
                try outage.end(kiosk)
                try await screen.passes(until: FaultWords.home, within: .seconds(5))
            }
        }
    }

    @Test("No route and no name: shown within 3 s of the machine's start [fault 12]")
    func noRoute() async throws {
        let full = try FullListener()
        try await Product.with { product in
            for address in [full.address, "https://backend.invalid"] {
                let command = product.kiosk(["backend": address])
                try await TmuxTerminal.with(columns: 80, rows: 24, command: command) { screen in
                    // The machine uses its first language, as the shop has not reported any.
                    try await screen.passes(until: " N1", inSilence: true, within: .seconds(3))
                }
            }
        }
    }
}
