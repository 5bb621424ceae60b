import BackendClient
import Cryptography
import Glibc
import KioskFlow
import KioskRuntime

/// Deletions over the signed API, as the machine's own client asks for them.
enum DeletionBench {
    private static let repetitions = 300

    static func run(_ options: Options, _ report: Report) throws {
        let workspace = try Workspace(options)
        defer { workspace.remove() }
        var sync = try workspace.fdatasync(files: 1, times: repetitions)
        let shop = try BenchShop(workspace, name: "deletions")
        defer { shop.end() }
        let signer = RequestSigner(key: try shop.addMachines(1)[0])
        let client = BackendClient(servers: try BackendServers(shop.url)) { request in
            signer.sign(
                request, created: Clock.real / 1_000_000_000, nonce: RequestSigner.makeNonce())
        }
        Progress.say("deletions: \(repetitions) ...")
        let backend = client
        var samples = try waitFor {
            var samples = BenchSamples()
            for _ in 0..<repetitions { samples.add(try await deletion(at: backend)) }
            return samples
        }
        for percent in [50.0, 99.0] {
            report.figure(
                "backend.delete-p\(Int(percent))", samples.milliseconds(percent), "ms",
                floor: Floor("1 fdatasync", sync.milliseconds(percent)),
                budget: percent == 99 ? .atMost(60) : nil, n: samples.count)
        }
    }

    /// Makes a reservation and returns the time of its deletion.
    private static func deletion(at backend: BackendClient) async throws -> Int64 {
        func key() -> AttemptKey { AttemptKey("d-\(RequestSigner.makeNonce())") }
        let place = try await backend.takePlace(.ticket, key()).get()
        let reservation = try await backend.confirm(place.id, key()).get()
        let asked = Clock.monotonic
        try await backend.delete(reservation.id, .entry(reservation.code), key()).get()
        return Clock.monotonic - asked
    }
}
