import KioskFlow
import Reservations
import TerminalSurface

// The first screen of maintenance mode: a light for each part, and what to do about a fault.
extension Canvas {
    mutating func drawOverview(_ scene: Scene, _ visit: StaffSession) {
        let height = hasSmallCells ? 6 : 3
        // Three columns have room for capitals if cells are small.
        let columns = hasSmallCells ? 3 : 4
        let (text, buttons) = staffDivided(rows: 12 / columns, height: height)
        let lines = overviewLines(scene)
        let wrong = lines.filter { $0.health == .wrong }
        // A touch on a fault leads to its remedy. Parts without a fault need less room, but each is shown.
        let most = max(1, (text.rows + 1) / (height + 1))
        func rest(under shown: Int) -> Rectangle { text.splitTop(shown * (height + 1)).rest }
        let well = lines.filter { $0.health != .wrong }
        let isRoomy = wrong.count <= most && holds(well, in: rest(under: wrong.count))
        let withNames = (text.rows - nameRows(lines, in: text)) / (height + 1)
        let page = Page(
            visit.page, of: wrong.count, size: isRoomy ? most : max(1, min(most, withNames)))
        let shown = Array(wrong[page.range])
        placeGrid(
            shown.map { line in
                Button(
                    line.part.map { .staff(.lookAfter($0)) },
                    label: "\(line.health.sign) \(line.sentence(wording))", isMain: false)
            }, columns: 1, height: height, in: text)
        if !shown.isEmpty { say(shown.map { $0.sentence(wording) }.joined(separator: "\n")) }
        setLights(
            lines.filter { line in !shown.contains { $0.part == line.part } },
            in: rest(under: shown.count))
        var all = visit.screens.map { screen -> Button? in
            let isWrong = wrong.contains { $0.part?.screen == screen }
            return Button(
                .openStaff(screen), label: (isWrong ? "! " : "") + wording.name(screen),
                isMain: false)
        }
        while all.count < 11 { all.append(nil) }
        if wrong.count > shown.count {
            all[10] = Button(
                .turnPage(page.isLast ? 0 : page.index + 1), label: wording.text("More"),
                isMain: false)
        }
        all.append(Button(.leaveStaff, label: wording.text("Sign out"), isMain: true))
        placeGrid(all, columns: columns, height: height, in: buttons)
    }

    /// The two halves of an area side by side, each with half of the lines; on an upright panel one area with all.
    private func halves(
        _ lines: [StaffLine], of area: Rectangle
    ) -> [(lines: [StaffLine], area: Rectangle)] {
        guard !isUpright else { return [(lines, area)] }
        let (left, right) = area.splitLeft((area.columns - margin) / 2)
        let half = (lines.count + 1) / 2
        return [
            (Array(lines.prefix(half)), left),
            (Array(lines.dropFirst(half)), right.splitLeft(margin).rest),
        ]
    }

    private func holds(_ lines: [StaffLine], in area: Rectangle) -> Bool {
        halves(lines, of: area).allSatisfy {
            rows($0.lines, columns: $0.area.columns) <= $0.area.rows
        }
    }

    /// Sets all lights with words if there is room for all words; otherwise by their names alone.
    private mutating func setLights(_ lines: [StaffLine], in area: Rectangle) {
        guard !holds(lines, in: area) else {
            for half in halves(lines, of: area) { setLines(half.lines, in: half.area) }
            return
        }
        for line in lines { say(line.sentence(wording)) }
        for (line, place) in zip(lines, namePlaces(lines, columns: area.columns)) {
            let style = line.health == .wrong ? theme.warning : theme.screen
            surface.put(
                line.short, row: area.row + place.row, column: area.column + place.column,
                style.bolded, within: area)
        }
    }

    /// The places of the lights' names in so many columns, one after the other.
    private func namePlaces(_ lines: [StaffLine], columns: Int) -> [GridPosition] {
        var next = GridPosition(row: 0, column: 0)
        return lines.map { line in
            let width = TextWidth.of(line.short)
            if next.column + width > columns { next = GridPosition(row: next.row + 1, column: 0) }
            defer { next = GridPosition(row: next.row, column: next.column + width + 2) }
            return next
        }
    }

    /// Rows that the names of all lights but one need.
    private func nameRows(_ lines: [StaffLine], in area: Rectangle) -> Int {
        (namePlaces(Array(lines.dropFirst()), columns: area.columns).last?.row ?? -1) + 1
    }

    private func overviewLines(_ scene: Scene) -> [StaffLine] {
        let facts = scene.staffFacts ?? StaffFacts()
        return [service(scene)] + missing(facts, scene) + [backend(facts)] + printers(scene)
            + [reader(scene, facts), clock(facts)] + body(facts) + [papers(facts)]
    }

    func backend(_ facts: StaffFacts) -> StaffLine {
        let name = wording.text("Backend")
        switch facts.backend {
        case .asked: return StaffLine(name, .unknown, wording.text("checking"), .backend)
        case .silent:
            return StaffLine(
                name, .wrong, wording.text("no answer: check the network"), .backend)
        case .answers(let latency):
            return StaffLine(name, .good, wording.milliseconds(latency), .backend)
        }
    }

    /// A line for each configured printer, and one for the paper of all of them.
    func printers(_ scene: Scene) -> [StaffLine] {
        let facts = scene.staffFacts ?? StaffFacts()
        guard !facts.printers.isEmpty else {
            return [
                StaffLine(
                    wording.text("Printer"), .wrong, wording.text("none is configured"),
                    .printer(0))
            ]
        }
        let lines = facts.printers.enumerated().map { index, printer in
            let name = wording.printer(index, of: facts.printers.count)
            guard let condition = printer.condition else {
                return StaffLine(
                    name, .unknown, wording.text("checking"), .printer(index))
            }
            guard let trouble = condition.trouble else {
                return StaffLine(name, .good, wording.text("ready"), .printer(index))
            }
            return StaffLine(name, .wrong, wording.cure(trouble), .printer(index))
        }
        return lines + [paper(facts)]
    }

    private func paper(_ facts: StaffFacts) -> StaffLine {
        let name = wording.text("Paper")
        let conditions = facts.printers.compactMap(\.condition)
        if conditions.contains(where: \.paperLow) {
            return StaffLine(
                name, .wrong, wording.text("nearly used up: have a roll ready"), .paper)
        }
        if conditions.contains(where: { $0.trouble == .noPaper }) {
            return StaffLine(name, .wrong, wording.text("used up: put in a new roll"), .paper)
        }
        // A printer that reports nothing of itself reports nothing of its paper either.
        let isKnown = conditions.contains { $0.trouble != .offline && $0.trouble != .silent }
        return StaffLine(
            name, isKnown ? .good : .unknown,
            isKnown ? wording.text("loaded") : wording.text("not known"), .paper)
    }

    func reader(_ scene: Scene, _ facts: StaffFacts) -> StaffLine {
        let name = wording.text("Reader")
        guard scene.isReaderThere else {
            return StaffLine(name, .wrong, wording.text("not connected: plug it in again"), .reader)
        }
        guard let read = facts.lastRead else {
            return StaffLine(name, .good, wording.text("nothing read yet"), .reader)
        }
        let time = ["time": read.at.map { wording.time($0) } ?? "-"]
        let words =
            switch read.what {
            case .code: wording.text("read at {time}", time)
            case .badge: wording.text("a badge at {time}", time)
            case .other: wording.text("unknown code, {time}", time)
            }
        return StaffLine(name, .good, words, .reader)
    }

    func clock(_ facts: StaffFacts) -> StaffLine {
        let name = wording.text("Clock")
        guard let offset = facts.clockOffset else {
            return StaffLine(name, .unknown, wording.text("nothing to compare"), .clock)
        }
        let seconds = Int(offset.wholeMilliseconds / 1_000)
        return abs(seconds) <= HealthThresholds.clockOffset
            ? StaffLine(name, .good, wording.text("right"), .clock)
            : StaffLine(
                name, .wrong,
                seconds > 0
                    ? wording.text("{n} s fast: correct it", ["n": String(seconds)])
                    : wording.text("{n} s slow: correct it", ["n": String(-seconds)]), .clock)
    }

    private func body(_ facts: StaffFacts) -> [StaffLine] {
        let disk = wording.text("Disk")
        let key = wording.text("Key")
        let version = wording.text("Version")
        guard let body = facts.body else {
            let asked = wording.text("checking")
            return [
                StaffLine(disk, .unknown, asked, .disk), StaffLine(key, .unknown, asked, .key),
                StaffLine(version, .unknown, asked, .version),
            ]
        }
        var lines: [StaffLine] = []
        if let free = body.diskFree {
            let values = ["n": String(free)]
            lines.append(
                free >= HealthThresholds.diskFree
                    ? StaffLine(disk, .good, wording.text("{n} % free", values), .disk)
                    : StaffLine(
                        disk, .wrong, wording.text("{n} % free: make room", values), .disk))
        } else {
            lines.append(StaffLine(disk, .unknown, wording.text("not known"), .disk))
        }
        let age = body.keyDays.map {
            $0 == 0
                ? wording.text("made today") : wording.plural("{n} day old", "{n} days old", $0)
        }
        lines.append(StaffLine(key, .good, age ?? String(body.fingerprint.prefix(11)), .key))
        lines.append(
            body.isUpdateWaiting
                ? StaffLine(
                    version, .wrong, wording.text("new version: restart the program"), .version)
                : StaffLine(version, .good, body.version, .version))
        return lines
    }

    /// A line for each paper that may be missing; its customer may still be in front of the machine.
    private func missing(_ facts: StaffFacts, _ scene: Scene) -> [StaffLine] {
        (facts.papers ?? []).filter { $0.fate == .unknown }.map { paper in
            let time = scene.clock.map { wording.time($0.at(paper.issued)) }
            return StaffLine(
                [paper.number.text, time].compactMap(\.self).joined(separator: ", "), .wrong,
                wording.text("did the ticket come out?"), .missing(paper))
        }
    }

    private func papers(_ facts: StaffFacts) -> StaffLine {
        let name = wording.text("Tickets")
        guard let papers = facts.papers else {
            return StaffLine(name, .unknown, wording.text("checking"), .papers)
        }
        let missing = papers.count { if case .notPrinted = $0.fate { true } else { false } }
        let unknown = papers.count { $0.fate == .unknown }
        let all = ["n": String(papers.count), "m": String(missing), "k": String(unknown)]
        guard unknown == 0 else {
            return StaffLine(
                name, .wrong,
                wording.text("today: {n}, not printed: {m}, not known: {k}", all), .papers)
        }
        return missing == 0
            ? StaffLine(name, .good, wording.text("today: {n}", all), .papers)
            : StaffLine(
                name, .wrong, wording.text("today: {n}, not printed: {m}", all), .papers)
    }

    /// Whether customers are served, and if not, why.
    func service(_ scene: Scene) -> StaffLine {
        StaffLine(
            wording.text("Service"), scene.service.isPutOut ? .wrong : .good,
            scene.service.isPutOut
                ? wording.text("customers see: out of service") : wording.text("in service"),
            .service)
    }
}

extension Strings {
    /// A screen of maintenance mode, as its button names it.
    func name(_ screen: StaffScreen) -> String {
        switch screen {
        case .overview: text("Overview")
        case .printer: text("Printer")
        case .papers: text("Tickets")
        case .reader: text("Reader")
        case .screen: text("Screen")
        case .network: text("Network")
        case .queue: text("Queue")
        case .events: text("Events")
        case .machine: text("Machine")
        case .people: text("People")
        case .jobs: text("Print jobs")
        case .touchTest: text("Touch test")
        case .colours: text("Colours")
        case .letters: text("Letters")
        case .sound: text("Sound")
        case .message: text("Message")
        }
    }

    /// A printer by its number if there are several.
    func printer(_ index: Int, of count: Int) -> String {
        count == 1 ? text("Printer") : text("Printer {n}", ["n": String(index + 1)])
    }

    /// A duration, for example "12 ms".
    func milliseconds(_ time: Duration) -> String { "\(max(1, time.wholeMilliseconds)) ms" }

    /// The printer's fault, and its remedy.
    func cure(_ trouble: PrinterTrouble) -> String {
        switch trouble {
        case .noPaper: text("no paper: put in a new roll")
        case .jam: text("jammed: open it, take the paper out")
        case .coverOpen: text("open: close the cover")
        case .offline, .silent: text("no answer: check power and cable")
        case .stopped: text("stopped: start it again")
        case .other: text("error: check its lights")
        }
    }
}
