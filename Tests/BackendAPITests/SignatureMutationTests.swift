import BackendAPI
import Cryptography
import Testing

/// A signed request, changed in every way we know. Every changed request must be refused.
@Suite("Signatures of machines")
struct SignatureMutationTests {
    static let now: Int64 = 1_800_000_000
    let key: SigningKey
    let other: SigningKey

    init() throws {
        try Cryptography.start()
        key = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 7, count: 32)))
        other = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 8, count: 32)))
    }

    private var post: WireRequest {
        WireRequest(
            method: "POST", authority: "127.0.0.1:8080", path: "/v1/holds", query: "",
            fields: ["idempotency-key": "key-1", "content-type": "application/json"],
            body: Array("{\"kind\":\"ticket\"}".utf8))
    }

    private func signed(_ request: WireRequest) -> WireRequest {
        RequestSigner(key: key).sign(request, created: Self.now, nonce: "nonce_1")
    }

    private func verify(
        _ request: WireRequest, now: Int64 = now
    ) -> Result<VerifiedSignature, SignatureRefusal> {
        SignatureVerifier.verify(request, now: now) { [key] in
            $0 == key.publicKey.keyID ? key.publicKey : nil
        }
    }

    private func isRefused(_ request: WireRequest) -> Bool {
        if case .success = verify(request) { false } else { true }
    }

    /// Signs parameters of any form, as a hostile or faulty machine might.
    private func signed(_ text: String, label: String = "clup", of request: WireRequest) throws
        -> WireRequest
    {
        var request = request
        if !request.body.isEmpty, request.fields["content-digest"] == nil {
            request.fields["content-digest"] = ContentDigest.field(for: request.body)
        }
        request.fields["signature-input"] = "\(label)=\(text)"
        // If the parser refuses the text, nothing can be signed; any bytes will do then.
        let base =
            SignatureText.input("\(label)=\(text)")?.parameters.base(for: request) ?? [0x3F]
        let bytes = Base64.encode(key.sign(base))
        request.fields["signature"] = "\(label)=:\(bytes):"
        return request
    }

    private static let list =
        "(\"@method\" \"@authority\" \"@path\" \"@query\" \"content-digest\" \"idempotency-key\")"
    private var parameters: String {
        ";created=\(Self.now);nonce=\"nonce_1\";keyid=\"\(key.publicKey.keyID)\";tag=\"clup-machine\""
    }

    @Test("A signed request is accepted and gives its key, nonce and time")
    func accepted() throws {
        let verified = try verify(signed(post)).get()
        #expect(verified.keyID == key.publicKey.keyID)
        #expect(verified.nonce == "nonce_1" && verified.created == Self.now)
        let get = WireRequest(method: "GET", authority: "a", path: "/v1/queue", query: "x=1")
        #expect(throws: Never.self) { try verify(signed(get)).get() }
        let delete = WireRequest(
            method: "DELETE", authority: "a", path: "/v1/holds/1", fields: ["idempotency-key": "k"])
        #expect(throws: Never.self) { try verify(signed(delete)).get() }
        // The forms from which the mutations below start are valid.
        #expect(try !isRefused(signed(Self.list + parameters, of: post)))
        #expect(try !isRefused(signed(Self.list + parameters + ";alg=\"ed25519\"", of: post)))
    }

    @Test("The digest of a request without a body is ignored")
    func digestWithoutBody() throws {
        var get = WireRequest(method: "GET", authority: "a", path: "/")
        get.fields["content-digest"] = "sha-256=:AAAA:"
        #expect(!isRefused(signed(get)))
    }

    @Test("60 seconds either way are accepted, 61 are not")
    func window() {
        let request = signed(post)
        for offset: Int64 in [-60, 0, 60] {
            #expect(throws: Never.self) { try verify(request, now: Self.now + offset).get() }
        }
        for offset: Int64 in [-61, 61, -Self.now, Int64.max - Self.now] {
            #expect(verify(request, now: Self.now + offset) == .failure(.stale))
        }
    }

    @Test("Every change of a signed part is refused")
    func mutations() {
        let good = signed(post)
        var changed: [String: WireRequest] = [:]
        func change(_ name: String, _ body: (inout WireRequest) -> Void) {
            changed[name] = good
            body(&changed[name]!)
        }
        change("method") { $0.method = "DELETE" }
        change("method to one that changes nothing") { $0.method = "GET" }
        change("authority") { $0.authority = "127.0.0.1:8081" }
        change("path") { $0.path = "/v1/holds/" }
        change("query") { $0.query = "a=b" }
        change("body") { $0.body = Array("{\"kind\":\"visit\"}".utf8) }
        change("no body") { $0.body = [] }
        change("no digest") { $0.fields["content-digest"] = nil }
        change("digest of another body") {
            $0.fields["content-digest"] = ContentDigest.field(for: [])
        }
        change("body with a digest that fits") {
            $0.body = Array("{\"kind\":\"visit\"}".utf8)
            $0.fields["content-digest"] = ContentDigest.field(for: $0.body)
        }
        change("idempotency key") { $0.fields["idempotency-key"] = "key-2" }
        change("no idempotency key") { $0.fields["idempotency-key"] = nil }
        change("no signature") { $0.fields["signature"] = nil }
        change("no signature input") { $0.fields["signature-input"] = nil }
        for (name, from, to) in [
            ("created", "created=\(Self.now)", "created=\(Self.now + 1)"),
            ("nonce", "nonce_1", "nonce_2"),
            ("keyid", key.publicKey.keyID, other.publicKey.keyID),
            ("tag", "clup-machine", "clup-display"),
            ("label", "clup=", "clap="),
            ("component removed", " \"idempotency-key\"", ""),
            ("components reordered", "\"@method\" \"@authority\"", "\"@authority\" \"@method\""),
        ] {
            change(name) {
                let field = $0.fields["signature-input", default: ""]
                $0.fields["signature-input"] = field.replacing(from, with: to)
                #expect(field != $0.fields["signature-input"])
            }
        }
        for (name, request) in changed { #expect(isRefused(request), "\(name)") }
    }

    @Test("A key's own signature over other components or parameters is refused")
    func otherProfiles() throws {
        let digest = " \"content-digest\""
        let lists = [
            "()", "(\"@method\")", Self.list.replacing(digest, with: ""),
            Self.list.replacing(" \"idempotency-key\"", with: ""),
            Self.list.replacing(" \"@query\"", with: ""),
            Self.list.replacing("\"@method\" ", with: ""),
            Self.list.replacing(" \"@authority\"", with: ""),
            Self.list.replacing(" \"@path\"", with: ""),
            Self.list.replacing("\"@path\" \"@query\"", with: "\"@query\" \"@path\""),
            Self.list.replacing("\"@method\"", with: "\"@method\" \"@method\""),
            Self.list.replacing("\"@query\"", with: "\"@query\" \"content-type\""),
            Self.list.replacing("\"@path\"", with: "\"@path\";req"),
            Self.list.replacing("\"@method\"", with: "\"@METHOD\""),
        ]
        for list in lists {
            #expect(try isRefused(signed(list + parameters, of: post)), "\(list)")
        }
        let rest = parameters
        let wrong = [
            rest + ";alg=\"hmac-sha256\"", rest + ";alg=\"rsa-v1_5-sha256\"", rest + ";alg=\"\"",
            rest + ";expires=\(Self.now + 9)", rest + ";created=\(Self.now)", rest + ";x=\"y\"",
            rest.replacing(";nonce=\"nonce_1\"", with: ""),
            rest.replacing("nonce_1", with: ""),
            rest.replacing("nonce_1", with: "a b"),
            rest.replacing("nonce_1", with: String(repeating: "n", count: 129)),
            rest.replacing("nonce_1", with: "a\\\"b"), rest.replacing("nonce_1", with: "a\\b"),
            rest.replacing(";created=\(Self.now)", with: ""),
            rest.replacing("=\(Self.now)", with: "=-\(Self.now)"),
            rest.replacing("=\(Self.now)", with: "=\(Self.now).0"),
            rest.replacing("=\(Self.now)", with: "=99999999999999999999999"),
            rest.replacing("clup-machine", with: "clup"),
            rest.replacing(";tag=\"clup-machine\"", with: ""),
            rest.replacing(key.publicKey.keyID, with: ""), "",
        ]
        for parameters in wrong {
            #expect(try isRefused(signed(Self.list + parameters, of: post)), "\(parameters)")
        }
    }

    @Test("A nonce and a label as other libraries write them are accepted")
    func otherLibraries() throws {
        for label in ["sig1", "sig", "clup", "my-key_1"] {
            #expect(
                try !isRefused(signed(Self.list + parameters, label: label, of: post)), "\(label)")
        }
        // Two labels for one signature, and two signatures of which none has ours.
        var request = try signed(Self.list + parameters, label: "sig1", of: post)
        let (input, signature) = (request.fields["signature-input"]!, request.fields["signature"]!)
        request.fields["signature"] = signature.replacing("sig1", with: "sig2")
        #expect(isRefused(request))
        request.fields["signature-input"] = "\(input), \(input.replacing("sig1", with: "sig2"))"
        request.fields["signature"] = "\(signature), \(signature.replacing("sig1", with: "sig2"))"
        #expect(isRefused(request))
        for nonce in [
            Base64.encode(Array(0..<64)), "a+/b==", "3d3b0f6e-6d1b-4c3e-9a51-0e4d6a1c5e0b",
            "1;2,3:{x}",
            String(repeating: "n", count: 128),
        ] {
            let named = parameters.replacing("nonce_1", with: nonce)
            #expect(
                try verify(signed(Self.list + named, of: post)).get().nonce == nonce, "\(nonce)")
        }
    }

    @Test(
        "Only a single SHA-256 is a digest",
        arguments: [
            "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:", "sha-512=:z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs:",
            "unixsum=30637", "", "sha-256", "sha-256=::", "SHA-256=:AAAA:",
        ])
    func otherDigests(field: String) throws {
        var request = post
        request.fields["content-digest"] = field
        #expect(try isRefused(signed(Self.list + parameters, of: request)))
        request.fields["content-digest"] = ContentDigest.field(for: post.body) + ", " + field
        #expect(try isRefused(signed(Self.list + parameters, of: request)))
    }

    @Test("Two signatures with our label, garbage and huge fields are refused")
    func garbage() throws {
        let good = signed(post)
        let input = try #require(good.fields["signature-input"])
        let signature = try #require(good.fields["signature"])
        let long = String(repeating: "a", count: 100_000)
        for (inputField, signatureField) in [
            (input + ", " + input, signature), (input, signature + ", " + signature),
            (input + ", sig2", signature + ", "), (input + ", =()", signature),
            ("", ""), ("clup", "clup"), ("clup=", "clup="), ("clup=(", "clup=:"),
            (long, signature), (input, long), (input + ";x=\"\(long)\"", signature),
            (input + " ", signature), (" " + input, signature), (input, signature + " "),
            (input + "\0", signature), (input + "é", signature),
            (input, signature.replacing("==:", with: ":")), (input, "clup=::"),
            (input, "clup=:AAAA:"), (input, signature.replacing("==:", with: "=:")),
            (input, "clup=:" + Base64.encode(Array(repeating: 0, count: 64)) + ":"),
            (input, "clup=:" + Base64.encode(Array(repeating: 255, count: 64)) + ":"),
        ] {
            var request = good
            request.fields["signature-input"] = inputField
            request.fields["signature"] = signatureField
            #expect(isRefused(request), "\(inputField.prefix(90)) | \(signatureField.prefix(90))")
        }
    }

    @Test("Every flip of a single bit of a signed request is refused")
    func everyFlip() {
        let good = signed(post)
        var refused = 0
        var accepted: [String] = []
        func flips(_ text: String, _ put: (inout WireRequest, String) -> Void) {
            for index in text.utf8.indices {
                for bit in 0..<8 {
                    var bytes = Array(text.utf8)
                    bytes[text.utf8.distance(from: text.utf8.startIndex, to: index)] ^= 1 << bit
                    guard let flipped = String(validating: bytes, as: UTF8.self) else { continue }
                    var request = good
                    put(&request, flipped)
                    if isRefused(request) { refused += 1 } else { accepted.append(flipped) }
                }
            }
        }
        flips(good.method) { $0.method = $1 }
        flips(good.authority) { $0.authority = $1 }
        flips(good.path) { $0.path = $1 }
        for name in ["signature-input", "signature", "content-digest", "idempotency-key"] {
            flips(good.fields[name, default: ""]) { $0.fields[name] = $1 }
            flips(name) { request, flipped in
                request.fields[flipped] = request.fields.removeValue(forKey: name)
            }
        }
        flips(String(decoding: good.body, as: UTF8.self)) { $0.body = Array($1.utf8) }
        #expect(accepted.isEmpty)
        #expect(refused > 2_500)
    }

    @Test("An unknown key is refused in the same words as a wrong signature")
    func unknownKey() {
        let request = RequestSigner(key: other).sign(post, created: Self.now, nonce: "n")
        #expect(verify(request) == .failure(.wrongSignature))
        let posing = RequestSigner(key: other, keyID: key.publicKey.keyID)
        #expect(
            verify(posing.sign(post, created: Self.now, nonce: "n")) == .failure(.wrongSignature))
    }
}
