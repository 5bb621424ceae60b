import Cryptography
import Foundation
import TestSupport
import Testing

@Suite("The files that clup-backend may open [fault 38]")
struct OpenFilesTests {
    /// 24 files of its own, 7 for the connections of SQLite and PostgreSQL, and 16 connections to serve.
    private static let fewest = 47
    private let key: SigningKey

    init() throws {
        try Cryptography.start()
        key = try SigningKey.generate()
    }

    @Test("With one too few it does not start and says how many it needs; with enough it serves")
    func fewest() throws {
        let few = Self.fewest - 1
        let refused = #expect(throws: RawClient.Failure.self) {
            _ = try ServedProgram(keys: [], files: (few, few))
        }
        #expect(refused?.operation.contains("may open \(few) files only") == true)
        #expect(refused?.operation.contains("\(Self.fewest) at least (ulimit -n") == true)
        let served = try ServedProgram(
            keys: [("machine", key)], files: (Self.fewest, Self.fewest))
        // The connections follow one another; together they are more than may be open at a time.
        for _ in 0..<(2 * Self.fewest) {
            let answer = try RawClient(served.address).call(served.request(.queue, key: key))
            #expect(answer?.status == 200)
        }
    }

    @Test("It takes as many as the limit allows, but no more than it can use")
    func raised() throws {
        for (most, taken) in [(4_096, 4_096), (20_000, 16_384)] {
            let served = try ServedProgram(
                keys: [("machine", key)], files: (Self.fewest, most))
            let connections = try (0..<100).map { _ in try RawClient(served.address) }
            for connection in connections {
                let answer = connection.call(served.request(.queue, key: key))
                try #require(answer?.status == 200)
            }
            let limits = try String(
                contentsOfFile: "/proc/\(served.process.pid)/limits",
                encoding: .utf8)
            let line = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
            #expect(line?.split(separator: " ")[3] == "\(taken)")
        }
    }

    @Test("Phones that take all connections of theirs leave machines room")
    func phones() throws {
        let port = try ReservedPort()
        let assets = Tool.repository.appending(path: "Assets").path
        let options = ["--assets", assets, "--phones", port.address]
        // 8 files of that server, and 16 connections for phones.
        let fewest = Self.fewest + 24
        let refused = #expect(throws: RawClient.Failure.self) {
            _ = try ServedProgram(keys: [], options: options, files: (fewest - 1, fewest - 1))
        }
        #expect(refused?.operation.contains("\(fewest) at least (ulimit -n") == true)
        let served = try ServedProgram(
            keys: [("machine", key)], options: options, files: (fewest, fewest))
        let phones = try (0..<(2 * fewest)).map { _ in
            try RawClient(.tcp(address: "127.0.0.1", port: port.number))
        }
        for phone in phones { phone.send("GET /t HTTP/1.1\r\nHost: 127.0.0.1\r\n") }
        let machines = try (0..<16).map { _ in try RawClient(served.address) }
        for machine in machines {
            #expect(machine.call(served.request(.queue, key: key))?.status == 200)
        }
    }
}
