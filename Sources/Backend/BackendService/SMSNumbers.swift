internal import BackendAPI
internal import Cryptography
internal import ReservationStore
internal import Reservations
public import SMSGateway

/// How SMS are sent, and to which numbers (rules: sms, telephone-numbers).
public struct SMSSending: Sendable {
    /// The beginnings of the numbers that are served, as "+39"; at least one.
    public var prefixes: [String]
    /// Whether the gateway passes on what customers answer.
    public var hasAnswers: Bool
    /// Hands an SMS to the gateway; returns within some seconds.
    public var send: @Sendable (SMSMessage) async -> SMSOutcome

    public init(
        prefixes: [String], hasAnswers: Bool,
        send: @escaping @Sendable (SMSMessage) async -> SMSOutcome
    ) {
        self.prefixes = prefixes
        self.hasAnswers = hasAnswers
        self.send = send
    }
}

/// What follows about telephone numbers from the backend's own key, on every server that has it: the names under which
/// they are remembered, their seals, the codes that are sent to them, and the words of their places
/// (rules: telephone-numbers, confirmed-numbers, sms-answers). None of it is stored but the name and the sealed number.
struct SMSNumbers: Sendable {
    /// Minutes for which a code is the same; it is good until the end of the next such time.
    static let codeMinutes = 10
    private static let wordLength = 4
    private static let digestBytes = 16

    let signer: AnswerSigner

    /// A keyed digest: who has the database only cannot find the number by trying all of them.
    func digest(of number: PhoneNumber) -> String {
        Crockford.encode(
            signer.proof(of: "sms-number.\(number.rawValue)", bytes: Self.digestBytes))
    }

    // MARK: - Seals

    private var wrappingKey: GuardedBytes {
        get throws(CryptographyError) {
            try GuardedBytes(
                copying: signer.proof(of: "sms-seal", bytes: SealedSecret.wrappingKeyLength))
        }
    }

    /// The number, sealed, in base64url; nil if the computer has no memory left for it.
    func sealed(_ number: PhoneNumber) -> String? {
        guard let key = try? wrappingKey,
            let secret = try? GuardedBytes(copying: Array(number.rawValue.utf8)),
            let sealed = try? SealedSecret(sealing: secret, under: key)
        else { return nil }
        return Base64.encode(sealed.bytes, .urlSafe)
    }

    /// The number that was sealed with the same key; nil for anything else.
    func opened(_ text: String) -> PhoneNumber? {
        guard let bytes = Base64.decode(text, .urlSafe), let key = try? wrappingKey,
            let secret = try? SealedSecret(bytes: bytes).open(under: key)
        else { return nil }
        return PhoneNumber(
            rawValue: secret.withBytes { String(decoding: $0, as: UTF8.self) })
    }

    // MARK: - Codes and words

    /// The code that is sent to a number now.
    ///
    /// - Parameter scope: What it confirms the number for: the place, or the device; a code for another one is of no use.
    func code(for digest: String, scope: String, at now: Moment) -> String {
        code(digest, scope, now.seconds / 60 / Int64(Self.codeMinutes))
    }

    /// Whether these digits are the code that was sent in the last ten minutes, or in the ten before.
    func isCode(_ digits: String, for digest: String, scope: String, at now: Moment) -> Bool {
        let time = now.seconds / 60 / Int64(Self.codeMinutes)
        return [time, time - 1].contains {
            Cryptography.equal(Array(code(digest, scope, $0).utf8), Array(digits.utf8))
        }
    }

    /// The name under which the tries of a number's code for a scope are counted.
    func scoped(_ digest: String, _ scope: String) -> String {
        Crockford.encode(signer.proof(of: "sms-tries.\(digest).\(scope)", bytes: 16))
    }

    private func code(_ digest: String, _ scope: String, _ time: Int64) -> String {
        signer.digits(NumberRequest.codeLength, of: "sms-code.\(digest).\(scope).\(time)")
    }

    /// The short word with which a place is given back, which only the owner of the number learns: a sender of SMS can be
    /// forged.
    func wordToGiveBack(_ place: ReservationID, for digest: String) -> String {
        signer.digits(Self.wordLength, of: "sms-word.\(digest).\(place)")
    }

    /// The one with which exactly so many people are let ahead.
    func wordToWait(_ place: ReservationID, people: Int, for digest: String) -> String {
        signer.digits(Self.wordLength, of: "sms-word.\(digest).\(place).\(people)")
    }

    // MARK: - Confirmed numbers of devices

    /// The text by which a device shows later that it has confirmed the number: of no use on another device, or for another
    /// use.
    func proof(
        of digest: String, for use: ConfirmedFor, _ device: PhoneDevice, expires: Moment
    ) -> String {
        signer.authenticated("\(use.rawValue).\(digest).\(device.holder).\(expires.seconds)")
    }

    /// The digest of the number that a device has confirmed, as this backend's `proof` says.
    func confirmed(
        by device: PhoneDevice, for use: ConfirmedFor, _ proof: String, at now: Moment
    ) -> String? {
        let words = proof.split(separator: ".").map { String($0) }
        guard words.count == 5, words[0] == use.rawValue, words[2] == device.holder.rawValue,
            let expires = Int64(words[3]), now.seconds < expires,
            signer.text(ofAuthenticated: proof) != nil
        else { return nil }
        return words[1]
    }
}
