import BackendAPI
import Cryptography
import FoundationEssentials
import Reservations
import TestSupport

/// What it costs the server that a customer joins at the door on a phone, or books a visit, beside a ticket of a machine.
enum JoinBench {
    /// Each gives as many places at once as its limit of joins allows.
    private static let shops = 10
    private static let joinsOfShop = 100
    /// The looks at the slots of a shop, which are fewer than its list may be read at once.
    private static let looksOfShop = 50

    static func run(_ shop: BenchShop, phones: UInt16, _ report: Report) throws {
        Progress.say("phones: \(shops * joinsOfShop) customers join at the door ...")
        let keys = try (0..<shops).map { _ in try SigningKey.generate() }
        for (index, key) in keys.enumerated() {
            let other = try shop.addShop(
                tag: "JO\(index)0",
                settings: [
                    "--phone-places", "yes", "--phone-share", "100", "--phone-visits", "yes",
                ])
            try shop.add(machine: "machine", key: key.publicKey.text, of: other)
        }
        shop.awaitAllowList()
        var tickets: Int64 = 0
        var joins: Int64 = 0
        var visits: Int64 = 0
        var looks: Int64 = 0
        var samples = BenchSamples()
        var slots = BenchSamples()
        for (index, key) in keys.enumerated() {
            let machine = try DeviceConnection("machine", port: shop.port, key: key)
            let used = shop.process.cpuNanoseconds
            for _ in 0..<joinsOfShop {
                let hold = try machine.call(API.holds, HoldRequest(kind: .ticket)).reply()
                _ = try machine.call(API.holdConfirmation, of: hold.id).reply()
            }
            let between = shop.process.cpuNanoseconds
            let invitation = try JoiningPhone.invitation(of: machine)
            for _ in 0..<joinsOfShop {
                let start = Clock.monotonic
                var phone = try JoiningPhone(port: phones)
                _ = try phone.join(invitation)
                samples.add(Clock.monotonic - start)
            }
            tickets += between - used
            let joined = shop.process.cpuNanoseconds
            joins += joined - between
            var reader = try JoiningPhone(port: phones)
            reader.address = "198.51.100.\(200 + index)"
            let free = try reader.slots(of: "JO\(index)0")
            let before = shop.process.cpuNanoseconds
            for _ in 0..<looksOfShop {
                let start = Clock.monotonic
                _ = try reader.slots(of: "JO\(index)0")
                slots.add(Clock.monotonic - start)
            }
            reader.end()
            let looked = shop.process.cpuNanoseconds
            looks += looked - before
            for number in 0..<joinsOfShop {
                var phone = try JoiningPhone(port: phones)
                _ = try phone.book(free[number * 7 % free.count], of: "JO\(index)0", as: number)
            }
            visits += shop.process.cpuNanoseconds - looked
        }
        let count = Double(shops * joinsOfShop)
        report.figure(
            "phones.cpu-per-join", Double(joins) / 1e6 / count, "ms",
            floor: Floor(
                "tickets of a machine, one after the other", Double(tickets) / 1e6 / count),
            budget: .atMost(1), n: samples.count)
        report.figure(
            "phones.cpu-per-visit", Double(visits) / 1e6 / count, "ms",
            floor: Floor(
                "tickets of a machine, one after the other", Double(tickets) / 1e6 / count),
            budget: .atMost(1.2 * Double(tickets) / 1e6 / count), n: Int(count))
        report.figure(
            "phones.slots-of-a-month", Double(looks) / 1e6 / Double(slots.count), "ms",
            budget: .atMost(2),
            n: slots.count)
        report.figure("phones.slots-p99", slots.milliseconds(99), "ms", n: slots.count)
        report.figure("phones.join-p50", samples.milliseconds(50), "ms", n: samples.count)
        report.figure("phones.join-p99", samples.milliseconds(99), "ms", n: samples.count)
    }
}

/// A phone that joins a queue at the door, with a cookie of its own.
struct JoiningPhone {
    private let authority: String
    private var wire: LoopbackWire
    private var keys = 0
    /// The phone's address as a proxy names it; nil for the computer's own.
    var address: String?

    init(port: UInt16) throws {
        guard let wire = LoopbackWire.connected(to: port) else {
            throw BenchError.system("connect to the server for phones")
        }
        self.wire = wire
        authority = "127.0.0.1:\(port)"
    }

    /// The invitation that a machine shows.
    static func invitation(of machine: DeviceConnection) throws -> Invitation {
        let link = try machine.call(API.queue).reply().join
        guard let text = link?.split(separator: "#").last,
            let invitation = Invitation(rawValue: String(text))
        else { throw BenchError("the shop shows no invitation") }
        return invitation
    }

    /// Takes a place, and ends the connection.
    mutating func join(_ invitation: Invitation) throws -> Reservation {
        defer { wire.end() }
        // As the page for joining sets it.
        let cookie = "clup-device=\(Crockford.encode(RandomBytes.make(16)))"
        let held = try call(.holds, JoinRequest(invitation: invitation), cookie: cookie)
        let offer = try JSONDecoder().decode(PlaceOnOffer.self, from: Data(held.body))
        let taken = try call(
            .confirmation, HeldPlaceRequest(ticket: offer.ticket), cookie: cookie)
        return try JSONDecoder().decode(Reservation.self, from: Data(taken.body))
    }

    mutating func end() { wire.end() }

    /// The starts of the slots of a shop that can be booked.
    mutating func slots(of tag: String) throws -> [LocalMoment] {
        guard let tag = ShopTag(rawValue: tag) else { throw BenchError("\(tag) is no tag") }
        let answer = try call(.slots, SlotsRequest(shop: tag), cookie: "")
        let list = try JSONDecoder().decode(SlotList.self, from: Data(answer.body))
        return list.periods.flatMap { period in
            period.levels.utf8.enumerated().filter { $0.element != UInt8(ascii: "0") }.map {
                period.first.at(period.first.moment + ShopPolicy.slotLength * $0.offset)
            }
        }
    }

    /// Books a visit from an address of its own, and ends the connection.
    mutating func book(
        _ start: LocalMoment, of tag: String, as number: Int
    ) throws -> Reservation {
        defer { wire.end() }
        guard let tag = ShopTag(rawValue: tag) else { throw BenchError("\(tag) is no tag") }
        address = "198.51.100.\(number)"
        let cookie = "clup-device=\(Crockford.encode(RandomBytes.make(16)))"
        let held = try call(
            .holds, JoinRequest(shop: tag, visit: ChosenSlot(start: start)), cookie: cookie)
        let offer = try JSONDecoder().decode(PlaceOnOffer.self, from: Data(held.body))
        let taken = try call(
            .confirmation, HeldPlaceRequest(ticket: offer.ticket), cookie: cookie)
        return try JSONDecoder().decode(Reservation.self, from: Data(taken.body))
    }

    private mutating func call(
        _ call: PublicCall, _ body: some Encodable, cookie: String
    ) throws -> LoopbackWire.Message {
        keys += 1
        var request = WireRequest(
            method: call.method.rawValue, authority: authority, path: call.path,
            fields: [
                "content-type": "application/json", "idempotency-key": "call-\(keys)",
            ], body: Array(try JSONEncoder().encode(body)))
        request.fields["cookie"] = cookie
        request.fields["x-real-ip"] = address
        guard wire.send(request.bytes), let answer = wire.read(),
            answer.status == (call == .slots ? 200 : 201)
        else { throw BenchError("a phone could not join: \(call.path)") }
        return answer
    }
}
