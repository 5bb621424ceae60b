internal import BackendAPI
internal import ReservationStore
internal import Reservations
private import Synchronization

/// The last report of each machine as it was read, since most reports are the same bytes as the one before.
final class ReadReports: Sendable {
    struct Report: Sendable {
        /// The report, with the address by which the machine called.
        let content: MachineStatusReport
        /// Its condition as the store keeps it.
        let condition: String
    }

    /// Longer reports have events, which do not come again.
    static let maxBodyBytes = 2_048

    private struct Known {
        let body: [UInt8]
        let authority: String
        let report: Report
    }

    private let known = Mutex<[MachineName: Known]>([:])

    /// The report of a request; `read` decodes its body if that is another one than the last of this machine.
    func report<Failure: Error>(
        _ request: WireRequest, of machine: MachineName,
        read: () throws(Failure) -> MachineStatusReport
    ) throws(Failure) -> Report {
        let former = known.withLock { $0[machine] }
        if let former, former.body == request.body, former.authority == request.authority {
            return former.report
        }
        var content = try read()
        content.condition.address = request.authority
        let report = Report(content: content, condition: JSONText.string(content.condition))
        if request.body.count <= Self.maxBodyBytes {
            known.withLock { known in
                // As many machines as one server has; if there are more, all are forgotten.
                if known.count >= QueueStore.maxWaitingReports, known[machine] == nil {
                    known = [:]
                }
                known[machine] = Known(
                    body: request.body, authority: request.authority, report: report)
            }
        }
        return report
    }
}
