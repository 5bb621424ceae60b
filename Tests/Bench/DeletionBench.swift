import BackendClient
import Cryptography
import KioskFlow
import KioskRuntime

/// Deletions over the signed API, as the machine's own client asks for them.
enum DeletionBench {
    private static let repetitions = 300

    static func run(_ workspace: Workspace, _ report: Report) throws {
        let sync = try workspace.fdatasync(files: 1, times: repetitions)
        let shop = try BenchShop(workspace, name: "deletions")
        let backend = try shop.client(shop.addMachines(1)[0])
        Progress.say("deletions: \(repetitions) ...")
        let samples = try waitFor {
            var samples = BenchSamples()
            for _ in 0..<repetitions { samples.add(try await deletion(at: backend)) }
            return samples
        }
        report.times(
            "backend.delete", of: samples, floor: ("1 fdatasync", sync), budget: .atMost(60))
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
