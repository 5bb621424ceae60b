import BackendAPI
import Foundation
import TestSupport
import Testing

@Suite("Numbers that get SMS about a place [rules: telephone-numbers, confirmed-numbers]")
final class SMSNumberTests: SMSWorld {
    @Test("A code is good for ten minutes at least, and for twenty at most")
    func expiry() async throws {
        _ = try await owner.give()
        let code = try gateway.digits(6)
        backend.time.advance(by: .minutes(9))
        #expect(try await owner.give(code: code).status == 200)
        backend.time.jump(by: .minutes(12))
        #expect(try await owner.give(code: code).problem == .wrongCode)
    }

    @Test("A number gets three codes within a day, whatever place asks, and five tries for each")
    func limited() async throws {
        for _ in 0..<3 { #expect(try await owner.give().status == 200) }
        #expect(try await owner.give().problem == .smsUsedUp)
        let again = try other()
        #expect(try await again.give().problem == .smsUsedUp)
        var someone = again
        someone.number = "0041 79 123 45 67"
        #expect(try await someone.give().status == 200)
        #expect(gateway.sent.last?.number == "+41791234567")
        // Where no code was sent for, none is right, and none of its owner's tries is used up.
        for _ in 0..<20 { #expect(try await again.give(code: "000000").problem == .wrongCode) }
        for _ in 0..<15 {
            #expect(try await owner.give(code: "000000").problem == .wrongCode)
        }
        #expect(try await owner.give(code: "000000").problem == .tooManyRequests)
        var unknown = again
        unknown.number = "+393338888888"
        #expect(try await unknown.give(code: "000000").problem == .wrongCode)
        #expect(try await unknown.give().status == 200)
        #expect(gateway.sent.count == 5)
        // After a day it may again; the places of the day before are over.
        backend.time.advance(by: .seconds(86_401))
        #expect(try await other().give().status == 200)
    }

    @Test("Only mobile numbers that begin as listed get SMS; bodies of another form are refused")
    func numbers() async throws {
        func answer(to number: String) async throws -> WireResponse {
            var owner = owner
            owner.number = number
            return try await owner.give()
        }
        let notServed = try await answer(to: "+44 7911 123456")
        #expect(notServed.problem == .numberNotServed)
        #expect(try notServed.decoded(Problem.self).prefixes == ["+39", "+41"])
        #expect(try await answer(to: "").problem == .numberNotServed)
        #expect(try await answer(to: "+39 06 698 12345").problem == .numberNotMobile)
        let capability = phone.capability.rawValue
        for body in [
            "{}", "[]", "", "{\"capability\":\"\(capability)\",\"language\":\"it\"}",
            "{\"capability\":\"\(capability)\",\"shop\":\"ROM1\",\"number\":\"+391\",\"language\":\"it\"}",
            "{\"capability\":\"\(capability)\",\"number\":\"+393331234567\",\"language\":\"IT\"}",
            "{\"capability\":\"\(capability)\",\"number\":\"\(String(repeating: "1", count: 33))\",\"language\":\"it\"}",
        ] {
            #expect(
                try await owner.device.callAside(.number, body).problem == .malformed,
                "\(body)")
        }
        let unknown = altered(capability)
        let answer = try await owner.device.callAside(
            .number,
            "{\"capability\":\"\(unknown)\",\"number\":\"+393331234567\",\"language\":\"it\"}")
        #expect(answer.problem == .notFound)
        #expect(gateway.sent.isEmpty)
        #expect(try backend.count("sms_number") == 0)
    }

    @Test("A device that has confirmed a number turns SMS about another place on without a code")
    func remembered() async throws {
        try await owner.confirm()
        let other = try TestPhone(backend, machine.reservation())
        let same = NumberOwner(owner.device, gateway, for: other)
        #expect(try await same.give().decoded(NumberReply.self).isConfirmed)
        #expect(try other.look().sms?.isOn == true)
        // Neither for another number, nor on another device that has stolen the cookie of the number.
        var different = same
        different.number = "+393330000000"
        #expect(try await !different.give().decoded(NumberReply.self).isConfirmed)
        let thief = TestDevice(backend)
        let stolen = try #require(owner.device.cookie?.split(separator: "; ").last)
        thief.cookie = "\(thief.cookie ?? ""); \(stolen)"
        let third = try TestPhone(backend, machine.reservation())
        let robbed = NumberOwner(thief, gateway, for: third)
        #expect(try await !robbed.give().decoded(NumberReply.self).isConfirmed)
    }

    @Test("The number is nowhere but sealed in the database, and gone soon after the place")
    func sealed() async throws {
        try await owner.confirm()
        await backend.answer("NO")
        let files = try FileManager.default.contentsOfDirectory(atPath: backend.directory.path)
        for file in files {
            let data = try Data(contentsOf: URL(filePath: "\(backend.directory.path)/\(file)"))
            #expect(data.range(of: Data("3331234567".utf8)) == nil, "\(file)")
        }
        #expect(!backend.lines.value.contains { $0.contains("3331234567") })
        #expect(!backend.metrics.contains("3331234567"))
        #expect(try backend.count("subscription") == 1)
        #expect(try phone.call(.withdrawal, code: mine.digits).status == 204)
        #expect(try await eventually { try backend.count("notice") == 0 })
        #expect(try backend.count("subscription") == 1)
        backend.time.advance(by: .minutes(16))
        #expect(
            try await eventually(within: .seconds(90)) {
                backend.store.tick()
                return try backend.count("subscription") == 0
            })
        #expect(try backend.count("sms_number") == 2, "for a day, under digests")
    }

    @Test("One network, and one shop, cannot have codes sent without end")
    func networks() async throws {
        let world = try SMSWorld([.numbers: .only(4), .shopNumbers: .only(6)])
        func ask(_ number: Int, from address: String) async throws -> Int {
            var owner = world.owner
            owner.number = "+3933300000\(10 + number)"
            return try await owner.give(from: address).status
        }
        var first: [Int] = []
        for number in 0..<5 { first.append(try await ask(number, from: "2001:db8::\(number)")) }
        #expect(first == [200, 200, 200, 200, 429])
        var others: [Int] = []
        for number in 5..<8 { others.append(try await ask(number, from: "192.0.2.\(number)")) }
        #expect(others == [200, 200, 429])
        #expect(world.gateway.sent.count == 6)
        // The codes that were sent can be typed all the same.
        let code = try world.gateway.digits(6)
        var last = world.owner
        last.number = "+393330000016"
        #expect(try await last.give(code: code, from: "192.0.2.9").status == 200)
    }
}
