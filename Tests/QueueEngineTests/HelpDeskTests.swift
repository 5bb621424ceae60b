import QueueEngine
import Reservations
import Testing

@Suite("Decisions about calls for help (rules: help, help-staff)")
struct HelpDeskTests {
    private static let door = MachineID("door-1")
    private static let start = Moment(milliseconds: 1_795_165_200_000)
    private var desk = HelpDesk()
    private var now = start
    private var made = 0

    private mutating func perform(
        _ command: HelpCommand, isOpen: Bool = true
    ) -> Result<HelpDesk.Decision, Refused> {
        made += 1
        let id = HelpCallID("h-\(made)")
        return desk.perform(command, at: now, isOpen: isOpen) { id }
    }

    private mutating func raise(_ machine: MachineID = door) throws -> HelpCallRecord {
        try perform(.raise(machine: machine)).get().call
    }

    @Test("A machine has one open call, which is answered again; another machine has its own")
    mutating func oneCall() throws {
        let first = try perform(.raise(machine: Self.door)).get()
        #expect(first.isChanged && first.call.isOpen && first.call.going == nil)
        now = now + .seconds(30)
        let again = try perform(.raise(machine: Self.door)).get()
        #expect(!again.isChanged && again.call == first.call)
        #expect(try raise(MachineID("door-2")).id != first.call.id)
        _ = try perform(.end(first.call.id, .helped, by: .staff)).get()
        #expect(try raise().id != first.call.id)
    }

    @Test("While the shop is closed no call begins, and an open one stays")
    mutating func closed() throws {
        #expect(perform(.raise(machine: Self.door), isOpen: false) == .refused(.shopClosed))
        let call = try raise()
        #expect(try perform(.raise(machine: Self.door), isOpen: false).get().call == call)
        #expect(try perform(.acknowledge(call.id, by: nil), isOpen: false).get().isChanged)
    }

    @Test("The first staff member to go is the one that the customer sees")
    mutating func going() throws {
        let call = try raise()
        now = now + .seconds(3)
        let gone = try perform(.acknowledge(call.id, by: "Giulia")).get()
        #expect(gone.isChanged && gone.call.going == now && gone.call.by == "Giulia")
        now = now + .seconds(1)
        let late = try perform(.acknowledge(call.id, by: "Marco")).get()
        #expect(!late.isChanged && late.call == gone.call)
        #expect(perform(.acknowledge(HelpCallID("none"), by: nil)) == .refused(.notFound))
    }

    @Test(
        "The customer ends the own machine's call, within a minute and as a mistake only",
        arguments: [(0, true), (60, true), (74, true), (75, false), (600, false)])
    mutating func mistake(seconds: Int, isInTime: Bool) throws {
        let call = try raise()
        now = now + .seconds(seconds)
        let customer = HelpCommand.Caller.customer(at: Self.door)
        #expect(perform(.end(call.id, .helped, by: customer)) == .refused(.forbidden))
        let other = HelpCommand.Caller.customer(at: MachineID("door-2"))
        #expect(perform(.end(call.id, .mistake, by: other)) == .refused(.notFound))
        let ended = perform(.end(call.id, .mistake, by: customer))
        guard isInTime else {
            #expect(ended == .refused(.forbidden))
            #expect(try perform(.end(call.id, .mistake, by: .staff)).get().call.end == .mistake)
            return
        }
        #expect(try ended.get().call.end == .mistake && ended.get().call.ended == now)
        // An end that is sent again, by whom and however late, changes nothing.
        now = now + .minutes(5)
        for caller in [customer, .staff] {
            let again = try perform(.end(call.id, .mistake, by: caller)).get()
            #expect(try !again.isChanged && again.call == ended.get().call)
        }
    }

    @Test("A machine that is muted stays so over its next calls, for ten minutes")
    mutating func muted() throws {
        let first = try raise()
        let silent = try perform(.mute(first.id)).get().call
        #expect(silent.mutedUntil == now + .minutes(10))
        now = now + .minutes(1)
        _ = try perform(.end(first.id, .mistake, by: .staff)).get()
        #expect(try raise().mutedUntil == silent.mutedUntil)
        #expect(try raise(MachineID("door-2")).mutedUntil == nil)
        let open = try #require(desk.calls.first { $0.isOpen && $0.machine == Self.door })
        _ = try perform(.end(open.id, .mistake, by: .staff)).get()
        now = now + .minutes(9)
        #expect(try raise().mutedUntil == nil)
    }

    @Test("A call ends by itself half an hour after a staff member went, or after twelve hours")
    mutating func expires() throws {
        let gone = try raise()
        let waiting = try raise(MachineID("door-2"))
        now = now + .minutes(10)
        _ = try perform(.acknowledge(gone.id, by: nil)).get()
        now = now + .minutes(29)
        #expect(!desk.isDue(at: now, hasProgram: false) && desk.expire(at: now).isEmpty)
        now = now + .minutes(1)
        #expect(desk.isDue(at: now, hasProgram: false))
        #expect(desk.expire(at: now).map(\.id) == [gone.id])
        #expect(desk.calls.first { $0.id == gone.id }?.end == .expired)
        now = Self.start + .minutes(12 * 60)
        #expect(desk.expire(at: now).map(\.id) == [waiting.id])
        #expect(desk.expire(at: now).isEmpty)
    }

    @Test("The help program starts after a minute, each minute again, and ten times at most")
    mutating func program() throws {
        let call = try raise()
        var runs: [Int] = []
        for second in 0..<1_000 {
            now = Self.start + .seconds(second)
            #expect(desk.isDue(at: now, hasProgram: false) == false)
            let isDue = desk.isDue(at: now, hasProgram: true)
            let started = desk.startPrograms(at: now)
            #expect(isDue == !started.isEmpty)
            if !started.isEmpty { runs.append(second) }
            #expect(started.allSatisfy { $0.id == call.id && $0.programRuns == runs.count })
        }
        #expect(runs == (1...10).map { $0 * 60 })
    }

    @Test("The help program stops when a staff member goes, and missed starts are not made up for")
    mutating func programEnds() throws {
        let call = try raise()
        now = Self.start + .seconds(200)
        #expect(desk.startPrograms(at: now).map(\.programRuns) == [3])
        #expect(desk.startPrograms(at: now + .seconds(39)).isEmpty)
        #expect(desk.startPrograms(at: now + .seconds(40)).map(\.programRuns) == [4])
        _ = try perform(.acknowledge(call.id, by: nil)).get()
        #expect(desk.startPrograms(at: now + .seconds(400)).isEmpty)
    }

    @Test("Ended calls are reported for two more minutes; a name only if the shop wants it")
    mutating func reported() throws {
        var shop = Shop.market()
        func calls(_ moment: Moment) -> [HelpCall] {
            desk.reported(of: shop, at: moment) { LocalMoment($0, offsetMinutes: 60) }.calls
        }
        let call = try raise()
        _ = try perform(.acknowledge(call.id, by: "Giulia")).get()
        #expect(calls(now).map(\.by) == [nil])
        shop.help.showsNames = true
        #expect(calls(now).map(\.by) == ["Giulia"])
        _ = try perform(.end(call.id, .helped, by: .staff)).get()
        #expect(calls(now + .seconds(119)).map(\.end) == [.helped])
        #expect(calls(now + .seconds(120)).isEmpty)
    }

    @Test("The report has the median and the longest time by hours, without mistakes")
    func report() {
        func call(
            _ minute: Int, after seconds: Int?, _ end: HelpCall.End? = .helped
        ) -> HelpCallRecord {
            let raised = Self.start + .minutes(minute)
            return HelpCallRecord(
                id: HelpCallID("h\(minute)-\(seconds ?? -1)"), machine: Self.door, raised: raised,
                going: seconds.map { raised + .seconds($0) }, ended: raised + .minutes(9), end: end)
        }
        let report = HelpReport(
            [
                call(1, after: 30), call(5, after: 10), call(7, after: 90), call(9, after: nil),
                call(11, after: nil, .mistake), call(61, after: 4), call(24 * 60, after: 600),
            ]) { LocalMoment($0, offsetMinutes: 60) }
        #expect(report.hours.map(\.hour) == [10, 11, 10])
        #expect(
            report.hours.map(\.calls) == [4, 1, 1] && report.hours.map(\.mistakes) == [1, 0, 0])
        #expect(report.hours.map(\.unanswered) == [1, 0, 0])
        #expect(report.hours[0].medianSeconds == 30 && report.hours[0].longestSeconds == 90)
        #expect(report.medianSeconds(in: 10) == 30 && report.medianSeconds(in: 9) == nil)
    }
}
