import BackendAPI
import Reservations

/// The bodies of visits and of SMS.
extension GoldenBodyTests {
    static func visits() throws -> [Body] {
        let tag = ShopTag(rawValue: "CITT")!
        let capability = Capability(rawValue: String(repeating: "A", count: Capability.length))
        var shop = try shop()
        shop.policy.departments = [
            Department(name: "Pescheria", capacity: 4), Department(name: "Vino"),
        ]
        let named = ["Pescheria", "Vino"]
        let chosen = ChosenSlot(start: after(60), minutes: 45, departments: named)
        return [
            try body(
                "opening request",
                OpeningRequest(code: EntryCode(tag: tag, random: Array(0..<16)))),
            try body(
                "place opening",
                PlaceOpening(
                    capability!, symbol: QRMatrix(side: 2, dark: [true, false, false, true]))),
            try body("place opening without a symbol", PlaceOpening(capability!, symbol: nil)),
            try body("slots request", SlotsRequest(shop: tag)),
            try body(
                "slots request with a length",
                SlotsRequest(shop: tag, minutes: 45, departments: named)),
            try body(
                "visit with departments",
                VisitSlot(start: after(60), end: after(105), departments: named)),
            try body(
                "slot list",
                SlotList(
                    of: shop, now: now, lastDay: now.day.inNextMonth, hasTicket: true,
                    periods: [SlotPeriod(first: after(60), levels: "0123")])),
            try body("suggestions request", SuggestionsRequest(shop: tag, visit: chosen)),
            try body(
                "suggestion list",
                SuggestionList(
                    now: now, isFree: false,
                    sameDay: [SuggestedSlot(start: after(75), level: 1)],
                    otherDays: [SuggestedSlot(start: after(1_500), level: 3)],
                    shops: [
                        SuggestedShop(
                            tag: ShopTag(rawValue: "MIL1")!, name: "Lambrate", metres: 612,
                            slot: SuggestedSlot(start: after(60), level: 2), wait: nil),
                        SuggestedShop(
                            tag: ShopTag(rawValue: "MIL2")!, name: "Loreto", metres: 1_400,
                            slot: nil, wait: wait),
                    ])),
            try body("join request for a visit", JoinRequest(shop: tag, visit: chosen)),
            try body(
                "move request",
                MoveRequest(
                    capability: capability!, code: TypedCode(rawValue: "0419384512")!,
                    visit: ChosenSlot(start: after(60)))),
            try body(
                "calendar request", CalendarRequest(capability: capability!, language: "it")),
        ]
    }

    static func sms() throws -> [Body] {
        let tag = ShopTag(rawValue: "CITT")!
        let capability = Capability(rawValue: String(repeating: "A", count: Capability.length))
        let number = PhoneNumber(rawValue: "+393331234567")!
        var problem = Problem(.numberNeeded)
        problem.prefixes = ["+39", "+41"]
        var queue = StaffQueue(
            now: now, isOpen: true, closes: nil, closesEarly: false, ticketAvailable: true,
            people: 12, capacity: 40, calling: [], waiting: 3, next: [], visits: 2, issued: 120)
        queue.sms = SMSOfDay(sent: 12, most: 100)
        return [
            try body(
                "number request",
                NumberRequest(
                    capability: capability, typedCode: TypedCode(rawValue: "0419384512")!,
                    number: "+39 333 1234567", language: "it")),
            try body(
                "number end request",
                NumberEndRequest(
                    capability: capability!, typedCode: TypedCode(rawValue: "0419384512")!)),
            try body(
                "number request for a shop with its code",
                NumberRequest(
                    shop: tag, number: "+39 333 1234567", language: "it", code: "123456")),
            try body("number reply", NumberReply(number, isConfirmed: false)),
            try body("SMS of a place", SMSOfPlace(prefixes: ["+39"], isOn: true)),
            try body("problem with prefixes", problem),
            try body("staff queue with SMS", queue),
        ]
    }
}
