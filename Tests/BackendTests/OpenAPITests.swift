import BackendAPI
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

    /// A described call, with its lines.
    struct Call {
        /// Its method and path.
        let name: String
        var lines: [Substring] = []

        /// The words of a list in brackets; nil if it has no such line.
        func list(_ name: String) -> Set<String>? {
            lines.first { $0.hasPrefix("      \(name): [") }.map { line in
                Set(
                    line.dropFirst("      \(name): [".count).dropLast().split(separator: ", ")
                        .map { String($0) })
            }
        }
    }

    static let calls = lines.drop { $0 != "paths:" }.prefix { $0 != "components:" }
        .reduce(into: (path: "", calls: [Call]())) { read, line in
            if line.hasPrefix("  /") {
                read.path = String(line.dropFirst(2).dropLast())
            } else if line.hasPrefix("    "), !line.hasPrefix("     "), line.hasSuffix(":") {
                let method = line.dropFirst(4).dropLast().uppercased()
                read.calls.append(Call(name: "\(method) \(read.path)"))
            } else if !read.calls.isEmpty {
                read.calls[read.calls.count - 1].lines.append(line)
            }
        }.calls
}

@Suite("The published description of the API")
struct OpenAPITests {
    private let lines = Contract.lines

    @Test("Roles and body limits are those of the code")
    func bounds() throws {
        #expect(API.all.map(\.name) == EndpointName.allCases)
        for endpoint in API.all {
            let name = "\(endpoint.method.rawValue) \(endpoint.path)"
            let call = try #require(Contract.calls.first { $0.name == name })
            #expect(call.list("x-roles") == Set(endpoint.roles.map(\.rawValue)), "\(name)")
            let longest = call.lines.filter { $0.hasPrefix("      x-longest-body: ") }
            #expect(longest == ["      x-longest-body: \(endpoint.maxBodyBytes)"], "\(name)")
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
        #expect(Set(Contract.calls.map(\.name)) == Set(existing))
    }

    @Test(
        "Each message of the feed is described",
        arguments: ["turns", "door", DoorClosingMessage.name, "help"])
    func messages(type: String) {
        #expect(lines.contains("        type: { const: \(type) }"))
    }

    @Test("Every problem is described once with its status, and no other one")
    func problems() {
        let described = lines.filter { $0.contains("- urn:clup:problem:") }.map { String($0) }
        let existing = Refusal.allCases.map {
            "            - urn:clup:problem:\($0.rawValue) # \($0.status)"
        }
        #expect(described.sorted() == existing.sorted())
    }
}
