import Cryptography
import Testing

@Suite("Keys, sealed secrets and base64")
struct KeyTests {
    init() throws { try Cryptography.start() }

    @Test("A key comes back from its sealed form and signs as before")
    func sealing() throws {
        let key = try SigningKey.generate()
        let wrapping = try GuardedBytes(randomCount: SealedSecret.wrappingKeyLength)
        let sealed = try key.sealed(under: wrapping)
        let read = try SealedSecret(bytes: sealed.bytes)
        let again = try SigningKey(opening: read, under: wrapping)
        #expect(again.publicKey == key.publicKey)
        #expect(again.sign([1, 2, 3]) == key.sign([1, 2, 3]))
        #expect(try key.sealed(under: wrapping) != sealed, "the nonce is fresh")
    }

    @Test("A sealed secret opens neither with another key nor with any bit changed")
    func wrongWrapping() throws {
        let wrapping = try GuardedBytes(copying: Array(repeating: 1, count: 32))
        let wrong = try GuardedBytes(copying: Array(repeating: 2, count: 32))
        let sealed = try SealedSecret(
            sealing: GuardedBytes(copying: Array("a secret".utf8)), under: wrapping)
        #expect(throws: CryptographyError.cannotOpen) { try sealed.open(under: wrong) }
        let short = try GuardedBytes(copying: [1])
        #expect(throws: CryptographyError.self) { try sealed.open(under: short) }
        for index in sealed.bytes.indices {
            var bytes = sealed.bytes
            bytes[index] ^= 1
            #expect(throws: CryptographyError.self) {
                try SealedSecret(bytes: bytes).open(under: wrapping)
            }
        }
        let opened = try sealed.open(under: wrapping)
        #expect(opened.withBytes { Array($0) } == Array("a secret".utf8))
    }

    @Test("A secret that the first version of the program sealed, without a digest, is opened")
    func firstVersion() throws {
        let wrapping = try GuardedBytes(copying: (0..<32).map { UInt8($0) })
        let secret = try GuardedBytes(copying: Array("a secret".utf8))
        let sealed = try SealedSecret(sealing: secret, under: wrapping).bytes
        let first = Array("CLUPSEAL1".utf8) + Array(sealed.dropFirst(9).dropLast(8))
        let opened = try SealedSecret(bytes: first).open(under: wrapping)
        #expect(opened.withBytes { Array($0) } == Array("a secret".utf8))
        for bytes in [Array(first.dropLast()), Array(first[..<9]), first + [0]] {
            #expect(throws: CryptographyError.self) {
                try SealedSecret(bytes: bytes).open(under: wrapping)
            }
        }
    }

    @Test("Text that is not a sealed secret is refused with a sentence")
    func notSealed() {
        for bytes in [[], Array("CLUPSEAL2".utf8), Array("CLUPSEAL3".utf8) + Array(0..<99)] {
            #expect(throws: CryptographyError.notSealed) { try SealedSecret(bytes: bytes) }
        }
        #expect("\(CryptographyError.notSealed)".contains("not a sealed secret"))
    }

    @Test("A secret never shows when its value is printed")
    func printing() throws {
        let secret = try GuardedBytes(copying: Array("hush-hush-hush-hush-hush-hush-ok".utf8))
        let key = try SigningKey(seed: secret)
        for text in ["\(secret)", "\(key)", String(reflecting: secret), String(reflecting: key)] {
            #expect(!text.contains("hush") && !text.contains("104"))
        }
        var dumped = ""
        dump([secret], to: &dumped)
        dump([key], to: &dumped)
        #expect(!dumped.contains("hush") && !dumped.contains("104"))
    }

    @Test("Many threads may sign with one key at once")
    func concurrentSigning() async throws {
        let key = try SigningKey.generate()
        let expected = key.sign([9])
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<200).allSatisfy { _ in key.sign([9]) == expected } }
            }
            for await isSame in group { #expect(isSame) }
        }
    }

    @Test("A public key is 43 characters of a point of the curve")
    func publicKeys() throws {
        let key = try SigningKey(seed: GuardedBytes(copying: Array(repeating: 3, count: 32)))
            .publicKey
        #expect(PublicKey(text: key.text) == key)
        #expect(key.keyID.count == 32 && key.fingerprint.count == 47)
        #expect(
            key.fingerprint.replacing(":", with: "").lowercased() == key.keyID)
        // All zeros and all ones are weak points or not on the curve; the others have a wrong length or form.
        for text in [
            Base64.encode(Array(repeating: 0, count: 32), .urlSafe),
            Base64.encode(Array(repeating: 255, count: 32), .urlSafe),
            String(key.text.dropLast()), key.text + "=", key.text + "A", "", " " + key.text,
        ] { #expect(PublicKey(text: text) == nil, "\(text)") }
    }

    @Test("Base64 accepts only the form that it writes")
    func base64() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 200) }
            for alphabet in [Base64.Alphabet.standard, .urlSafe] {
                #expect(Base64.decode(Base64.encode(bytes, alphabet), alphabet) == bytes)
            }
        }
        #expect(Base64.encode([251, 255]) == "+/8=")
        #expect(Base64.encode([251, 255], .urlSafe) == "-_8")
        for text in ["+/8", "+/9=", "-_8=", "+/8==", "+/8=\n", " +/8=", "+", "=", "+/8=AAAA"] {
            #expect(Base64.decode(text) == nil, "\(text)")
        }
        for text in ["-_8=", "-_9", "+/8", "-", "-_8 ", "\u{FFFD}0", "éé"] {
            #expect(Base64.decode(text, .urlSafe) == nil, "\(text)")
        }
    }
}
