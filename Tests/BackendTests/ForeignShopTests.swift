import BackendAPI
import BackendService
import Cryptography
import Foundation
import ReservationStore
import Reservations
import Testing

@Suite("A machine's calls concern only its own shop and its own holds [fault 51]")
struct ForeignShopTests {
    private let backend: TestBackend
    private let machine: TestMachine
    private let stranger: TestMachine

    /// One machine in the tests' shop, and one in another.
    init() throws {
        backend = try TestBackend()
        machine = try backend.enrol()
        let other = ShopID("shop-2")
        try backend.administration.addShop(
            Shop(
                id: other, tag: ShopTag(rawValue: "MIL1")!, name: "Altra", timeZone: "Europe/Rome",
                hours: try OpeningHours(week: "Mon-Sun 08:00-20:00"),
                policy: ShopPolicy(capacity: 4, usualStayMinutes: 30), languages: ["it"]))
        let key = try SigningKey.generate()
        try backend.administration.addMachineKey(
            MachineKeyRecord(
                shop: other, machine: MachineID("north"), keyID: key.publicKey.keyID,
                publicKey: key.publicKey.bytes, role: .ticketMachine, created: TestBackend.morning))
        stranger = TestMachine(backend: backend, key: key)
        try stranger.waitUntil { $0.status == 200 }
    }

    @Test("Holds, reservations, codes and numbers of another shop are not found")
    func foreign() throws {
        let hold = try machine.hold().decoded(HeldPlace.self).id
        for route in [Route.holdExtension(hold), .holdConfirmation(hold)] {
            #expect(try stranger.call(route).problem == .notFound, "\(route)")
        }
        _ = try stranger.call(.hold(hold))
        #expect(try machine.call(.holdConfirmation(hold)).status == 201, "it was not released")
        let ticket = try machine.reservation()
        #expect(try stranger.lookUp(ticket.code.rawValue).problem == .otherShop)
        #expect(try stranger.lookUp(ticket.typedCode.rawValue).problem == .notFound)
        for code in [ticket.code.rawValue, ticket.typedCode.rawValue] {
            #expect(try stranger.delete(ticket.id, code).problem == .notFound)
        }
        for action in StaffAction.OfReservation.allCases {
            let body = "{\"action\":\"\(action.rawValue)\",\"number\":\(ticket.number.rawValue)}"
            #expect(try stranger.call(.staffActions, body).problem == .notFound, "\(action)")
        }
        #expect(try stranger.call(.queue).decoded(QueueStatus.self).waiting == 0)
        #expect(
            try machine.lookUp(ticket.code.rawValue).decoded(FoundReservation.self).id == ticket.id)
    }

    @Test("Another machine of the same shop can neither extend nor confirm a hold")
    func otherMachine() throws {
        let other = try backend.enrol("south")
        let hold = try machine.hold().decoded(HeldPlace.self).id
        for route in [Route.holdExtension(hold), .holdConfirmation(hold)] {
            #expect(try other.call(route).problem == .notFound)
        }
        _ = try other.call(.hold(hold))
        #expect(try machine.call(.holdConfirmation(hold)).status == 201)
    }

    @Test("The displays of another shop are sent nothing of this one")
    func displays() throws {
        let ours = try SocketClient(backend.enrol("screen", role: .display))
        let theirs = try SocketClient(
            backend.enrol("screen", role: .display, of: ShopID("shop-2")))
        _ = (try ours.turns(), try theirs.turns())
        let ticket = try machine.reservation()
        _ = try ours.turns { $0.called.first?.number == ticket.number }
        let called = try stranger.reservation().number
        var names: Set<String> = []
        _ = try theirs.turns { message in
            names.insert(message.shopName)
            return message.shopName == "Altra" && message.called.first?.number == called
        }
        #expect(names == ["Altra"])
    }

    @Test("A number, a priority or a shop that a machine sends is ignored")
    func ownRefusedRequests() throws {
        let body =
            #"{"kind":"ticket","number":900,"priority":1,"shop":"shop-2","machine":"x","code":"y"}"#
        let hold = try machine.call(.holds, body).decoded(HeldPlace.self).id
        let confirmed = try machine.call(.holdConfirmation(hold), #"{"number":900}"#)
        #expect(try confirmed.decoded(Reservation.self).number.rawValue == 1)
        #expect(try backend.count("reservation WHERE shop_id = 'shop-2'") == 0)
    }

    @Test("A nonce that was used for one change is refused with another one [fault 50]")
    func nonceOfAnother() throws {
        func signed(_ kind: String) -> WireRequest {
            RequestSigner(key: machine.key).sign(
                machine.request(.holds, "{\"kind\":\"\(kind)\"}"),
                created: backend.time.now.milliseconds / 1_000, nonce: "the-same-nonce")
        }
        #expect(try machine.send(signed("ticket")).status == 201)
        #expect(try machine.send(signed("visit")).problem == .notAuthentic)
        #expect(try backend.count("reservation") == 1)
    }

    @Test("A ticket of yesterday opens no door, in or out [fault 56]")
    func yesterday() throws {
        let entrance = try backend.enrol("door", role: .entrance)
        let gate = try backend.enrol("gate", role: .turnstile)
        let ticket = try machine.reservation()
        backend.time.advance(by: .seconds(86_400))
        for code in [ticket.code.rawValue, ticket.typedCode.rawValue] {
            #expect(try entrance.enter(code).problem == .missed)
            #expect(try gate.leave(code).problem == .missed)
        }
        #expect(backend.doors.opened.isEmpty)
    }
}
