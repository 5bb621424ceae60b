import BackendAPI
import Cryptography
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("Which callers are accepted")
final class AuthenticationTests: OpenShop {
    /// The parts of an answer to compare: all but its date, and the signature that binds it to its request.
    private func shape(_ response: WireResponse) -> WireResponse {
        var response = response
        for name in ["date", "content-digest", "signature-input", "signature"] {
            response.fields[name] = nil
        }
        return response
    }

    @Test("For every fault of a key or signature the answer is the same [faults 48, 49]")
    func constantForm() throws {
        let stranger = TestMachine(backend: backend, key: try SigningKey.generate())
        let revoked = try backend.enrol("south")
        try backend.revoke(revoked)
        try revoked.waitUntil { $0.status == 401 }
        let good = machine.request(.queue)
        var tampered = machine.sign(good)
        tampered.query = "a=b"
        var garbled = machine.sign(good)
        garbled.fields["signature-input"] = "clup=("
        let signed = machine.sign(good)
        #expect(try machine.send(signed).status == 200)
        var answers: [String: WireResponse] = [:]
        answers["unsigned"] = try machine.send(good)
        answers["unknown key"] = try stranger.call(.queue)
        answers["revoked key"] = try revoked.call(.queue)
        answers["tampered"] = try machine.send(tampered)
        answers["garbled"] = try machine.send(garbled)
        answers["stale"] = try machine.send(machine.sign(good, offset: -61))
        answers["early"] = try machine.send(machine.sign(good, offset: 61))
        answers["replayed"] = try machine.send(signed)
        let change = machine.sign(machine.request(.holds, "{\"kind\":\"ticket\"}"))
        #expect(try machine.send(change).status == 201)
        answers["replayed change"] = try machine.send(change)
        let first = shape(try #require(answers["unsigned"]))
        #expect(first.status == 401 && first.problem == .notAuthentic)
        for (name, answer) in answers { #expect(shape(answer) == first, "\(name)") }
    }

    @Test(
        "Every answer is signed, bound to its request, and says its use", arguments: [true, false])
    func signedAnswers(isAsked: Bool) throws {
        let backend = try TestBackend([.requests: .only(10)])
        let machine = try backend.enrol()
        let stranger = TestMachine(backend: backend, key: try SigningKey.generate())
        var elsewhere = machine.request(.queue)
        elsewhere.path = "/v1/elsewhere"
        var posted = machine.request(.holds, "{\"kind\":\"ticket\"}", key: "k1")
        func asking(_ request: WireRequest) -> WireRequest {
            var asking = request
            if isAsked { asking.fields["accept-signature"] = AnswerSignature.request }
            return asking
        }
        let hold = machine.sign(posted)
        var expected = [(hold, 201), (machine.sign(posted), 201), (hold, 401)]
        posted.body = Array("{}".utf8)
        expected.append((machine.sign(posted), 400))
        expected.append((machine.sign(machine.request(.hold(ReservationID("x")))), 204))
        expected.append((machine.sign(elsewhere), 404))
        expected.append((stranger.sign(stranger.request(.queue)), 401))
        expected.append((machine.sign(machine.request(.queue), offset: -3_600), 401))
        expected.append((machine.sign(machine.request(.entries, "{\"code\":\"1\"}")), 403))
        var former: WireResponse?
        func check(_ request: WireRequest, _ status: Int) throws {
            let request = asking(request)
            let answer = try machine.send(request)
            #expect(answer.status == status)
            let verified = backend.answers.verified(answer, to: request)
            if status == 404, !isAsked {
                // An attacker in the path could pass it off as the answer to another request.
                #expect(answer.fields["signature"] == nil)
            } else {
                #expect(verified?.created == backend.time.now.milliseconds / 1_000, "\(status)")
                #expect(
                    verified?.use
                        == (!isAsked
                            ? .older : status == 401 || status == 404 ? .unverified : .decided))
            }
            if let former { #expect(backend.answers.verified(former, to: request) == nil) }
            former = answer
        }
        for (request, status) in expected { try check(request, status) }
        while try machine.call(.machine).status == 200 {}
        try check(machine.sign(machine.request(.queue)), 429)
        let unsigned = try machine.send(asking(machine.request(.queue)))
        #expect(unsigned.status == 401 && unsigned.fields["signature"] == nil)
        #expect(try backend.enrol("other").call(.queue).status == 200, "it has its own limit")
    }

    @Test("A replay is refused: at once, at the window's end, after it, after a restart [fault 50]")
    func replay() throws {
        let read = machine.sign(machine.request(.queue), offset: 60)
        let change = machine.sign(machine.request(.holds, "{\"kind\":\"ticket\"}"), offset: 60)
        #expect(try machine.send(read).status == 200)
        #expect(try machine.send(change).status == 201)
        for seconds in [0, 59, 60, 1, 1] {
            backend.time.advance(by: .seconds(seconds))
            #expect(try machine.send(read).status == 401)
            #expect(try machine.send(change).status == 401)
        }
        let fresh = machine.sign(machine.request(.queue))
        let another = machine.sign(machine.request(.holds, "{\"kind\":\"ticket\"}"))
        #expect(try machine.send(fresh).status == 200)
        #expect(try machine.send(another).status == 201)
        backend.time.advance(by: .seconds(1))
        let unseen = machine.sign(machine.request(.queue), offset: -1)
        try backend.restart()
        for request in [fresh, another, unseen] {
            #expect(try machine.send(request).status == 401)
        }
        #expect(try machine.call(.queue).status == 200)
    }

    @Test("Another signature with another label is ignored; ours must occur once (RFC 9421 4.3)")
    func furtherSignatures() throws {
        func call(input: (String) -> String, signature: (String) -> String) throws -> WireResponse {
            var request = machine.request(.queue)
            request.fields["accept-signature"] = AnswerSignature.request
            request = machine.sign(request)
            let (old, seal) = (request.fields["signature-input"]!, request.fields["signature"]!)
            request.fields["signature-input"] = input(old)
            request.fields["signature"] = signature(seal)
            let answer = try machine.send(request)
            #expect(backend.answers.verified(answer, to: request) != nil)
            return answer
        }
        let other =
            #"proxy=("@method" "@query-param";name="a, clup=");created=1;expires=2;alg="x\",\"y""#
        let answer = try call(input: { "\(other), \($0)" }, signature: { "proxy=:AAAA:,\t\($0)" })
        #expect(answer.status == 200)
        #expect(
            try call(input: { "\($0) , \(other)" }, signature: { "\($0), proxy=:AAAA:" }).status
                == 200)
        #expect(try call(input: { "\($0), \($0)" }, signature: { $0 }).status == 401)
    }

    @Test(
        "A request sent before the clock was set is not answered again, however the clock was set [fault 50]",
        arguments: [3_600, -3_600, 86_400 * 3])
    func clockSet(seconds: Int) throws {
        let read = machine.sign(machine.request(.queue))
        let change = machine.sign(machine.request(.holds, "{\"kind\":\"ticket\"}"))
        #expect(try machine.send(read).status == 200)
        #expect(try machine.send(change).status == 201)
        for there in [true, false] {
            backend.time.jump(by: .seconds(there ? seconds : -seconds))
            // Three more requests, so that old rows are pruned.
            for _ in 0..<3 {
                backend.time.advance(by: .seconds(2))
                #expect(try machine.hold().status < 500)
                #expect(
                    try machine.call(.queue).status == (there && seconds < 0 ? 401 : 200))
            }
        }
        #expect(try machine.send(read).status == 401)
        #expect(try machine.send(change).status == 401)
    }

    @Test("A request that one server answered stays known although the other's clock is ahead")
    func clockOfOtherServer() async throws {
        let pair = try ServerPair()
        let (first, second) = try pair.enrol("north")
        let change = first.sign(first.request(.holds, "{\"kind\":\"ticket\"}"))
        #expect(try first.send(change).status == 201)
        pair.second.time.jump(by: .seconds(3_600))
        for _ in 0..<4 {
            pair.second.time.advance(by: .seconds(20))
            #expect(try second.hold().status < 500)
        }
        #expect(try first.send(change).status == 401)
        // A later request is not answered again either; its row's number follows rows that are ahead of this server's
        // clock.
        let later = first.sign(first.request(.holds, "{\"kind\":\"ticket\"}"))
        #expect(try first.send(later).status < 300)
        pair.second.time.advance(by: .seconds(200))
        #expect(try second.hold().status < 500)
        #expect(try first.send(later).status == 401)
    }

    @Test("A revoked machine is refused within a second, and its place expires [fault 48]")
    func revoked() throws {
        let hold = try machine.held()
        try backend.revoke(machine)
        // The server looks at the database each second.
        backend.store.tick()
        #expect(try machine.call(.machine).status == 401)
        #expect(try machine.call(.holdConfirmation(hold.id)).status == 401)
    }

    @Test("The log names each event, but no code, key or signature")
    func log() async throws {
        let reservation = try machine.reservation()
        let body = "{\"code\":\"\(reservation.code.rawValue)\"}"
        let signed = machine.sign(machine.request(.reservation(reservation.id), body, key: "k9"))
        _ = try machine.send(signed)
        _ = try machine.send(signed)
        var tampered = machine.sign(machine.request(.queue))
        tampered.query = "x"
        _ = try machine.send(tampered)
        func has(_ text: String) -> Bool { backend.lines.value.contains { $0.contains(text) } }
        #expect(await eventually { has("replayed") && has("wrong-signature") })
        for line in backend.lines.value {
            #expect(!line.contains("\n") && line.contains("\"level\":\""))
            #expect(throws: Never.self) {
                try JSONSerialization.jsonObject(with: Data(line.utf8))
            }
            for secret in [
                reservation.code.rawValue, reservation.digits,
                machine.key.publicKey.keyID, "k9",
                signed.fields["signature", default: "?"], machine.key.publicKey.text,
            ] { #expect(!line.contains(secret)) }
        }
    }
}
