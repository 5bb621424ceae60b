import BackendAPI
import BackendService
import Cryptography
import Foundation
import Reservations
import TestSupport
import Testing

/// What is published of the API.
enum Contract {
    static func text(_ name: String) throws -> String {
        let file = Tool.repository.appending(path: "Assets/Api/\(name)")
        return try String(contentsOf: file, encoding: .utf8)
    }

    static let lines = ((try? text("openapi.yaml")) ?? "").split(separator: "\n")
}

@Suite("The published description of the API")
struct OpenAPITests {
    private let lines = Contract.lines

    /// Every path of the description, with its methods.
    private var operations: Set<String> {
        var path = ""
        var operations: Set<String> = []
        for line in lines.drop(while: { $0 != "paths:" }).prefix(while: { $0 != "components:" }) {
            if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
            if line.hasPrefix("    "), !line.hasPrefix("     "), line.hasSuffix(":") {
                operations.insert("\(line.dropFirst(4).dropLast().uppercased()) \(path)")
            }
        }
        return operations
    }

    /// The value of a name in the description of a call.
    private func value(_ name: String, of endpoint: any AnyEndpoint) throws -> String {
        let path = try #require(lines.firstIndex { $0 == "  \(endpoint.path):" })
        let call = try #require(
            lines[path...].firstIndex { $0 == "    \(endpoint.method.rawValue.lowercased()):" })
        let line = try #require(lines[call...].first { $0.hasPrefix("      \(name): ") })
        return String(line.dropFirst("      \(name): ".count))
    }

    /// The words of a list in brackets.
    private func list(_ text: String) -> [String] {
        text.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).split(separator: ", ").map {
            String($0)
        }
    }

    @Test("Roles and body limits are those of the code")
    func bounds() throws {
        #expect(API.all.map(\.name) == EndpointName.allCases)
        for endpoint in API.all {
            let roles = try list(value("x-roles", of: endpoint))
            #expect(Set(roles) == Set(endpoint.roles.map(\.rawValue)), "\(endpoint.path)")
            #expect(
                try value("x-longest-body", of: endpoint) == "\(endpoint.maxBodyBytes)",
                "\(endpoint.path)")
        }
    }

    @Test(
        "The longest name is that of the code, in code points (JSON Schema Validation, 6.3.1)",
        arguments: [
            ("HelpAction", "by", HelpAction.maxNameCharacters),
            ("HelpEnding", "by", HelpAction.maxNameCharacters),
            ("StaffAction", "by", StaffActionRequest.maxNameCharacters),
            // What a shop's name may have.
            ("NearbyShop", "name", 80),
        ])
    func names(_ schema: String, _ field: String, _ maxCharacters: Int) throws {
        let body = try #require(lines.firstIndex { $0 == "    \(schema):" })
        let line = try #require(lines[body...].first { $0.hasPrefix("        \(field): ") })
        let max = GivenName.maxCodePoints(inCharacters: maxCharacters)
        #expect(line.contains("maxLength: \(max),"))
        // The longest name is taken, and a longer one is not.
        let longest = "a" + String(repeating: "\u{301}", count: 11)
        #expect(longest.unicodeScalars.count * maxCharacters == max)
        for (count, isGood) in [(maxCharacters, true), (maxCharacters + 1, false)] {
            let name = String(repeating: longest, count: count)
            #expect(GivenName.isReadable(name, maxCharacters: maxCharacters) == isGood)
        }
    }

    @Test("The example of a signature is exactly what a machine sends")
    func example() throws {
        try Cryptography.start()
        let page = try Contract.text("README.md")
        let key = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 1, count: 32)))
        let request = RequestSigner(key: key).sign(
            WireRequest(
                method: "POST", authority: "queue.example.it", path: "/v1/holds",
                fields: ["idempotency-key": "k1"], body: Array("{\"kind\":\"ticket\"}".utf8)),
            created: 1_795_179_600, nonce: "n1")
        let input = try #require(request.fields["signature-input"])
        #expect(page.contains("\"@signature-params\": \(input.dropFirst("clup=".count))\n"))
        for field in ["signature", "content-digest"] {
            #expect(page.contains(try #require(request.fields[field])))
        }
        #expect(page.contains(key.publicKey.text))
        #expect(page.contains(AnswerSignature.request))
        for use in AnswerUse.allCases { #expect(page.contains(use.rawValue)) }
    }

    @Test("Exactly the calls that exist are described")
    func calls() {
        let existing =
            API.all.map { "\($0.method.rawValue) \($0.path)" }
            + PublicCall.allCases.map { "\($0.method.rawValue) \($0.path)" } + [
                "GET /healthz", "GET /readyz",
            ]
        #expect(operations == Set(existing))
    }

    @Test(
        "Each message of the feed is described",
        arguments: ["turns", "door", DoorClosingMessage.name, "help"])
    func messages(type: String) {
        #expect(lines.contains("        type: { const: \(type) }"))
    }

    @Test("Every problem is described with its status", arguments: Refusal.allCases)
    func problems(problem: Refusal) {
        let line = "            - urn:clup:problem:\(problem.rawValue) # \(problem.status)"
        #expect(lines.contains { $0 == line }, "\(line)")
    }

    @Test("The description names only problems that exist")
    func noOthers() {
        let described = lines.filter { $0.contains("- urn:clup:problem:") }
        #expect(described.count == Refusal.allCases.count)
    }
}
