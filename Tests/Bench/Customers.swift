import Cryptography
import FoundationEssentials
import KeyFile

/// Simulates other customers of a shop at a machine of their own, for demonstrations.
enum Customers {
    /// Takes tickets until a signal ends the program; waits for a backend that is away.
    static func run(_ options: Options) throws {
        let port = try options.backendPort()
        let habits = Crowd.Habits(
            first: try options.number("first", standard: Crowd.Habits().first),
            every: Double(try options.number("every", standard: Int(Crowd.Habits().every))),
            stay: Double(try options.number("stay", standard: Int(Crowd.Habits().stay))))
        let doors = try options.text("entrance").map { entrance in
            Crowd.Doors(
                entrance: try Self.key(entrance),
                checkout: try Self.key(options.required("checkout")))
        }
        let crowd = Crowd(
            habits, port: port, machine: try Self.key(options.required("state")), doors: doors,
            seed: .random(in: 0...UInt64.max), time: .real)
        while true { try crowd.play(for: .minutes(60)) }
    }

    /// The key of a machine or a device.
    static func key(_ state: String) throws -> SigningKey {
        try SealedKey.ofMachine(state: state).load(
            under: WrappingKey(credentials: nil, file: "\(state)/wrapping-key").load())
    }
}

extension Options {
    /// The port of the backend on this computer.
    func backendPort() throws -> UInt16 {
        let address = try required("backend")
        guard address.hasPrefix("http://127.0.0.1:"),
            let port = address.split(separator: ":").last.flatMap({ UInt16($0) })
        else {
            throw BenchError.usage("--backend is http://127.0.0.1:PORT, not \"\(address)\"")
        }
        return port
    }
}
