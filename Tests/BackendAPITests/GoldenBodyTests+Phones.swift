import BackendAPI
import Reservations

/// The bodies of visits and of SMS.
extension GoldenBodyTests {
    static func visits() throws -> [Body] {
        let capability = Capability(rawValue: String(repeating: "A", count: Capability.length))
        var shop = try shop()
        shop.policy.departments = [
            Department(name: "Pescheria", capacity: 4), Department(name: "Vino"),
        ]
        let named = ["Pescheria", "Vino"]
        let chosen = ChosenSlot(start: after(60), minutes: 45, departments: named)
        return try bodies([
            "opening request": OpeningRequest(code: EntryCode(tag: tag, random: Array(0..<16))),
            "place opening": PlaceOpening(
                capability!, symbol: QRMatrix(side: 2, dark: [true, false, false, true])),
            "place opening without a symbol": PlaceOpening(capability!, symbol: nil),
            "slots request": SlotsRequest(shop: tag),
            "slots request with a length": SlotsRequest(shop: tag, minutes: 45, departments: named),
            "visit with departments": VisitSlot(
                start: after(60), end: after(105), departments: named),
            "slot list": SlotList(
                of: shop, now: now, lastDay: now.day.inNextMonth, hasTicket: true,
                periods: [SlotPeriod(first: after(60), levels: "0123")]),
            "suggestions request": SuggestionsRequest(shop: tag, visit: chosen),
            "suggestion list": SuggestionList(
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
                ]),
            "join request for a visit": JoinRequest(shop: tag, visit: chosen),
            "move request": MoveRequest(
                capability: capability!, code: digits,
                visit: ChosenSlot(start: after(60))),
            "calendar request": CalendarRequest(capability: capability!, language: "it"),
        ])
    }

    static func sms() throws -> [Body] {
        let capability = Capability(rawValue: String(repeating: "A", count: Capability.length))
        let number = PhoneNumber(rawValue: "+393331234567")!
        var problem = Problem(.numberNeeded)
        problem.prefixes = ["+39", "+41"]
        var queue = StaffQueue(
            now: now, isOpen: true, closes: nil, closesEarly: false, ticketAvailable: true,
            people: 12, capacity: 40, calling: [], waiting: 3, next: [], visits: 2, issued: 120)
        queue.sms = SMSOfDay(sent: 12, most: 100)
        return try bodies([
            "number request": NumberRequest(
                capability: capability, typedCode: digits,
                number: "+39 333 1234567", language: "it"),
            "number end request": NumberEndRequest(
                capability: capability!, typedCode: digits),
            "number request for a shop with its code": NumberRequest(
                shop: tag, number: "+39 333 1234567", language: "it", code: "123456"),
            "number reply": NumberReply(number, isConfirmed: false),
            "SMS of a place": SMSOfPlace(prefixes: ["+39"], isOn: true),
            "problem with prefixes": problem,
            "staff queue with SMS": queue,
        ])
    }
}
