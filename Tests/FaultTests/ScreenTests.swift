import TestSupport
import Testing

@Suite("A broken network as the customer sees it [faults 10-13, 16]")
struct ScreenTests {
    @Test(
        "A dead backend is shown within 3 s of a touch, one that hangs within 9 s, and back by itself within 5 s, then served [faults 12, 13]",
        arguments: [(true, 3, 5), (false, 9, 13)])
    func gone(isDead: Bool, noTicket: Int, outOfService: Int) async throws {
        try await FaultyKiosk.atHome { kiosk, screen in
            func begin() throws {
                if isDead { try kiosk.proxy.refuse() } else { kiosk.proxy.inject(.neverAnswer) }
            }
            func end() throws {
                if isDead { try kiosk.proxy.accept() } else { kiosk.proxy.pass() }
            }
            // The customer has looked already: the next poll would find the backend gone, and leave nothing to press.
            try await screen.clock.pass(.milliseconds(500))
            try begin()
            try await screen.pressBlindly(["Enter"])
            try await screen.passes(
                until: FaultWords.noTicket, "N1", inSilence: true, within: .seconds(noTicket))
            try await screen.press("Enter")
            try await screen.passes(
                until: FaultWords.outOfService, "N1", inSilence: true,
                within: .seconds(outOfService))
            try end()
            try await screen.passes(until: FaultWords.home, within: .seconds(5))
            // At an untouched Home a poll comes after 5 s at the latest, and a second one confirms the outage.
            try begin()
            try await screen.passes(
                until: FaultWords.outOfService, "N1", inSilence: true, within: .seconds(13))
            try end()
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

    @Test("A final refusal shows the staff's code, and is logged [fault 16]")
    func refused() async throws {
        try await FaultyKiosk.atHome { kiosk, screen in
            kiosk.proxy.inject(
                .answer(HTTPBytes.problem(400, "malformed")), method: "POST", path: "/holds")
            try await screen.press("Enter")
            try await screen.shows(FaultWords.noTicket, "N2")
            #expect(kiosk.proxy.asked("POST", "/holds").count == 1)
            try await kiosk.notices("refused(\"malformed\")")
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
}
