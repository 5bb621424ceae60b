import BackendAPI
import Cryptography
import Testing

/// The examples of RFC 9421, byte for byte.
@Suite("Signature base and vectors of RFC 9421")
struct SignatureVectorTests {
    /// `test-request` of appendix B.2.
    static let request = WireRequest(
        method: "POST", authority: "example.com", path: "/foo", query: "param=Value&Pet=dog",
        fields: [
            "host": "example.com", "date": "Tue, 20 Apr 2021 02:07:55 GMT",
            "content-type": "application/json", "content-length": "18",
            "content-digest":
                "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyeal"
                + "dVLvRwEmTHWXvJwew==:",
        ])
    /// `test-key-ed25519` of appendix B.1.4, x and d of the JWK.
    static let publicText = "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"
    static let seedText = "n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU"
    static let input =
        "sig-b26=(\"date\" \"@method\" \"@path\" \"@authority\" \"content-type\" \"content-length\")"
        + ";created=1618884473;keyid=\"test-key-ed25519\""
    static let signature =
        "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lI"
        + "p5WPpBKRCw==:"

    init() throws { try Cryptography.start() }

    private static func text(_ base: [UInt8]?) -> String? {
        base.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("The base of section 2.5 is built exactly")
    func baseOfSection25() throws {
        let input = try #require(
            SignatureText.input(
                "sig1=(\"@method\" \"@authority\" \"@path\" \"content-digest\" \"content-length\" "
                    + "\"content-type\");created=1618884473;keyid=\"test-key-rsa-pss\""))
        #expect(input.label == "sig1")
        #expect(
            Self.text(input.parameters.base(for: Self.request)) == """
                "@method": POST
                "@authority": example.com
                "@path": /foo
                "content-digest": sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIi\
                Yllu7BNNyealdVLvRwEmTHWXvJwew==:
                "content-length": 18
                "content-type": application/json
                "@signature-params": ("@method" "@authority" "@path" "content-digest" "content-length" \
                "content-type");created=1618884473;keyid="test-key-rsa-pss"
                """)
    }

    @Test(
        "Derived components follow section 2.2, an absent query is a lone question mark (2.2.7), and a component that the request lacks gives no base (2.5)",
        arguments: [
            ("@method", "", "POST"), ("@authority", "", "www.example.com"), ("@path", "", "/path"),
            ("@query", "param=value&foo=bar&baz=bat%2Dman", "?param=value&foo=bar&baz=bat%2Dman"),
            ("@query", "", "?"), ("x-absent", "", nil),
        ])
    func derivedComponents(name: String, query: String, value: String?) {
        let request = WireRequest(
            method: "POST", authority: "www.example.com", path: "/path", query: query)
        let parameters = SignatureParameters(
            components: [name], created: 1, nonce: "n", keyID: "k", tag: "t")
        let first = Self.text(parameters.base(for: request))?.split(separator: "\n").first
        #expect(first.map { String($0) } == value.map { "\"\(name)\": \($0)" })
    }

    @Test("The signature of appendix B.2.6 is the one we make, and it verifies")
    func ed25519() throws {
        let seed = try #require(Base64.decode(Self.seedText, .urlSafe))
        let key = try SigningKey(seed: GuardedBytes(copying: seed))
        #expect(key.publicKey.text == Self.publicText)
        let input = try #require(SignatureText.input(Self.input))
        let field = try #require(SignatureText.bytes(Self.signature))
        let expected = try #require(Base64.decode(field.base64))
        let base = try #require(input.parameters.base(for: Self.request))
        #expect(
            Self.text(base) == """
                "date": Tue, 20 Apr 2021 02:07:55 GMT
                "@method": POST
                "@path": /foo
                "@authority": example.com
                "content-type": application/json
                "content-length": 18
                "@signature-params": ("date" "@method" "@path" "@authority" "content-type" \
                "content-length");created=1618884473;keyid="test-key-ed25519"
                """)
        #expect(key.sign(base) == expected)
        let known = try #require(PublicKey(text: Self.publicText))
        #expect(known.verify(expected, of: base))
        #expect(!known.verify(expected, of: base + [0x20]))
    }
}
