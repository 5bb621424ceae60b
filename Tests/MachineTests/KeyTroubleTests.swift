import Foundation
import TestSupport
import Testing

@Suite("If a key is missing, damaged or another machine's, the machine is out of service")
struct KeyTroubleTests {
    /// The damage to a machine's files, and what the log says of it.
    enum Harm: String, CaseIterable, Sendable {
        case missing = "There is no key"
        case damaged = "the sealed secret was cut or changed"
        case cut = "is not a sealed secret"
        case otherWrappingKey = "the wrapping key is another one"
        case noWrappingKey = "The wrapping key"
        case readable = "can be read by others"
        case damagedPin = "holds no public key"

        /// The code that the staff reads at the machine.
        var code: String {
            switch self {
            case .missing, .noWrappingKey: "K1"
            case .damaged, .cut, .readable, .damagedPin: "K2"
            case .otherWrappingKey: "K3"
            }
        }
    }

    /// The public key of an arbitrary backend, whose answers the test does not need.
    private static let someKey = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    /// Nothing listens there: a machine with an intact key shows N1.
    private static let nowhere = "http://127.0.0.1:9"

    private func perform(_ harm: Harm, in state: String) throws {
        let files = FileManager.default
        let sealed = "\(state)/machine-key.sealed"
        let wrapping = "\(state)/wrapping-key"
        switch harm {
        case .missing: try files.removeItem(atPath: sealed)
        case .damaged:
            var bytes = try Data(contentsOf: URL(filePath: sealed))
            bytes[bytes.count - 1] ^= 1
            try replace(sealed, bytes)
        case .cut: try replace(sealed, Data(contentsOf: URL(filePath: sealed)).prefix(10))
        case .otherWrappingKey: try replace(wrapping, Data(repeating: 7, count: 32))
        case .noWrappingKey: try files.removeItem(atPath: wrapping)
        case .damagedPin: try replace("\(state)/backend.conf", Data("backend-key = x\n".utf8))
        case .readable:
            try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: wrapping)
        }
    }

    private func replace(_ path: String, _ bytes: Data) throws {
        try bytes.write(to: URL(filePath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Puts both files back from a copy, as a technician does.
    private func restore(_ copy: String, to state: String) throws {
        for name in ["machine-key.sealed", "wrapping-key", "backend.conf"] {
            try replace(
                "\(state)/\(name)", Data(contentsOf: URL(filePath: "\(copy)/\(name)")))
        }
    }

    @Test("K1, K2 or K3, its reason in the log, and recovery by itself", arguments: Harm.allCases)
    func harm(_ harm: Harm) async throws {
        let folder = try TemporaryFolder()
        let state = folder.file("state")
        let copy = folder.file("copy")
        let words = ["--state", state, "--backend", Self.nowhere, "--assets", Programs.assets]
        try await Tool.succeed(
            Programs.kiosk, ["enrol", "--backend-key", Self.someKey] + words)
        try FileManager.default.copyItem(atPath: state, toPath: copy)
        try perform(harm, in: state)
        let run = ([Programs.kiosk, "run"] + words).joined(separator: " ")
        func log() throws -> String {
            try String(contentsOfFile: "\(state)/kiosk.log", encoding: .utf8)
        }
        func troubles() throws -> Int { try log().ranges(of: "key cannot be used").count }
        try await TmuxTerminal.with(columns: 80, rows: 25, command: run) { screen in
            // The machine polls every 8 to 12 s, so this covers several polls.
            try await screen.shows(harm.code)
            #expect(try log().contains(harm.rawValue))
            try restore(copy, to: state)
            try await screen.shows("N1")
            #expect(try log().contains("key can be used again"))
            #expect(try troubles() == 1)
            try perform(harm, in: state)
            try await screen.shows(harm.code)
            #expect(try troubles() == 2)
        }
        // The machine made no weaker key in its place.
        if harm == .noWrappingKey {
            #expect(!FileManager.default.fileExists(atPath: "\(state)/wrapping-key"))
        }
        let doctor = try await Tool.run(Programs.kiosk, ["doctor", "--json"] + words)
        #expect(doctor.status == 1)
        let report = try JSONDecoder().decode(Report.self, from: Data(doctor.output.utf8))
        let part = harm == .damagedPin ? "backend key" : "key"
        let key = try #require(report.checks.first { $0.part == part })
        #expect(report.state == "wrong" && key.state == "wrong" && key.text.contains(harm.rawValue))
    }

    struct Report: Decodable {
        let version: String
        let state: String
        let checks: [Check]

        struct Check: Decodable {
            let part: String
            let state: String
            let text: String
        }
    }
}
