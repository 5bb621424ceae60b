import BackendAPI
import Reservations
import Testing

@Suite("Calls for help, over HTTP (rules: help, help-staff)")
final class HelpCallTests: OpenShop {
    private let till: TestMachine
    private let page: TestMachine

    override init() throws {
        let backend = try TestBackend()
        till = try backend.enrol("till", role: .checkout)
        page = try backend.enrol("office", role: .staff)
        super.init((backend, try backend.enrol("door-1")))
    }

    private func raise(key: String? = nil) throws -> HelpCall {
        try machine.call(.help, key: key).decoded(HelpCall.self)
    }

    private func calls(_ caller: TestMachine) throws -> [HelpCall] {
        try caller.call(.helpCalls).decoded(HelpCalls.self).calls
    }

    private func audit() throws -> [String] { try backend.audit("help") }

    @Test("A call is raised once, whatever is sent again; a staff member goes, and ends it")
    func flow() throws {
        let answer = try machine.call(.help, key: "a")
        #expect(answer.status == 201)
        let call = try answer.decoded(HelpCall.self)
        #expect(call.machine.rawValue == "door-1" && call.isOpen && call.going == nil)
        #expect(try machine.call(.help, key: "a").body == answer.body, "the same key")
        let again = try machine.call(.help)
        #expect(again.status == 200 && again.body == answer.body, "another key")
        for caller in [machine, till, page] { #expect(try calls(caller) == [call]) }
        #expect(try machine.staffQueue().help == [call])

        backend.time.advance(by: .seconds(4))
        let going = try till.call(.helpAcknowledgement(call.id), "{}")
        #expect(going.status == 200)
        #expect(try going.decoded(HelpCall.self).going?.moment == backend.time.now)
        let ended = try page.call(.helpCall(call.id), "{\"end\":\"helped\"}")
        #expect(try ended.decoded(HelpCall.self).end == .helped)
        #expect(try calls(machine).map(\.end) == [.helped])
        #expect(try machine.staffQueue().help.isEmpty)
        #expect(
            try audit() == [
                "device till: help-going call \(call.id), machine door-1",
                "device office: help-ended call \(call.id), machine door-1, helped",
            ])
    }

    @Test("The customer's mistake: at that machine; a machine's staff have names")
    func mistake() throws {
        let other = try backend.enrol("door-2")
        let call = try raise()
        let mistake = "{\"end\":\"mistake\"}"
        #expect(try other.call(.helpCall(call.id), mistake).problem == .notFound)
        #expect(
            try machine.call(.helpCall(call.id), "{\"end\":\"helped\"}").problem == .forbidden)
        for body in ["", "{}", "{\"end\":\"expired\"}", "{\"end\":\"x\"}"] {
            #expect(try page.call(.helpCall(call.id), body).problem == .malformed, "\(body)")
        }
        #expect(try machine.call(.helpAcknowledgement(call.id), "{}").problem == .malformed)
        #expect(try machine.call(.helpMute(call.id), "{}").problem == .malformed)
        #expect(
            try page.call(.helpAcknowledgement(call.id), "{\"by\":\"\u{202E}\"}").problem
                == .malformed)
        #expect(try machine.call(.helpCall(call.id), mistake).status == 200)
        #expect(try audit().isEmpty, "a customer is not in the audit")

        let second = try raise()
        // In maintenance mode of another machine, with a name.
        let named = "{\"end\":\"mistake\",\"by\":\"Giulia\"}"
        #expect(try other.call(.helpCall(second.id), named).status == 200)
        #expect(
            try audit() == [
                "machine door-2, Giulia: help-ended call \(second.id), machine door-1, mistake"
            ])
    }

    @Test("A mute is in the audit, and holds for the machine's next call")
    func mute() throws {
        let call = try raise()
        let muted = try page.call(.helpMute(call.id), "{\"by\":\"Marco\"}").decoded(HelpCall.self)
        #expect(muted.mutedUntil?.moment == backend.time.now + .minutes(10))
        _ = try page.call(.helpCall(call.id), "{\"end\":\"mistake\"}")
        #expect(try raise().mutedUntil == muted.mutedUntil)
        #expect(
            try audit().first
                == "device office, Marco: help-muted call \(call.id), machine door-1")
    }

    @Test("A name is shown to the customer only in a shop that wants that")
    func names() async throws {
        let call = try raise()
        let body = "{\"by\":\"Giulia\"}"
        let hidden = try page.call(.helpAcknowledgement(call.id), body).decoded(HelpCall.self)
        #expect(hidden.going != nil && hidden.by == nil)
        #expect(try machine.profile().help == ShopHelp(phone: nil, showsNames: false))
        let help = ShopHelp(phone: "02 1234567", showsNames: true)
        try backend.changeShop { $0.help = help }
        try machine.waitUntil { (try? $0.decoded(MachineProfile.self))?.help == help }
        #expect(try calls(machine).map(\.by) == ["Giulia"])
    }

    @Test("Pages of the staff and check-outs get every call at once; displays and doors get none")
    func feed() throws {
        let display = try backend.enrol("screen", role: .display)
        let entrance = try backend.enrol("in", role: .entrance)
        let open = try [till, page].map { try SocketClient($0) }
        let others = try [display, entrance].map { try SocketClient($0) }
        #expect(try open.allSatisfy { try $0.help().calls.isEmpty })
        let call = try raise()
        for socket in open { #expect(try socket.help { !$0.calls.isEmpty }.calls == [call]) }
        _ = try till.call(.helpAcknowledgement(call.id), "{}")
        let gone = try open.map { try $0.help { $0.calls.first?.going != nil } }
        #expect(gone[0].calls == gone[1].calls)
        #expect(try SocketClient(page).help().calls == gone[0].calls, "a page that opens later")
        // Silence means trouble: the same again without a change, with a higher sequence.
        let next = try open[0].help { $0.sequence > gone[0].sequence }
        #expect(next.calls == gone[0].calls)
        _ = try machine.reservation()
        for socket in others { _ = try socket.turns { $0.called.count == 1 } }
        for (sockets, isAsked) in [(open, true), (others, false)] {
            for socket in sockets {
                #expect(socket.texts.contains { $0.contains(#""type":"help""#) } == isAsked)
            }
        }
    }

    @Test("Another shop's machine, page and key know nothing of a call")
    func neighbour() throws {
        let call = try raise()
        let neighbour = ShopID("shop-2")
        try backend.addShop(neighbour, "ROM2", "Other")
        let foreign = try backend.enrol("office", role: .staff, of: neighbour)
        #expect(try calls(foreign).isEmpty)
        for (route, body) in [
            (Route.helpAcknowledgement(call.id), "{}"), (.helpMute(call.id), "{}"),
            (.helpCall(call.id), "{\"end\":\"helped\"}"),
        ] {
            #expect(try foreign.call(route, body).problem == .notFound)
        }
        #expect(try SocketClient(foreign).help().calls.isEmpty)
        #expect(try calls(machine) == [call])
    }

    @Test("A stolen key raises twenty calls, and leaves the other machines theirs")
    func runaway() throws {
        let backend = try TestBackend([.help: .only(20)])
        let stolen = try backend.enrol("stolen")
        let other = try backend.enrol("other")
        for number in 1...20 {
            let answer = try stolen.call(.help)
            #expect(answer.status == 201)
            // A call that is answered again counts for nothing, as long as another one may be raised.
            if number < 20 { #expect(try stolen.call(.help).status == 200) }
            let call = try answer.decoded(HelpCall.self)
            #expect(try stolen.call(.helpCall(call.id), "{\"end\":\"mistake\"}").status == 200)
        }
        for _ in 1...20 { #expect(try stolen.call(.help).problem == .tooManyRequests) }
        #expect(try backend.count("help_call") == 20)
        #expect(try other.call(.help).status == 201)
    }

    @Test("Metrics: the open calls, and how long the oldest of them waits")
    func metrics() throws {
        let call = try raise()
        backend.time.advance(by: .seconds(12))
        func expect(going: Int, open: Int, seconds: Int) {
            let lines = backend.metrics.split(separator: "\n").filter { $0.hasPrefix("clup_help") }
            #expect(
                lines == [
                    #"clup_help_open{shop="ROM1",going="yes"} \#(going)"#,
                    #"clup_help_open{shop="ROM1",going="no"} \#(open)"#,
                    #"clup_help_unanswered_seconds{shop="ROM1"} \#(seconds)"#,
                ])
        }
        expect(going: 0, open: 1, seconds: 12)
        _ = try page.call(.helpAcknowledgement(call.id), "{}")
        expect(going: 1, open: 0, seconds: 0)
    }
}

@Suite("Calls for help at two servers of one backend (rules: help)")
struct HelpServersTests {
    @Test("Requests for one machine's call, sent to both servers at once, make one call")
    func once() async throws {
        let pair = try ServerPair()
        let (one, other) = try pair.enrol("door-1")
        let calls = try await withThrowingTaskGroup(of: HelpCall.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let machine = number.isMultiple(of: 2) ? one : other
                    // Every second pair repeats a key at the other server.
                    return try machine.call(.help, key: "k\(number / 4)").decoded(HelpCall.self)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(calls.map(\.id)).count == 1)
    }
}
