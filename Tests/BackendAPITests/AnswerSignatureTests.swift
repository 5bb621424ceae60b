import Cryptography
import Testing

@testable import BackendAPI

@Suite("The backend's answers are signed (rules: signed-answers)")
struct AnswerSignatureTests {
    private let request: WireRequest
    private let verifier: AnswerVerifier
    private let signer: AnswerSigner
    private let machine: SigningKey
    private let backend: SigningKey
    private static let created: Int64 = 1_795_179_600

    init() throws {
        try Cryptography.start()
        machine = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 1, count: 32)))
        backend = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 2, count: 32)))
        signer = AnswerSigner(key: backend)
        verifier = AnswerVerifier(key: backend.publicKey)
        request = Self.request(by: machine, nonce: "n1")
    }

    /// A request with every part that an answer can be bound to.
    private static func request(by key: SigningKey, nonce: String) -> WireRequest {
        let body = Array("{\"kind\":\"ticket\"}".utf8)
        return RequestSigner(key: key).sign(
            WireRequest(
                method: "POST", authority: "shop.example", path: "/v1/holds", query: "a=b",
                fields: [
                    HeaderField.idempotencyKey: "k1",
                    HeaderField.acceptSignature: AnswerSignature.request,
                ], body: body),
            created: created, nonce: nonce)
    }

    /// The request of a machine that knows only the older form.
    private var olderRequest: WireRequest {
        var older = request
        older.fields[HeaderField.acceptSignature] = nil
        return older
    }

    private func answer(_ status: Int = 429, isVerified: Bool = true) -> WireResponse {
        signer.sign(Self.plain(status), to: request, created: Self.created, isVerified: isVerified)
    }

    private static func plain(_ status: Int) -> WireResponse {
        WireResponse(
            status: status,
            fields: ["content-type": "application/problem+json", "retry-after": "3"],
            body: Array("{}".utf8))
    }

    @Test("A text that the backend made is recognized with its key only, unchanged and whole")
    func authenticated() throws {
        let text = signer.authenticated("a.b")
        #expect(signer.text(ofAuthenticated: text) == "a.b")
        #expect(AnswerSigner(key: try SigningKey.generate()).text(ofAuthenticated: text) == nil)
        let code = text.dropFirst(4)
        for wrong in [
            "", "a.b", "a.b.", "a.c.\(code)", "\(text)A", "b.\(code)", signer.signed("a.b"),
        ] {
            #expect(signer.text(ofAuthenticated: wrong) == nil, "\(wrong)")
        }
        let long = String(repeating: "a", count: 600)
        #expect(signer.text(ofAuthenticated: signer.authenticated(long)) == nil)
    }

    @Test("A token that the backend signed is accepted; other data signed with its key is not")
    func signed() throws {
        let text = "a.b"
        #expect(signer.publicKey.text(ofSigned: signer.signed(text)) == text)
        let otherwise = Base64.encode(backend.sign(Array(text.utf8)), .urlSafe)
        #expect(signer.publicKey.text(ofSigned: "\(text).\(otherwise)") == nil)
        #expect(signer.publicKey.text(ofSigned: "c.\(signer.signed(text))") == nil)
    }

    @Test(
        "A signed answer is recognised, and shows the backend's time and how the answer may be used"
    )
    func good() {
        func expect(
            _ answer: WireResponse, _ use: AnswerUse, to request: WireRequest,
            created: Int64 = Self.created
        ) {
            let verified = verifier.verified(answer, to: request)
            #expect(verified?.created == created && verified?.use == use)
        }
        expect(answer(), .decided, to: request)
        expect(answer(isVerified: false), .unverified, to: request)
        let empty = signer.sign(WireResponse(status: 204), to: request, created: 7)
        expect(empty, .decided, to: request, created: 7)
        let older = signer.sign(Self.plain(429), to: olderRequest, created: Self.created)
        expect(older, .older, to: olderRequest)
        // Fields that are not signed may be added or removed on the way.
        var passed = answer()
        passed.fields["date"] = "x"
        passed.fields["via"] = "1.1 proxy"
        expect(passed, .decided, to: request)
    }

    @Test(
        "In the older form a refusal of an unverified request is signed only if it is the 401"
    )
    func older() {
        for status in [400, 401, 404, 405, 413, 426] {
            let answer = signer.sign(
                Self.plain(status), to: olderRequest, created: Self.created, isVerified: false)
            let use = verifier.verified(answer, to: olderRequest)?.use
            #expect(use == (status == 401 ? .older : nil))
            #expect(status == 401 || answer.fields["signature"] == nil)
            // Older backends sign these refusals too; even then they are no decision on the request.
            #expect(!AnswerUse.older.isDecision(ofStatus: status))
        }
        for status in [200, 201, 204, 403, 409, 422, 429, 503] {
            #expect(AnswerUse.older.isDecision(ofStatus: status))
            #expect(!AnswerUse.unverified.isDecision(ofStatus: status))
        }
    }

    @Test(
        "An answer signed with the backend's own key, but over one component less, is not believed",
        arguments: 0...11)
    func uncovered(_ left: Int) throws {
        var answer = answer()
        var components = AnswerSignature.components(of: answer, to: request, .decided)
        #expect(components.count == 11)
        // Signed over all components in the same way, it is believed.
        if left < components.count { components.remove(at: left) }
        let parameters = SignatureParameters(
            components: components, created: Self.created, keyID: backend.publicKey.keyID,
            tag: AnswerUse.decided.rawValue)
        let binding = try #require(AnswerSignature.binding(of: request))
        let base = try #require(parameters.base(for: answer, to: request, binding: binding))
        answer.fields[HeaderField.signatureInput] = MachineSignature.inputField(parameters)
        answer.fields[HeaderField.signature] = MachineSignature.byteField(
            base64: Base64.encode(backend.sign(base)))
        #expect((verifier.verified(answer, to: request) != nil) == (left == 11))
    }

    @Test("Parts of the request are components of the answer's base (RFC 9421 2.4)")
    func base() throws {
        let parameters = SignatureParameters(
            components: AnswerSignature.components(of: answer(), to: request, .decided),
            created: Self.created, keyID: "k", tag: AnswerUse.decided.rawValue)
        let binding = try #require(AnswerSignature.binding(of: request))
        let base = try #require(parameters.base(for: answer(), to: request, binding: binding))
        let lines = String(decoding: base, as: UTF8.self).split(separator: "\n").map(String.init)
        let list =
            "(\"@status\" \"content-digest\" \"content-type\" \"retry-after\" \"@method\";req"
            + " \"@authority\";req \"@path\";req \"@query\";req \"content-digest\";req"
            + " \"idempotency-key\";req \"signature\";req)"
        #expect(lines[0] == "\"@status\": 429")
        #expect(
            lines[4...7] == [
                "\"@method\";req: POST", "\"@authority\";req: shop.example",
                "\"@path\";req: /v1/holds", "\"@query\";req: ?a=b",
            ])
        #expect(
            lines[8] == "\"content-digest\";req: \(request.fields["content-digest", default: "?"])")
        #expect(lines[9] == "\"idempotency-key\";req: k1")
        #expect(lines[10] == "\"signature\";req: \(request.fields["signature", default: "?"])")
        #expect(
            lines[11] == "\"@signature-params\": \(list);created=\(Self.created);keyid=\"k\""
                + ";tag=\"clup-answer\"")
    }

    @Test(
        "An answer to an attacker's request that copies a machine's signature does not answer the machine's request"
    )
    func forged() {
        for (what, change) in [
            ("method", { $0.method = "DELETE" }), ("authority", { $0.authority = "other.example" }),
            ("path", { $0.path = "/v1/none" }), ("query", { $0.query = "a=c" }),
            ("no query", { $0.query = "" }),
            ("digest", { $0.fields["content-digest"] = ContentDigest.field(for: []) }),
            ("no digest", { $0.fields["content-digest"] = nil }),
            ("key", { $0.fields["idempotency-key"] = "k2" }),
            ("no key", { $0.fields["idempotency-key"] = nil }),
            ("more", { $0.fields["signature"]?.append(" ") }),
        ] as [(String, (inout WireRequest) -> Void)] {
            var other = request
            change(&other)
            for isVerified in [true, false] {
                let answer = signer.sign(
                    Self.plain(404), to: other, created: Self.created, isVerified: isVerified)
                #expect(verifier.verified(answer, to: request) == nil, "\(what)")
            }
        }
    }

    @Test(
        "An answer that was changed, comes from another key, or answers another request is not believed"
    )
    func changed() throws {
        let good = answer(401)
        func expectDoubt(
            _ what: String, of answer: WireResponse, _ change: (inout WireResponse) -> Void
        ) {
            var changed = answer
            change(&changed)
            #expect(verifier.verified(changed, to: request) == nil, "\(what)")
        }
        expectDoubt("status", of: good) { $0.status = 200 }
        expectDoubt("body", of: good) { $0.body = Array("[]".utf8) }
        expectDoubt("type", of: good) { $0.fields["content-type"] = "application/json" }
        for field in [
            "content-digest", "content-type", "retry-after", "signature", "signature-input",
        ] {
            expectDoubt("no \(field)", of: good) { $0.fields[field] = nil }
        }
        for (answer, field, text, other) in [
            (good, "retry-after", "3", "60"), (good, "signature-input", "created=1", "created=2"),
            (good, "signature-input", "clup-answer", "clup-machine"),
            (good, "signature-input", "clup-answer", "clup-backend"),
            (good, "signature-input", " \"content-digest\"", ""),
            (good, "signature", "clup=", "clup=:AAAA:, clup="),
            (answer(401, isVerified: false), "signature-input", "clup-unverified", "clup-answer"),
        ] {
            let value = answer.fields[field, default: ""]
            #expect(value.contains(text))
            expectDoubt("\(text) in \(field)", of: answer) {
                $0.fields[field] = value.replacing(text, with: other)
            }
        }
        let other = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 3, count: 32)))
        expectDoubt("key", of: good) {
            $0 = AnswerSigner(key: other).sign($0, to: request, created: Self.created)
        }
    }

    @Test(
        "An answer to another request, an older one of the same kind, is not believed, nor is text that a machine signs"
    )
    func foreign() {
        let later = Self.request(by: machine, nonce: "n2")
        #expect(verifier.verified(answer(200), to: later) == nil)
        var unsigned = request
        unsigned.fields["signature"] = nil
        #expect(verifier.verified(answer(200), to: unsigned) == nil)
        #expect(
            signer.sign(WireResponse(status: 200), to: unsigned, created: 1).fields["signature"]
                == nil)
        var answer = answer(200)
        let signed = Self.request(by: backend, nonce: "n1")
        answer.fields["signature"] = signed.fields["signature"]
        answer.fields["signature-input"] = signed.fields["signature-input"]
        #expect(verifier.verified(answer, to: request) == nil)
    }
}
