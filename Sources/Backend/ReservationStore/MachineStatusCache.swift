internal import Reservations
private import Synchronization

/// What is known of machines without looking at the disk: most of their reports tell nothing new.
final class MachineStatusCache: Sendable {
    private struct Name: Hashable {
        let shop: ShopID
        let machine: MachineID
    }

    private struct Known {
        var status: MachineStatusRecord?
        /// As the present memory told them last.
        var papers: [CalendarDay: PrintTally] = [:]
        /// Of the newest day that the present memory told.
        var newest: PrintTally?
        var commands: [RemoteCommandRecord] = []
    }

    private let machines = Mutex<[Name: Known]>([:])

    /// The answer to a report that tells nothing that is worth the disk; nil for every other one.
    func answer(to report: MachineReport) -> MachineReportResult? {
        machines.withLock { machines in
            guard let known = machines[Name(shop: report.shop, machine: report.machine)],
                let status = known.status, status.memory == report.memory,
                status.condition == report.condition,
                (.zero..<QueueStore.maxStatusAge).contains(report.seen - status.seen),
                report.events.allSatisfy({ $0.sequence <= status.through }),
                report.papers.allSatisfy({ known.papers[$0.day] == $0 }),
                !known.commands.contains(where: { report.obeyed.contains($0.id) })
            else { return nil }
            return MachineReportResult(through: status.through, commands: known.commands)
        }
    }

    /// A report was written, `status` being what is known now.
    func wrote(_ report: MachineReport, as status: MachineStatusRecord) -> MachineReportResult {
        machines.withLock { machines in
            let name = Name(shop: report.shop, machine: report.machine)
            var known = machines[name] ?? Known()
            if known.status?.memory != status.memory {
                known.papers = [:]
                known.newest = nil
            }
            for papers in report.papers where known.newest.map({ $0.day <= papers.day }) ?? true {
                known.newest = papers
            }
            known.status = status
            // Days that are over are told no more.
            let days = Set(report.papers.map(\.day))
            known.papers = known.papers.filter { days.contains($0.key) }
            for papers in report.papers { known.papers[papers.day] = papers }
            known.commands.removeAll { report.obeyed.contains($0.id) }
            machines[name] = known
            return MachineReportResult(through: status.through, commands: known.commands)
        }
    }

    /// Fates of a day's papers, of all machines of a shop that told of them since the start.
    func papers(of shop: ShopID, on day: CalendarDay) -> PrintTally {
        machines.withLock { machines in
            var sum = PrintTally(day: day)
            for (name, known) in machines where name.shop == shop {
                guard let papers = known.newest, papers.day == day else { continue }
                sum.printed += papers.printed
                sum.failed += papers.failed
                sum.copies += papers.copies
                sum.unknown += papers.unknown
            }
            return sum
        }
    }

    /// Orders that are open now, of every machine; `shops` are those there are.
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
