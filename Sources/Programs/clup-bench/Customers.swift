import BackendClient
import Cryptography
import Dispatch
import FoundationEssentials
import Glibc
import KioskFlow
import KioskRuntime
import KeyFile
import Reservations

/// Simulated other customers of a shop, at a machine of their own; for demonstrations.
enum Customers {
    struct Line: Encodable {
        let event: String
        var number: Int?
        var wait: Int?
        var problem: String?
    }

    /// Takes tickets until a signal ends the program; a backend that is away is waited for.
    static func run(_ options: Options) throws {
        let servers = try BackendServers(options.required("backend"))
        let state = try options.required("state")
        let first = try options.number("first", standard: 14)
        let mean = try options.number("every", standard: 45)
        let key = try SealedKey.ofMachine(state: state).load(
            under: WrappingKey.load(credentials: nil, file: "\(state)/wrapping-key"))
        let signer = RequestSigner(key: key)
        let backend = BackendClient(servers: servers) { request in
            signer.sign(request, created: Int64(time(nil)), nonce: RequestSigner.makeNonce())
        }.port
        let doors = try options.text("entrance").map { _ in try Doors(options) }
        if let doors { Task.detached { await doors.watch(say) } }
        Task.detached { await come(to: backend, doors, first: first, mean: Double(mean)) }
        dispatchMain()
    }

    private static func come(
        to backend: BackendPort, _ doors: Doors?, first: Int, mean: Double
    ) async {
        var taken = 0
        /// Who may still change his mind; the oldest are forgotten.
        var tickets: [Reservation] = []
        while true {
            let areWaiting = taken < first
            if !areWaiting {
                // Times between customers who do not know each other are exponential.
                let pause = min(-log(Double.random(in: 0.000_1..<1)), 10) * mean
                try? await Task.sleep(for: .milliseconds(Int64(pause * 1_000)))
                // One in ten gives back a ticket taken earlier.
                if !tickets.isEmpty, Int.random(in: 0..<10) == 0 {
                    let ticket = tickets.remove(at: Int.random(in: tickets.indices))
                    let answer = await backend.delete(ticket.id, .entry(ticket.code), key())
                    say(
                        Line(
                            event: "deleted", number: ticket.number.rawValue,
                            problem: problem(answer)))
                }
            }
            // One in eight finds the wait too long.
            let isPatient = areWaiting || Int.random(in: 0..<8) != 0
            if let ticket = await customer(at: backend, isPatient: isPatient) {
                taken += 1
                tickets = tickets.suffix(99) + [ticket]
                doors?.wait(ticket.number, ticket.code)
            } else if areWaiting {
                try? await Task.sleep(for: .seconds(2))
            }
        }
    }

    /// Asks for a place and confirms it, or gives it back.
    private static func customer(at backend: BackendPort, isPatient: Bool) async -> Reservation? {
        let offer = await backend.takePlace(.ticket, key())
        guard case .success(let place) = offer else {
            say(Line(event: "refused", problem: problem(offer)))
            return nil
        }
        let wait = place.wait.expected.moment - place.told.moment
        let minutes = Int(wait.wholeMilliseconds / 60_000)
        guard isPatient else {
            let answer = await backend.release(place.id, key())
            say(Line(event: "cancelled", wait: minutes, problem: problem(answer)))
            return nil
        }
        let answer = await backend.confirm(place.id, key())
        guard case .success(let ticket) = answer else {
            say(Line(event: "refused", wait: minutes, problem: problem(answer)))
            return nil
        }
        say(Line(event: "ticket", number: ticket.number.rawValue, wait: minutes))
        return ticket
    }

    private static func key() -> AttemptKey { AttemptKey("c-\(RequestSigner.makeNonce())") }

    private static func problem<Value>(_ result: Result<Value, BackendFailure>) -> String? {
        guard case .failure(let failure) = result else { return nil }
        return String(describing: failure)
    }

    private static func say(_ line: Line) {
        guard let data = try? JSONEncoder().encode(line) else { return }
        Progress.say(String(decoding: data, as: UTF8.self))
    }
}
