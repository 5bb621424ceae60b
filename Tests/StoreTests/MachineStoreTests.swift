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
            let report = MachineReport.make(
                sequences: first...(first + 49), after: Int(first / 1_000 * 3_600))
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
        // Another server and another journal count in the same hour.
        let other = engine == .postgresql ? try site.store() : store
        for (server, sequences, memory, second, through) in [
            (store, 1...990, "a", 0, 990), (store, 991...1_040, "a", 9, 1_000),
            (store, 1_001...1_040, "a", 19, 1_000), (other, 1...50, "m", 0, 0),
        ] as [(QueueStore, ClosedRange<Int64>, String, Int, Int64)] {
            let report = MachineReport.make(sequences: sequences, memory: memory, after: second)
            #expect(try await server.send(report).get()?.through == through, "second \(second)")
        }
        #expect(try site.count("SELECT count(*) FROM machine_event") == 1_000)
        let later = await store.send(.make(sequences: 1...50, after: 3_600))
        #expect(try later.get()?.through == 50, "an hour later")
    }

    @Test(
        "A machine that begins one journal after another must wait; its receipts stay those of a day",
        arguments: engines)
    func memories(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        func send(_ memory: String, after seconds: Int) async throws -> Duration? {
            var report = MachineReport.make(sequences: 1...1, memory: memory, after: seconds)
            report.content.papers = (0..<30).map {
                PrintTally(
                    day: Site.day.advanced(by: -$0), printed: 43_000, failed: 1, copies: 2)
            }
            return try await store.send(report).get().flatMap(\.wait)
        }
        var waits: [Duration?] = []
        for number in 0..<30 { waits.append(try await send("m\(number)", after: number)) }
        #expect(waits.prefix(9).allSatisfy { $0 == nil })
        #expect(waits.dropFirst(9).allSatisfy { $0 ?? .zero > .seconds(86_000) })
        #expect(try site.count("SELECT count(*) FROM machine_paper_day") == 9 * 30)
        // The journal that exists is continued at once, and a new one is accepted the next day.
        #expect(try await send("m8", after: 60) == nil)
        #expect(try await send("new", after: 86_401) == nil)
        let administration = try site.administration()
        let papers = try administration.papers(of: Site.shopID, from: Site.day, to: Site.day)
        #expect(papers == [PrintTally(day: Site.day, printed: 43_200, failed: 10, copies: 20)])
    }

    @Test("Reports of many machines at once are all kept, each once", arguments: engines)
    func together(_ engine: StoreEngine) async throws {
        let (site, store) = try Site.serving(engine)
        let answers = try await atOnce(1...40) {
            await store.send(.make(machine: "door-\($0)", sequences: 1...2))
        }
        #expect(try answers.allSatisfy { try $0.get()?.through == 2 })
        #expect(try site.count("SELECT count(*) FROM machine_event") == 80)
        #expect(try site.count("SELECT count(*) FROM machine_status") == 40)
        // A report that comes again with its nonce is not written again.
        let new = MachineReport.make(machine: "new", sequences: 1...1, nonce: "n")
        #expect(try await store.send(new).get()?.through == 1)
        let again = MachineReport.make(machine: "new", sequences: 1...2, nonce: "n")
        #expect(try await store.send(again).get() == nil)
        #expect(try site.count("SELECT count(*) FROM machine_event") == 81)
        store.stop()
        let late = await store.send(.make(sequences: 5...6))
        #expect(throws: StoreError.self) { try late.get() }
    }

    @Test("A report that a full disk refused is not answered, and is stored when it is sent again")
    func full() async throws {
        let site = try Site(.sqlite)
        let (store, plan) = try site.faulty()
        func events() throws -> Int { try site.count("SELECT count(*) FROM machine_event") }
        var refused = 0
        for number in 1...20 {
            plan.arm(after: number - 1, code: .full)
            let report = MachineReport.make(sequences: Int64(number)...Int64(number))
            let reported = await store.send(report)
            _ = plan.disarm()
            if case .failure = reported {
                refused += 1
                #expect(try events() == number - 1)
                #expect(try await store.send(report).get()?.through == Int64(number))
            }
            #expect(try events() == number)
        }
        #expect(refused > 3)
    }
}

extension MachineReport {
    /// A report with one event for each number, so many seconds after ten.
    static func make(
        machine: String = "door-1", sequences: ClosedRange<Int64>, nonce: String = fresh("nonce"),
        memory: String = "m", after seconds: Int = 0
    ) -> MachineReport {
        let name = MachineID(machine)
        let now = Site.at("10:00")
        return MachineReport(
            shop: Site.shopID, machine: name, seen: now + .seconds(seconds), condition: "{}",
            content: MachineStatusReport(
                condition: MachineCondition(
                    version: "1", outOfService: nil, printers: [], reader: true, clockOffset: 0,
                    diskFree: nil, fingerprint: "", keyDays: nil), memory: memory,
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
        await answer { self.report(report, completion: $0) }
    }
}
