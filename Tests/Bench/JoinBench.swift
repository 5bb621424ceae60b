import BackendAPI
import Cryptography
import FoundationEssentials
import Reservations
import TestSupport

/// What it costs the server that a customer joins at the door on a phone, beside a ticket of a machine.
enum JoinBench {
    /// Each gives as many places at once as its limit of joins allows.
    private static let shops = 10
    private static let joinsOfShop = 100

    static func run(_ shop: BenchShop, phones: UInt16, _ report: Report) throws {
        Progress.say("phones: \(shops * joinsOfShop) customers join at the door ...")
        let keys = try (0..<shops).map { _ in try SigningKey.generate() }
        for (index, key) in keys.enumerated() {
            let other = try shop.addShop(
                tag: "JO\(index)0", settings: ["--phone-places", "yes", "--phone-share", "100"])
            try shop.add(machine: "machine", key: key.publicKey.text, of: other)
        }
        shop.awaitAllowList()
        var tickets: Int64 = 0
        var joins: Int64 = 0
        var samples = BenchSamples()
        for key in keys {
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
            joins += shop.process.cpuNanoseconds - between
        }
        let count = Double(shops * joinsOfShop)
        report.figure(
            "phones.cpu-per-join", Double(joins) / 1e6 / count, "ms",
            floor: Floor(
                "tickets of a machine, one after the other", Double(tickets) / 1e6 / count),
            budget: .atMost(1), n: samples.count)
        report.figure("phones.join-p50", samples.milliseconds(50), "ms", n: samples.count)
        report.figure("phones.join-p99", samples.milliseconds(99), "ms", n: samples.count)
    }
}

/// A phone that joins a queue at the door, with a cookie of its own.
struct JoiningPhone {
    private let authority: String
    private var wire: LoopbackWire
    private var keys = 0

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
        guard wire.send(request.bytes), let answer = wire.read(), answer.status == 201 else {
            throw BenchError("a phone could not join: \(call.path)")
        }
        return answer
    }
}
