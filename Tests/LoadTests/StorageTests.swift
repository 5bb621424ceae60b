import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Storage faults under load")
struct StorageTests {
    @Test(
        "A full disk: nothing is acknowledged without being stored; with room again it goes on [fault 31]",
        .enabled(if: SmallDisk.isPossible), arguments: Engine.allCases)
    func full(engine: Engine) async throws {
        // SQLite's log grows to 16 MiB before it is copied, and a little more during the copy.
        try await SmallDisk.with(megabytes: engine == .sqlite ? 40 : 24) { disk in
            var plan = LoadChain.Plan(machines: 6)
            // The test has a server of its own, as other tests cannot use one that has lost a disk.
            let postgres = engine == .sqlite ? nil : try PostgresServer()
            plan.database =
                try await postgres?.database(in: disk.path) ?? "\(disk.path)/backend.sqlite"
            try await LoadChain.with(engine, plan) { chain in
                try await chain.judged("full disk [31]") {
                    for _ in 0..<TestLength.choose(2, long: 20) {
                        let filled = ContinuousClock.now
                        try await disk.fill()
                        #expect(await chain.refuses(since: filled, within: .seconds(60)))
                        await expectNotReady(chain)
                        disk.makeRoom()
                        let freed = ContinuousClock.now
                        let recovers = await eventually(within: .seconds(20)) {
                            chain.granted(since: freed) > 10 && chain.readiness() == 200
                        }
                        #expect(recovers, "without a restart")
                    }
                }
                #expect(chain.ledger.refusals.isEmpty)
            }
            try postgres?.stop("immediate")
        }
    }

    @Test("The disk fails once: no acknowledgement for it, and service goes on [fault 32]")
    func failsOnce() async throws {
        try await LoadChain.with(.sqlite, LoadChain.Plan(machines: 6)) { chain in
            try await chain.judged("EIO once [32]") {
                for _ in 0..<TestLength.choose(2, long: 20) {
                    let begun = ContinuousClock.now
                    let (_, failures) = try await FailingCalls.with(
                        "fdatasync,fsync", "error=EIO:when=1", of: [chain.servers[0].pid]
                    ) {
                        #expect(await chain.refuses(since: begun, within: .seconds(20)))
                    }
                    #expect(failures > 0)
                    try await expectRecovery(of: chain)
                }
            } heal: {
                // Unsynced data must not count: the kill discards the process's memory and leaves its file.
                await chain.servers[0].kill()
                try await chain.servers[0].start()
            }
        }
    }

    @Test(
        "The disk fails for good: not ready, nothing is acknowledged; once repaired, it goes on [fault 32]"
    )
    func failsForEver() async throws {
        try await LoadChain.with(.sqlite, LoadChain.Plan(machines: 6)) { chain in
            try await chain.judged("EIO for ever [32]") {
                try await ContinuousClock().sleep(for: .seconds(1))
                let (_, failures) = try await FailingCalls.with(
                    "fdatasync,fsync", "error=EIO", of: [chain.servers[0].pid]
                ) {
                    let begun = ContinuousClock.now
                    #expect(await chain.refuses(since: begun, within: .seconds(20)))
                    let failed = ContinuousClock.now
                    await expectNotReady(chain)
                    try await ContinuousClock().sleep(for: .seconds(TestLength.choose(2, long: 30)))
                    #expect(chain.granted(since: failed) == 0)
                }
                #expect(failures > 0)
                try await expectRecovery(of: chain)
            } heal: {
                await chain.servers[0].kill()
                try await chain.servers[0].start()
            }
        }
    }

    @Test("PostgreSQL's disk fails, once and for good: no acknowledgement for it [fault 32]")
    func databaseFails() async throws {
        let postgres = try PostgresServer()
        let plan = LoadChain.Plan(servers: 2, machines: 6)
        try await LoadChain.with(.postgresql, plan, postgres: postgres) { chain in
            try await chain.judged("EIO under PostgreSQL [32]") {
                try await ContinuousClock().sleep(for: .seconds(1))
                // PostgreSQL ends itself with a PANIC in its log, and recovers by itself.
                var begun = ContinuousClock.now
                let once = try await FailingCalls.with(
                    "fdatasync,fsync", "error=EIO:when=1", of: try await postgres.backends(),
                    isInherited: false
                ) {
                    #expect(await chain.refuses(since: begun, within: .seconds(20)))
                }
                #expect(once.failures > 0)
                try await expectRecovery(of: chain)
                begun = .now
                let always = try await FailingCalls.with(
                    "fdatasync,fsync", "error=EIO", of: try await postgres.processes()
                ) {
                    #expect(await chain.refuses(since: begun, within: .seconds(20)))
                    await expectNotReady(chain)
                    let failed = ContinuousClock.now
                    try await ContinuousClock().sleep(for: .seconds(2))
                    #expect(chain.granted(since: failed) == 0)
                }
                #expect(always.failures > 0)
                try postgres.restart("immediate")
                try await expectRecovery(of: chain)
            }
        }
    }

    @Test(
        "Locked for five seconds by a foreign process: served in time or asked to wait [fault 33]",
        arguments: Engine.allCases)
    func locked(engine: Engine) async throws {
        let plan = LoadChain.Plan(servers: engine.servers, machines: 6)
        try await LoadChain.with(engine, plan) { chain in
            let figures = try await chain.judged("locked 5 s [33]") {
                for _ in 0..<TestLength.choose(1, long: 10) {
                    try await ContinuousClock().sleep(for: .milliseconds(500))
                    switch engine {
                    case .sqlite:
                        try await Tool.succeed(
                            "bash",
                            [
                                "-c",
                                "(echo '.timeout 5000'; echo 'BEGIN IMMEDIATE;'; sleep 5; "
                                    + "echo 'COMMIT;') | sqlite3 '\(chain.database)'",
                            ])
                    case .postgresql:
                        try await Tool.succeed(
                            "psql",
                            [
                                "-XAtqd", chain.database, "-c",
                                "BEGIN; LOCK TABLE reservation IN ACCESS EXCLUSIVE MODE; "
                                    + "SELECT pg_sleep(5); COMMIT",
                            ])
                    }
                    try await expectRecovery(of: chain)
                }
            }
            #expect(figures.unknown == figures.recovered)
            #expect(chain.statuses.isSubset(of: [200, 201, 503]))
        }
    }

    private func expectNotReady(
        _ chain: LoadChain, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let isRed = await eventually(within: .seconds(10)) { chain.readiness() == 503 }
        #expect(isRed, sourceLocation: sourceLocation)
    }

    /// Expects that tickets are given again and the server reports that it is ready, within five seconds and a margin
    /// for a busy computer.
    private func expectRecovery(
        of chain: LoadChain, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let begin = ContinuousClock.now
        let recovers = await eventually(within: .seconds(20)) {
            chain.granted(since: begin) > 5 && chain.readiness() == 200
        }
        #expect(recovers, sourceLocation: sourceLocation)
    }
}
