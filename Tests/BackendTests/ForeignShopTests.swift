import BackendAPI
import Cryptography
import Reservations
import Testing

@Suite("A machine's calls concern only its own shop and its own holds [fault 51]")
final class ForeignShopTests: OpenShop {
    /// A machine of the same name in another shop.
    private let stranger: TestMachine

    override init() throws {
        let backend = try TestBackend()
        try backend.addShop(ShopID("shop-2"), "MIL1", "Altra")
        stranger = try backend.enrol(of: ShopID("shop-2"))
        super.init((backend, try backend.enrol()))
    }

    @Test("Holds, reservations, codes and numbers of another shop are not found")
    func foreign() throws {
        let hold = try machine.held().id
        for route in [Route.holdExtension(hold), .holdConfirmation(hold)] {
            #expect(try stranger.call(route).problem == .notFound, "\(route)")
        }
        _ = try stranger.call(.hold(hold))
        #expect(try machine.call(.holdConfirmation(hold)).status == 201, "it was not released")
        let ticket = try machine.reservation()
        #expect(try stranger.lookUp(ticket).problem == .otherShop)
        #expect(try stranger.lookUp(ticket.digits).problem == .notFound)
        for code in [ticket.code.rawValue, ticket.digits] {
            #expect(try stranger.delete(ticket.id, code).problem == .notFound)
        }
        for action in StaffAction.OfReservation.allCases {
            let body = "{\"action\":\"\(action.rawValue)\",\"number\":\(ticket.number.rawValue)}"
            #expect(try stranger.call(.staffActions, body).problem == .notFound, "\(action)")
        }
        #expect(try stranger.queue().waiting == 0)
        #expect(try machine.found(ticket).id == ticket.id)
    }

    @Test("Another machine of the same shop can neither extend nor confirm a hold, nor end it")
    func otherMachine() throws {
        let other = try backend.enrol("south")
        let hold = try machine.held().id
        for route in [Route.holdExtension(hold), .holdConfirmation(hold)] {
            #expect(try other.call(route).problem == .notFound)
        }
        #expect(try other.call(.hold(hold)).problem == .notFound)
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

    @Test("A ticket of yesterday is missed, and opens no door, in or out [fault 56]")
    func yesterday() throws {
        let entrance = try backend.enrol("door", role: .entrance)
        let gate = try backend.enrol("gate", role: .turnstile)
        let ticket = try machine.reservation()
        backend.time.advance(by: .seconds(86_400))
        #expect(try machine.found(ticket).status == .missed)
        #expect(try machine.delete(ticket).problem == .missed)
        for code in [ticket.code.rawValue, ticket.digits] {
            #expect(try entrance.enter(code).problem == .missed)
            #expect(try gate.leave(code).problem == .missed)
        }
        #expect(backend.doors.value.isEmpty)
    }
}
