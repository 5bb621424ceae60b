internal import ReservationStore
internal import Reservations
internal import Testing

@Suite("What machines tell, in every engine")
struct MachineStoreTests {
    @Test("A shop keeps its last ten thousand events", arguments: Engine.allCases)
    func bounded(_ engine: Engine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        for first in stride(from: Int64(1), through: 10_050, by: 50) {
            let told = await store.tell(.make(sequences: first...(first + 49)))
            #expect(try told.get()?.through == first + 49)
        }
        #expect(try site.count("SELECT count(*) FROM machine_event") == 10_000)
        let clock = site.clock
        let administration = Administration(database: try site.open(for: .administer)) { clock.now }
        let last = try administration.machineEvents(
            of: MachineID("door-1"), in: Site.shopID, count: 2)
        #expect(last.map(\.detail) == ["10050", "10049"])
        store.stop()
    }

    @Test("Reports of many machines at once are all kept", arguments: Engine.allCases)
    func together(_ engine: Engine) async throws {
        let site = try Site(engine)
        let store = try site.store()
        let answers = await withTaskGroup { group in
            for number in 1...40 {
                group.addTask {
                    await store.tell(.make(machine: "door-\(number)", sequences: 1...2))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(try answers.allSatisfy { try $0.get()?.through == 2 })
        #expect(try site.count("SELECT count(*) FROM machine_event") == 80)
        #expect(try site.count("SELECT count(*) FROM machine_status") == 40)
        store.stop()
        let late = await store.tell(.make(sequences: 5...6))
        #expect(throws: StoreError.self) { try late.get() }
    }

    @Test("What a full disk did not take is not answered, and taken when told again")
    func full() async throws {
        let site = try Site(.sqlite)
        let plan = FaultPlan()
        let store = try site.store { FaultyDatabase($0, plan: plan) }
        var refused = 0
        for number in Int64(1)...20 {
            plan.arm(after: Int(number) - 1, code: .full)
            let report = MachineReport.make(sequences: number...number)
            let told = await store.tell(report)
            _ = plan.disarm()
            if case .failure = told {
                refused += 1
                #expect(try site.count("SELECT count(*) FROM machine_event") == Int(number) - 1)
                #expect(try await store.tell(report).get()?.through == number)
            }
            #expect(try site.count("SELECT count(*) FROM machine_event") == Int(number))
        }
        #expect(refused > 3)
        store.stop()
    }
}

extension MachineReport {
    /// A report of one event for each number.
    static func make(
        machine: String = "door-1", sequences: ClosedRange<Int64>, nonce: String = fresh("nonce")
    ) -> MachineReport {
        let name = MachineID(machine)
        let now = Site.at("10:00")
        return MachineReport(
            shop: Site.shopID, machine: name, seen: now, condition: "{}", memory: "m", papers: [],
            dropped: 0,
            events: sequences.map {
                MachineEventRecord(
                    machine: name, sequence: $0, at: LocalMoment(now, offsetMinutes: 60),
                    person: nil, kind: "fault", detail: "\($0)")
            }, obeyed: [], keyID: machine, nonce: nonce, nonceExpires: now + .seconds(120))
    }
}

extension QueueStore {
    func tell(_ report: MachineReport) async -> Result<MachineAnswer?, StoreError> {
        await withCheckedContinuation { continuation in
            self.report(report) { continuation.resume(returning: $0) }
        }
    }
}
