import KioskFlow
import Reservations
import TerminalSurface

// Printers and their jobs, papers and events, as the staff sees them.
extension Canvas {
    mutating func drawPrinters(_ visit: StaffSession) {
        let (lines, result) = staffText.splitBottom(sentenceRows)
        let printers = staffFacts.printers
        let isOnly = printers.count == 1
        setLines(self.printers() + inspections(printers), in: lines.splitBottom(1).rest)
        setResult(visit.print, in: result)
        func number(_ index: Int) -> [String: String] { ["n": String(index + 1)] }
        var all: [Button?] = printers.indices.map { index in
            Button(
                .testPrint(index),
                isOnly ? text("Test print") : text("Test print {n}", number(index)),
                isMain: index == 0)
        }
        all += printers.indices.map { index in
            Button(
                .staff(.rollChanged(index)),
                isOnly ? text("New roll") : text("New roll {n}", number(index)))
        }
        if !printers.isEmpty {
            let jobs = printers.reduce(0) { $0 + ($1.inspection?.jobs.count ?? 0) }
            all.append(Button(.openStaff(.jobs), text("Jobs ({n})", ["n": String(jobs)])))
        }
        if printers.count > 1 {
            let other = 1 - scene.settings.printer
            all.append(
                Button(.staff(.prefer(printer: other)), text("Printer {n} first", number(other))))
        }
        placeStaffButtons(all)
    }

    /// What each printer does. Only a fault that has no words of ours comes in the printer's own, for the technician who
    /// repairs it.
    private func inspections(_ printers: [PrinterFacts]) -> [StaffLine] {
        printers.enumerated().compactMap { index, printer in
            guard let inspection = printer.inspection else { return nil }
            let state =
                switch inspection.state {
                case .idle: text("ready")
                case .printing: text("printing")
                case .stopped: text("stopped")
                }
            let isUnknown = printer.condition?.trouble == .other
            let reasons = (isUnknown ? inspection.reasons : []).prefix(3)
                .map { PlainText.clean($0, limit: 30) }
            let words = ([state] + reasons).joined(separator: ", ")
            return StaffLine(
                text("Status"), printers.count == 1 ? words : "\(index + 1): \(words)",
                printer.condition.map { $0.trouble == nil ? .good : .wrong } ?? .unknown)
        }
    }

    /// Draws the title of a list of buttons, or the result of the last command in its place.
    ///
    /// - Returns: the page that is shown, the area of its buttons, and the area of the buttons below it.
    mutating func drawListHead(
        _ visit: StaffSession, _ title: String, rows: Int, count: Int, columns: Int
    ) -> (page: Page, list: Rectangle, buttons: Rectangle) {
        let (content, buttons) = staffDivided(rows: 1)
        let (head, list) = content.splitTop(rows)
        if visit.print != nil {
            setResult(visit.print, in: head)
        } else if visit.outcome != nil {
            setOutcome(visit.outcome, in: head)
        } else {
            setSentence(title, theme.screen.bolded, in: head)
        }
        let gridRows = max(1, (list.rows + 1) / (staffButtonRows + 1))
        let page = Page(visit.page, of: count, size: gridRows * columns)
        return (page, list, buttons)
    }

    mutating func drawJobs(_ visit: StaffSession) {
        let printers = staffFacts.printers
        let jobs = printers.enumerated().flatMap { index, printer in
            (printer.inspection?.jobs ?? []).map { (printer: index, job: $0) }
        }
        let title =
            jobs.isEmpty ? text("No print jobs are waiting.") : text("Touch a job to cancel it.")
        let (page, list, buttons) = drawListHead(
            visit, title, rows: hasSmallCells ? 4 : 2, count: jobs.count, columns: 1)
        placeGrid(
            jobs[page.range].map { printer, job in
                let name = PlainText.clean(job.title, limit: 40)
                return Button(
                    .staff(.ask(.cancelJob(printer: printer, job: job.id))),
                    printers.count == 1 ? name : "\(printer + 1): \(name)")
            }, columns: 1, in: list)
        placeGrid([back] + turning(page), columns: 3, in: buttons)
    }

    private mutating func setResult(_ print: StaffPrint?, in area: Rectangle) {
        guard let progress = print?.progress else { return }
        let (words, style): (String, Style) =
            switch progress {
            case .under: (text("The paper is being printed."), theme.screen)
            case .printed: (text("The paper is printed."), theme.screen.bolded)
            case .failed(let trouble):
                (text("Not printed: {reason}", ["reason": wording.remedy(trouble)]), theme.warning)
            case .reservationNotValid(let failure) where failure.isUnknown || failure.isTemporary:
                (text("Not printed: the backend does not answer."), theme.warning)
            case .reservationNotValid:
                (text("Not printed: the ticket is no longer valid."), theme.warning)
            }
        setSentence(words, style, in: area)
    }

    mutating func drawReceipts(_ visit: StaffSession) {
        let papers = staffFacts.papers ?? []
        let title =
            papers.isEmpty
            ? text("No ticket was issued today.") : text("Touch a ticket to print it again.")
        let (page, list, buttons) = drawListHead(
            visit, title, rows: hasSmallCells ? 4 : 2, count: papers.count, columns: 2)
        placeGrid(
            papers[page.range].map { paper in
                var button = Button(.chooseReceipt(paper), label(paper))
                button.isFaulty = paper.outcome.isMissing
                return button
            }, columns: 2, in: list)
        placeGrid([back] + turning(page), columns: 3, in: buttons)
    }

    /// A line for a paper, for example "042  14:05  printed".
    private func label(_ paper: IssuedPaper) -> String {
        let time = scene.clock.map { wording.time($0.at(paper.issued)) } ?? ""
        let outcome =
            switch paper.outcome {
            case .printed: text("printed")
            case .notPrinted: text("not printed")
            case .underWay: text("printing")
            case .unknown: text("maybe printed")
            case .reprinted: text("reprinted")
            case .givenUp: text("given up")
            case .over: text("no longer valid")
            }
        let mark = paper.outcome.isMissing && !typeface.hasShapes ? "! " : ""
        return "\(mark)\(paper.number.text)  \(time)  \(outcome)"
    }

    mutating func drawReprint(_ paper: IssuedPaper) {
        if paper.outcome == .unknown { return drawMissing(paper) }
        let (content, buttons) = staffDivided(rows: 2, height: tallButtonRows)
        var lines: [Block] = [
            .heading(text("Why print number {number} again?", ["number": paper.number.text])),
            .ifRoom(text("The ticket will say that it is a copy."), .soft),
        ]
        if case .queue = paper.number {
            let renewed = text(
                "If it was photographed, it gets a new code and the old one is refused.")
            lines.append(.ifRoom(renewed, .soft))
        }
        stack(lines, in: content)
        let reasons = ReprintReason.all(for: paper.number).map {
            Button(.reprint($0), wording.name($0))
        }
        placeGrid(reasons + [back], columns: 3, height: tallButtonRows, in: buttons)
        firstFocus = .cancel
    }

    /// Draws a paper of which the printer reported nothing more: what the staff finds in the printer decides.
    private mutating func drawMissing(_ paper: IssuedPaper) {
        let (content, buttons) = staffDivided(rows: 2, height: tallButtonRows)
        let time = scene.clock.map { wording.time($0.at(paper.issued)) } ?? "-"
        let number = ["number": paper.number.text]
        let cause = text("The machine stopped at {time}, while it was printing.", ["time": time])
        stack(
            [
                .heading(text("Did the ticket with number {number} come out?", number)),
                .ifRoom(cause),
            ], in: content)
        // An order has no place that could be given up: the desk puts it back if its customer does not come.
        let giveUp =
            switch paper.number {
            case .queue: [Button(.staff(.ask(.paper(.giveBack, paper))), text("Give up the place"))]
            case .pickup: [Button]()
            }
        placeGrid(
            [
                Button(.staff(.ask(.paper(.found, paper))), text("It came out")),
                Button(.reprint(.neverCame), text("Print it again")), back,
            ] + giveUp, columns: 2, height: tallButtonRows, in: buttons)
        firstFocus = .cancel
    }

    mutating func drawEvents(_ visit: StaffSession) {
        let (content, buttons) = staffDivided(rows: 1)
        let events = scene.staffFacts?.events ?? []
        let page = Page(visit.page, of: events.count, size: max(1, listRows(in: content)))
        if events.isEmpty {
            setSentence(text("Nothing has happened yet."), theme.screen, in: content)
        }
        setList(events[page.range].map { line($0) }, in: content)
        placeGrid([back] + turning(page), columns: 3, in: buttons)
    }

    /// Lines of a list for which an area has room; large ones if cells are small.
    func listRows(in area: Rectangle) -> Int { hasSmallCells ? (area.rows + 1) / 4 : area.rows }

    /// A line for an event, for example "Fri 14:05  Giulia  test print 1".
    private func line(_ event: MachineEvent) -> String {
        let time = scene.clock.map { wording.weekdayAndTime($0.at(event.at)) }
        let who = event.person.map { PlainText.clean($0, limit: 20) }
        return [time, who, wording.name(event)].compactMap(\.self).joined(separator: "  ")
    }

    private func turning(_ page: Page) -> [Button?] {
        [
            page.index > 0 ? Button(.turnPage(page.index - 1), text("Newer")) : nil,
            page.isLast ? nil : Button(.turnPage(page.index + 1), text("Older")),
        ]
    }
}

extension Strings {
    fileprivate func name(_ reason: ReprintReason) -> String {
        switch reason {
        case .unreadable: text("It cannot be read")
        case .torn: text("It is torn")
        case .neverCame: text("It never came out")
        case .photographed: text("It was photographed")
        }
    }

    fileprivate func name(_ event: MachineEvent) -> String {
        let (name, detail) = words(event.what)
        return detail.isEmpty ? name : fact(name, detail)
    }

    /// What happened, in a word or two, and its details.
    private func words(_ what: MachineEvent.What) -> (name: String, detail: String) {
        switch what {
        case .plain(let kind): (name(kind), "")
        case .number(let kind, let number): (name(kind), number.text)
        case .person(let kind, let person): (name(kind), PlainText.clean(person, limit: 40))
        case .personAdded(let person):
            (
                text("person added"),
                "\(PlainText.clean(person.name, limit: 40)) (\(name(person.role)))"
            )
        case .printer(let kind, let printer): (name(kind), "\(printer + 1)")
        case .reprint(let number, let reason):
            (text("printed again"), "\(number.text), \(name(reason))")
        case .jobCancelled(let printer, let job): (text("job cancelled"), "\(printer + 1): \(job)")
        case .peopleInside(let people): (text("people inside"), "\(people)")
        case .wrongPIN(nil): (text("wrong PIN"), text("locked"))
        case .wrongPIN(.some(let seconds)): (text("wrong PIN"), seconds == 0 ? "" : "\(seconds) s")
        case .putOut(let message): (text("put out of service"), message.map { ready($0) } ?? "")
        case .settingChanged(let setting): (text("setting"), name(setting))
        // The beginning is enough to recognise the key; the whole fingerprint is on the screen Machine.
        case .keyRotated(let fingerprint):
            (text("new key"), String(PlainText.clean(fingerprint, limit: 40).prefix(11)))
        case .notDone(let asked, let reason): (text("not done"), notDone(asked, reason))
        case .fault(let reason): (text("out of service", context: "event"), reason.rawValue)
        case .printerTrouble(let trouble): (text("printer in trouble"), remedy(trouble))
        case .commanded(let kind): (text("ordered by the shop"), name(kind))
        case .unknown(let kind, let detail):
            (PlainText.clean(kind, limit: 40), PlainText.clean(detail, limit: 40))
        }
    }

    /// An event that did not happen, for example "called again 042, every place inside is taken".
    private func notDone(_ asked: MachineEvent.What, _ reason: MachineEvent.Reason) -> String {
        let (name, detail) = words(asked)
        let why: String =
            switch reason {
            case .printer(let trouble): remedy(trouble)
            case .backend(let failure): self.reason(of: .backend(failure)) ?? ""
            case .people(let refusal): self.reason(of: .people(refusal)) ?? ""
            case .failed: "failed"
            case .unknown(let word): word
            }
        return "\(name)\(detail.isEmpty ? "" : " \(detail)"), " + PlainText.clean(why, limit: 80)
    }

    private func name(_ setting: MachineEvent.Setting) -> String {
        switch setting {
        case .volume(let volume): "\(text("Volume")) \(volume)"
        case .language(let language): "\(text("Language")) \(PlainText.clean(language, limit: 40))"
        case .theme(let isLight): isLight ? text("Black on white") : text("White on black")
        }
    }

    func name(_ role: StaffPerson.Role) -> String {
        switch role {
        case .staff: text("staff")
        case .manager: text("manager")
        }
    }

    private func name(_ kind: RemoteCommand.Kind) -> String {
        switch kind {
        case .outOfService: text("put out of service")
        case .inService: text("put in service")
        case .restart: text("restarted the program")
        case .rotate: text("new key")
        case .unlock: text("PINs unlocked")
        case .testPrint: text("test print")
        }
    }

    private func name(_ kind: MachineEvent.Plain) -> String {
        switch kind {
        case .entered: text("signed in")
        case .left: text("signed out")
        case .wrongBadge: text("unknown badge")
        case .putIn: text("put in service")
        case .restart: text("restarted the program")
        case .restartMachine: text("restarted the machine")
        case .closedEarly: text("closed early")
        case .closedAsPlanned: text("closing as planned")
        case .ticketsEnded: text("no more tickets")
        case .sentHome: text("everybody sent home")
        case .openedAgain: text("opened again")
        case .phoneUnblocked: text("lifted the block of a phone")
        case .pinsUnlocked: text("PINs unlocked")
        case .recovered: text("in service again")
        case .printerWell: text("printer ready again")
        case .helpCalled: text("called for help")
        case .helpMistake: text("call for help by mistake")
        case .helpGoing: text("went to help")
        case .helped: text("helped a customer")
        case .helpMuted: text("calls without sound")
        }
    }

    private func name(_ kind: MachineEvent.OfNumber) -> String {
        switch kind {
        case .calledAgain: text("called again")
        case .letIn: text("let in by hand")
        case .restored: text("restored")
        case .deleted: text("cancelled")
        case .found: text("ticket found")
        }
    }

    private func name(_ kind: MachineEvent.OfPerson) -> String {
        switch kind {
        case .locked: text("person locked")
        case .unlocked: text("person unlocked")
        case .removed: text("person removed")
        case .pinReset: text("new PIN")
        case .badgeRevoked: text("badge revoked")
        case .badgeMade: text("badge made")
        }
    }

    private func name(_ kind: MachineEvent.OfPrinter) -> String {
        switch kind {
        case .testPrint: text("test print")
        case .rollChanged: text("new roll")
        case .chosen: text("first printer")
        }
    }
}

extension IssuedPaper.Outcome {
    /// Whether the customer may have no paper although the machine prints.
    var isMissing: Bool {
        switch self {
        case .notPrinted(.absent): false
        case .notPrinted, .unknown: true
        case .printed, .underWay, .reprinted, .givenUp, .over: false
        }
    }
}
