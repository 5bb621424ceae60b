import Foundation
import Reservations
import SMSTexts
import TestSupport
import Testing

@testable import SMSGateway

/// Debian's Kannel, with fake telephones behind it.
@Suite("SMS through Kannel", .timeLimit(.minutes(10)))
struct KannelTests {
    private func gateway(
        _ kannel: KannelServer, path: String = "", password: String = KannelServer.password,
        sender: String? = nil
    ) throws -> KannelGateway {
        let account = KannelAccount(user: KannelServer.user, password: password, sender: sender)
        return KannelGateway(
            try #require(KannelAddress(kannel.address + path)), account: try #require(account))
    }

    private func arrives(_ texts: [String], at telephones: FakeTelephones) async -> Bool {
        let isThere = await eventually { telephones.received.count >= texts.count }
        let received = telephones.received.map(\.text)
        for (received, sent) in zip(received, texts) { #expect(received == sent) }
        return isThere && received == texts
    }

    @Test(
        "Every text of every language, and every character of the alphabet, arrives as it is; the longest messages arrive whole, with Kannel's sender if the backend names none; many messages at once all arrive"
    )
    func texts() async throws {
        let kannel = try await KannelServer()
        let telephones = try kannel.telephones()
        let gateway = try self.gateway(kannel, sender: "CLup")
        let number = try #require(QueueNumber(rawValue: 24))
        let time = try #require(LocalMoment("2026-11-26T14:25:00+01:00"))
        let contents: [SMSText] =
            NoticeKind.allCases.map { .notice($0, number, time) } + [
                .code("042042"), .joinCode("042042"), .giveBack(number, word: "4821"),
                .noLater(number),
                .wait(number, people: 5, earliest: time, latest: time, word: "4821"),
            ]
        var texts = ["en", "it", "de", "fr", "es"].flatMap { language in
            contents.map {
                $0.text(in: language, of: "Città & Söhne [Ñ] 5 €", hasAnswers: true, link: nil)
            }
        }
        // All but the line ends, which would end a line of the fake operator, and the blanks.
        texts.append(
            "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ!\"#¤%&'()*+,-./0123456789:;<=>?¡ÄÖÑÜ§¿äöñüà^{}\\[~]|€")
        texts.append("%20 +&=%41 <b>&amp;")
        for text in texts {
            #expect(await gateway.send(try SampleMessage.with(text)) == .accepted)
        }
        #expect(await arrives(texts, at: telephones))
        let ends = Set(telephones.received.map { "\($0.sender) \($0.receiver)" })
        #expect(ends == ["CLup \(SampleMessage.number)"])

        let nameless = try self.gateway(kannel)
        let longest = [
            String(repeating: "x", count: 159) + "!", String(repeating: "€", count: 80),
            String(repeating: "é", count: 158) + "]",
        ]
        for text in longest {
            #expect(await nameless.send(try SampleMessage.with(text)) == .accepted)
        }
        #expect(await arrives(texts + longest, at: telephones))
        let senders = telephones.received.suffix(longest.count).map(\.sender)
        #expect(Set(senders) == [KannelServer.sender])

        let many = (0..<100).map { "number \($0)" }
        let outcomes = await gateway.send(try many.map { try SampleMessage.with($0) })
        #expect(outcomes == Array(repeating: .accepted, count: many.count))
        let all = texts.count + longest.count + many.count
        #expect(await eventually { telephones.received.count == all })
        #expect(Set(telephones.received.suffix(many.count).map(\.text)) == Set(many))
    }

    @Test(
        "A wrong password and a wrong path are for the administrator to mend, and say so; Kannel that is gone is not reached, and takes messages when it is back"
    )
    func gone() async throws {
        let kannel = try await KannelServer()
        let message = try SampleMessage.with()
        let wrong = try self.gateway(kannel, password: "wrong")
        #expect(await wrong.send(message) == .broken("wrong-password-or-address"))
        let elsewhere = try self.gateway(kannel, path: "s")
        #expect(await elsewhere.send(message) == .broken("status-404"))

        let gateway = try self.gateway(kannel)
        do {
            let telephones = try kannel.telephones()
            #expect(await gateway.send(try SampleMessage.with("before")) == .accepted)
            #expect(await arrives(["before"], at: telephones))
        }
        kannel.end()
        #expect(await gateway.send(try SampleMessage.with("lost")) == .unreached)
        try await kannel.start()
        // Without an operator Kannel keeps the message: "3: Queued for later delivery".
        #expect(await gateway.send(try SampleMessage.with("after")) == .accepted)
        let telephones = try kannel.telephones()
        #expect(await arrives(["after"], at: telephones))
    }

    @Test("Kannel that keeps as many messages as it may is busy, until its operator is back")
    func full() async throws {
        let kannel = try await KannelServer(queueLimit: 2)
        let gateway = try gateway(kannel)
        var outcomes: [SMSOutcome] = []
        for index in 0..<4 {
            outcomes.append(await gateway.send(try SampleMessage.with("number \(index)")))
        }
        #expect(outcomes == [.accepted, .accepted, .busy, .busy])
        let telephones = try kannel.telephones()
        #expect(await arrives(["number 0", "number 1"], at: telephones))
        #expect(await gateway.send(try SampleMessage.with("after")) == .accepted)
        #expect(await arrives(["number 0", "number 1", "after"], at: telephones))
    }

    @Test(
        "What telephones answer comes to the configured address, with its secret, until taken; Kannel writes neither numbers nor texts nor passwords into its files"
    )
    func answers() async throws {
        let served = Locked(0)
        let listener = try FakePushService { _ in
            served.change { $0 += 1 }
            // At first it is busy.
            return .answers(served.value == 1 ? 503 : 200)
        }
        let kannel = try await KannelServer(
            answersTo: String(listener.origin.dropFirst("http://".count)))
        let telephones = try kannel.telephones()
        telephones.send("Sì, vengo: 5 € & ñ+ü %41", from: SampleMessage.number)
        #expect(await eventually { listener.requests.count >= 2 })
        telephones.send("STOP", from: "00393331234567")
        telephones.send("NO 4821", from: "393331234567")
        telephones.send("Später 👍 Да", from: SampleMessage.number, isUCS2: true)
        #expect(await eventually { listener.requests.count >= 5 })
        let answers = try listener.requests.map { request in
            let parts = try #require(URLComponents(string: request.path))
            #expect(parts.path == "/sms")
            let items = parts.percentEncodedQuery?.replacing("+", with: "%20") ?? ""
            let values = try #require(URLComponents(string: "/?\(items)")?.queryItems)
            return Dictionary(uniqueKeysWithValues: values.map { ($0.name, $0.value ?? "") })
        }
        #expect(Set(answers.map { $0["secret"] }) == [KannelServer.answersSecret])
        #expect(answers[0] == answers[1], "the same SMS has the same id")
        #expect(answers[0]["text"] == "Sì, vengo: 5 € & ñ+ü %41")
        // A number with 00 comes with "+"; one with neither stays as it is.
        #expect(
            Set(answers.map { "\($0["from"] ?? "") \($0["text"] ?? "")" }).isSuperset(of: [
                "+393331234567 STOP", "393331234567 NO 4821", "+393331234567 Später 👍 Да",
            ]))
        #expect(Set(answers.map { $0["id"] ?? "" }).count == 4)
        // The telephone gets no SMS in return: one that is sent afterwards is the only one.
        #expect(try await gateway(kannel).send(SampleMessage.with("Geheimnis")) == .accepted)
        #expect(await arrives(["Geheimnis"], at: telephones))
        #expect(telephones.received.count == 1)

        kannel.end()
        let written = try kannel.written()
        for secret in ["333123", "Geheimnis", "vengo", "change-this"] {
            #expect(!written.contains(secret), "\(written)")
        }
    }
}
