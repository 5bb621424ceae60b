import BackendAPI
@testable import BackendService
import Reservations
import TestSupport
import Testing

@Suite("What the link of a place alone can do [rules: capabilities, proofs]")
struct PlaceLinkTests {
    /// What comes of a call of a caller who has nothing but the link.
    private enum Outcome {
        /// It shows the place, or what follows from it.
        case looks(status: Int)
        /// It would change the place, or what gets its messages.
        case needsProof
        /// It is a call for no place, in which the link says nothing.
        case knowsNoLink
    }

    /// Every public call, with the body that a stranger would send, and what comes of it.
    private static func attempt(
        _ call: PublicCall, _ link: String, _ phone: TestPhone
    ) -> (body: String, outcome: Outcome) {
        switch call {
        case .place: ("{\(link)}", .looks(status: 200))
        case .calendar: ("{\(link),\"language\":\"it\"}", .looks(status: 200))
        case .sessions: ("{\(link)}", .looks(status: 201))
        case .updates: ("", .looks(status: 426))
        case .withdrawal, .reclaim, .undo, .coming: ("{\(link)}", .needsProof)
        case .delay: ("{\(link),\"people\":2}", .needsProof)
        case .move: ("{\(link),\"visit\":{\"start\":\"\(TestBackend.sunday)\"}}", .needsProof)
        case .number:
            ("{\(link),\"number\":\"+393339999999\",\"language\":\"it\"}", .needsProof)
        case .numberEnd: ("{\(link)}", .needsProof)
        // Its notices come to the caller too, and none of the customer's ends.
        case .subscription: (phone.subscription("stranger"), .looks(status: 204))
        // The endpoint is a secret of its browser.
        case .subscriptionEnd:
            ("{\(link),\"endpoint\":\"https://push.example/other\"}", .looks(status: 204))
        // Of a device that has none.
        case .devicePlaces: ("{}", .looks(status: 200))
        case .opening, .holds, .slots, .suggestions, .confirmation, .release, .shops, .order,
            .arrival:
            ("{\(link)}", .knowsNoLink)
        }
    }

    @Test("It looks at the place, and changes nothing", arguments: PublicCall.allCases)
    func alone(call: PublicCall) async throws {
        let world = try LinkedPlace()
        try await NumberOwner(world.owner, world.gateway, for: world.phone).confirmBooked()
        let before = try world.owner.look(world.visit)
        let sent = world.gateway.sent.count
        let (body, outcome) = Self.attempt(call, world.link, world.phone)
        let answer = try await world.stranger.callAside(call, body)
        switch outcome {
        case .looks(let status): #expect(answer.status == status)
        case .needsProof: #expect(answer.problem == .wrongDigits)
        case .knowsNoLink: #expect((400..<500).contains(answer.status))
        }
        let after = try world.owner.look(world.visit)
        #expect(after.reservation.status == .planned)
        #expect(after.reservation.visit == before.reservation.visit)
        #expect(after.sms == before.sms && after.sms?.isOn == true)
        #expect(try world.backend.count("subscription WHERE is_proved = 1") == 1)
        #expect(try world.backend.count("reservation WHERE answered_ms IS NOT NULL") == 0)
        #expect(world.gateway.sent.count == sent)
        // Neither its code nor its digits are in what the link shows.
        let text = answer.text
        for secret in [world.visit.digits, world.visit.code.rawValue] {
            #expect(!text.contains(secret), "\(call)")
        }
        // The same call of the browser that booked the visit does what it says, or is not possible now.
        if case .needsProof = outcome {
            let own = try await world.owner.callAside(call, body)
            #expect(own.problem != .wrongDigits && own.status != 404, "\(own.status)")
        }
    }

    @Test("A number that was not given with a proof answers for nothing, and is told the way")
    func answers() async throws {
        let world = try LinkedPlace()
        try await NumberOwner(world.owner, world.gateway, for: world.phone).confirm()
        #expect(try await eventually { try world.backend.count("notice") == 0 })
        try world.backend.run("UPDATE subscription SET is_proved = 0")
        let numbers = try #require(world.backend.service.sms).numbers
        let digest = numbers.digest(of: try #require(PhoneNumber(rawValue: "+393331234567")))
        let word = numbers.wordToGiveBack(world.visit.id, for: digest)
        for text in ["NO", "NO \(word)", "SI", "DOPO", "DOPO \(word)"] {
            let sent = world.gateway.sent.count
            await world.backend.answer(text)
            #expect(world.gateway.sent.count == sent + 1, "\(text)")
            #expect(world.gateway.sent.last?.text.contains("rispondi sulla pagina web") == true)
        }
        #expect(try world.owner.look(world.visit).reservation.status == .planned)
        #expect(try world.backend.count("reservation WHERE answered_ms IS NOT NULL") == 0)
    }

    @Test("After a move to another day the former link opens nothing, whatever was seen before")
    func former() throws {
        let world = try LinkedPlace()
        _ = try world.phone.look()
        let socket = try world.phone.open()
        _ = try socket.place()
        for (device, name) in [(world.stranger, "stranger"), (world.owner, "mine")] {
            let answer = try device.call(.subscription, world.phone.subscription(name))
            #expect(answer.status == 204)
        }
        let session = try world.stranger.call(.sessions, "{\(world.link)}")
            .decoded(SessionReply.self)
        let moved = try world.owner.move(world.visit, to: TestBackend.sunday)
        #expect(moved.status == 201)
        #expect(try world.backend.count("subscription WHERE is_proved = 0") == 0)
        #expect(try world.backend.count("subscription WHERE is_proved = 1") == 1)
        #expect(try world.phone.opened(session.ticket).answer?.status == 404)
        for call in [PublicCall.place, .sessions, .withdrawal, .coming] {
            #expect(try world.phone.call(call, code: world.phone.digits).status == 404, "\(call)")
        }
        for (call, body) in [
            (.calendar, "{\(world.link),\"language\":\"it\"}"),
            (.subscription, world.phone.subscription("late")),
            (.numberEnd, "{\(world.link)}"),
        ] as [(PublicCall, String)] {
            #expect(try world.owner.call(call, body).status == 404, "\(call)")
        }
        #expect(socket.closed() != nil, "and so is its socket")
        let now = try moved.decoded(Reservation.self)
        #expect(try TestPhone(world.backend, now).look().reservation.status == .planned)
    }
}
