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
        let machines = try shop.addShops(
            shops, tag: tag,
            settings: ["--phone-places", "yes", "--phone-share", "100", "--phone-visits", "yes"])
        /// CPU milliseconds of the server for one of these.
        var (tickets, joins, visits, looks) = (0.0, 0.0, 0.0, 0.0)
        func cost(_ count: Int, _ body: (Int) throws -> Void) rethrows -> Double {
            let before = shop.process.cpuNanoseconds
            for number in 0..<count { try body(number) }
            return Double(shop.process.cpuNanoseconds - before) / 1e6 / Double(shops * count)
        }
        var samples = BenchSamples()
        var slots = BenchSamples()
        for (index, machine) in machines.enumerated() {
            tickets += try cost(joinsOfShop) { _ in _ = try machine.ticket() }
            let invitation = try JoiningPhone.invitation(of: machine)
            joins += try cost(joinsOfShop) { _ in
                try samples.time {
                    var phone = try JoiningPhone(port: phones)
                    _ = try phone.take(JoinRequest(invitation: invitation))
                }
            }
            var reader = try JoiningPhone(port: phones)
            reader.address = "198.51.100.\(200 + index)"
            let free = try reader.slots(of: tag(index))
            looks += try cost(looksOfShop) { _ in
                _ = try slots.time { try reader.slots(of: tag(index)) }
            }
            reader.end()
            visits += try cost(joinsOfShop) { number in
                var phone = try JoiningPhone(port: phones)
                phone.address = "198.51.100.\(number)"
                _ = try phone.book(free[number * 7 % free.count], of: tag(index))
            }
        }
        let floor = Floor("tickets of a machine, one after the other", tickets)
        report.figure(
            "phones.cpu-per-join", joins, "ms", floor: floor, budget: .atMost(1), n: samples.count)
        report.figure(
            "phones.cpu-per-visit", visits, "ms", floor: floor, budget: .atMost(1.2 * tickets),
            n: shops * joinsOfShop)
        report.figure(
            "phones.slots-of-a-month", looks, "ms", budget: .atMost(2), n: slots.count)
        report.time("phones.slots-p99", 99, of: slots)
        report.times("phones.join", of: samples)
    }

    private static func tag(_ index: Int) -> String { "JO\(index)0" }
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
    mutating func take(_ place: JoinRequest) throws -> Reservation {
        defer { wire.end() }
        // As the page for joining sets it.
        let cookie = "clup-device=\(Crockford.encode(RandomBytes.make(16)))"
        let offer: PlaceOnOffer = try call(.holds, place, cookie: cookie)
        return try call(.confirmation, HeldPlaceRequest(ticket: offer.ticket), cookie: cookie)
    }

    /// Books a visit, and ends the connection.
    mutating func book(_ start: LocalMoment, of tag: String) throws -> Reservation {
        try take(JoinRequest(shop: Self.tag(tag), visit: ChosenSlot(start: start)))
    }

    private static func tag(_ text: String) throws -> ShopTag {
        guard let tag = ShopTag(rawValue: text) else { throw BenchError("\(text) is no tag") }
        return tag
    }

    mutating func end() { wire.end() }

    /// The starts of the slots of a shop that can be booked.
    mutating func slots(of tag: String) throws -> [LocalMoment] {
        let list: SlotList = try call(.slots, SlotsRequest(shop: Self.tag(tag)), cookie: "")
        return list.periods.flatMap { period in
            period.levels.utf8.enumerated().filter { $0.element != UInt8(ascii: "0") }.map {
                period.first.at(period.first.moment + ShopPolicy.slotLength * $0.offset)
            }
        }
    }

    private mutating func call<Reply: Decodable>(
        _ call: PublicCall, _ body: some Encodable, cookie: String
    ) throws -> Reply {
        keys += 1
        var request = WireRequest(
            call, try JSONEncoder().encode(body), to: authority, cookie: cookie,
            key: "call-\(keys)")
        request.fields["x-real-ip"] = address
        guard wire.send(request.bytes), let answer = wire.read(),
            answer.status == (call == .slots ? 200 : 201)
        else { throw BenchError("a phone could not join: \(call.path)") }
        return try JSONDecoder().decode(Reply.self, from: Data(answer.body))
    }
}
