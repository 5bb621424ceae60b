import BackendAPI
import Foundation
import Reservations
import Testing

/// Every body of the contract, recorded byte for byte, so that a rewritten type cannot change the wire. A new body is
/// added here and recorded with `CLUP_DRAW_EXPECTED=1`.
@Suite("The bodies of the contract, byte for byte")
struct GoldenBodyTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "GoldenBodies.txt")

    struct Body {
        let name: String
        let json: String
        /// The JSON after it was read and written again.
        let again: String
    }

    static func bodies(_ values: KeyValuePairs<String, any Codable>) throws -> [Body] {
        try values.map { try body($0, $1) }
    }

    static func body<Value: Codable>(_ name: String, _ value: Value) throws -> Body {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(value)
        let read = try JSONDecoder().decode(Value.self, from: json)
        return Body(
            name: name, json: String(decoding: json, as: UTF8.self),
            again: String(decoding: try encoder.encode(read), as: UTF8.self))
    }

    static let now = LocalMoment(
        Moment(milliseconds: 1_795_179_600_123), offsetMinutes: 60)
    static func after(_ minutes: Int) -> LocalMoment {
        now.at(now.moment + .minutes(minutes))
    }
    static let wait = WaitEstimate(
        expected: after(25), earliest: after(20), latest: after(35), peopleAhead: 9)
    private static let visit = VisitSlot(start: after(1_500), end: after(1_535))
    private static let number = QueueNumber(rawValue: 42)!
    private static let id = ReservationID("r-1")
    static let tag = ShopTag(rawValue: "CITT")!
    static let digits = TypedCode(rawValue: "0419384512")!
    private static let reservation = reservation(.ticket)
    private static let day = CalendarDay("2026-11-20")!
    private static let linked: Reservation = {
        var linked = reservation
        linked.link = Capability(tag: tag, day: day, number: number, proof: Array(0..<16))
            .link(to: "https://clup.example/t")
        return linked
    }()

    private static let withOneSymbol: Reservation = {
        var linked = Self.linked
        linked.symbol = linked.code.link(at: "https://clup.example")
        return linked
    }()

    private static func reservation(
        _ kind: ReservationKind, visit: VisitSlot? = nil, enterBy: LocalMoment? = nil
    ) -> Reservation {
        Reservation(
            id: id, kind: kind, number: number, shopName: "Città Studi",
            code: EntryCode(tag: tag, random: Array(0..<16)), typedCode: digits, issued: now,
            wait: wait, visit: visit, enterBy: enterBy)
    }

    static func profile(
        _ languages: [String] = ["it"], help: ShopHelp? = nil, hasDesk: Bool? = nil,
        allowsDelays: Bool? = nil
    ) -> MachineProfile {
        MachineProfile(
            machine: MachineID("door-1"), shop: ShopID("citta-studi"), shopName: "Città Studi",
            timeZone: "Europe/Rome", languages: languages, now: now, help: help, hasDesk: hasDesk,
            allowsDelays: allowsDelays)
    }

    private static func places() throws -> [Body] {
        try bodies([
            "machine": profile(["it", "en"]),
            "machine of a shop that gives more time": profile(allowsDelays: true),
            "key request": KeyRequest(key: "abc-_"),
            "pairing": PairingReply(code: "12345678", seconds: 600, backendKey: "abc-_"),
            "queue open": QueueStatus(
                now: now, isOpen: true, closes: after(360), opens: nil, ticketAvailable: true,
                calling: [number], waiting: 3, wait: wait),
            "queue closed": QueueStatus(
                now: now, isOpen: false, closes: nil, opens: after(600), ticketAvailable: false,
                calling: [], waiting: 0, wait: nil),
            "hold request ticket": HoldRequest(kind: .ticket),
            "hold request visit": HoldRequest(kind: .visit),
            "hold of a ticket": HeldPlace(
                id: id, kind: .ticket, now: now, expires: after(4), wait: wait),
            "hold of a visit": HeldPlace(
                id: id, kind: .visit, now: now, expires: after(4), wait: wait, visit: visit),
            "reservation of a ticket": reservation,
            "reservation of a visit": reservation(.visit, visit: visit),
            "reservation called at once": reservation(.ticket, enterBy: after(10)),
            "reservation with a link": linked,
            "reservation with one symbol": withOneSymbol,
        ])
    }

    private static func found(
        _ status: ReservationStatus, _ change: (inout FoundReservation) -> Void
    ) -> FoundReservation {
        var found = FoundReservation(reservation, day: day, status: status, now: now, enterBy: nil)
        change(&found)
        return found
    }

    private static func codes() throws -> [Body] {
        try [body("look-up request", CodeRequest(code: "0419384512"))]
            + ReservationStatus.allCases.map { state in
                try body(
                    "look-up \(state.rawValue)",
                    found(state) { $0.enterBy = state == .called ? after(10) : nil })
            }
            + bodies([
                "look-up with delays": found(.planned) {
                    $0.delayOffers = [2, 5].map { DelayOffer(people: $0, wait: wait) }
                    $0.undoBy = after(2)
                },
                "look-up to reclaim": found(.missed) { $0.reclaimBy = after(10) },
                "delay request": DelayRequest(code: reservation.code.rawValue, people: 5),
                "deletion request": CodeRequest(code: reservation.code.rawValue),
                "passage request": CodeRequest(code: "0419384512"),
                "passage in": Passage(
                    id: id, kind: .ticket, number: number, enterBy: after(10), staySeconds: nil),
                "passage out": Passage(
                    id: id, kind: .visit, number: number, enterBy: nil, staySeconds: 1_234),
                "session request": SessionRequest(readsLinks: true),
                "session": SessionReply(ticket: "abc.def", seconds: 30),
            ])
    }

    /// A refusal of a blocked holder, with what the staff lift the block with.
    private static func blockedProblem() -> Problem {
        var problem = Problem(Refused(.blocked, until: after(600)))
        problem.reference = BlockReference(rawValue: "48151623")
        return problem
    }

    private static func staff() throws -> [Body] {
        try StaffActionRequest.Kind.allCases.map { kind in
            try body(
                "staff action \(kind.rawValue)",
                StaffActionRequest(kind, number: number, people: 7, at: now, by: "Giulia"))
        }
            + bodies([
                "staff action unblock of a page": StaffActionRequest(
                    .unblock, by: "Giulia", reference: BlockReference(rawValue: "48151623"),
                    pin: "10203040"),
                "staff action alone": StaffActionRequest(.sendHome),
                "staff action reply people": StaffActionResult(people: 7),
                "staff action reply closes": StaffActionResult(closes: now),
                "staff action reply sent home": StaffActionResult(sentHome: 3),
                "staff action reply restored": StaffActionResult(restored: 3),
                "staff action reply": StaffActionResult(),
                "staff queue": StaffQueue(
                    now: now, isOpen: true, closes: after(360), closesEarly: true,
                    ticketsEnded: false, ticketAvailable: true, people: 12, capacity: 40,
                    calling: [number], waiting: 3, next: [number], visits: 2, issued: 120,
                    doorsNotClosed: ["in-1"]),
            ])
    }

    private static func help() throws -> [Body] {
        let call = HelpCall(
            id: HelpCallID("h-1"), machine: MachineID("door-1"), since: now, going: after(1),
            by: "Giulia", ended: after(5), end: .helped, mutedUntil: after(10))
        return try bodies([
            "machine of a shop with a telephone number": profile(
                help: ShopHelp(phone: "02 1234567", showsNames: true)),
            "help call": HelpCall(id: HelpCallID("h-1"), machine: MachineID("door-1"), since: now),
            "help call that ended": call,
            "help calls": HelpCalls(now: now, calls: [call]),
            "help message": HelpMessage(sequence: 9, HelpCalls(now: now, calls: [call])),
            "help action": HelpAction(by: "Giulia"),
            "help action without a name": HelpAction(),
            "help ending by the customer": HelpEnding(.mistake),
            "help ending": HelpEnding(.helped, by: "Giulia"),
        ])
    }

    private static func machines() throws -> [Body] {
        var condition = MachineCondition(
            version: "0.3.0", outOfService: "N1",
            printers: [
                PrinterStatus(name: "front", trouble: "noPaper", paperLow: true),
                PrinterStatus(name: "back", trouble: nil, paperLow: false),
            ], reader: true, clockOffset: -3, diskFree: 80, fingerprint: "aa:bb", keyDays: 12,
            unknownPapers: 1, readsLinks: true)
        let full = condition
        condition.address = "clup.example:443"
        return try bodies([
            "status": MachineStatusReport(
                condition: full, memory: "m1",
                papers: [
                    PrintTally(day: day, printed: 5, failed: 1, copies: 2, unknown: 1),
                    PrintTally(day: day.advanced(by: 1), unknown: 0),
                ], dropped: 3,
                events: [
                    MachineEventReport(
                        sequence: 7, at: now, person: "Giulia", kind: "entered", detail: ""),
                    MachineEventReport(
                        sequence: 8, at: now, person: nil, kind: "printer", detail: "noPaper"),
                ], acknowledged: [1, 2]),
            "status of a new machine": MachineStatusReport(
                condition: MachineCondition(
                    version: "0.3.0", outOfService: nil, printers: [], reader: false,
                    clockOffset: 0, diskFree: nil, fingerprint: "aa:bb", keyDays: nil),
                memory: "m1"),
            "condition with its address": condition,
            "status reply": MachineStatusReply(
                now: now, through: 8,
                commands: RemoteCommand.Kind.allCases.enumerated().map { index, kind in
                    RemoteCommand(
                        id: Int64(index), kind: kind,
                        message: kind == .outOfService ? "Inventory" : nil, given: now)
                }),
        ])
    }

    private static func sockets() throws -> [Body] {
        var turns = TurnsMessage(
            QueueStatus(now: now, isOpen: true, closes: after(360), waiting: 3, wait: wait),
            shopName: "Città Studi", languages: ["it"])
        turns.sequence = 5
        turns.called = [CalledTurn(number: number, kind: .visit, since: now, enterBy: after(10))]
        turns.next = [WaitingTurn(number: number, wait: wait)]
        turns.visits = [VisitTurn(number: number, start: after(30))]
        turns.callsEnded = false
        turns.times = [[43, 12], [44, 13]]
        var closed = TurnsMessage(
            QueueStatus(now: now, isOpen: false, opens: after(600)), shopName: "Città Studi",
            languages: ["it"])
        closed.sequence = 6
        return try bodies([
            "turns": turns, "turns closed": closed,
            "door closing": DoorClosingMessage(device: MachineID("in-1"), closed: false),
            "door": DoorMessage(device: MachineID("in-1"), role: .entrance, number: number),
        ])
    }

    private static func joining() throws -> [Body] {
        let shop = try shop()
        let invitation = Invitation(tag: tag, proof: Array(0..<10))
        var status = QueueStatus(
            now: now, isOpen: true, closes: after(360), ticketAvailable: true, wait: wait)
        status.join = invitation.link(to: "https://clup.example/j")
        var crowded = QueueStatus(now: now, isOpen: true, closes: after(360))
        crowded.nearby = NearbyShop(name: "Città Studi 2", metres: 556, minutes: 8)
        let symbol = QRMatrix(chequeredSide: 5)
        var turns = TurnsMessage(status, shopName: "Città Studi", languages: ["it"])
        turns.joinSymbol = symbol.rows
        var problem = Problem(.alreadyWaiting)
        problem.link = linked.link
        var work = Problem(.workNeeded)
        work.work = DemandedWork(challenge: "29919660.AB12", bits: 16)
        return try bodies([
            "queue with an invitation": status,
            "queue with a shop nearby": crowded,
            "turns with an invitation": turns,
            "join request": JoinRequest(invitation: invitation),
            "place on offer": PlaceOnOffer(
                HeldPlace(id: id, kind: .ticket, now: now, expires: after(4), wait: wait),
                of: shop, ticket: "offer.CITT.r-1.device/a.b"),
            "held place request": HeldPlaceRequest(ticket: "offer.CITT.r-1.device/a.b"),
            "entry on a phone": EntryOnPhone(
                symbol: symbol, typedCode: digits),
            "problem with link": problem,
            "join request elsewhere": JoinRequest(shop: tag, work: "29919660.AB12.77"),
            "problem with work": work,
            "reservation that was asked for": found(.planned) { $0.answerBy = after(15) },
            "shops request": ShopsRequest(search: "Milano"),
            "shop list": ShopList(
                shops: [
                    ListedShop(
                        tag: tag, name: shop.name, address: PublicAddress(shop.address),
                        now: now, wait: wait, opens: nil, isOpen: true, hasPlace: true,
                        hasVisits: true),
                    ListedShop(
                        tag: tag, name: shop.name, address: nil, now: now, wait: nil,
                        opens: after(600), isOpen: false, hasPlace: false,
                        hasVisits: false),
                ], hasMore: true),
        ])
    }

    /// A shop of which a town is known.
    static func shop() throws -> Shop {
        var shop = Shop(
            id: ShopID("citta-studi"), tag: tag, name: "Città Studi",
            timeZone: "Europe/Rome",
            hours: try OpeningHours(week: "Mon-Sun 08:00-20:00"),
            policy: ShopPolicy(capacity: 30, usualStayMinutes: 35), languages: ["it", "en"])
        shop.address.town = "Milano"
        return shop
    }

    private static func problems() throws -> [Body] {
        try Refusal.allCases.map { try body("problem \($0.rawValue)", Problem($0)) }
            + bodies([
                "problem with opens": Problem(Refused(.shopClosed, opens: after(600))),
                "problem with wait": Problem(Refused(.notYetCalled, wait: wait)),
                "problem with place": Problem(
                    Refused(
                        .alreadyWaiting,
                        place: PlaceOfHolder(
                            shop: ShopID("s"), day: now.day, number: number))),
                "problem with until": blockedProblem(),
                "problem with detail": Problem(.malformed, detail: "the body must be JSON"),
            ])
    }

    @Test(
        "Each body is written as it was recorded, and is the same when it is read and written again"
    )
    func bodies() throws {
        let bodies =
            try Self.places() + Self.codes() + Self.staff() + Self.help() + Self.orders()
            + Self.machines()
            + Self.sockets() + Self.joining() + Self.visits() + Self.sms() + Self.problems()
        for body in bodies { #expect(body.json == body.again, "\(body.name)") }
        let lines = bodies.map { "\($0.name): \($0.json)" }
        if ProcessInfo.processInfo.environment["CLUP_DRAW_EXPECTED"] == "1" {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.file)
        }
        let recorded = try String(contentsOf: Self.file, encoding: .utf8)
            .split(separator: "\n").map { String($0) }
        #expect(recorded.count == lines.count)
        for (now, then) in zip(lines, recorded) { #expect(now == then) }
    }
}
