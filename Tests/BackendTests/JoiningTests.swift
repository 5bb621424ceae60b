import BackendAPI
import QRCode
import Testing

@Suite("Joining at the door [rules: joining]")
final class JoiningTests: JoinableShop {
    @Test("With the machine's invitation a phone takes a place, and its code opens the door")
    func join() throws {
        let entrance = try backend.enrol("entrance", role: .entrance)
        let link = try #require(try machine.join())
        #expect(link.hasPrefix("https://queue.example.it/j#ROM1"))
        let offer = try device.offer(try machine.invitation())
        #expect(offer.shopName == "Città" && offer.languages == ["it", "en"])
        #expect(offer.place.kind == .ticket && offer.place.wait.peopleAhead == 0)
        #expect(offer.place.lifetime >= .seconds(180))
        let reservation = try device.confirm(offer)
        #expect(reservation.id == offer.place.id && reservation.number.rawValue == 1)
        let place = try device.look(reservation)
        let entry = try #require(place.entry)
        #expect(entry.typedCode == reservation.typedCode)
        #expect(entry.symbol == (try QRCode.matrix(of: reservation.code.rawValue)).rows)
        #expect(place.reservation.status == .called, "the shop is empty")
        #expect(try entrance.enter(reservation).status == 200)
        #expect(try device.look(reservation).entry != nil, "it is needed on the way out")
        // What is stored of the device is no cookie.
        let secret = try #require(device.cookie?.split(separator: "=").last)
        #expect(try backend.count("reservation WHERE holder LIKE 'device/%'") == 1)
        #expect(try backend.count("reservation WHERE holder LIKE '%\(secret)%'") == 0)
    }

    @Test("Only the device that took a place is shown its entry code")
    func others() throws {
        let (mine, other) = (TestDevice(backend), TestDevice(backend))
        let reservation = try mine.join(machine)
        let theirs = try other.join(machine)
        #expect(try mine.look(theirs).entry == nil)
        #expect(try other.look(reservation).entry == nil)
        #expect(try TestDevice(backend).look(reservation).entry == nil)
        let forged = TestDevice(backend)
        for cookie in ["__Host-clup-device=", "__Host-clup-device=x", "clup-device=1", ";;=;"] {
            forged.cookie = cookie
            #expect(try forged.look(reservation).entry == nil)
        }
        // A paper's page has no code either, on whatever device.
        let paper = try machine.reservation()
        #expect(try mine.look(paper).entry == nil)
        let text = try mine.call(.place, of: paper).text
        #expect(!text.contains(paper.digits) && !text.contains("entry"))
    }

    @Test("An invitation is good three minutes after its own, on every server; no other text is")
    func invitations() throws {
        let invitation = try machine.invitation()
        #expect(try machine.invitation() == invitation)
        backend.time.advance(by: .seconds(60))
        #expect(try machine.invitation() != invitation)
        try backend.restart()
        try machine.waitUntil { $0.status == 200 }
        backend.time.advance(by: .seconds(120))
        #expect(try device.hold(invitation).status == 201)
        backend.time.advance(by: .seconds(60))
        #expect(try device.hold(invitation).problem == .invitationOver)
        let fresh = try machine.invitation().rawValue
        for text in [
            "", fresh.lowercased(), altered(fresh), "XXXX\(fresh.dropFirst(4))",
            fresh + "0", "ROM1" + String(repeating: "0", count: 16),
        ] {
            let answer = try device.call(.holds, "{\"invitation\":\"\(text)\"}")
            #expect(answer.problem == .invitationOver, "\(text)")
        }
        #expect(try device.call(.holds, "{}").problem == .malformed)
        #expect(try device.hold(try machine.invitation()).status == 201)
    }

    @Test("Without a place for phones there is no invitation, on Home or on the display")
    func uninvited() throws {
        let (backend, other) = try TestBackend.joinable()
        let display = try backend.enrol("screen", role: .display)
        let invitation = try other.invitation()
        let socket = try SocketClient(display)
        let rows = try #require(try socket.turns().joinSymbol)
        let link = "https://queue.example.it/j#\(invitation.rawValue)"
        #expect(rows == (try QRCode.matrix(of: link)).rows)
        backend.time.advance(by: .seconds(60))
        let next = try socket.turns { $0.joinSymbol != rows }
        #expect(next.joinSymbol?.count == rows.count)
        // A customer who came in half an hour before closing could not stay as long as usual.
        backend.time.advance(by: .seconds(9 * 3_600 + 1_680))
        let late = try other.invitation()
        backend.time.advance(by: .seconds(180))
        #expect(try other.join() == nil && (try SocketClient(display).turns()).joinSymbol == nil)
        #expect(try TestDevice(backend).hold(late).problem == .noTicketToday)
    }

    @Test("If the shop stops giving places to phones, it takes none, and shows the way to old ones")
    func stopped() throws {
        let invitation = try machine.invitation()
        let reservation = try device.join(machine)
        try backend.changeShop { $0.policy.phones.hasPlaces = false }
        try machine.waitUntil { _ in backend.store.hasPhonePlace(in: TestBackend.shop) == false }
        #expect(try machine.join() == nil)
        #expect(try TestDevice(backend).hold(invitation).problem == .noPlacesOnPhones)
        #expect(try device.hold(invitation).decoded(Problem.self).link == reservation.link)
    }

    @Test("A lost answer is asked for again with its key, and no device gets two places")
    func again() throws {
        let invitation = try machine.invitation()
        let first = try device.hold(invitation, key: "one")
        #expect(try device.hold(invitation, key: "one").body == first.body)
        let offer = try first.decoded(PlaceOnOffer.self)
        let reservation = try device.confirm(offer, key: "two")
        #expect(try device.confirm(offer, key: "two") == reservation)
        #expect(try device.confirm(offer).number == reservation.number)
        let refused = try device.hold(invitation)
        let problem = try refused.decoded(Problem.self)
        #expect(problem.refusal == .alreadyWaiting && problem.place?.number == reservation.number)
        #expect(problem.link == reservation.link, "the browser may have forgotten it")
        #expect(try backend.count("reservation WHERE number IS NOT NULL") == 1)
        // A place that was given back makes room for another one.
        #expect(try machine.delete(reservation.id, reservation.digits).status == 204)
        let next = try device.confirm(device.offer(invitation))
        #expect(next.number.rawValue == 2)
        // A device that has not heard of its place is shown the way, with an old invitation and inside too.
        func link() throws -> String? { try device.hold(invitation).decoded(Problem.self).link }
        backend.time.advance(by: .seconds(300))
        #expect(try link() == next.link)
        #expect(try TestDevice(backend).hold(invitation).problem == .invitationOver)
        let entrance = try backend.enrol("entrance", role: .entrance)
        #expect(try entrance.enter(next).status == 200)
        #expect(try link() == next.link)
    }

    @Test("A place that is offered is the device's alone, and leaves no row if another one answers")
    func stolenOffer() throws {
        let thief = TestDevice(backend)
        let invitation = try machine.invitation()
        let offer = try device.offer(invitation)
        _ = try thief.offer(invitation)
        let before = try backend.count("idempotency")
        for call in [PublicCall.confirmation, .release] {
            #expect(try thief.answer(call, offer.ticket).problem == .notFound)
            let middle = offer.ticket.index(offer.ticket.endIndex, offsetBy: -40)
            let other = offer.ticket[middle] == "A" ? "B" : "A"
            let changed = offer.ticket.replacingCharacters(in: middle...middle, with: other)
            for text in ["", "x", "offer.ROM1.x.y.1.z", changed] {
                #expect(try device.answer(call, text).problem == .notFound)
            }
            #expect(try TestDevice(backend).answer(call, offer.ticket).problem == .notFound)
            let nameless = TestDevice(backend)
            nameless.cookie = nil
            #expect(try nameless.answer(call, offer.ticket).problem == .deviceUnknown)
        }
        #expect(try backend.count("idempotency") == before)
        #expect(try device.answer(.release, offer.ticket).status == 204)
        #expect(try device.answer(.release, offer.ticket).status == 204)
        #expect(try device.answer(.confirmation, offer.ticket).problem == .holdExpired)
        let expiring = try device.offer(invitation)
        backend.time.advance(by: .seconds(240))
        #expect(try device.answer(.confirmation, expiring.ticket).problem == .holdExpired)
    }

    @Test("Asking, answering and guessing are limited")
    func limits() throws {
        let (backend, machine) = try TestBackend.joinable([
            .joins: .only(3), .answers: .only(2), .capabilities: .only(4),
        ])
        let invitation = try machine.invitation()
        let device = TestDevice(backend)
        let offer = try device.hold(invitation, key: "one").decoded(PlaceOnOffer.self)
        #expect(try device.answer(.confirmation, offer.ticket).status == 201)
        #expect(try device.answer(.confirmation, offer.ticket).status == 201)
        #expect(try device.answer(.confirmation, offer.ticket).problem == .tooManyRequests)
        // What is only answered again costs the server something too.
        for _ in 0..<2 { #expect(try device.hold(invitation, key: "one").status == 201) }
        #expect(try TestDevice(backend).hold(invitation).problem == .tooManyRequests)
        for place in 1...5 {
            let answer = try TestDevice(backend).call(
                .holds, "{\"invitation\":\"ROM10000000000000000\"}", from: "192.0.2.7")
            #expect(answer.problem == (place < 5 ? .invitationOver : .tooManyRequests))
        }
    }

    @Test("Guesses from an address keep no customer of the same address from a place")
    func sharedAddress() throws {
        let (backend, machine) = try TestBackend.joinable([.capabilities: .only(1)])
        let invitation = try machine.invitation()
        let device = TestDevice(backend)
        for _ in 0..<3 { _ = try device.call(.holds, "{\"invitation\":\"x\"}") }
        #expect(try device.answer(.confirmation, "x").problem == .tooManyRequests)
        #expect(try device.confirm(device.offer(invitation)).number.rawValue == 1)
    }

    @Test("The page of a phone's place opens also if the shop's papers have no second symbol")
    func withoutPaper() throws {
        let (backend, machine) = try TestBackend.joinable { $0.phones.hasPages = false }
        let device = TestDevice(backend)
        let reservation = try device.join(machine)
        #expect(try device.look(reservation).entry != nil)
        let paper = try machine.reservation()
        #expect(paper.link == nil)
        #expect(try machine.lookUp(reservation).status == 200)
    }

    @Test("On its page a place is given back for good, since its holder may take another one")
    func giveBack() throws {
        for _ in 0..<4 { _ = try machine.reservation() }
        let reservation = try device.join(machine)
        let phone = try TestPhone(backend, reservation)
        let place = try device.look(reservation)
        #expect(place.onPhone && place.reservation.status == .planned)
        let digits = try #require(place.entry).typedCode.rawValue
        #expect(try phone.call(.withdrawal, code: digits).status == 204)
        #expect(try device.look(reservation).entry == nil)
        #expect(try phone.call(.undo, code: digits).problem == .alreadyDeleted)
        #expect(try device.join(machine).number.rawValue == 6)
    }
}
