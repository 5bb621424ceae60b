import KioskFlow
import Reservations
import TerminalSurface

// The first screen of maintenance mode: a line for each part, and what to do about it.
extension Canvas {
    mutating func drawOverview(_ scene: Scene) {
        let (text, buttons) = staffDivided(rows: 2)
        setLines(overviewLines(scene), in: text)
        let screens = StaffScreen.allCases.filter { $0 != .overview }
        let others = screens.map {
            Button(.openStaff($0), label: wording.name($0), isMain: false)
        }
        placeGrid(
            others + [nil, Button(.leaveStaff, label: wording.text("Leave"), isMain: true)],
            columns: 3, in: buttons)
    }

    private func overviewLines(_ scene: Scene) -> [StaffLine] {
        let facts = scene.staffFacts ?? StaffFacts()
        return [service(scene), backend(facts)] + printers(scene)
            + [reader(scene, facts), clock(facts)] + body(facts) + [papers(facts)]
    }

    private func backend(_ facts: StaffFacts) -> StaffLine {
        let name = wording.text("Backend")
        guard let latency = facts.latency else {
            return StaffLine(name, .wrong, wording.text("no answer: look at the network"))
        }
        let milliseconds = String(max(1, latency.wholeMilliseconds))
        return StaffLine(name, .good, wording.text("answers in {n} ms", ["n": milliseconds]))
    }

    /// A line for each printer that is configured, and one for the paper of all of them.
    func printers(_ scene: Scene) -> [StaffLine] {
        let facts = scene.staffFacts ?? StaffFacts()
        guard facts.printersConfigured > 0 else {
            return [
                StaffLine(wording.text("Printer"), .wrong, wording.text("none is configured"))
            ]
        }
        let lines = (0..<facts.printersConfigured).map { index in
            let name =
                facts.printersConfigured == 1
                ? wording.text("Printer")
                : wording.text("Printer {n}", ["n": String(index + 1)])
            guard let condition = facts.printers[at: index] else {
                return StaffLine(name, .unknown, wording.text("is being asked"))
            }
            guard let trouble = condition.trouble else {
                return StaffLine(name, .good, wording.text("ready"))
            }
            return StaffLine(name, .wrong, wording.cure(trouble))
        }
        let isLow = facts.printers.contains(where: \.paperLow)
        return lines
            + (isLow
                ? [
                    StaffLine(
                        wording.text("Paper"), .wrong,
                        wording.text("nearly used up: have a roll ready"))
                ] : [])
    }

    private func reader(_ scene: Scene, _ facts: StaffFacts) -> StaffLine {
        let name = wording.text("Reader")
        guard scene.isReaderThere else {
            return StaffLine(name, .wrong, wording.text("away: plug it in again"))
        }
        guard let read = facts.lastRead else {
            return StaffLine(name, .unknown, wording.text("has read nothing since the start"))
        }
        let time = read.at.map { wording.time($0) } ?? "-"
        return read.isCode
            ? StaffLine(name, .good, wording.text("last read at {time}", ["time": time]))
            : StaffLine(
                name, .wrong, wording.text("read no code of ours at {time}", ["time": time]))
    }

    private func clock(_ facts: StaffFacts) -> StaffLine {
        let name = wording.text("Clock")
        guard let offset = facts.clockOffset else {
            return StaffLine(name, .unknown, wording.text("nothing to compare it with"))
        }
        let seconds = Int(offset.wholeMilliseconds / 1_000)
        return abs(seconds) <= CareLimits.clockOffset
            ? StaffLine(name, .good, wording.text("right"))
            : StaffLine(
                name, .wrong,
                wording.text("wrong by {n} s: correct it", ["n": String(seconds)]))
    }

    private func body(_ facts: StaffFacts) -> [StaffLine] {
        guard let body = facts.body else { return [] }
        var lines: [StaffLine] = []
        if let free = body.diskFree {
            let values = ["n": String(free)]
            lines.append(
                free >= CareLimits.diskFree
                    ? StaffLine(wording.text("Disk"), .good, wording.text("{n} % free", values))
                    : StaffLine(
                        wording.text("Disk"), .wrong,
                        wording.text("{n} % free: make room", values)))
        }
        let age = body.keyDays.map {
            ", " + wording.plural("{n} day old", "{n} days old", $0)
        }
        lines.append(
            StaffLine(wording.text("Key"), .good, body.fingerprint.prefix(24) + (age ?? "")))
        lines.append(StaffLine(wording.text("Version"), .good, body.version))
        return lines
    }

    private func papers(_ facts: StaffFacts) -> StaffLine {
        let name = wording.text("Papers")
        guard let papers = facts.papers else {
            return StaffLine(name, .unknown, wording.text("are being counted"))
        }
        let missing = papers.count { if case .notPrinted = $0.fate { true } else { false } }
        return StaffLine(
            name, missing == 0 ? .good : .wrong,
            wording.text(
                "today: {n}, not printed: {m}",
                ["n": String(papers.count), "m": String(missing)]))
    }
}

extension Wording {
    /// A screen of maintenance mode, as its button says it.
    func name(_ screen: StaffScreen) -> String {
        switch screen {
        case .overview: text("Overview")
        case .printer: text("Printer")
        case .papers: text("Papers")
        case .events: text("Events")
        case .machine: text("Machine")
        }
    }

    /// What a printer lacks, and what to do about it.
    func cure(_ trouble: PrinterTrouble) -> String {
        switch trouble {
        case .noPaper: text("no paper: put in a new roll")
        case .jam: text("jammed: open it, take the paper out")
        case .coverOpen: text("open: close the cover")
        case .offline, .silent: text("no answer: look at power and cable")
        case .stopped: text("its queue is stopped: start it")
        case .other: text("error: look at its own lights")
        }
    }
}
