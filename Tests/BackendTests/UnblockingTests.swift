import BackendAPI
import ReservationStore
import Reservations
import Testing

@Suite("The staff lift the block of a customer who missed three calls (rules: blocks)")
final class UnblockingTests: OpenShop {
    private let page: TestMachine

    override init() throws {
        let shop = try TestBackend.joinable([.unblocks: .only(3)]) { $0.capacity = 40 }
        page = try shop.0.enrol("staff-page", role: .staff)
        super.init(shop)
    }

    /// A phone that has missed three calls, and the refusal that it gets.
    private func blocked() throws -> (device: TestDevice, refusal: Problem, BlockReference) {
        let device = TestDevice(backend)
        for _ in 0..<3 {
            _ = try device.join(machine)
            backend.pass(.minutes(11))
        }
        let answer = try device.hold(machine.invitation())
        #expect(answer.problem == .blocked)
        let refusal = try answer.decoded(Problem.self)
        return (device, refusal, try #require(refusal.reference))
    }

    private func unblock(
        _ reference: BlockReference?, by caller: TestMachine, pin: String? = nil,
        key: String? = nil
    ) throws -> WireResponse {
        try caller.act(
            StaffActionRequest(.unblock, by: "Giulia", reference: reference, pin: pin), key: key)
    }

    private func setPIN() throws -> String {
        let (pin, stored) = try StaffPIN.make()
        try backend.administration.setStaffPIN(stored, of: TestBackend.shop)
        return pin
    }

    /// The blocks that were lifted, as the audit has them.
    private func liftedBlocks() throws -> [String] {
        try backend.audit(AuditEntry.Action.holderUnblocked.rawValue)
    }

    /// A reference that no phone has.
    private func other(than reference: BlockReference) throws -> BlockReference {
        try #require(BlockReference(rawValue: altered(reference.rawValue)))
    }

    @Test("The refusal has eight digits, with which the machine's staff let the phone join again")
    func atTheMachine() throws {
        let (device, refusal, reference) = try blocked()
        #expect(refusal.until != nil)
        let again = try device.hold(machine.invitation()).decoded(Problem.self)
        #expect(again.reference == reference, "the phone shows the same digits each time")
        let answer = try unblock(reference, by: machine, key: "once")
        #expect(answer.status == 200)
        #expect(answer.text == "{}")
        #expect(try unblock(reference, by: machine, key: "once").body == answer.body)
        #expect(try device.hold(machine.invitation()).status == 201)
        let entries = try liftedBlocks()
        #expect(entries.count == 1 && entries[0].hasPrefix("machine north, Giulia:"))
        // The audit stays when the holder is forgotten, and the log is read by others.
        #expect(entries.allSatisfy { !$0.contains(reference.rawValue) })
        #expect(!backend.lines.value.contains { $0.contains(reference.rawValue) })
    }

    @Test("Two phones have two references; an unknown one and one that is over have one answer")
    func references() throws {
        let (_, _, first) = try blocked()
        let (device, _, second) = try blocked()
        #expect(first != second)
        #expect(try unblock(first, by: machine).status == 200)
        #expect(try unblock(first, by: machine).problem == .notBlocked)
        #expect(try device.hold(machine.invitation()).problem == .blocked)
        let unknown = try unblock(other(than: second), by: machine)
        backend.time.advance(by: .seconds(8 * 86_400))
        let over = try unblock(second, by: machine)
        #expect(over.status == unknown.status && over.body == unknown.body)
    }

    @Test("Wrong references are counted by machine, right ones are not")
    func limited() throws {
        let (_, _, reference) = try blocked()
        let wrong = try other(than: reference)
        for _ in 0..<2 { #expect(try unblock(wrong, by: machine).problem == .notBlocked) }
        #expect(try unblock(reference, by: machine).status == 200)
        #expect(try unblock(wrong, by: machine).problem == .notBlocked)
        // Nothing is left, for a right one neither; another machine has its own tries.
        #expect(try unblock(reference, by: machine).problem == .tooManyRequests)
        let south = try backend.enrol("south")
        #expect(try unblock(wrong, by: south).problem == .notBlocked)
    }

    @Test("A page of the staff needs the shop's PIN, whose wrong tries count as well")
    func atThePage() throws {
        let (device, _, reference) = try blocked()
        #expect(try unblock(reference, by: page, pin: "12345678").problem == .noStaffPIN)
        let pin = try setPIN()
        let wrong = altered(pin)
        for text in [nil, "", "1234567", "123456789", "1234567x"] {
            #expect(try unblock(reference, by: page, pin: text).problem == .malformed)
        }
        #expect(try unblock(reference, by: page, pin: wrong).problem == .wrongPIN)
        #expect(try device.hold(machine.invitation()).problem == .blocked)
        #expect(try unblock(reference, by: page, pin: pin).status == 200)
        #expect(try device.hold(machine.invitation()).status == 201)
        #expect(try liftedBlocks().first?.hasPrefix("device staff-page, Giulia:") == true)
        #expect(try liftedBlocks().count == 1)
        #expect(try unblock(reference, by: page, pin: wrong).problem == .wrongPIN)
        #expect(try unblock(reference, by: page, pin: pin).problem == .tooManyRequests)
        #expect(!backend.lines.value.contains { $0.contains(pin) })
    }

    @Test("A page of the staff corrects nothing else, whatever PIN it sends")
    func onlyBlocks() throws {
        let pin = try setPIN()
        for kind in StaffActionRequest.Kind.allCases where kind != .unblock {
            let request = StaffActionRequest(
                kind, number: QueueNumber(rawValue: 1), people: 1, by: "Giulia", pin: pin)
            #expect(try page.act(request).problem == .forbidden, "\(kind)")
        }
    }

    @Test("A new PIN replaces the one before; neither database nor stored requests tell any")
    func replaced() throws {
        let (_, _, reference) = try blocked()
        let first = try setPIN()
        let answer = try unblock(reference, by: page, pin: first, key: "once")
        #expect(answer.status == 200)
        let second = try setPIN()
        #expect(first != second)
        // With the PIN in the fingerprint this would be another request.
        let again = try unblock(reference, by: page, pin: second, key: "once")
        #expect(again.status == 200 && again.body == answer.body)
        #expect(try unblock(reference, by: page, pin: first).problem == .wrongPIN)
        #expect(try unblock(reference, by: page, pin: second).problem == .notBlocked)
        try backend.administration.setStaffPIN(nil, of: TestBackend.shop)
        #expect(try unblock(reference, by: page, pin: second).problem == .noStaffPIN)
        #expect(try backend.count("shop WHERE staff_pin LIKE '%\(second)%'") == 0)
        #expect(try backend.count("audit WHERE detail LIKE '%\(second)%'") == 0)
    }
}
