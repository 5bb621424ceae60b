import Cryptography
import Testing

@testable import BackendAPI

@Suite("The backend's answers are signed (rules 22)")
struct AnswerSignatureTests {
    private let request: WireRequest
    private let verifier: AnswerVerifier
    private let signer: AnswerSigner
    private let machine: SigningKey
    private static let created: Int64 = 1_795_179_600

    init() throws {
        try Cryptography.start()
        machine = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 1, count: 32)))
        let backend = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 2, count: 32)))
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
        let backend = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 2, count: 32)))
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
        let backend = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 2, count: 32)))
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
        "An answer to an attacker's request that copies a machine's signature does not answer the machine's request",
        arguments: [
            "method", "authority", "path", "query", "no query", "digest", "no digest", "key",
            "no key", "more",
        ])
    func forged(_ what: String) {
        var other = request
        switch what {
        case "method": other.method = "DELETE"
        case "authority": other.authority = "other.example"
        case "path": other.path = "/v1/none"
        case "query": other.query = "a=c"
        case "no query": other.query = ""
        case "digest": other.fields["content-digest"] = ContentDigest.field(for: [])
        case "no digest": other.fields["content-digest"] = nil
        case "key": other.fields["idempotency-key"] = "k2"
        case "no key": other.fields["idempotency-key"] = nil
        default: other.fields["signature"]?.append(" ")
        }
        for isVerified in [true, false] {
            let answer = signer.sign(
                Self.plain(404), to: other, created: Self.created, isVerified: isVerified)
            #expect(verifier.verified(answer, to: request) == nil)
        }
    }

    @Test(
        "An answer that was changed, comes from another key, or answers another request is not believed",
        arguments: [
            "status", "body", "digest", "type", "no type", "no retry", "longer", "no signature",
            "no input", "created", "tag", "older", "unmarked", "component", "twice", "key",
        ])
    func changed(_ what: String) throws {
        var answer = answer(401)
        func change(_ field: String, _ text: String, _ other: String) {
            let value = answer.fields[field, default: ""]
            #expect(value.contains(text))
            answer.fields[field] = value.replacing(text, with: other)
        }
        switch what {
        case "status": answer.status = 200
        case "body": answer.body = Array("[]".utf8)
        case "digest": answer.fields["content-digest"] = nil
        case "type": answer.fields["content-type"] = "application/json"
        case "no type": answer.fields["content-type"] = nil
        case "no retry": answer.fields["retry-after"] = nil
        case "longer": change("retry-after", "3", "60")
        case "no signature": answer.fields["signature"] = nil
        case "no input": answer.fields["signature-input"] = nil
        case "created": change("signature-input", "created=1", "created=2")
        case "tag": change("signature-input", "clup-answer", "clup-machine")
        case "older": change("signature-input", "clup-answer", "clup-backend")
        case "unmarked":
            answer = self.answer(401, isVerified: false)
            change("signature-input", "clup-unverified", "clup-answer")
        case "component": change("signature-input", " \"content-digest\"", "")
        case "twice":
            change("signature", "clup=", "clup=:AAAA:, clup=")
        default:
            let other = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 3, count: 32)))
            answer = AnswerSigner(key: other).sign(answer, to: request, created: Self.created)
        }
        #expect(verifier.verified(answer, to: request) == nil)
    }

    @Test("An answer to another request, an older one of the same kind, is not believed")
    func foreign() {
        let later = Self.request(by: machine, nonce: "n2")
        #expect(verifier.verified(answer(200), to: later) == nil)
        var unsigned = request
        unsigned.fields["signature"] = nil
        #expect(verifier.verified(answer(200), to: unsigned) == nil)
        #expect(
            signer.sign(WireResponse(status: 200), to: unsigned, created: 1).fields["signature"]
                == nil)
    }

    @Test("Text that a machine signs is never taken for an answer of the backend")
    func otherProfile() throws {
        let backend = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 2, count: 32)))
        var answer = answer(200)
        let signed = Self.request(by: backend, nonce: "n1")
        answer.fields["signature"] = signed.fields["signature"]
        answer.fields["signature-input"] = signed.fields["signature-input"]
        #expect(verifier.verified(answer, to: request) == nil)
    }
}
