import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A signal ends a demonstration or a measurement, and leaves nothing behind")
struct EndingTests {
    /// Processes that pgrep(1) finds, by words of their command lines unless another way is named.
    private func processes(_ pattern: String, by way: String = "-f") async throws -> [pid_t] {
        try await Tool.run("pgrep", [way, pattern]).output.split(separator: "\n")
            .compactMap { pid_t($0) }
    }

    /// A process's descendants that are still running.
    private func family(of pid: pid_t) async throws -> [pid_t] {
        var all: [pid_t] = []
        var next = [pid]
        while let parent = next.popLast() {
            let children = try await processes("\(parent)", by: "-P")
            all += children
            next += children
        }
        return all
    }

    private func isGone(_ pid: pid_t) -> Bool { kill(pid, 0) != 0 }

    @Test("try with its customers, and the customers alone", arguments: [SIGTERM, SIGINT, SIGHUP])
    func customers(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let place = folder.file("product")
        let product = try Tool.start(
            Tool.repository.appending(path: "Kiosk/try").path,
            [
                "--services-only", "--programs", Tool.programs, "--customers", "--directory", place,
            ],
            output: folder.file("line"), errors: folder.file("errors"))
        try await ending(product, by: { await $0.stop() }) { product in
            try await product.waits("Kiosk/try", log: folder.file("errors")) {
                FileManager.default.contents(atPath: folder.file("line"))?.last == 0x0A
            }
            let customers = try #require(
                try await processes("clup-bench customers .*\(place)").first)
            let come = await eventually {
                (try? String(contentsOfFile: "\(place)/customers.log", encoding: .utf8))?
                    .contains("ticket") == true
            }
            #expect(come)
            // The signal also arrives in the middle of a call that is never answered.
            let backend = try #require(
                try await processes("clup-backend serve --database \(place)").first)
            kill(backend, SIGSTOP)
            // A shell lets its background processes ignore SIGINT (bash(1), SIGNALS).
            kill(customers, signal == SIGINT ? SIGTERM : signal)
            #expect(await eventually { isGone(customers) })
            kill(backend, SIGCONT)
            product.signal(signal)
            #expect(await eventually { !product.isRunning })
            #expect(product.endStatus == 0)
            let left = try await processes(place)
            #expect(left.isEmpty, "\(left)")
        }
    }

    /// - Parameter program: the program that runs by then, with the folder's name.
    @Test(
        "Programs that a measurement starts end with it",
        arguments: [
            (["printer"], "cupsd", SIGTERM), (["printer"], "cupsd", SIGKILL),
            (["kiosk"], "clup-kiosk run", SIGINT), (["crowd"], "clup-backend serve", SIGHUP),
            (["session"], "clup-kiosk run", SIGTERM),
            (["backend", "--database", "postgresql"], "postgres", SIGTERM),
        ] as [([String], String, Int32)])
    func measurement(words: [String], program: String, signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let bench = try Tool.start(
            Tool.program("clup-bench"),
            words + ["--directory", folder.path], output: folder.file("figures"),
            errors: folder.file("progress"))
        let runs = try await eventually(within: longTimeout) {
            try await processes("\(program).*\(folder.path)").contains { $0 != bench.pid }
        }
        let said = try String(contentsOfFile: folder.file("progress"), encoding: .utf8)
        #expect(runs, "\(said)")
        let family = try await family(of: bench.pid)
        bench.signal(signal)
        #expect(await bench.end() == 128 + signal)
        let isAllGone = try await eventually {
            let left = try await processes(folder.path)
            return left.isEmpty && family.allSatisfy(isGone)
        }
        let left = try await processes(folder.path)
        #expect(isAllGone, "\(left)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files == ["figures", "progress"])
    }

    @Test("A demonstration reaches a wait of 10 to 30 minutes and keeps it for hours")
    func crowd() async throws {
        let folder = try TemporaryFolder()
        let result = try await Tool.run(
            Tool.program("clup-bench"),
            [
                "crowd", "--strict", "--hours", "\(TestLength.choose(4, long: 12))", "--seed",
                "\(TestLength.choose(1, long: 2))", "--directory", folder.path,
            ])
        #expect(result.status == 0, "\(result.output)\(result.errors.suffix(2_000))")
        for figure in ["wait-after-an-hour", "shortest-wait", "longest-wait"] {
            #expect(result.output.contains("\"customers.\(figure)\""))
        }
    }
}
