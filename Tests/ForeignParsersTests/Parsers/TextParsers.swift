import BackendAPI
import Cryptography
import FoundationEssentials
import Reservations
import SMSTexts
import TerminalSurface

@testable import BackendClient
@testable import BackendService
@testable import Catalogue
@testable import CodeReader
@testable import CursesTerminal
@testable import KioskFlow

/// The bodies of requests, as the backend reads them.
enum Bodies {
    private static let forms: [any (Codable & Equatable & Sendable).Type] = [
        HoldRequest.self, KeyRequest.self, CodeRequest.self, StaffActionRequest.self,
        MachineStatusReport.self, PlaceRequest.self,
    ]

    static func read(_ bytes: [UInt8]) {
        for form in forms { tryReading(form, bytes) }
    }

    /// A value that was read must be the same when it is written and read again.
    private static func tryReading<Body: Codable & Equatable>(_ form: Body.Type, _ bytes: [UInt8]) {
        guard let body = JSONText.value(form, bytes) else { return }
        precondition(JSONText.value(form, JSONText.bytes(body)) == body, "\(form)")
    }
}

/// The answers of the backend, or of a false one, to a machine.
enum AnswerBodies {
    /// The status is in the first byte.
    static func read(_ bytes: [UInt8]) {
        let body = Data(bytes.dropFirst())
        let status = 200 + Int(bytes.first ?? 0) * 2
        for type in [Problem.contentType, "text/html"] {
            let parts = Foreign.texts(Array(bytes.dropFirst()), 2)
            let answer = WireResponse(
                status: status,
                fields: [HeaderField.contentType: type, HeaderField.retryAfter: parts[0]],
                body: Array(bytes.dropFirst()))
            for use in AnswerUse.allCases {
                _ = RefusedAnswer(answer, use, to: status % 4 == 0 ? .lookup : .holds)
            }
            _ = HTTPDate.seconds(parts[0].replacing("\0", with: ""))
        }
        let decoder = JSONDecoder()
        for form in believed { _ = (try? decoder.decode(form, from: body))?.isPlausible }
        _ = try? decoder.decode(Passage.self, from: body)
        _ = try? decoder.decode(StaffActionResult.self, from: body)
        if let reservation = try? decoder.decode(Reservation.self, from: body) {
            precondition((1...999_999).contains(reservation.number.rawValue))
            precondition(EntryCode(rawValue: reservation.code.rawValue) != nil)
        }
    }

    /// The types that a machine believes only if their values are plausible.
    private static let believed: [any (Decodable & Plausible & Sendable).Type] = [
        MachineProfile.self, QueueStatus.self, HeldPlace.self, FoundReservation.self,
        Reservation.self, PickupOrder.self, StaffQueue.self, MachineStatusReply.self,
    ]
}

/// The fields of a signature, of a digest, and keys as text.
enum Signatures {
    private static let key: PublicKey? = try? SigningKey.generate().publicKey

    static func read(_ bytes: [UInt8]) {
        let parts = Foreign.texts(bytes, 4)
        if let input = SignatureText.input(parts[0]) {
            // The text is exactly the one that was read; further signatures may be beside it.
            precondition(parts[0].contains("\(input.label)=\(input.parameters.text)"))
        }
        _ = SignatureText.bytes(parts[1])
        _ = SignatureText.signature(parts[1])
        _ = ContentDigest.matches(parts[2], body: Array(parts[3].utf8))
        _ = PublicKey(text: parts[3])
        if let decoded = Base64.decode(parts[3], .urlSafe) {
            precondition(Base64.encode(decoded, .urlSafe) == parts[3])
        }
        let request = WireRequest(
            method: "POST", authority: "a", path: "/v1/holds",
            fields: [
                HeaderField.signatureInput: parts[0], HeaderField.signature: parts[1],
                HeaderField.contentDigest: parts[2], HeaderField.idempotencyKey: "k",
            ], body: Array(parts[3].utf8))
        let verified = SignatureVerifier.verify(request, now: 1_700_000_000) { _ in key }
        // Random bytes are never a valid signature.
        precondition((try? verified.get()) == nil)
        for method in ["GET", "PUT", "DELETE"] { _ = Route(path: parts[0], method: method) }
    }
}

/// Codes from a reader, a keypad and a keyboard with another layout; the reader's own lines and keys.
enum Codes {
    static func read(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        for code in [PresentedCode(text), PresentedCode(read: text)].compactMap({ $0 }) {
            precondition(PresentedCode(code.text) == code)
            precondition(code.text.utf8.count == 37 || code.text.utf8.count == 10)
        }
        for code in [PresentedOrderCode(text), PresentedOrderCode(read: text)].compactMap({ $0 }) {
            precondition(PresentedOrderCode(code.text) == code)
            precondition(code.text.utf8.count == 37 || code.text.utf8.count == 10)
        }
        for code in [EntryCode(link: text, isGarbled: true), EntryCode(bare: text)]
            .compactMap({ $0 })
        {
            precondition(PresentedCode(code.link(at: "https://a.b"))?.text == code.rawValue)
        }
        for capability in [
            Capability(rawValue: text), Capability(link: text), Capability(read: text),
        ].compactMap({ $0 }) {
            precondition(Capability(link: capability.link(to: "t")) == capability)
            precondition(capability.rawValue.utf8.count == Capability.length)
        }
        var lines = LineBuffer()
        let taken = lines.take(bytes, now: .zero)
        for line in taken + [lines.timePassed(now: .seconds(1))].compactMap({ $0 }) {
            precondition(line.unicodeScalars.count <= LineBuffer.maxBytes)
        }
        var keys = KeyEvents()
        _ = keys.take(bytes)
        var mouse = SGRMouse()
        for byte in bytes { _ = mouse.take(UInt32(byte)) }
        _ = mouse.flush()
        _ = ShopTag(rawValue: text)
        _ = try? OpeningHours(week: text)
        _ = LocalMoment(text)
    }
}

/// Names and messages from outside that are shown, printed and spoken.
enum Names {
    static func read(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let clean = PlainText.clean(text, limit: 60)
        precondition(
            clean.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: false
                default: true
                }
            })
        precondition(TextWidth.clusters(clean).count <= 60)
        for width in [1, 2, 17, 64] {
            for line in TextFlow.lines(clean, width: width) {
                precondition(TextWidth.of(line) <= max(width, 2))
            }
            _ = TextFlow.balanced(clean, width: width)
        }
    }
}

/// Answers of telephones, numbers as people type them, and shops' names and links in an SMS.
enum ShortMessages {
    static func read(_ bytes: [UInt8]) {
        let parts = Foreign.texts(bytes, 2)
        switch SMSAnswer(parts[0]) {
        case .no(let word?), .later(let word?):
            precondition(word.utf8.count == 4 && word.utf8.allSatisfy { (48...57).contains($0) })
        case .no(nil), .later(nil), .stop, .start, .yes, nil: break
        }
        if let number = try? PhoneNumber(typed: parts[0], prefixes: ["+39", "+41"]) {
            precondition(PhoneNumber(rawValue: number.rawValue) == number)
            precondition(["+39", "+41"].contains(number.rawValue.prefix(3)))
        }
        precondition(GSM7.septets(GSM7.folded(parts[0])) != nil)
        guard let number = QueueNumber(rawValue: 999_999) else { return }
        for (text, hasAnswers) in [
            (.code("123456"), true), (.joinCode("123456"), true),
            (.notice(.question, number, nil), false),
        ] as [(SMSText, Bool)] {
            let said = text.text(
                in: "de", of: parts[0], hasAnswers: hasAnswers, link: parts[1])
            precondition(GSM7.septets(said).map { $0 <= GSM7.maxSeptets } == true)
        }
    }
}

/// A compiled message file from a translator.
enum CatalogueFile {
    static func read(_ bytes: [UInt8]) {
        guard let entries = try? MessageFile.read(bytes) else { return }
        _ = try? CatalogueStrings.wording(language: "xx", entries)
    }
}
