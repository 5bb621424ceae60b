internal import Reservations
private import Synchronization

/// The status of machines in memory, so that the disk is not read: most of their reports contain nothing new.
final class MachineStatusCache: Sendable {
    private struct Name: Hashable {
        let shop: ShopID
        let machine: MachineID
    }

    private struct Known {
        var status: MachineStatusRecord?
        /// The print outcomes as the present journal reported them last.
        var papers: [CalendarDay: PrintTally] = [:]
        /// The outcomes of the newest day that the present journal reported.
        var newest: PrintTally?
        var commands: [RemoteCommandRecord] = []
    }

    private let machines = Mutex<[Name: Known]>([:])

    /// The answer to a report with nothing new that must be written; nil for every other report.
    func answer(to report: MachineReport) -> MachineReportResult? {
        machines.withLock { machines in
            guard let known = machines[Name(shop: report.shop, machine: report.machine)],
                let status = known.status, status.memory == report.content.memory,
                status.condition == report.condition,
                (.zero..<QueueStore.maxStatusAge).contains(report.seen - status.seen),
                report.content.events.allSatisfy({ $0.sequence <= status.through }),
                report.content.papers.allSatisfy({ known.papers[$0.day] == $0 }),
                !known.commands.contains(where: { report.content.acknowledged.contains($0.id) })
            else { return nil }
            return MachineReportResult(through: status.through, commands: known.commands)
        }
    }

    /// Takes over a report that was written, with `status` as the new status.
    func wrote(_ report: MachineReport, as status: MachineStatusRecord) -> MachineReportResult {
        machines.withLock { machines in
            let name = Name(shop: report.shop, machine: report.machine)
            var known = machines[name] ?? Known()
            if known.status?.memory != status.memory {
                known.papers = [:]
                known.newest = nil
            }
            for papers in report.content.papers
            where known.newest.map({ $0.day <= papers.day }) ?? true {
                known.newest = papers
            }
            known.status = status
            // Days that are over are not reported any more.
            let days = Set(report.content.papers.map(\.day))
            known.papers = known.papers.filter { days.contains($0.key) }
            for papers in report.content.papers { known.papers[papers.day] = papers }
            known.commands.removeAll { report.content.acknowledged.contains($0.id) }
            machines[name] = known
            return MachineReportResult(through: status.through, commands: known.commands)
        }
    }

    /// The print outcomes of a day, summed over all machines of a shop that reported them since the start.
    func papers(of shop: ShopID, on day: CalendarDay) -> PrintTally {
        machines.withLock { machines in
            var sum = PrintTally(day: day)
            for (name, known) in machines where name.shop == shop {
                guard let papers = known.newest, papers.day == day else { continue }
                sum.add(papers)
            }
            return sum
        }
    }

    /// Replaces the open remote commands of every machine; `shops` are all shops.
    func replace(commands: [ShopID: [RemoteCommandRecord]]) {
        machines.withLock { machines in
            for name in machines.keys {
                machines[name]?.commands = []
                if commands[name.shop] == nil { machines[name] = nil }
            }
            for (shop, commands) in commands {
                for order in commands {
                    machines[Name(shop: shop, machine: order.machine), default: Known()].commands
                        .append(order)
                }
            }
        }
    }
}
