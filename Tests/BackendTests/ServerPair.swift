import BackendService
import Cryptography
import HTTPServer
import PostgresStore
import ReservationStore
import Reservations
import TestSupport

/// Two servers of one backend on one PostgreSQL database, each with a clock of its own.
final class ServerPair: Sendable {
    /// One of the servers; it ends with the pair.
    final class Server: TestServer {
        let time = TestBackend.Clock(TestBackend.morning)
        let doors = Locked<[DoorEvent]>([])
        let address: ListenAddress
        let store: QueueStore
        private let http: HTTPServer

        fileprivate init(_ place: String, _ options: BackendService.Options) throws {
            let calendar = ShopCalendar()
            let address = try PostgresAddress(place, password: nil)
            let time = time
            store = try QueueStore(
                database: try PostgresDatabase.open(address), now: { time.now },
                uptime: { time.uptime },
                openings: { calendar.openings(of: $0, from: $1) },
                local: { calendar.local($0, in: $1) }, randomBytes: RandomBytes.make,
                connections: [{ PostgresDatabase(address) }], signal: PostgresSignal(address))
            var options = options
            options.openDoor = { [doors] door in doors.change { $0.append(door) } }
            let chosen = options
            let service = time.aSecondAgo { [store] in
                BackendService(
                    store: store, calendar: calendar, log: ServiceLog { _ in }, options: chosen,
                    clock: { time.now }, uptime: { time.uptime })
            }
            http = try HTTPServer(
                listen: .tcp(address: "127.0.0.1", port: 0),
                sockets: { service.admitSocket($0, decide: $1) },
                handler: { service.handle($0, respond: $1) })
            self.address = http.address
        }

        deinit {
            http.stop()
            store.stop()
        }
    }

    let first: Server
    let second: Server
    private let place: String

    /// - Parameter change: changes the options of both servers, which have no limits.
    init(_ change: (inout BackendService.Options) -> Void = { _ in }) throws {
        try Cryptography.start()
        place = try PostgresServer.shared().database()
        var options = BackendService.Options()
        options.limits = [.sessions: LimitedAction.sessions.standard]
        options.answerSigner = AnswerSigner(key: try SigningKey.generate())
        change(&options)
        let administration = Administration(
            database: try PostgresDatabase.open(PostgresAddress(place, password: nil)),
            now: { TestBackend.morning })
        try administration.addShop(TestBackend.shop(TestBackend.shop, "ROM1", "Città"))
        first = try Server(place, options)
        second = try Server(place, options)
    }

    /// Waits until each server receives the notifications of the other.
    func isConnected() async -> Bool {
        await eventually { first.store.servers == 2 && second.store.servers == 2 }
    }

    var administration: Administration {
        get throws {
            let time = first.time
            return Administration(
                database: try PostgresDatabase.open(PostgresAddress(place, password: nil)),
                now: { time.now })
        }
    }

    /// Enrols a machine at both servers; returns it as it calls the one and the other.
    func enrol(
        _ name: String, role: KeyRole = .ticketMachine
    ) throws -> (TestMachine, TestMachine) {
        let key = try SigningKey.generate()
        try administration.admit(key.publicKey, as: name, role: role, of: TestBackend.shop)
        let machines = [first, second].map { TestMachine(backend: $0, key: key) }
        for machine in machines { try machine.waitUntil { $0.status == 200 } }
        return (machines[0], machines[1])
    }
}
