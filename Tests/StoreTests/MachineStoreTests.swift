internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("Reports of machines, in every engine", .stopsStores)
struct MachineStoreTests {
    @Test(
        "A machine's last ten thousand events are kept, and other machines' events are not affected",
        arguments: engines)
    func bounded(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        _ = await store.send(.make(machine: "door-2", sequences: 1...3))
        for first in stride(from: Int64(1), through: 10_050, by: 50) {
            var report = MachineReport.make(sequences: first...(first + 49))
            report.seen = report.seen + .seconds(first / 1_000 * 3_600)
            let reported = await store.send(report)
            #expect(try reported.get()?.through == first + 49)
        }
        #expect(
            try site.count("SELECT count(*) FROM machine_event WHERE machine = 'door-1'") == 10_000)
        #expect(try site.count("SELECT count(*) FROM machine_event WHERE machine = 'door-2'") == 3)
        let administration = try site.administration()
        let last = try administration.machineEvents(
            of: MachineID("door-1"), in: Site.shopID, count: 2)
        #expect(last.map(\.detail) == ["10050", "10049"])
    }

    @Test(
        "At most a thousand new events of a machine are stored in an hour, over all journals",
        arguments: engines)
    func manyEvents(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        let start = Site.at("10:00")
        func send(_ sequences: ClosedRange<Int64>, memory: String, at moment: Moment) async throws
            -> Int64?
        {
            var report = MachineReport.make(sequences: sequences)
            report.content.memory = memory
            report.seen = moment
            return try await store.send(report).get()?.through
        }
        #expect(try await send(1...990, memory: "a", at: start) == 990)
        #expect(try await send(991...1_040, memory: "a", at: start + .seconds(9)) == 1_000)
        #expect(try await send(1_001...1_040, memory: "a", at: start + .seconds(19)) == 1_000)
        // Another server and another journal count in the same hour.
        let other = engine == .postgresql ? try site.store() : store
        let again = MachineReport.make(sequences: 1...50)
        #expect(again.content.memory == "m")
        #expect(try await other.send(again).get()?.through == 0)
        #expect(try site.count("SELECT count(*) FROM machine_event") == 1_000)
        #expect(
            try await send(1...50, memory: "m", at: start + .seconds(3_600)) == 50, "an hour later")
    }

    @Test(
        "A machine that begins one journal after another must wait; its receipts stay those of a day",
        arguments: engines)
    func memories(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        let start = Site.at("10:00")
        var waits: [Duration?] = []
        func send(_ memory: String, at moment: Moment) async throws -> MachineReportResult? {
            var report = MachineReport.make(sequences: 1...1)
            report.content.memory = memory
            report.seen = moment
            report.content.papers = (0..<30).map {
                PrintTally(
                    day: Site.day.advanced(by: -$0), printed: 43_000, failed: 1, copies: 2)
            }
            return try await store.send(report).get()
        }
        for number in 0..<30 {
            waits.append(
                try await send("m\(number)", at: start + .seconds(number)).flatMap(\.wait))
        }
        #expect(waits.prefix(9).allSatisfy { $0 == nil })
        #expect(waits.dropFirst(9).allSatisfy { $0 ?? .zero > .seconds(86_000) })
        #expect(try site.count("SELECT count(*) FROM machine_paper_day") == 9 * 30)
        // The journal that exists is continued at once, and a new one is accepted the next day.
        #expect(try await send("m8", at: start + .seconds(60))?.wait == nil)
        #expect(try await send("new", at: start + .seconds(86_401))?.wait == nil)
        let administration = try site.administration()
        let papers = try administration.papers(of: Site.shopID, from: Site.day, to: Site.day)
        #expect(papers == [PrintTally(day: Site.day, printed: 43_200, failed: 10, copies: 20)])
    }

    @Test("Reports of many machines at once are all kept", arguments: engines)
    func together(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        let answers = try await atOnce(1...40) {
            await store.send(.make(machine: "door-\($0)", sequences: 1...2))
        }
        #expect(try answers.allSatisfy { try $0.get()?.through == 2 })
        #expect(try site.count("SELECT count(*) FROM machine_event") == 80)
        #expect(try site.count("SELECT count(*) FROM machine_status") == 40)
        store.stop()
        let late = await store.send(.make(sequences: 5...6))
        #expect(throws: StoreError.self) { try late.get() }
    }

    @Test("A report that a full disk refused is not answered, and is stored when it is sent again")
    func full() async throws {
        let site = try Site(.sqlite)
        let plan = FaultPlan()
        let store = try site.store { FaultyDatabase($0, plan: plan) }
        var refused = 0
        for number in Int64(1)...20 {
            plan.arm(after: Int(number) - 1, code: .full)
            let report = MachineReport.make(sequences: number...number)
            let reported = await store.send(report)
            _ = plan.disarm()
            if case .failure = reported {
                refused += 1
                #expect(try site.count("SELECT count(*) FROM machine_event") == Int(number) - 1)
                #expect(try await store.send(report).get()?.through == number)
            }
            #expect(try site.count("SELECT count(*) FROM machine_event") == Int(number))
        }
        #expect(refused > 3)
    }
}

extension MachineReport {
    /// A report with one event for each number.
    static func make(
        machine: String = "door-1", sequences: ClosedRange<Int64>, nonce: String = fresh("nonce")
    ) -> MachineReport {
        let name = MachineID(machine)
        let now = Site.at("10:00")
        return MachineReport(
            shop: Site.shopID, machine: name, seen: now, condition: "{}",
            content: MachineStatusReport(
                condition: MachineCondition(
                    version: "1", outOfService: nil, printers: [], reader: true, clockOffset: 0,
                    diskFree: nil, fingerprint: "", keyDays: nil), memory: "m",
                events: sequences.map {
                    MachineEventReport(
                        sequence: $0, at: LocalMoment(now, offsetMinutes: 60),
                        person: nil, kind: "fault", detail: "\($0)")
                }),
            nonce: SignatureNonce(keyID: machine, value: nonce, expires: now + .seconds(120)))
    }
}

extension QueueStore {
    func send(_ report: MachineReport) async -> Result<MachineReportResult?, StoreError> {
        await withCheckedContinuation { continuation in
            self.report(report) { continuation.resume(returning: $0) }
        }
    }
}
