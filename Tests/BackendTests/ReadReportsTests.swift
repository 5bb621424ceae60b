import BackendAPI
import FoundationEssentials
import ReservationStore
import Reservations
import Testing

@testable import BackendService

/// Reports of machines that are the same bytes as the one before are not decoded again.
@Suite("Reports that were read before")
struct ReadReportsTests {
    private let reports = ReadReports()
    private let machine = MachineName(MachineID("door-1"), of: ShopID("shop"))

    private static let content = MachineStatusReport(
        condition: MachineCondition(
            version: "1", outOfService: nil, printers: [], reader: true, clockOffset: 0,
            diskFree: 50, fingerprint: "AA", keyDays: 1), memory: "journal")

    /// What was read, and whether the body was decoded for it.
    private func read(
        _ body: [UInt8], at authority: String = "a:1", of machine: MachineName? = nil
    ) -> (isDecoded: Bool, report: ReadReports.Report) {
        var isDecoded = false
        let request = WireRequest(
            method: "POST", authority: authority, path: "/v1/machine/status", body: body)
        let report = reports.report(request, of: machine ?? self.machine) {
            isDecoded = true
            return Self.content
        }
        return (isDecoded, report)
    }

    @Test("The same bytes are decoded once, other bytes each time")
    func sameBytes() {
        #expect(read([1]).isDecoded)
        #expect(!read([1]).isDecoded)
        #expect(read([2]).isDecoded)
        #expect(read([1]).isDecoded, "only the last report is known")
    }

    @Test("The address by which a machine calls belongs to what was read")
    func address() {
        #expect(read([1], at: "a:1").report.content.condition.address == "a:1")
        let other = read([1], at: "b:2")
        #expect(other.isDecoded && other.report.content.condition.address == "b:2")
        #expect(other.report.condition.contains("b:2"))
    }

    @Test("Another machine's report is its own")
    func machines() {
        _ = read([1])
        #expect(read([1], of: MachineName(MachineID("door-2"), of: ShopID("shop"))).isDecoded)
        #expect(read([1], of: MachineName(MachineID("door-1"), of: ShopID("other"))).isDecoded)
        #expect(!read([1]).isDecoded)
    }

    @Test("A long report, which has events, is not kept")
    func long() {
        let body = [UInt8](repeating: 1, count: ReadReports.maxBodyBytes + 1)
        #expect(read(body).isDecoded)
        #expect(read(body).isDecoded)
    }

    @Test("A body that cannot be read is refused each time")
    func unreadable() {
        struct Unreadable: Error {}
        let request = WireRequest(
            method: "POST", authority: "a:1", path: "/v1/machine/status", body: [1])
        for _ in 0..<2 {
            #expect(throws: Unreadable.self) {
                try reports.report(request, of: machine) { () throws(Unreadable) in
                    throw Unreadable()
                }
            }
        }
    }
}
