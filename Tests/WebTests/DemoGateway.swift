import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

/// A fake gateway for SMS, `Kiosk/demo-sms`: what it is given is in files of a folder.
struct DemoGateway {
    /// An SMS to a telephone.
    struct Message: Equatable {
        /// In the international form.
        let number: String
        let text: String

        /// The code of six digits that the text has; nil if it has none.
        var code: String? {
            text.split { !$0.isNumber }.first { $0.count == 6 }.map(String.init)
        }

        /// Whether it has the ten digits of a place.
        fileprivate var isBooking: Bool { text.contains(#/\d{4} \d{3} \d{3}/#) }
    }

    private static let secret = "a-secret-of-this-test"

    private let folder: TemporaryFolder
    private let program: String
    private let answers: ReservedPort

    init() throws {
        answers = try ReservedPort()
        folder = try TemporaryFolder()
        let sent = folder.file("sent")
        try FileManager.default.createDirectory(atPath: sent, withIntermediateDirectories: false)
        program = try folder.writeProgram(
            """
            #!/bin/sh
            CLUP_SMS_FOLDER='\(sent)' exec '\(Tool.repository.path)/Kiosk/demo-sms'

            """, to: "gateway")
    }

    /// The options of a server that sends SMS with it, to numbers of Italy and Germany, and takes answers.
    var options: [String] {
        get throws {
            let secrets = try folder.write("answer-secret \(Self.secret)\n".utf8, to: "secrets")
            guard chmod(secrets, 0o600) == 0 else { throw TestSupportError("chmod") }
            return [
                "--sms-command", program, "--sms-prefixes", "+39,+49", "--sms-secrets", secrets,
                "--sms-answers", answers.address,
            ]
        }
    }

    /// Passes on what the owner of a number answers.
    func answer(_ text: String, from number: String) throws {
        let request = WireRequest(
            method: "GET", authority: answers.address, path: "/sms",
            query: "secret=\(Self.secret)&from=%2B\(number.dropFirst())&text=\(text)&id=\(UUID())")
        guard let status = request.exchange()?.status, (200..<300).contains(status) else {
            throw TestSupportError("\(text) is not taken")
        }
    }

    /// The options of a shop that has SMS.
    static let shop = ["--sms-per-day", "100"]

    /// The SMS that were sent so far, in their order, but those that say how a place is booked, which come beside them.
    func messages() throws -> [Message] { try all().filter { !$0.isBooking } }

    /// Those that say how a place is booked.
    func bookings() throws -> [Message] { try all().filter(\.isBooking) }

    private func all() throws -> [Message] {
        let sent = folder.url.appending(path: "sent")
        return try FileManager.default.contentsOfDirectory(atPath: sent.path)
            .filter { !$0.hasPrefix(".") }.sorted().map { name in
                let lines = try String(contentsOf: sent.appending(path: name), encoding: .utf8)
                    .split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                return Message(
                    number: String(try #require(lines.first)), text: String(lines.last ?? ""))
            }
    }

    /// The SMS after so many others; waits until it was sent.
    func message(after count: Int) async throws -> Message {
        guard await patiently(until: { try messages().count > count }) else {
            throw TestSupportError("no SMS after \(count)")
        }
        return try messages()[count]
    }

    /// The code of the SMS after so many others.
    func code(after count: Int = 0) async throws -> String {
        try #require(try await message(after: count).code)
    }
}

/// The buttons of the form for a number and its code, in their order.
enum NumberFormButton: Int {
    /// Agrees, or confirms the code.
    case main = 1
    case sendAgain
    case changeNumber
    case cancel
}

extension Browser {
    /// The text of a part of the page, without its heading; empty while it is not shown.
    func text(ofPart part: String) async throws -> String {
        try await value(
            "[...document.querySelectorAll('\(part) > :not(h2)')]"
                + ".filter((e) => e.getClientRects().length).map((e) => e.innerText).join(' | ')")
    }

    func smsText() async throws -> String { try await text(ofPart: "#sms") }

    /// Waits until the page's part for SMS says this.
    func waits(forSMS words: String) async -> Bool {
        await patiently { try await smsText().contains(words) }
    }

    /// Waits until the form says this of what went wrong.
    func waits(forMistake words: String) async -> Bool {
        await patiently { try await text("#smsNumber ~ [role=alert]").contains(words) }
    }

    /// Touches a button of the form, or the one of the page's part for SMS; later than a second touch by mistake.
    func press(_ button: NumberFormButton?) async throws {
        try await jump(seconds: 1)
        try await press(
            button.map { "#smsNumber ~ button:nth-of-type(\($0.rawValue))" } ?? "#smsButton")
    }

    /// Types a number behind the prefix that is there.
    func typeNumber(_ digits: String) async throws {
        try await run(
            """
            const field = document.querySelector('#smsNumber');
            field.value = field.value.split(' ')[0] + ' ';
            field.focus();
            field.setSelectionRange(9, 9);
            """)
        try await type(digits)
    }

    /// Replaces what the field for the code has.
    func typeCode(_ digits: String) async throws {
        try await run("const f = document.querySelector('#smsCode'); f.value = ''; f.focus()")
        try await type(digits)
    }

    /// Touches the button of the part for SMS, and types the ten digits of the ticket, for which a page asks once.
    func prove(_ place: Reservation) async throws {
        try await press(nil)
        #expect(await waits(for: "#smsDigits"))
        #expect(try await focusedPart() == "smsDigits")
        try await type(place.typedCode.rawValue + "\u{E007}")
    }

    /// Opens the form for a number.
    func openNumberForm(_ place: Reservation) async throws {
        try await prove(place)
        #expect(await waits(for: "#smsNumber"))
    }

    /// Opens the form, types a number and asks for a code; returns once the field for it is there.
    func askForCode(_ digits: String, about place: Reservation) async throws {
        try await openNumberForm(place)
        try await agree(digits)
    }
}
