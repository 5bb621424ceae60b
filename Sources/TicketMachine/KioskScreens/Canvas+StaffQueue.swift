import KioskFlow
import Reservations
import TerminalSurface

// The shop's queue and its corrections by the staff; the connection to the backend.
extension Canvas {
    mutating func drawQueue(_ visit: StaffSession) {
        let (lines, result) = staffText.splitBottom(sentenceRows)
        let known = try? staffFacts.queue?.get()
        switch staffFacts.queue {
        case nil: setSentence(text("Asking the backend."), theme.screen, in: lines)
        case .failure:
            setSentence(
                text("The backend does not answer: nothing can be corrected now."),
                theme.warning, in: lines)
        case .success(let queue): setLines(queueLines(queue), in: lines)
        }
        setOutcome(visit.outcome, in: result)
        var all: [Button?] = StaffAction.OfReservation.allCases.map {
            Button(.staff(.type(.number($0))), wording.name($0))
        }
        all.append(Button(.staff(.type(.people)), text("People inside")))
        all += endings(of: known, isNarrow: lines.columns < 70)
        placeStaffButtons(all)
    }

    /// Buttons that end the day before its time or let it go on as planned.
    private func endings(of queue: StaffQueue?, isNarrow: Bool) -> [Button?] {
        func button(_ command: StaffAction, _ label: String) -> Button {
            Button(.staff(.ask(.queue(command))), label)
        }
        let open = button(.openAgain, text("Open again"))
        if queue?.closesEarly == true { return [open, nil] }
        let end = button(.endTickets, text("No more tickets"))
        let home = isNarrow ? text("Send all home") : text("Send everybody home")
        return [queue?.ticketsEnded == true ? open : end, button(.sendHome, home)]
    }

    private func queueLines(_ queue: StaffQueue) -> [StaffLine] {
        func numbers(_ numbers: [QueueNumber], most: Int) -> String {
            let words = numbers.prefix(most).map(\.text).joined(separator: " ")
            return numbers.count > most ? words + " …" : words
        }
        let hours =
            queue.isOpen
            ? queue.closes.map { text("open until {time}", ["time": wording.time($0)]) }
                ?? text("open") : text("closed")
        let people = ["n": String(queue.people), "m": String(queue.capacity)]
        let next = queue.next.isEmpty ? "" : " (\(numbers(queue.next, most: 4)))"
        let tickets =
            queue.ticketAvailable
            ? text("available")
            : queue.ticketsEnded ? text("ended by the staff") : text("none left for today")
        let issued = plural("{n} number", "{n} numbers", queue.issued)
        let visits = plural("{n} visit to come", "{n} visits to come", queue.visits)
        var lines = [
            StaffLine(text("Shop"), hours), StaffLine(text("New tickets"), tickets),
            StaffLine(
                text("Inside"), text("{n} of {m}", people),
                queue.people > queue.capacity ? .wrong : .good),
            StaffLine(
                text("Called"), queue.calling.isEmpty ? "-" : numbers(queue.calling, most: 8)),
            StaffLine(text("Waiting"), "\(queue.waiting)\(next)"),
            StaffLine(text("Today"), "\(issued), \(visits)"),
        ]
        if let sms = queue.sms {
            let counts = ["n": String(sms.sent), "m": String(sms.most)]
            lines.append(
                StaffLine(
                    text("SMS today"), text("{n} of {m}", counts),
                    sms.sent < sms.most ? .good : .wrong))
        }
        if !queue.doorsNotClosed.isEmpty {
            let names = queue.doorsNotClosed.map(wording.clean).joined(separator: ", ")
            lines.append(
                StaffLine(text("Door"), text("does not close: {name}", ["name": names]), .wrong))
        }
        return lines
    }

    mutating func drawNetwork() {
        let (content, buttons) = staffDivided(rows: 1)
        let facts = staffFacts
        var lines = [backend()]
        if let network = facts.network {
            let last = facts.calls.first { $0.isSigned != nil }
            let (signature, health): (String, StaffLine.Health) =
                switch (network.isPinned, last?.isSigned) {
                case (false, _): (text("the backend's key is not known: have it set"), .wrong)
                case (true, nil): (text("checking"), .unknown)
                case (true, true): (text("answers are the backend's own"), .good)
                case (true, false): (text("somebody else answers: call for help"), .wrong)
                }
            lines += [
                StaffLine(text("Address"), PlainText.clean(network.address, limit: 60)),
                StaffLine(
                    text("Encryption"),
                    network.isEncrypted
                        ? text("encrypted (TLS)") : text("not needed: the backend is this machine")),
                StaffLine(text("Signature"), signature, health),
            ]
        }
        var clock = clock()
        // If the clock is wrong, the line also says by how much.
        if clock.health == .good, let offset = facts.clockOffset?.wholeMilliseconds {
            let tenths = "\(abs(offset) / 1_000).\(abs(offset) % 1_000 / 100)"
            let words = "\(clock.words), \(offset < 0 ? "-" : "+")\(tenths) s"
            clock = StaffLine(clock.name, words, clock.health)
        }
        lines.append(clock)
        let rows = hasSmallCells ? lines.count * 4 : lines.count
        let (upper, lower) = content.splitTop(rows)
        setLines(lines, in: upper)
        let calls = facts.calls.prefix(10).map { call(of: $0) }
        setList(Array(calls.prefix(listRows(in: lower))), in: lower)
        placeGrid([back], columns: 3, in: buttons)
    }

    /// What came of a request to the backend, for example "14:05  answered  12 ms".
    private func call(of report: CallReport) -> String {
        let time = scene.clock.map { wording.time($0.at(report.at)) } ?? "-"
        let status =
            report.status.map {
                $0 < 400 ? text("answered") : text("error {n}", ["n": String($0)])
            } ?? text("no answer")
        let foreign = report.isSigned == false ? "!!" : nil
        return [time, status, wording.milliseconds(report.took), foreign]
            .compactMap(\.self).joined(separator: "  ")
    }

    // MARK: Outcomes

    /// Shows the result of the last staff command, in a sentence.
    mutating func setOutcome(_ outcome: StaffCommandStatus?, in area: Rectangle) {
        guard let outcome else { return }
        let style =
            switch outcome.answer?.isDone {
            case nil: theme.screen
            case true: theme.screen.bolded
            case false: theme.warning
            }
        setSentence(wording.outcome(outcome), style, in: area)
    }
}

extension Strings {
    /// What can be done for the holder of a number, as its button says it.
    func name(_ command: StaffAction.OfReservation) -> String {
        switch command {
        case .callAgain: text("Call again")
        case .letIn: text("Let in")
        case .restore: text("Restore")
        case .delete: text("Cancel number")
        }
    }

    func outcome(_ outcome: StaffCommandStatus) -> String {
        guard let answer = outcome.answer else { return text("One moment") }
        if case .doneTo(let people) = answer { return done(outcome.command, to: people) }
        if answer == .done { return done(outcome.command) }
        return reason(of: answer).map { text("Not done: {reason}", ["reason": $0]) }
            ?? text("That could not be done.")
    }

    /// Why the command was not carried out; nil if it was, or if nothing is known.
    func reason(of answer: StaffCommandAnswer) -> String? {
        switch answer {
        case .done, .doneTo, .failed: nil
        case .backend(let failure): reason(failure)
        case .people(let refusal): reason(refusal)
        }
    }

    private func done(_ command: StaffCommand) -> String {
        switch command {
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
        case .queue(.unblock): return text("This phone can join again.")
        case .queue(.newCode(let number, _)):
            return text("{number} has a new code.", ["number": number.text])
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
        case .help(let help): return done(help)
        case .restartProgram, .restartMachine: return text("Restarting.")
        case .putOut: return text("customers see: out of service")
        }
    }

    /// The same for a command that took places from so many people or gave them back.
    private func done(_ command: StaffCommand, to people: Int) -> String {
        if command == .queue(.sendHome) {
            return plural(
                "Closed: {n} person has lost their place.",
                "Closed: {n} people have lost their place.", people)
        }
        guard people > 0 else {
            return text("The shop closes as planned. Nobody had lost a place.")
        }
        return plural(
            "The shop closes as planned. {n} person has their place again.",
            "The shop closes as planned. {n} people have their place again.", people)
    }

    func clean(_ name: String) -> String { PlainText.clean(name, limit: 30) }

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

    func refusal(_ refusal: PINRules.Refusal) -> String {
        switch refusal {
        case .notDigits, .wrongLength: text("a PIN has 6 to 8 digits.")
        case .common: text("this PIN is easily guessed or taken: choose another.")
        }
    }
}
