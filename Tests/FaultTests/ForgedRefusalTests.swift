import TestSupport
import Testing

/// An attacker in the path obtains the backend's own signatures and returns them as answers to a machine.
@Suite("Signed refusals of requests that the backend has not verified [fault 59]")
struct ForgedRefusalTests {
    @Test("The shipped machine keeps asking, has one row and one paper for each, and goes on")
    func machine() async throws {
        try await FaultyKiosk.atHome(isPinned: true) { kiosk, screen in
            let attacks = ForgedRefusal.allCases.flatMap { refusal in
                ForgedRefusal.Form.allCases.map { (refusal, $0) }
            }
            for (number, (refusal, form)) in zip(1..., attacks) {
                kiosk.proxy.inject(refusal.fault(form), path: "/confirmation")
                try await kiosk.confirm(on: screen)
                try await screen.shows(FaultWords.unresolved)
                // The backend has reserved the place, and the machine's call is still unresolved.
                #expect(try await kiosk.numbered().count == number)
                kiosk.proxy.pass()
                try await screen.shows(FaultWords.printed)
                let isPrinted = try await eventually {
                    try kiosk.product.papers().count == number
                }
                #expect(isPrinted, "\(refusal), \(form)")
                try await kiosk.finish(on: screen)
            }
            #expect(try await kiosk.numbered().count == attacks.count)
            #expect(
                Set(kiosk.proxy.asked("POST", "/confirmation").map(\.key)).count
                    == attacks.count)
            try await kiosk.judge()
        }
    }
}

/// Refusals that the backend gives without knowing the caller. An attacker in the path can obtain them for the
/// signature of a machine's request, by copying it to a request of the attacker's.
enum ForgedRefusal: Int, CaseIterable, Sendable {
    case malformed = 400
    case notAuthentic = 401
    case unknownRoute = 404
    case methodNotAllowed = 405
    case tooLarge = 413
    case upgradeRequired = 426

    /// The attacker's request; it keeps as much of the machine's as leads to the refusal.
    ///
    /// - Parameter form: whether the answer is requested in the machine's form or in the older one.
    func request(from machine: LoopbackWire.Message, _ form: Form) -> [UInt8] {
        let words = machine.start.split(separator: " ").map(String.init)
        var (method, path) = (words[0], words[1])
        var body = machine.body
        var fields = machine.fields
        fields["content-length"] = nil
        if form == .older { fields["accept-signature"] = nil }
        switch self {
        case .malformed: fields["idempotency-key"] = nil
        case .notAuthentic:
            fields["signature-input"] = fields["signature-input"]?.replacing(
                "nonce=\"", with: "nonce=\"0")
        case .unknownRoute: path = "/v1/none"
        case .methodNotAllowed: method = "GET"
        case .tooLarge: body = Array(repeating: 0x20, count: 5_000)
        case .upgradeRequired: (method, path) = ("GET", "/v1/turns")
        }
        let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        let head = "\(method) \(path) HTTP/1.1\r\n\(lines)Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    enum Form: CaseIterable, Sendable { case asked, older }

    /// The fault of a proxy that passes the machine's request on, keeps its answer back and returns this one.
    func fault(_ form: Form) -> Fault { .substitute { request(from: $0, form) } }
}
