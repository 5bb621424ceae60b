import KioskFlow
import Reservations
import TerminalSurface

// Customers' calls for help as the staff sees them: bands on every screen, and the screen of one call.
extension Canvas {
    /// The shop's open calls, the oldest first.
    var helpCalls: [HelpCall] {
        ((try? staffFacts.queue?.get())?.help ?? []).filter(\.isOpen)
    }

    /// Draws a band for each open call in the place of the top line, which has the screen's title: the first one names the
    /// screen too, and the last one says how many more there are.
    mutating func drawHelpCalls(on screen: StaffScreen) {
        let calls = helpCalls
        guard let first = calls.first, headerRows > 0 else { return }
        let shown = calls.prefix(header.rows)
        var rest = header
        for (index, call) in shown.enumerated() {
            let isLast = index == shown.count - 1
            let (row, below) = rest.splitTop(isLast ? rest.rows : 1)
            rest = below
            let more = isLast && calls.count > shown.count ? " +\(calls.count - shown.count)" : ""
            let title = index == 0 && screen != .overview ? "\(wording.name(screen)) - " : ""
            let words = "\(title)\(text("Help")): \(wording.place(call, scene))\(more)"
            say(words)
            drawBand(words, in: row)
        }
        band = TouchTarget(
            id: .staff(.showPart(.help(first.id))),
            area: header.inset(columns: header.columns / 6))
    }

    mutating func drawHelpCall(_ visit: StaffSession) {
        let (lines, result) = staffText.splitBottom(sentenceRows)
        let calls = helpCalls
        let shown = calls.first { $0.id == visit.call } ?? calls.first
        var buttons: [Button?] = []
        if let shown {
            setLines(facts(of: shown), in: lines)
            buttons = StaffHelp.Action.allCases.map { action in
                Button(
                    .staff(.ask(.help(StaffHelp(action, shown.id)))), wording.name(action),
                    isMain: action == .going && shown.going == nil)
            }
            let others = calls.filter { $0.id != shown.id }
            buttons += others.prefix(3).map { call in
                Button(.staff(.call(call.id)), wording.place(call, scene))
            }
        } else {
            setSentence(text("Nobody is calling for help."), theme.screen, in: lines)
        }
        setOutcome(visit.outcome, in: result)
        placeStaffButtons(buttons)
    }

    private func facts(of call: HelpCall) -> [StaffLine] {
        // A desk does not say who goes, and no name is known if the shop shows none.
        let going = call.going.map { going in
            "\(call.by.map(wording.clean) ?? text("a staff member")), \(wording.time(going))"
        }
        var lines = [
            StaffLine(text("Machine"), wording.machine(of: call, scene)),
            StaffLine(text("Called at"), wording.time(call.since)),
            StaffLine(
                text("On the way"), going ?? text("nobody yet"), going == nil ? .wrong : .good),
        ]
        if let until = call.mutedUntil {
            lines.append(
                StaffLine(text("Sound"), text("off until {time}", ["time": wording.time(until)])))
        }
        return lines
    }
}

extension Strings {
    /// What a staff member does about a call, as its button says it.
    func name(_ action: StaffHelp.Action) -> String {
        switch action {
        case .going: text("I am going")
        case .helped: text("Helped")
        case .mistake: text("It was a mistake")
        case .mute: text("No sound for ten minutes")
        }
    }

    func done(_ help: StaffHelp) -> String {
        switch help.action {
        case .going: text("The customer sees that somebody is coming.")
        case .helped, .mistake: text("The call is ended.")
        case .mute: text("No sound for ten minutes from this machine.")
        }
    }

    fileprivate func machine(of call: HelpCall, _ scene: Scene) -> String {
        call.machine == scene.shop?.machine ? text("this machine") : clean(call.machine.rawValue)
    }

    /// The machine of a call, and since when the customer waits.
    fileprivate func place(_ call: HelpCall, _ scene: Scene) -> String {
        text(
            "{machine}, since {time}",
            ["machine": machine(of: call, scene), "time": time(call.since)])
    }
}
