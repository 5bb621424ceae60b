import BackendAPI
import BackendService
import Cryptography
import Reservations
import Testing

@Suite("One server's knowledge of a machine is valid at the other")
struct ServersTests {
    private let pair: ServerPair

    init() throws { pair = try ServerPair() }

    private static func report(_ memory: String) throws -> String {
        try sortedJSON(MachineStatusReport(condition: MachineStatusTests.well, memory: memory))
    }

    @Test("A ticket for a socket from one server opens one socket at the other (rules: sockets)")
    func ticket() throws {
        let (one, other) = try pair.enrol("screen", role: .display)
        let ticket = try one.ticket()
        #expect(try SocketClient(other, ticket: ticket).turns().shopName == "Città")
        for machine in [one, other] {
            let again = try SocketClient.handshake(machine, ticket: ticket)
            #expect(again?.problem == .notAuthentic)
        }
    }

    @Test("A repeated request for a ticket, sent to the other server, opens no second socket")
    func replayedSession() throws {
        let (one, other) = try pair.enrol("screen", role: .display)
        let signed = one.sign(one.request(.sessions))
        let first = try one.send(signed).decoded(SessionReply.self).ticket
        _ = try SocketClient(one, ticket: first).turns()
        let second = try other.send(signed).decoded(SessionReply.self).ticket
        #expect(try SocketClient.handshake(other, ticket: second)?.status == 401)
    }

    @Test("A ticket read twice, once by each server, is one passage; the door opens once")
    func passage() throws {
        let (machine, _) = try pair.enrol("north")
        let (one, other) = try pair.enrol("door", role: .entrance)
        let (stranger, _) = try pair.enrol("back-door", role: .entrance)
        let reservation = try machine.reservation()
        let first = try one.enter(reservation)
        #expect(first.status == 200)
        for server in [pair.first, pair.second] { server.time.advance(by: .seconds(4)) }
        #expect(try other.enter(reservation).body == first.body)
        #expect(try stranger.enter(reservation).problem == .inside, "another door")
        // The time counts from the first reading, however often it was repeated.
        for server in [pair.first, pair.second] { server.time.advance(by: .seconds(2)) }
        for reader in [one, other] {
            #expect(try reader.enter(reservation).status == 409)
        }
        #expect(pair.first.doors.value.count == 1 && pair.second.doors.value.isEmpty)
    }

    @Test("A door that one server opens is reported to the sockets of both, once each")
    func door() async throws {
        #expect(await pair.isConnected(), "messages sent before that are lost")
        let (machine, _) = try pair.enrol("north")
        let (one, other) = try pair.enrol("door", role: .entrance)
        let sockets = [try SocketClient(one), try SocketClient(other)]
        for _ in 0..<2 {
            let reservation = try machine.reservation()
            #expect(try one.enter(reservation).status == 200)
            for socket in sockets {
                // A repeated report would appear here as the first one of the next round.
                let message = try socket.door()
                #expect(message.number == reservation.number)
                #expect(message.device == MachineID("door") && message.role == "entrance")
            }
        }
    }

    @Test("Limits of a machine's writes hold at each server, those of its reports at both together")
    func bounds() async throws {
        let pair = try ServerPair {
            $0.limits[.keys] = RateLimit.only(3)
            $0.limits[.holds] = RateLimit.only(5)
        }
        #expect(await pair.isConnected())
        let (one, other) = try pair.enrol("north")
        let answers = try (0..<10).flatMap { _ in [try one.hold(), try other.hold()] }
        #expect(answers.count { $0.status == 201 } == 10, "a burst each")
        #expect(answers.suffix(10).allSatisfy { $0.problem == .tooManyRequests })
        let memories = try (0..<20).map { number in
            try (number.isMultiple(of: 2) ? one : other).call(
                .machineStatus, Self.report("m\(number)"))
        }
        #expect(memories.count { $0.status == 200 } == 9)
        #expect(memories.suffix(11).allSatisfy { $0.problem == .tooManyRequests })
        #expect(memories.last?.fields["retry-after"].flatMap { Int($0) } ?? 0 > 80_000)
    }

    @Test("A machine's stored status is not overwritten by a replay at either server")
    func status() throws {
        let (one, other) = try pair.enrol("north")
        let request = try Self.report("m")
        let signed = one.sign(one.request(.machineStatus, request))
        #expect(try one.send(signed).status == 200)
        for server in [one, other] { #expect(try server.send(signed).problem == .notAuthentic) }
        #expect(try other.call(.machineStatus, request).status == 200)
    }

    @Test("A pairing code is the same at both servers, and enrols the machine at both")
    func pairing() throws {
        let key = try SigningKey.generate()
        let machines = [pair.first, pair.second].map { TestMachine(backend: $0, key: key) }
        let body = "{\"key\":\"\(key.publicKey.text)\"}"
        let signed = machines[0].sign(machines[0].request(.pairings, body))
        let code = try machines[0].send(signed).decoded(PairingReply.self).code
        #expect(try machines[1].send(signed).problem == .notAuthentic)
        #expect(try machines[1].call(.pairings, body).decoded(PairingReply.self).code == code)
        _ = try pair.administration.pairMachine(
            code: code, as: MachineID("door"), role: .ticketMachine, of: TestBackend.shop)
        for machine in machines { try machine.waitUntil { $0.status == 200 } }
        for machine in machines {
            #expect(try machine.call(.pairings, body).problem == .keyTaken)
        }
    }

    @Test("Two servers allow a burst each, and then together no more than one would")
    func limits() async throws {
        let limit = RateLimit(perSecond: 0.5, burst: 2)
        let pair = try ServerPair { $0.limits[.codes] = limit }
        let (one, other) = try pair.enrol("guesser")
        #expect(await pair.isConnected())
        func guesses(in seconds: Int) throws -> Int {
            var taken = 0
            for _ in 0..<10 * seconds {
                for machine in [one, other] {
                    if try machine.lookUp("0000000000").problem == .notFound { taken += 1 }
                }
                for server in [pair.first, pair.second] {
                    server.time.advance(by: .milliseconds(100))
                }
            }
            return taken
        }
        // A burst of two each, and then one every four seconds at each: the next one is due when these seconds are over.
        #expect(try guesses(in: 8) == 4 + 2)
        #expect(try guesses(in: 40) == 20)
    }
}
