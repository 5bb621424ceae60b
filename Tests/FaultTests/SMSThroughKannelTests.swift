import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

/// The backend, Debian's Kannel and fake telephones behind it.
@Suite(
    "SMS from the page of a place to the telephone, and back [rules: sms, sms-answers]",
    .serialized, .timeLimit(.minutes(10)))
struct SMSThroughKannelTests {
    /// Kannel's programs wait for one another, and for the processor.
    private static let timeout = Duration.seconds(120)

    private static let secrets = """
        kannel-user \(KannelServer.user)
        kannel-password \(KannelServer.password)
        answer-secret \(KannelServer.answersSecret)

        """

    /// A shop for one person, with SMS through Kannel, of which the first customer is called.
    private static func with(
        _ body: (ServingBackend, ServedMachine, KannelServer, FakeTelephones, String) async throws
            -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let secrets = try folder.write(Self.secrets.utf8, to: "secrets")
        chmod(secrets, 0o600)
        let answers = try ReservedPort()
        let kannel = try await KannelServer(answersTo: answers.address)
        let telephones = try kannel.telephones()
        try await ServingBackend.withPhones(
            capacity: 1, shop: ["--sms-per-day", "20", "--delays", "yes"],
            options: [
                "--sms-kannel", kannel.address, "--sms-prefixes", "+39", "--sms-secrets", secrets,
                "--sms-answers", answers.address,
            ]
        ) { try await body($0, $1, kannel, telephones, answers.address) }
    }

    /// The status of the answer to a telephone's number, without or with the code that was sent to it.
    private func give(
        _ number: String, _ code: String? = nil, of ticket: Reservation, at backend: ServingBackend
    ) async throws -> (status: Int, body: Data) {
        let capability = try #require(ticket.link.flatMap { Capability(link: $0) })
        let request = NumberRequest(
            capability: capability, typedCode: ticket.typedCode, number: number, language: "it",
            code: code)
        return try await post(.number, request, at: backend)
    }

    private func post(
        _ call: PublicCall, _ body: some Encodable, at backend: ServingBackend
    ) async throws -> (status: Int, body: Data) {
        let file = try TemporaryFolder()
        let data = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
        let status = try await Tool.succeed(
            "curl",
            [
                "-s", "-o", file.file("body"), "-w", "%{http_code}", "-H",
                "Content-Type: application/json", "-d", data, backend.phones + call.path,
            ])
        let text = (try? Data(contentsOf: URL(filePath: file.file("body")))) ?? Data()
        return (Int(status) ?? 0, text)
    }

    @Test("LATER and STOP of a telephone are understood")
    func conversation() async throws {
        try await Self.with { backend, machine, _, telephones, _ in
            _ = try await machine.ticket(at: backend)
            let mine = try await machine.ticket(at: backend)
            for _ in 0..<6 { _ = try await machine.ticket(at: backend) }
            let capability = try #require(mine.link.flatMap { Capability(link: $0) })
            func give(_ code: String? = nil) async throws -> (status: Int, body: Data) {
                try await self.give("+39 333 123 4567", code, of: mine, at: backend)
            }
            func place() async throws -> FollowedPlace {
                let answer = try await post(
                    .place, PlaceRequest(capability: capability), at: backend)
                return try JSONDecoder().decode(FollowedPlace.self, from: answer.body)
            }
            func received(_ count: Int) async -> String? {
                _ = await eventually(within: Self.timeout) { telephones.received.count >= count }
                return telephones.received.dropFirst(count - 1).first?.text
            }
            #expect(try await give().status == 200)
            let sent = try #require(await received(1))
            let code = try #require(sent.firstMatch(of: /\d{6}/)).output
            #expect(sent.hasPrefix("Città: ") && sent.contains("STOP"))
            #expect(telephones.received.first?.receiver == "+393331234567")
            #expect(try await give(String(code)).status == 200)
            #expect(try await place().sms?.isOn == true)
            #expect(await received(2)?.contains(mine.typedCode.grouped) == true)
            // The customer lets others go ahead, with the word of the place.
            let ahead = try #require(try await place().reservation.wait?.peopleAhead)
            telephones.send("dopo", from: "+393331234567")
            let price = try #require(await received(3))
            let word = try #require(price.firstMatch(of: /DOPO (\d{4})/)).output.1
            telephones.send("Dopo \(word)", from: "+393331234567")
            _ = try #require(await received(4))
            #expect(try await place().reservation.wait?.peopleAhead == ahead + 5)
            // STOP ends it, whatever keyboard it is typed on.
            telephones.send("STOP 👍", from: "+393331234567", isUCS2: true)
            #expect(
                try await eventually(within: Self.timeout) { try await place().sms?.isOn == false }
            )
            #expect(await received(5)?.contains("rispondi START") == true)
            let refused = try await give()
            let problem = try JSONDecoder().decode(Problem.self, from: refused.body)
            #expect(problem.refusal == .numberStopped)
            #expect(try !backend.log().contains("3331234567"))
        }
    }

    @Test("Answers without the secret, from elsewhere or of another form are refused")
    func forged() async throws {
        try await Self.with { backend, machine, kannel, telephones, answers in
            func ask(_ rest: String, _ more: String...) async throws -> String {
                try await Tool.succeed(
                    "curl",
                    ["-s", "-o", "/dev/null", "-w", "%{http_code}"] + more
                        + ["http://\(answers)\(rest)"])
            }
            let good = "/sms?secret=\(KannelServer.answersSecret)&from=393331234567&text=STOP"
            #expect(try await ask(good) == "200")
            for (rest, status) in [
                ("/sms?secret=x&from=393331234567&text=STOP", "403"),
                ("/sms?from=393331234567&text=STOP", "403"), ("/sms", "403"), ("/", "404"),
                ("/sms?secret=\(KannelServer.answersSecret)", "400"),
                ("/sms?secret=\(KannelServer.answersSecret)&from=1&text=%ZZ", "400"),
            ] {
                #expect(try await ask(rest) == status, "\(rest)")
            }
            #expect(try await ask(good, "-H", "X-Real-IP: 192.0.2.7") == "403")
            #expect(try await ask(good, "-X", "POST") == "405")
            // Kannel that is gone is unreached, and back again.
            kannel.end()
            let ticket = try await machine.ticket(at: backend)
            func give() async throws -> Int {
                try await self.give("+393330000000", of: ticket, at: backend).status
            }
            #expect(try await give() == 503)
            try await kannel.start()
            let back = try kannel.telephones()
            #expect(try await eventually(within: Self.timeout) { try await give() == 200 })
            #expect(await eventually(within: Self.timeout) { back.received.count == 1 })
            #expect(telephones.received.isEmpty)
        }
    }

    @Test("Wrong options are refused with a sentence before anything is served")
    func options() async throws {
        let folder = try TemporaryFolder()
        let open = try folder.write(Self.secrets.utf8, to: "open")
        chmod(open, 0o644)
        let wrong = try folder.write("kannel-user clup\npassword x\n".utf8, to: "wrong")
        chmod(wrong, 0o600)
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: wrong)
        let database = folder.file("database")
        try await Tool.succeed(
            ServingBackend.program,
            [
                "shop", "add", "--database", database, "--name", "A", "--tag", "TEST",
                "--time-zone",
                "Europe/Rome", "--hours", "Mon-Sun 00:00-24:00", "--capacity", "1", "--stay", "10",
            ])
        let assets = Tool.repository.appending(path: "Assets").path
        let phones = ["--assets", assets, "--phones", "127.0.0.1:0"]
        let toItaly = ["--sms-prefixes", "+39"]
        let program = ["--sms-command", "/bin/true"] + toItaly
        let secrets = phones + program + ["--sms-secrets"]
        for (options, words) in [
            (toItaly, "--sms-prefixes needs --sms-kannel or --sms-command"),
            (program, "--phones"),
            (phones + ["--sms-command", "/bin/true"], "--sms-prefixes"),
            (phones + ["--sms-command", "/bin/true", "--sms-prefixes", "39"], "--sms-prefixes"),
            (phones + ["--sms-command", "/nothing"] + toItaly, "/nothing"),
            (phones + ["--sms-kannel", "http://8.8.8.8/x"] + toItaly, "--sms-secrets"),
            (secrets + [open], "chmod 600"), (secrets + [wrong], "kannel-user NAME"),
            (secrets + [link], "no link"),
            (phones + program + ["--sms-answers", "127.0.0.1:0"], "answer-secret"),
            (phones + program + ["--sms-kannel", "http://127.0.0.1:1/x"], "not both"),
        ] {
            let result = try await Tool.run(
                ServingBackend.program,
                ["serve", "--database", database, "--listen", "127.0.0.1:0"] + options)
            #expect(
                result.status != 0 && result.errors.contains(words), "\(options): \(result.errors)")
        }
    }
}
