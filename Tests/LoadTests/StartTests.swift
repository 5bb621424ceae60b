import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A database that cannot be served is reported in a sentence [fault 34]")
struct StartTests {
    /// Starts a server, which must refuse; returns its error output.
    private func refusal(
        _ database: String, state: String? = nil, status: Int32 = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let server = try await Tool.run(
            "timeout",
            [
                "20", ServerProcess.program, "serve", "--database", database, "--listen",
                "127.0.0.1:0",
            ]
                + (state.map { ["--state", $0] } ?? []))
        #expect(server.status == status, "\(server)", sourceLocation: sourceLocation)
        #expect(!server.output.contains("listening"), sourceLocation: sourceLocation)
        #expect(server.errors.hasPrefix("clup-backend: "), sourceLocation: sourceLocation)
        print("start: \(server.errors.split(separator: "\n").first ?? "")")
        return server.errors
    }

    @Test("SQLite on a disk that is read-only", .enabled(if: SmallDisk.isPossible))
    func readOnlyDisk() async throws {
        try await SmallDisk.with(megabytes: 16) { disk in
            var plan = LoadChain.Plan(machines: 2)
            plan.database = "\(disk.path)/backend.sqlite"
            try await LoadChain.with(.sqlite, plan) { chain in
                _ = try chain.machine(0).ticket()
                await chain.servers[0].stop()
                try await disk.makeReadOnly()
                _ = try await refusal(chain.database)
            }
        }
    }

    @Test("PostgreSQL: away, without the database, read-only")
    func postgresql() async throws {
        let postgres = try PostgresServer()
        try await LoadChain.with(.postgresql, LoadChain.Plan(machines: 4), postgres: postgres) {
            chain in
            let state = chain.folder.path
            try await chain.judged("read-only PostgreSQL [34]") {
                try await ContinuousClock().sleep(for: .seconds(1))
                // The database turns read-only, as if its server became a standby, and later accepts changes again.
                let begun = ContinuousClock.now
                try await postgres.makeReadOnly(chain.database, true)
                #expect(await chain.refuses(since: begun, within: longTimeout))
                // It may pass: sysexits.h, EX_TEMPFAIL.
                let readOnly = try await refusal(chain.database, state: state, status: 75)
                #expect(readOnly.contains("read-only"))
                try await postgres.makeReadOnly(chain.database, false)
                await chain.expectService()
            }
            let missing = chain.database.replacingOccurrences(of: "///t", with: "///missing")
            #expect(try await refusal(missing, state: state).contains("cannot be reached"))
            try postgres.stop()
            let away = try await refusal(chain.database, state: state, status: 75)
            #expect(away.contains("cannot be reached"))
            try postgres.restart()
        }
    }
}
