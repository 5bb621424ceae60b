import BackendAPI
@testable import BackendService
import Reservations
import Testing

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

    @Test("The same bytes of a machine are decoded once; others, and long ones, each time")
    func sameBytes() {
        #expect(read([1]).isDecoded)
        #expect(!read([1]).isDecoded)
        #expect(read([2]).isDecoded)
        #expect(read([1]).isDecoded, "only the last report is known")
        for (name, shop) in [("door-2", "shop"), ("door-1", "other")] {
            #expect(read([1], of: MachineName(MachineID(name), of: ShopID(shop))).isDecoded)
        }
        #expect(!read([1]).isDecoded)
        // A long report has events.
        let long = [UInt8](repeating: 1, count: ReadReports.maxBodyBytes + 1)
        for _ in 0..<2 { #expect(read(long).isDecoded) }
    }

    @Test("The address by which a machine calls belongs to what was read")
    func address() {
        #expect(read([1], at: "a:1").report.content.condition.address == "a:1")
        let other = read([1], at: "b:2")
        #expect(other.isDecoded && other.report.content.condition.address == "b:2")
        #expect(other.report.condition.contains("b:2"))
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
