import BackendAPI
import Cryptography
import FoundationEssentials
import Glibc
import KeyFile
import Reservations
import Synchronization

/// The doors of a demonstration: simulated customers who are called come in, stay and go.
final class Doors: Sendable {
    /// One in ten does not come.
    private static let noShow = 0.1
    /// How often the called numbers are looked at.
    private static let interval = Duration.seconds(2)
    /// How long one who is called is on the way, in seconds.
    private static let walk = 5.0...90.0

    private let port: UInt16
    private let entrance: SigningKey
    private let checkout: SigningKey
    private let machine: SigningKey
    /// Minutes that a customer stays on the average.
    private let stay: Double
    private let waiting = Mutex<[QueueNumber: EntryCode]>([:])

    init(_ options: Options) throws {
        let address = try options.required("backend")
        guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchError.usage("--backend has no port: \(address)")
        }
        self.port = port
        entrance = try Self.key(options.required("entrance"))
        checkout = try Self.key(options.required("checkout"))
        machine = try Self.key(options.required("state"))
        stay = Double(try options.number("stay", standard: 12))
    }

    private static func key(_ state: String) throws -> SigningKey {
        try SealedKey.ofMachine(state: state).load(
            under: WrappingKey.load(credentials: nil, file: "\(state)/wrapping-key"))
    }

    func wait(_ number: QueueNumber, _ code: EntryCode) {
        waiting.withLock { $0[number] = code }
    }

    /// Looks for those who are called, for ever; a backend that is away is waited for.
    func watch(_ say: @escaping @Sendable (Customers.Line) -> Void) async {
        while true {
            try? await Task.sleep(for: Self.interval)
            for (number, code) in called() {
                Task.detached { await self.visit(number, code, say) }
            }
        }
    }

    /// Those who were called since the last look, and come.
    private func called() -> [(QueueNumber, EntryCode)] {
        do {
            let answer = try DeviceConnection("customers", port: port, key: machine).call(.queue)
            let calling = try answer.decoded(QueueReply.self).calling
            return waiting.withLock { waiting in
                calling.compactMap { number in
                    waiting.removeValue(forKey: number).map { (number, $0) }
                }
            }.filter { _ in Double.random(in: 0..<1) >= Self.noShow }
        } catch {
            return []
        }
    }

    private func visit(
        _ number: QueueNumber, _ code: EntryCode,
        _ say: @Sendable (Customers.Line) -> Void
    ) async {
        try? await Task.sleep(for: .seconds(Double.random(in: Self.walk)))
        say(Customers.Line(event: pass(.entries, entrance, code), number: number.rawValue))
        let minutes = stay * Double.random(in: 0.5...1.5)
        try? await Task.sleep(for: .seconds(minutes * 60))
        say(Customers.Line(event: pass(.exits, checkout, code), number: number.rawValue))
    }

    private func pass(_ route: Route, _ key: SigningKey, _ code: EntryCode) -> String {
        let name = route == .entries ? "entrance" : "checkout"
        let body = #"{"code":"\#(code.rawValue)"}"#
        let answer = try? DeviceConnection(name, port: port, key: key).call(route, body)
        return answer?.status == 200 ? name : "\(name) refused"
    }
}
