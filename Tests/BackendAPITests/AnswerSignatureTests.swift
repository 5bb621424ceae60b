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
        machine = try SigningKey(seed: Array(repeating: 1, count: 32))
        let backend = try SigningKey(seed: Array(repeating: 2, count: 32))
        signer = AnswerSigner(key: backend)
        verifier = AnswerVerifier(key: backend.publicKey)
        request = Self.request(by: machine, nonce: "n1")
    }

    private static func request(by key: SigningKey, nonce: String) -> WireRequest {
        RequestSigner(key: key).sign(
            WireRequest(method: "GET", authority: "shop.example", path: "/v1/queue"),
            created: created, nonce: nonce)
    }

    private func answer(_ status: Int = 429) -> WireResponse {
        signer.sign(
            WireResponse(
                status: status,
                fields: ["content-type": "application/problem+json", "retry-after": "3"],
                body: Array("{}".utf8)), to: request, created: Self.created)
    }

    @Test("A text that the backend vouched for is known; what its key signed otherwise is none")
    func vouched() throws {
        let text = "a.b"
        #expect(signer.text(of: signer.vouched(text)) == text)
        let backend = try SigningKey(seed: Array(repeating: 2, count: 32))
        let otherwise = Base64.encode(backend.sign(Array(text.utf8)), .urlSafe)
        #expect(signer.text(of: "\(text).\(otherwise)") == nil)
        #expect(signer.text(of: "c.\(signer.vouched(text))") == nil)
    }

    @Test("An answer is known by its signature, which tells the backend's time")
    func good() {
        #expect(verifier.created(answer(), to: request) == Self.created)
        let empty = signer.sign(WireResponse(status: 204), to: request, created: 7)
        #expect(verifier.created(empty, to: request) == 7)
        // Fields that nobody heeds may come and go on the way.
        var passed = answer()
        passed.fields["date"] = "x"
        passed.fields["via"] = "1.1 proxy"
        #expect(verifier.created(passed, to: request) == Self.created)
    }

    @Test(
        "Signed with the backend's own key, but with one component less, an answer is not believed",
        arguments: 0...5)
    func uncovered(_ left: Int) throws {
        let backend = try SigningKey(seed: Array(repeating: 2, count: 32))
        var answer = answer()
        var components = AnswerSignature.components(of: answer)
        #expect(components.count == 5)
        // With all of them, made as here, it is believed.
        if left < components.count { components.remove(at: left) }
        let parameters = SignatureParameters(
            components: components, created: Self.created, keyID: backend.publicKey.keyID,
            tag: AnswerSignature.tag)
        let base = try #require(parameters.base(for: answer, to: request))
        answer.fields[HeaderField.signatureInput] = MachineSignature.inputField(parameters)
        answer.fields[HeaderField.signature] = MachineSignature.byteField(
            base64: Base64.encode(backend.sign(Array(base.utf8))))
        #expect(verifier.created(answer, to: request) == (left == 5 ? Self.created : nil))
    }

    @Test("The request's signature is a component of the answer's base (RFC 9421 2.4)")
    func base() throws {
        let parameters = AnswerSignature.parameters(
            of: answer(), created: Self.created, keyID: "k")
        let lines = try #require(parameters.base(for: answer(), to: request))
            .split(separator: "\n").map(String.init)
        let list =
            "(\"@status\" \"content-digest\" \"content-type\" \"retry-after\" \"signature\";req)"
        #expect(lines[0] == "\"@status\": 429")
        #expect(lines[4] == "\"signature\";req: \(request.fields["signature", default: "?"])")
        #expect(
            lines[5] == "\"@signature-params\": \(list);created=\(Self.created);keyid=\"k\""
                + ";tag=\"clup-backend\"")
    }

    @Test(
        "An answer that was changed, is another's, or answers something else is not believed",
        arguments: [
            "status", "body", "digest", "type", "no type", "no retry", "longer", "no signature",
            "no input", "created", "tag", "component", "twice", "key",
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
        case "tag": change("signature-input", "clup-backend", "clup-machine")
        case "component": change("signature-input", " \"content-digest\"", "")
        case "twice":
            change("signature", "clup=", "clup=:AAAA:, clup=")
        default:
            let other = try SigningKey(seed: Array(repeating: 3, count: 32))
            answer = AnswerSigner(key: other).sign(answer, to: request, created: Self.created)
        }
        #expect(verifier.created(answer, to: request) == nil)
    }

    @Test("An answer to another request, an older one of the same kind, is not believed")
    func foreign() {
        let later = Self.request(by: machine, nonce: "n2")
        #expect(verifier.created(answer(200), to: later) == nil)
        var unsigned = request
        unsigned.fields["signature"] = nil
        #expect(verifier.created(answer(200), to: unsigned) == nil)
        #expect(
            signer.sign(WireResponse(status: 200), to: unsigned, created: 1).fields["signature"]
                == nil)
    }

    @Test("What a machine signs is never taken for an answer of the backend")
    func otherProfile() throws {
        let backend = try SigningKey(seed: Array(repeating: 2, count: 32))
        var answer = answer(200)
        let signed = Self.request(by: backend, nonce: "n1")
        answer.fields["signature"] = signed.fields["signature"]
        answer.fields["signature-input"] = signed.fields["signature-input"]
        #expect(verifier.created(answer, to: request) == nil)
    }
}
