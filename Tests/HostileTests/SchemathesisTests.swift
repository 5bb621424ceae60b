import Cryptography
import Foundation
import Reservations
import TestSupport
import Testing

/// Schemathesis (PyPI) generates valid and invalid requests from the contract, and judges each answer by it; its hooks
/// sign them, so that they pass the check of the signature.
@Suite("An HTTP fuzzer finds no fault")
struct SchemathesisTests {
    private static let folder = Tool.repository
        .appending(path: "Tests/HostileTests/Schemathesis").path
    private static let program = Tool.repository
        .appending(path: ".build/schemathesis/bin/schemathesis").path

    private let folder: TemporaryFolder
    /// The folder of the keys.
    private let keys: String

    init() throws {
        try Cryptography.start()
        folder = try TemporaryFolder()
        keys = folder.file("keys")
        try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: false)
    }

    private struct Answers: Decodable {
        /// The number of answers with each status.
        let statuses: [String: Int]
        /// The same for each call of the contract.
        let calls: [String: [String: Int]]

        var count: Int { statuses.values.reduce(0, +) }

        func succeeded(_ call: String) -> Bool {
            calls[call, default: [:]].keys.contains { $0.hasPrefix("2") }
        }
    }

    @Test("Requests generated from openapi.yaml, signed by every role, are answered as it says")
    func contract() async throws {
        var publicKeys: [KeyRole: String] = [:]
        for role in KeyRole.allCases {
            publicKeys[role] = try await Self.makeKey("\(keys)/\(role.rawValue).pem")
        }
        let machine = try #require(publicKeys[.ticketMachine])
        let options = ["--code-limit", "0"]
        try await ServingBackend.with(
            machines: [machine], shop: ["--desks", "2"], options: options
        ) { backend in
            for (role, key) in publicKeys where KeyRole.devices.contains(role) {
                _ = try await backend.addDevice(
                    role: role.rawValue, name: role.rawValue, key: key)
            }
            try await backend.addOrderSource(key: try #require(publicKeys[.orderSource]))
            // It begins late on a busy computer, so that it gets more time if it made few requests, or if by chance none
            // of a call succeeded.
            var answers = try await run(seconds: TestLength.choose(60, long: 600), of: backend)
            let wanted = ["GET /v1/queue", "POST /v1/holds", "POST /v1/holds/{id}/confirmation"]
            if answers.count <= 500 || !wanted.allSatisfy({ answers.succeeded($0) }) {
                answers = try await run(seconds: 300, of: backend)
            }
            let all = answers.count
            let unauthorized = answers.statuses["401", default: 0]
            print("schemathesis: \(all) answers, \(unauthorized) of them 401; \(answers.statuses)")
            #expect(all > 500, "\(answers.statuses)")
            #expect(unauthorized * 2 <= all, "\(answers.statuses)")
            // Each of these calls succeeded at least once.
            for call in wanted {
                #expect(
                    answers.succeeded(call), "\(call): \(answers.calls[call, default: [:]])")
            }
        }
    }

    @Test(
        "Requests generated from openapi.yaml for phones are answered as it says [rules: place-page]"
    )
    func phones() async throws {
        let key = try SigningKey.generate()
        // Signatures of phones mean nothing.
        _ = try await Self.makeKey("\(keys)/display.pem")
        let assets = Tool.repository.appending(path: "Assets").path
        try await ServingBackend.with(
            machines: [key.publicKey.text],
            shop: [
                "--phone-places", "yes", "--remote-places", "yes", "--phone-share", "100",
                "--phone-visits", "yes",
                "--sms-per-day", "100000",
            ],
            options: [
                "--assets", assets, "--phones", "127.0.0.1:0", "--push-services", "push.example.it",
                // A gateway that takes every SMS and delivers none.
                "--sms-command", "/bin/true", "--sms-prefixes", "+39",
            ]
        ) { backend in
            let machine = ServedMachine(key)
            var capabilities: [String] = []
            for _ in 0..<20 {
                let ticket = try await machine.ticket(at: backend)
                capabilities.append(
                    try #require(ticket.link.flatMap { Capability(link: $0) }).rawValue)
            }
            var visits: [String] = []
            for number in 0..<2 {
                let phone = ServedPhone(of: backend, number: number)
                let day = try #require(try await phone.slotsOfDays().first)
                let visit = try await phone.visit(day)
                visits.append(try #require(visit.link.flatMap { Capability(link: $0) }).rawValue)
            }
            let wanted = [
                "place", "calendar", "sessions", "holds", "confirmation", "release", "shops",
                "slots",
            ].map { "POST /v1/public/\($0)" }
            // It gets more time if by chance none of a call succeeded.
            var answers: Answers?
            for seconds in [TestLength.choose(35, long: 300), 120] {
                answers = try await run(
                    seconds: seconds, of: backend, capabilities: capabilities, visits: visits,
                    invitation: try await machine.invitation(at: backend).rawValue)
                if wanted.allSatisfy({ answers?.succeeded($0) == true }) { break }
            }
            let found = try #require(answers)
            print("schemathesis, phones: \(found.statuses)")
            for call in wanted {
                #expect(
                    found.succeeded(call), "\(call): \(found.calls[call, default: [:]])")
            }
        }
    }

    /// Runs Schemathesis for this many seconds at most, with the keys of this folder: on the calls of machines and
    /// devices or, if capabilities are given, on those of phones.
    private func run(
        seconds: Int, of backend: ServingBackend, capabilities: [String] = [],
        visits: [String] = [], invitation: String = ""
    ) async throws -> Answers {
        let given = ProcessInfo.processInfo.environment["CLUP_SEED"].flatMap(UInt32.init)
        let seed = given ?? UInt32.random(in: .min ... .max)
        let result = try await Tool.run(
            // It stores its own files beside its report, not in the checkout.
            "env",
            [
                "-C", folder.path, Self.program, "--no-color", "--config-file",
                "\(Self.folder)/schemathesis.toml", "run", "--url",
                capabilities.isEmpty ? backend.address : backend.phones,
                capabilities.isEmpty ? "--exclude-path-regex" : "--include-path-regex",
                "^/v1/public/",
                "--max-time", "\(seconds)", "--seed", "\(seed)", "--continue-on-failure",
                "--report-json-path", folder.file("report.json"),
                Tool.repository.appending(path: "Assets/Api/openapi.yaml").path,
            ],
            environment: [
                "CLUP_KEYS": keys, "CLUP_CAPABILITIES": capabilities.joined(separator: " "),
                "CLUP_VISITS": visits.joined(separator: " "), "CLUP_INVITATION": invitation,
                "CLUP_SEED": "\(seed)",
                "SCHEMATHESIS_HOOKS": "hooks",
                "PYTHONPATH": Self.folder, "PYTHONDONTWRITEBYTECODE": "1",
            ])
        #expect(
            result.status == 0, "seed \(seed)\n\(result.output.suffix(8_000))\(result.errors)")
        return try JSONDecoder().decode(
            Answers.self, from: Data(contentsOf: URL(filePath: "\(keys)/answers.json")))
    }

    /// Makes a key pair; returns the public key in the backend's form.
    static func makeKey(_ file: String) async throws -> String {
        try await Tool.succeed("openssl", ["genpkey", "-algorithm", "ed25519", "-out", file])
        let der = "\(file).der"
        try await Tool.succeed(
            "openssl", ["pkey", "-in", file, "-pubout", "-outform", "DER", "-out", der])
        defer { try? FileManager.default.removeItem(atPath: der) }
        // The key itself is at the end (RFC 8410 4).
        let bytes = try Data(contentsOf: URL(filePath: der)).suffix(32)
        return try #require(PublicKey(bytes: Array(bytes))).text
    }
}
