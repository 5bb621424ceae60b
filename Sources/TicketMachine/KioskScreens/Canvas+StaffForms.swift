import KioskFlow
import Reservations
import TerminalSurface

// What the staff is asked for: a confirmation, digits, a name, a role.
extension Canvas {
    /// Draws one question; the button names what it does, and *Back* has the focus.
    mutating func drawQuestion(_ command: StaffCommand) {
        let (content, buttons) = staffDivided(rows: 1, height: tallButtonRows)
        let (question, consequence, yes) = wording.question(command, scene)
        stack([.heading(question), .line(consequence)], in: content)
        placeGrid(
            [back, Button(.staff(.yes), yes)], columns: 2, height: tallButtonRows, in: buttons)
        firstFocus = .cancel
    }

    mutating func drawForm(_ form: StaffForm) {
        switch form.purpose {
        case .name: drawKeyboard(form)
        case .role(let name): drawRoles(name)
        case .number, .people, .reference, .pin, .again: drawDigits(form)
        }
    }

    private mutating func drawDigits(_ form: StaffForm) {
        let typed = typed(form)
        var (blocks, words) = request(form)
        if form.isSecret, form.fault == nil {
            let rules = text("6 to 8 digits, none that is easily guessed.")
            blocks.append(.ifRoom(rules, .soft))
        }
        blocks.append(form.isSecret ? .line(typed, .bold) : .largest(typed))
        let isComplete =
            if case .reference = form.purpose {
                BlockReference(rawValue: form.text) != nil
            } else if form.isSecret {
                form.text.count >= PINRules.lengths.lowerBound
            } else {
                !form.text.isEmpty
            }
        let buttons = formButtons(isComplete: isComplete)
        drawKeypad(blocks, saying: words, back: buttons[0], ok: buttons[1], in: staffArea)
    }

    /// The digits so far, with a mark where more are needed.
    private func typed(_ form: StaffForm) -> String {
        if form.isSecret { return hidden(form.text) }
        if case .reference = form.purpose {
            let missing = String(repeating: "_", count: BlockReference.length - form.text.count)
            let digits = form.text + missing
            return "\(digits.prefix(4)) \(digits.dropFirst(4))"
        }
        return form.text.isEmpty ? "_" : form.text
    }

    /// What has to be typed, or why the last input is not accepted; it is said aloud.
    private func request(_ form: StaffForm) -> (blocks: [Block], words: [String]) {
        let words = form.fault.map { wording.fault($0) } ?? wording.title(form)
        return ([.line(words, form.fault == nil ? .bold : .warning)], [words])
    }

    private mutating func drawRoles(_ name: String) {
        let (content, buttons) = staffDivided(rows: 1, height: tallButtonRows)
        stack(
            [
                .heading(text("What is the role of {name}?", ["name": wording.clean(name)])),
                .line(text("A manager can also add and remove people.")),
            ], in: content)
        placeGrid(
            [
                back, Button(.staff(.choose(.staff)), text("Staff"), isMain: true),
                Button(.staff(.choose(.manager)), text("Manager")),
            ], columns: 3, height: tallButtonRows, in: buttons)
    }

    /// Places letters in alphabetical order, because staff members at a machine do not type with ten fingers.
    private mutating func drawKeyboard(_ form: StaffForm) {
        let columns = 9
        let rows = hasSmallCells ? (staffColumns == 2 ? 5 : 7) : isTight ? 3 : 4
        let area = surface.bounds.splitTop(headerRows).rest.inset(columns: 1)
        let (content, keys) = area.splitBottom(4 * rows + 3)
        let (blocks, words) = request(form)
        stack(blocks + [.line(form.text + "_", .bold)], in: content, saying: words)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ-'".map { letter in
            Button(.staff(.letter(String(letter))), String(letter))
        }
        let others: [(UserAction, label: String, spoken: String)] = [
            (.staff(.letter(" ")), "⎵", text("Space")), (.staff(.accent), "á ä", text("Accent")),
            (.erase, "←", text("Erase")),
        ]
        let marked = others.map { action, label, spoken in
            var button = Button(action, label)
            button.spoken = spoken
            return button
        }
        placeGrid(letters + marked, columns: columns, height: rows, in: keys)
        // These keys take the last five places of the last row.
        let gap = max(1, margin / 2)
        let fifth = keys.column + (keys.columns - gap * (columns - 1)) * 4 / columns + 4 * gap
        let last = Rectangle(
            row: keys.row + 3 * (rows + 1), column: fifth, rows: rows,
            columns: keys.endColumn - fifth)
        let (left, right) = last.splitLeft((last.columns - gap) / 2)
        let places = [left, right.splitLeft(gap).rest]
        for (button, area) in zip(formButtons(isComplete: !form.text.isEmpty), places) {
            place(button, in: area)
        }
    }
}

extension Strings {
    fileprivate func title(_ form: StaffForm) -> String {
        switch form.purpose {
        case .number(.callAgain): text("Call which number again?")
        case .number(.letIn): text("Let in which number?")
        case .number(.restore): text("Which number missed its call?")
        case .number(.delete): text("Cancel which number?")
        case .people: text("How many people are inside?")
        case .reference: text("Which eight digits does the phone show?")
        case .name: text("What is the name?")
        case .role: ""
        case .pin(let command):
            text("A PIN for {name}: let nobody see it.", ["name": clean(command.name)])
        case .again: text("The same PIN once more, please.")
        }
    }

    fileprivate func fault(_ fault: StaffForm.Fault) -> String {
        switch fault {
        case .empty: text("Please type it first.")
        case .pin(let rule): refusal(rule)
        case .differs: text("The two PINs differ: please begin again.")
        case .taken: text("the name is taken.")
        case .reference: text("The phone shows eight digits.")
        case .beyond(let capacity):
            text(
                "Only {m} may be inside. A manager can say that there are more.",
                ["m": String(capacity)])
        }
    }

    /// How many customers lose their place, if that is known.
    private func sendingHome(_ queue: Result<StaffQueue, BackendFailure>?) -> String {
        guard case .success(let queue)? = queue else {
            return text(
                "Everybody waiting loses their place. Anyone already called may still come in.")
        }
        return plural(
            "{n} person loses their place. Anyone already called may still come in.",
            "{n} people lose their place. Anyone already called may still come in.",
            queue.waiting + queue.visits)
    }

    private typealias Question = (question: String, consequence: String, yes: String)

    private func cancelling(_ number: SlipNumber) -> Question {
        (
            text("Cancel number {number}?", ["number": number.text]),
            text("The customer can no longer come in with it."),
            text("Yes, cancel it", context: "reservation")
        )
    }

    /// The question, what follows from a yes, and the label of the yes.
    fileprivate func question(
        _ command: StaffCommand, _ scene: Scene
    ) -> (question: String, consequence: String, yes: String) {
        switch command {
        case .queue(.reservation(_, let number, _)): cancelling(.queue(number))
        case .paper(_, let paper): cancelling(paper.number)
        case .queue(.occupancy(let people)):
            (
                plural("Is {n} person inside?", "Are {n} people inside?", people),
                people > scene.staffFacts?.capacity ?? .max
                    ? text(
                        "Only {m} are allowed: nobody is called until enough have left.",
                        ["m": String(scene.staffFacts?.capacity ?? 0)])
                    : text("The queue calls as many as there are places left."), text("Yes")
            )
        case .queue(.sendHome), .queue(.closeEarly), .queue(.endTickets), .queue(.openAgain),
            .queue(.unblock), .queue(.newCode):
            (
                text("Send everybody home?"), sendingHome(scene.staffFacts?.queue),
                text("Yes, send home")
            )
        case .people(.lock(let name)):
            (
                text("Lock {name}?", ["name": clean(name)]),
                text("PIN and badge open nothing until you unlock them."), text("Yes, lock")
            )
        case .people(.revokeBadge(let name)):
            (
                text("Revoke the badge of {name}?", ["name": clean(name)]),
                text("The PIN keeps working."), text("Yes, revoke")
            )
        case .people(let command):
            (
                text("Remove {name}?", ["name": clean(command.name)]),
                text("PIN and badge are gone for good."), text("Yes, remove")
            )
        case .cancelJob(_, let job):
            (
                text("Cancel job {n}?", ["n": String(job)]),
                text("It will not be printed."), text("Yes, cancel it")
            )
        case .help(let help): (name(help.action), done(help), text("Yes"))
        case .putOut(let message):
            (
                text("Put the machine out of service?"),
                text("Customers read: {text}", ["text": serviceMessage(message?.rawValue)]),
                text("Yes, out of service")
            )
        case .restartProgram:
            (
                text("Restart the program?"), text("The machine will be back in a few seconds."),
                text("Yes, restart")
            )
        case .restartMachine:
            (
                text("Restart the whole machine?"),
                text("The machine will be back in a few minutes."), text("Yes, restart")
            )
        }
    }
}

extension StaffListCommand {
    /// The name of the staff member whom the question concerns.
    var name: String {
        switch self {
        case .add(let person): person.name
        case .resetPIN(let name), .lock(let name), .unlock(let name), .remove(let name),
            .revokeBadge(let name):
            name
        }
    }
}
