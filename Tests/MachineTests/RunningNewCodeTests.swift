import KioskFlow
import Reservations
import TestSupport
import Testing

@testable import KioskRuntime

@Suite(
    "The running machine gives a paper that was photographed another code (rules: new-codes)",
    .timeLimit(.minutes(10)))
@MainActor
struct RunningNewCodeTests {
    private nonisolated static let key = AttemptKey("old-1")
    private nonisolated static let paper = IssuedPaper(
        key: key, number: .queue(QueueNumber(rawValue: 42)!), issued: BackendFacts.now.moment,
        outcome: .printed, code: .reservation(BackendFacts.code),
        typedCode: TypedCode(rawValue: "0419384512")!)
    private nonisolated static let renewed = BackendFacts.reservation(
        code: EntryCode(tag: ShopTag(rawValue: "CITT")!, random: Array(16..<32)),
        typed: BackendFacts.pickup.typedCode)

    private let machine: FakeMachine
    private let asked = Locked<[AttemptKey]>([])

    init() throws { machine = try FakeMachine() }

    private func kiosk(
        _ printer: FakePrinter, _ answer: BackendAnswer<Reservation> = .success(renewed)
    ) async -> Kiosk {
        var backend = FakeBackend.openShop()
        backend.onRenewal = { [asked] key in
            asked.change { $0.append(key) }
            return answer
        }
        return await machine.atHome(backend, printer)
    }

    @Test("The new code is on the disk before it is printed, as a ticket of its own and no copy")
    func prints() async {
        let kiosk = await kiosk(FakePrinter(progress: [.printed]))
        kiosk.renewCode(of: Self.paper, by: "Giulia", attempt: AttemptKey("touch-1"))
        #expect(await eventually { machine.records.contains(.printed(Self.key)) })
        #expect(machine.records.first == .issued(Self.key, .reservation(Self.renewed)))
        #expect(machine.printed.map(\.number) == ["042"] && machine.printed.first?.mark == nil)
        #expect(machine.printed.first?.typedCode == "7419 384 512")
        // Another touch asks for the same, also of another person.
        kiosk.renewCode(of: Self.paper, by: "Luca", attempt: AttemptKey("touch-2"))
        #expect(await eventually { asked.value.count == 2 })
        #expect(Set(asked.value).count == 1)
    }

    @Test("A ticket that the printer refuses was not printed, and the staff prints it again")
    func fails() async {
        let kiosk = await kiosk(FakePrinter(progress: [.failed(.jam)]))
        kiosk.renewCode(of: Self.paper, by: "Giulia", attempt: AttemptKey("touch-1"))
        #expect(await eventually { machine.records.contains(.notPrinted(Self.key, .jam)) })
        #expect(!machine.records.contains(.printed(Self.key)))
    }

    @Test("A printer that cannot print leaves the former code valid")
    func noPaper() async {
        let looks = Locked(0)
        let kiosk = await kiosk(
            FakePrinter(onCondition: {
                looks.change { $0 += 1 }
                return PrinterCondition(trouble: .noPaper)
            }))
        // The machine looks at its printer in between too.
        for number in 1...3 {
            let before = looks.value
            kiosk.renewCode(of: Self.paper, by: "Giulia", attempt: AttemptKey("touch-\(number)"))
            #expect(await eventually { looks.value > before })
        }
        #expect(asked.value.isEmpty && machine.records.isEmpty && machine.printed.isEmpty)
    }

    @Test("Without an answer nothing is printed, and the paper keeps what it had")
    func unanswered() async {
        let kiosk = await kiosk(FakePrinter(), .failure(.unanswered))
        kiosk.renewCode(of: Self.paper, by: "Giulia", attempt: AttemptKey("touch-1"))
        #expect(await eventually { asked.value.count == 1 })
        #expect(machine.records.isEmpty && machine.printed.isEmpty)
    }
}
