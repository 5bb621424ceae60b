import KioskFlow
import Reservations
import TerminalSurface

// The shop's queue and its corrections by the staff; the connection to the backend.
extension Canvas {
    mutating func drawQueue(_ scene: Scene, _ visit: StaffSession) {
        let (text, buttons) = staffDivided(rows: 2, height: wideButtonRows)
        let (lines, result) = text.splitBottom(sentenceRows)
        var known: StaffQueue?
        switch scene.staffFacts?.queue {
        case nil:
            setSentence(wording.text("Asking the backend."), theme.screen, in: lines)
        case .failure:
            setSentence(
                wording.text("The backend does not answer: nothing can be corrected now."),
                theme.warning, in: lines)
        case .success(let queue):
            known = queue
            setLines(queueLines(queue), in: lines)
        }
        setOutcome(visit.outcome, in: result)
        let numbers = StaffAction.OfReservation.allCases.map {
            Button(.staff(.type(.number($0))), label: wording.name($0), isMain: false)
        }
        placeGrid(
            numbers + [
                Button(.staff(.type(.people)), label: wording.text("People inside"), isMain: false)
            ] + endings(of: known, isNarrow: buttons.columns < 70) + [back], columns: 4,
            height: wideButtonRows, in: buttons)
    }

    /// Buttons that end the day before its time or let it go on as planned.
    private func endings(of queue: StaffQueue?, isNarrow: Bool) -> [Button?] {
        func button(_ deed: StaffAction, _ label: String) -> Button {
            Button(.staff(.ask(.queue(deed))), label: label, isMain: false)
        }
        let open = button(.openAgain, wording.text("Open again"))
        if queue?.closesEarly == true { return [open, nil] }
        let end = button(.endTickets, wording.text("No more tickets"))
        let home =
            isNarrow ? wording.text("Send all home") : wording.text("Send everybody home")
        return [queue?.ticketsEnded == true ? open : end, button(.sendHome, home)]
    }

    private func queueLines(_ queue: StaffQueue) -> [StaffLine] {
        func numbers(_ numbers: [QueueNumber], most: Int) -> String {
            let words = numbers.prefix(most).map(\.text).joined(separator: " ")
            return numbers.count > most ? words + " …" : words
        }
        let hours =
            queue.isOpen
            ? queue.closes.map { wording.text("open until {time}", ["time": wording.time($0)]) }
                ?? wording.text("open") : wording.text("closed")
        let people = ["n": String(queue.people), "m": String(queue.capacity)]
        let next = queue.next.isEmpty ? "" : " (\(numbers(queue.next, most: 4)))"
        return [
            StaffLine(wording.text("Shop"), .good, hours),
            StaffLine(
                wording.text("New tickets"), .good,
                queue.ticketAvailable
                    ? wording.text("available")
                    : queue.ticketsEnded
                        ? wording.text("ended by the staff")
                        : wording.text("none left for today")),
            StaffLine(
                wording.text("Inside"), queue.people > queue.capacity ? .wrong : .good,
                wording.text("{n} of {m}", people)),
            StaffLine(
                wording.text("Called"), .good,
                queue.calling.isEmpty ? "-" : numbers(queue.calling, most: 8)),
            StaffLine(wording.text("Waiting"), .good, "\(queue.waiting)\(next)"),
            StaffLine(
                wording.text("Today"), .good,
                wording.plural("{n} number", "{n} numbers", queue.issued) + ", "
                    + wording.plural(
                        "{n} visit to come", "{n} visits to come", queue.visits)),
        ]
            + (queue.doorsNotClosed.isEmpty
                ? []
                : [
                    StaffLine(
                        wording.text("Door"), .wrong,
                        wording.text(
                            "does not close: {name}",
                            [
                                "name": queue.doorsNotClosed.map(wording.clean).joined(
                                    separator: ", ")
                            ]))
                ])
    }

    mutating func drawNetwork(_ scene: Scene) {
        let (text, buttons) = staffDivided(rows: 1)
        let facts = scene.staffFacts ?? StaffFacts()
        var lines = [backend(facts)]
        if let network = facts.network {
            lines.append(
                StaffLine(
                    wording.text("Address"), .good, PlainText.clean(network.address, limit: 60)))
            lines.append(
                StaffLine(
                    wording.text("Encryption"), .good,
                    network.isEncrypted
                        ? wording.text("encrypted (TLS)")
                        : wording.text("not needed: the backend is this machine")))
            let last = facts.calls.first { $0.isSigned != nil }
            let signature: (StaffLine.Health, String) =
                !network.isPinned
                ? (.wrong, wording.text("the backend's key is not known: have it set"))
                : last == nil
                    ? (.unknown, wording.text("checking"))
                    : last?.isSigned == true
                        ? (.good, wording.text("answers are the backend's own"))
                        : (.wrong, wording.text("somebody else answers: call for help"))
            lines.append(StaffLine(wording.text("Signature"), signature.0, signature.1))
        }
        let offset = facts.clockOffset.map { offset in
            let milliseconds = offset.wholeMilliseconds
            let sign = milliseconds < 0 ? "-" : "+"
            return "\(sign)\(abs(milliseconds) / 1_000).\(abs(milliseconds) % 1_000 / 100) s"
        }
        let clock = clock(facts)
        lines.append(
            StaffLine(
                clock.name, clock.health,
                // If the clock is wrong, the line also says by how much.
                [clock.words, clock.health == .good ? offset : nil].compactMap(\.self)
                    .joined(separator: ", ")))
        let rows = hasSmallCells ? lines.count * 4 : lines.count
        let (upper, lower) = text.splitTop(rows)
        setLines(lines, in: upper)
        let calls = facts.calls.prefix(10).map { call(of: $0, scene) }
        setList(Array(calls.prefix(listRows(in: lower))), in: lower)
        placeGrid([back], columns: 3, in: buttons)
    }

    /// A request to the backend, for example "14:05  GET /v1/queue  200  12 ms".
    private func call(of report: CallReport, _ scene: Scene) -> String {
        let time = scene.clock.map { wording.time($0.at(report.at)) } ?? "-"
        let status = report.status.map { String($0) } ?? wording.text("no answer")
        let foreign = report.isSigned == false ? "!!" : nil
        return [time, report.call, status, wording.milliseconds(report.took), foreign]
            .compactMap(\.self).joined(separator: "  ")
    }

    // MARK: Outcomes

    /// Shows the result of the last staff command, in a sentence.
    mutating func setOutcome(_ outcome: StaffCommandStatus?, in area: Rectangle) {
        guard let outcome else { return }
        let words = wording.outcome(outcome)
        let style =
            outcome.answer == nil
            ? theme.screen : outcome.answer?.isDone == true ? theme.screen.bolded : theme.warning
        setSentence(words, style, in: area)
    }
}

extension Strings {
    /// What can be done for the holder of a number, as its button says it.
    func name(_ deed: StaffAction.OfReservation) -> String {
        switch deed {
        case .callAgain: text("Call again")
        case .letIn: text("Let in")
        case .restore: text("Restore")
        case .delete: text("Cancel number")
        }
    }

    func outcome(_ outcome: StaffCommandStatus) -> String {
        guard let answer = outcome.answer else { return text("One moment") }
        if case .doneTo(let people) = answer { return done(outcome.deed, to: people) }
        if answer == .done { return done(outcome.deed) }
        return reason(of: answer).map { text("Not done: {reason}", ["reason": $0]) }
            ?? text("That could not be done.")
    }

    /// Why the command was not carried out; nil if it was, or if nothing is known.
    func reason(of answer: DeedAnswer) -> String? {
        switch answer {
        case .done, .doneTo, .failed: nil
        case .backend(let failure): reason(failure)
        case .people(let refusal): reason(refusal)
        }
    }

    private func done(_ deed: StaffDeed) -> String {
        switch deed {
        case .queue(.reservation(let kind, let number, _)):
            let values = ["number": number.text]
            switch kind {
            case .callAgain: return text("{number} is called again.", values)
            case .letIn: return text("{number} may come in and is counted.", values)
            case .restore: return text("{number} has a place again.", values)
            case .delete: return text("Number {number} is cancelled.", values)
            }
        case .queue(.occupancy(let people)):
            return plural("{n} person is inside now.", "{n} people are inside now.", people)
        case .queue(.endTickets): return text("There are no more tickets today.")
        case .queue(.sendHome), .queue(.closeEarly): return text("The shop closes in a minute.")
        case .queue(.openAgain): return text("The shop closes as planned.")
        case .people(.add(let person)):
            return text("{name} may use maintenance mode.", ["name": clean(person.name)])
        case .people(.resetPIN(let name)):
            return text("{name} has a new PIN.", ["name": clean(name)])
        case .people(.lock(let name)): return text("{name} is locked.", ["name": clean(name)])
        case .people(.unlock(let name)):
            return text("{name} is not locked any more.", ["name": clean(name)])
        case .people(.remove(let name)): return text("{name} is removed.", ["name": clean(name)])
        case .people(.revokeBadge(let name)):
            return text("The badge of {name} is no longer valid.", ["name": clean(name)])
        case .cancelJob: return text("The job is cancelled.")
        case .paper(.found, let paper):
            return text("Ticket {number} came out.", ["number": paper.number.text])
        case .paper(.giveBack, let paper):
            return text("Number {number} is cancelled.", ["number": paper.number.text])
        case .restartProgram, .restartMachine: return text("Restarting.")
        case .putOut: return text("customers see: out of service")
        }
    }

    /// The same for a command that took places from so many people or gave them back.
    private func done(_ deed: StaffDeed, to people: Int) -> String {
        if deed == .queue(.sendHome) {
            return plural(
                "Closed: {n} person has lost their place.",
                "Closed: {n} people have lost their place.",
                people)
        }
        guard people > 0 else {
            return text("The shop closes as planned. Nobody had lost a place.")
        }
        return plural(
            "The shop closes as planned. {n} person has their place again.",
            "The shop closes as planned. {n} people have their place again.", people)
    }

    func clean(_ name: String) -> String { PlainText.clean(name, limit: 30) }

    /// Why the backend did not carry it out, in plain words.
    private func reason(_ failure: BackendFailure) -> String {
        switch failure {
        case .unanswered, .notUnderstood: text("the backend does not answer.")
        case .noKey: text("the backend does not accept this machine.")
        case .refused(let refused):
            refused.refusal.staffReason.map { text($0) } ?? text("the backend refuses it.")
        }
    }

    private func reason(_ refusal: StaffListRefusal) -> String {
        switch refusal {
        case .pin: self.refusal(.wrongLength)
        case .commonPIN: self.refusal(.common)
        case .name: text("this name is not possible.")
        case .unknown: text("nobody here has this name any more.")
        case .taken: text("the name is taken.")
        case .tooMany: text("there are too many people.")
        case .lastManager: text("one manager must remain.")
        case .disk: text("nothing can be written to the disk.")
        }
    }

    /// The rule that a new PIN breaks, as a sentence.
    func refusal(_ refusal: PINRules.Refusal) -> String {
        switch refusal {
        case .notDigits, .wrongLength: text("a PIN has 6 to 8 digits.")
        case .common: text("this PIN is easily guessed or taken: choose another.")
        }
    }
}
