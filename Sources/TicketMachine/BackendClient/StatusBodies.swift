internal import BackendAPI
internal import KioskFlow
internal import Reservations

// The machine's status and what comes back, between the facts of the machine and the contract.

extension MachineStatusRequest {
    init(_ report: MachineReport) {
        self.init(
            condition: MachineCondition(
                version: report.body.version, outOfService: report.outOfService?.rawValue,
                printers: report.printers.map {
                    PrinterStatus(
                        name: $0.name, trouble: $0.condition.trouble?.rawValue,
                        paperLow: $0.condition.paperLow)
                }, reader: report.isReaderThere, clockOffset: report.clockOffset,
                diskFree: report.body.diskFree, fingerprint: report.body.fingerprint,
                keyDays: report.body.keyDays, unknownPapers: report.unknownPapers),
            memory: report.events.memory,
            papers: report.papers.map {
                PaperDay(
                    day: $0.day, printed: $0.printed, failed: $0.failed, copies: $0.copies,
                    unknown: $0.unknown)
            }, dropped: report.events.dropped,
            events: report.events.events.map { numbered in
                let event = numbered.event
                return MachineEventReport(
                    sequence: numbered.sequence,
                    at: LocalMoment(event.at, offsetMinutes: report.offsetMinutes),
                    person: event.person, kind: event.kind.rawValue, detail: event.detail)
            }, obeyed: report.obeyed)
    }
}

extension MachineStatusReply {
    /// More than can be open at once.
    private static let mostOrders = 16

    var answer: Result<ReportAnswer, BackendFailure> {
        guard through >= 0, orders.count <= Self.mostOrders else {
            return .failure(.notUnderstood)
        }
        return .success(ReportAnswer(through: through, orders: orders.compactMap(\.order)))
    }
}

extension MachineOrder {
    /// The order; nil where this program does not know its kind.
    fileprivate var order: ShopOrder? {
        let deed: ShopOrder.Deed
        switch Kind(rawValue: kind) {
        case .outOfService:
            deed = .outOfService(
                message: ForeignText.clean(message ?? "", limit: Self.longestMessage))
        case .inService: deed = .inService
        case .restart: deed = .restart
        case .rotate: deed = .rotate
        case .unlock: deed = .unlock
        case nil: return nil
        }
        return ShopOrder(id: id, deed: deed, given: given.moment)
    }
}
