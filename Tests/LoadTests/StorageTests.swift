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
                        #expect(await chain.refuses(since: filled, within: longTimeout))
                        await expectNotReady(chain)
                        disk.makeRoom()
                        await chain.expectService(tickets: 10)
                    }
                }
                #expect(chain.ledger.refusals.isEmpty)
            }
            try postgres?.stop("immediate")
        }
    }

    @Test(
        "The disk fails: nothing is acknowledged; service goes on by itself, or once it is repaired [fault 32]",
        arguments: [false, true])
    func fails(isForGood: Bool) async throws {
        try await LoadChain.with(.sqlite, LoadChain.Plan(machines: 6)) { chain in
            try await chain.judged(isForGood ? "EIO for ever [32]" : "EIO once [32]") {
                try await ContinuousClock().sleep(for: .seconds(1))
                for _ in 0..<(isForGood ? 1 : TestLength.choose(2, long: 20)) {
                    try await flushesFail(
                        isForGood ? "error=EIO" : "error=EIO:when=1", of: [chain.servers[0].pid],
                        in: chain
                    ) {
                        guard isForGood else { return }
                        let failed = ContinuousClock.now
                        await expectNotReady(chain)
                        try await ContinuousClock().sleep(
                            for: .seconds(TestLength.choose(2, long: 30)))
                        #expect(chain.granted(since: failed) == 0)
                    }
                    await chain.expectService()
                }
            } heal: {
                // Unsynced data must not count: the kill discards the process's memory and leaves its file.
                try await chain.servers[0].killAndRestart()
            }
        }
    }

    /// Makes flushes to the disk fail (strace(1), inject) until requests are refused, and until the body has ended.
    ///
    /// - Parameters:
    ///   - how: for example `error=EIO` or `error=EIO:when=1`.
    ///   - isInherited: whether processes that these start fail too.
    private func flushesFail(
        _ how: String, of pids: [pid_t], isInherited: Bool = true, in chain: LoadChain,
        body: () async throws -> Void = {}
    ) async throws {
        let begun = ContinuousClock.now
        let folder = try TemporaryFolder()
        let said = folder.file("errors")
        let calls = "fdatasync,fsync"
        let tracer = try Tool.start(
            "strace",
            (isInherited ? ["-f"] : []) + [
                "-o", folder.file("trace"), "-e", "trace=\(calls)", "-e", "inject=\(calls):\(how)",
            ] + pids.flatMap { ["-p", "\($0)"] }, errors: said)
        try await ending(tracer, by: { await $0.stop() }) { _ in
            // It ends with the last process that it watches, which may be soon.
            var words = ""
            let isAttached = try await eventually(within: longTimeout) {
                words = try String(contentsOfFile: said, encoding: .utf8)
                return words.contains("attached")
            }
            try #require(isAttached, "\(words)")
            #expect(await chain.refuses(since: begun, within: longTimeout))
            try await body()
        }
        let trace = try String(contentsOfFile: folder.file("trace"), encoding: .utf8)
        #expect(trace.contains("(INJECTED)"))
    }

    @Test("PostgreSQL's disk fails, once and for good: no acknowledgement for it [fault 32]")
    func databaseFails() async throws {
        let postgres = try PostgresServer()
        let plan = LoadChain.Plan(servers: 2, machines: 6)
        try await LoadChain.with(.postgresql, plan, postgres: postgres) { chain in
            try await chain.judged("EIO under PostgreSQL [32]") {
                try await ContinuousClock().sleep(for: .seconds(1))
                // PostgreSQL ends itself with a PANIC in its log, and recovers by itself.
                try await flushesFail(
                    "error=EIO:when=1", of: try await postgres.backends(), isInherited: false,
                    in: chain)
                await chain.expectService()
                try await flushesFail(
                    "error=EIO", of: try await postgres.processes(), in: chain
                ) {
                    await expectNotReady(chain)
                    let failed = ContinuousClock.now
                    try await ContinuousClock().sleep(for: .seconds(2))
                    #expect(chain.granted(since: failed) == 0)
                }
                try postgres.restart("immediate")
                await chain.expectService()
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
                    await chain.expectService()
                }
            }
            #expect(figures.unknown == figures.recovered)
            #expect(chain.statuses.isSubset(of: [200, 201, 503]))
        }
    }

    private func expectNotReady(
        _ chain: LoadChain, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let isRed = await eventually(within: longTimeout) { chain.readiness() == 503 }
        #expect(isRed, sourceLocation: sourceLocation)
    }
}
