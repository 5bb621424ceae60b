import Foundation
import TestSupport
import Testing

@testable import SMSGateway

@Suite("SMS through a program", .timeLimit(.minutes(10)))
struct CommandGatewayTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A gateway whose program is a script.
    private func gateway(
        _ script: String, timeoutMs: Int = 10_000, turnMs: Int = 15_000
    ) throws -> CommandGateway {
        let program = try folder.writeProgram("#!/bin/sh\n\(script)\n", to: "program")
        return CommandGateway(
            program: program, timeout: .milliseconds(timeoutMs), turnTimeout: .milliseconds(turnMs))
    }

    private func content(_ file: String) throws -> String {
        try String(contentsOfFile: file, encoding: .utf8)
    }

    @Test(
        "The number and the text arrive as they are, on standard input only",
        arguments: [
            "Sì, è qui: 5 €", "two\nlines\n", "\n\nx", "it's \"quoted\" $HOME $(id) \\ %s",
            "  blanks  ",
        ])
    func input(_ text: String) async throws {
        let gateway = try gateway(
            """
            cat >\(folder.file("input"))
            cat /proc/$$/cmdline /proc/$$/environ >\(folder.file("visible"))
            """)
        #expect(await gateway.send(try SampleMessage.with(text)) == .accepted)
        #expect(try content(folder.file("input")) == "\(SampleMessage.number)\n\(text)")
        let visible = try content(folder.file("visible"))
        #expect(visible.contains("program") && !visible.contains("333123"))
    }

    @Test(
        "The exit status is the outcome",
        arguments: [
            ("exit 0", .accepted), ("exit 75", .busy), ("exit 1", .refused("exit-status-1")),
            ("exit 128", .refused("exit-status-128")), ("exit 255", .refused("exit-status-255")),
            ("exit 78", .broken("exit-status-78")), ("kill -9 $$", .uncertain),
            ("kill -TERM $$", .uncertain), ("sh -c 'kill -SEGV $$'; exit $?", .uncertain),
            ("exec /nowhere/program 2>/dev/null", .broken("exit-status-127")),
            ("/dev/null", .broken("exit-status-126")),
        ] as [(String, SMSOutcome)])
    func statuses(_ script: String, outcome: SMSOutcome) async throws {
        let gateway = try gateway(script)
        #expect(await gateway.send(try SampleMessage.with()) == outcome)
    }

    @Test("A program that is missing or cannot be run is for the administrator to mend")
    func missing() async throws {
        let text = try folder.write("#!/bin/sh\n".utf8, to: "text")
        for program in ["/nowhere/program", text, folder.path, "sh"] {
            let gateway = CommandGateway(program: program)
            #expect(await gateway.send(try SampleMessage.with()) == .broken("not-started"))
        }
    }

    @Test("A program that hangs is killed with its own children, and may have sent the message")
    func hanging() async throws {
        let gateway = try gateway(
            """
            trap '' TERM
            sleep 600 &
            echo $$ $! >\(folder.file("new"))
            mv \(folder.file("new")) \(folder.file("processes"))
            wait
            """, timeoutMs: 1_500)
        #expect(await gateway.send(try SampleMessage.with()) == .uncertain)
        let processes = try content(folder.file("processes")).split(whereSeparator: \.isWhitespace)
            .compactMap { pid_t($0) }
        #expect(processes.count == 2)
        #expect(await eventually { !processes.contains(where: RunningProgram.isRunning) })
    }

    @Test("Eight programs run at once; the others wait, for a time")
    func turns() async throws {
        let gateway = try gateway(
            """
            echo x >>\(folder.file("started"))
            while ! [ -e \(folder.file("end")) ]; do sleep 0.05; done
            """, turnMs: 2_000)
        let message = try SampleMessage.with()
        let all = try await withThrowingTaskGroup(of: SMSOutcome.self) { group in
            for _ in 0..<20 { group.addTask { await gateway.send(message) } }
            var all: [SMSOutcome] = []
            // The others give up while the first ones run: these end afterwards.
            while all.count < 12, let next = try await group.next() { all.append(next) }
            #expect(all.allSatisfy { $0 == .busy })
            _ = try folder.write([], to: "end")
            while let next = try await group.next() { all.append(next) }
            return all
        }
        #expect(all.filter { $0 == .accepted }.count == 8)
        #expect(all.filter { $0 == .busy }.count == 12)
        #expect(try content(folder.file("started")).count == 2 * 8)
    }

    @Test("After the stop no program is started")
    func stop() async throws {
        let gateway = try gateway("echo x >\(folder.file("started"))")
        gateway.stop()
        #expect(await gateway.send(try SampleMessage.with()) == .unreached)
        #expect(!FileManager.default.fileExists(atPath: folder.file("started")))
    }

    @Test("The fake gateway of trials writes each SMS into a file, in their order")
    func demonstration() async throws {
        let script = Tool.repository.appending(path: "Kiosk/demo-sms").path
        let gateway = try gateway("CLUP_SMS_FOLDER=\(folder.path) exec \(script)")
        for text in ["Sì €", "two\nlines", "three"] {
            #expect(await gateway.send(try SampleMessage.with(text)) == .accepted)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0 != "program" }.sorted()
        #expect(files.allSatisfy { $0.hasSuffix(".sms") })
        #expect(
            try files.map { try content(folder.file($0)) }
                == ["Sì €", "two\nlines", "three"].map { "\(SampleMessage.number)\n\($0)" })
        let without = CommandGateway(program: script)
        #expect(await without.send(try SampleMessage.with()) == .broken("exit-status-78"))
    }
}
