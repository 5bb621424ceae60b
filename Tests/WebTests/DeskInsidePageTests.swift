import Foundation
import Reservations
import TestSupport
import Testing

@Suite("A desk inside the shop, at its page and at the door's [rules 41]", .serialized)
struct DeskInsidePageTests {
    private func state(_ browser: Browser) async throws -> String {
        try await browser.value("document.getElementById('reader').dataset.state")
    }

    @Test("In a full shop an order waits at the desk; called, it opens the door and names the desk")
    func full() async throws {
        try await PageShop.with(
            capacity: 1, shop: ["--desks", "2", "--desk-inside", "yes"]
        ) { shop in
            let orders = try await shop.backend.announceOrders(["4711", "4712"])
            for order in orders { try await shop.arrive(order) }
            let ticket = try await shop.ticket()
            let desk = try await shop.desk()
            for step in [DeskStep.fetch, .ready] {
                try await shop.take(step, orders[0], at: 2, with: desk)
            }
            try await Browser.with(width: 1_024, height: 768) { page in
                try await page.openDesk(2, of: shop)
                #expect(
                    await patiently {
                        try await page.text("[data-column=called] .order-words")
                            == "Wartet auf einen freien Platz"
                    })
                try await page.keepPicture("desk-waits-for-place")
                try await Browser.with(width: 1_080, height: 1_920) { door in
                    try await shop.open("entrance", in: door)
                    #expect(await patiently { try await state(door) == "idle" })
                    try await door.scan(orders[0].code.rawValue)
                    #expect(await patiently { try await state(door) == "wait" })
                    #expect(try await door.text("#words").contains("Achten Sie auf die Anzeige"))
                    // The customer who was called gives the place back.
                    try await shop.free(ticket.number)
                    #expect(
                        await patiently {
                            try await page.text("[data-column=called] .order-words")
                                .contains("an Schalter 2 aufgerufen")
                        })
                    #expect(await patiently { try await state(door) == "idle" })
                    try await door.scan(orders[0].code.rawValue)
                    // All of it at one look, as it is shown for some seconds only.
                    let shown =
                        "document.getElementById('reader').dataset.state + '|' + "
                        + "document.querySelector('#words .number')?.innerText + '|' + "
                        + "document.querySelector('#words')?.innerText"
                    #expect(
                        await patiently {
                            let words = try await door.value(shown)
                            return words.hasPrefix("yes|C-001|")
                                && words.contains("Bitte zum Abholschalter 2")
                        })
                    try await door.keepPicture("entrance-order")
                    #expect(await patiently { try await state(door) == "idle" })
                    // Its customer went to the door at once.
                    let new = try await shop.backend.announceOrders(["4713"])[0]
                    try await door.scan(new.code.rawValue)
                    #expect(await patiently { try await state(door) == "no" })
                    #expect(
                        try await door.text("#words").contains("Zeigen Sie den Code am"))
                    try await door.keepPicture("entrance-order-not-called")
                }
            }
        }
    }
}
