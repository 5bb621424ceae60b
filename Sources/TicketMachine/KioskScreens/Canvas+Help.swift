import KioskFlow
import Reservations
import TerminalSurface

// Help at the machine (rules: help, help-screen, help-answers): the question, the call, which numbers to call instead,
// and the band of an open call.
extension Canvas {
    /// The emergency number of every country of the European Union.
    static let emergencyNumber = "112"

    mutating func drawHelp() {
        spoken.isAlwaysSaid = true
        switch scene.help {
        case .none: break
        case .question(let isLong): drawHelpQuestion(isLong: isLong)
        case .calling:
            spoken.screen = "help-calling"
            drawScreen([
                .heading(text("One moment")), .line(text("Somebody is being called."), .bold),
                .line(emergency),
            ])
        case .unreachable:
            spoken.screen = "help-unreachable"
            drawContacts(
                text("We cannot call the staff at the moment."), text("The machine keeps trying."))
        case .closed:
            spoken.screen = "help-closed"
            drawContacts(text("We are closed"))
        case .open(let call, _): drawOpenHelp(call)
        }
    }

    /// One question with two large answers; the harmless one has the focus.
    private mutating func drawHelpQuestion(isLong: Bool) {
        spoken.screen = "help-question"
        var blocks: [Block] = [.heading(text("Do you need someone to help you?"))]
        if isLong {
            blocks += [
                .line(text("The last calls from here were mistakes."), .warning),
                .line(text("Please touch Yes only if you need somebody."), .bold),
            ]
        }
        firstFocus = .help(.decline)
        drawScreen(
            blocks,
            buttons: [
                Button(.help(.decline), text("No"), subtitle: text("I do not need help")),
                Button(
                    .help(.call), text("Yes, please come"),
                    subtitle: text("the staff will be called"), isMain: true),
            ])
    }

    private mutating func drawOpenHelp(_ call: Scene.Call) {
        spoken.screen = "help-open"
        let mistake = Button(
            .help(.mistake), text("It was a mistake"), subtitle: text("end the call"))
        firstFocus = .help(.leave)
        drawScreen(
            [
                .heading(wording.progress(call) { PlainText.clean($0, limit: 60) }),
                .line(emergency, .warning), .line(text("Please stay here."), .bold),
            ],
            buttons: (call.mayBeMistake ? [mistake] : []) + [
                Button(.help(.leave), text("Continue"), subtitle: text("the call goes on"))
            ])
    }

    /// Says that the staff is not called and what to do instead; the shop's telephone is as large as there is room for, if
    /// it is known. The emergency number is a line: large, it would be called by who cannot read their ticket.
    private mutating func drawContacts(_ reason: String, _ meanwhile: String? = nil) {
        var blocks: [Block] = [.heading(reason)]
        if let phone = scene.helpPhone {
            blocks += meanwhile.map { [.ifRoom($0, .soft)] } ?? []
            blocks += [.line(text("Please call:"), .bold), .largest(phone)]
        } else {
            blocks.append(.line(text("Please ask the staff."), .bold))
        }
        drawScreen(
            blocks + [.line(emergency, .warning)],
            buttons: [Button(.help(.leave), text("Back"))])
    }

    private var emergency: String { text("In an emergency, call 112.") }

    // MARK: The band

    /// Whether an open call is shown as a band in the place of the top band.
    var hasHelpBand: Bool {
        if case .open(_, isShown: false) = scene.help { scene.state.isForCustomers } else { false }
    }

    /// Draws the band of an open call; a touch on its middle shows the call, while its corners are the staff's.
    mutating func drawHelpBand(in area: Rectangle) {
        guard case .open(let call, _) = scene.help else { return }
        let words = wording.progress(call) { [wording] name in
            (1...60).reversed().lazy.map { PlainText.clean(name, limit: $0) }.first {
                TextWidth.of(wording.coming($0)) <= area.columns - 2
            } ?? ""
        }
        drawBand(words, in: area)
        band = TouchTarget(id: .help(.open), area: area.inset(columns: area.columns / 6))
        spoken.announcement = call.isGoing ? words : nil
        spoken.sentences.append(words)
    }

    /// Sets words that must not be overlooked into a band of their own colour.
    mutating func drawBand(_ words: String, in area: Rectangle) {
        surface.fill(area, theme.main)
        let room = area.inset(columns: 1)
        if area.rows > 1, let line = typeface.caption(words, fitting: room.size) {
            let place = room.centred(rows: line.rows, columns: room.columns)
            return surface.draw(line, in: place, theme.main, .centre)
        }
        let line = room.centred(rows: 1, columns: room.columns)
        surface.set(lines: [words], in: line, theme.main.bolded, .centre)
    }
}

extension Strings {
    /// How far a call for help is; a long name is cut as the place needs it.
    fileprivate func progress(_ call: Scene.Call, cut: (String) -> String) -> String {
        guard call.isGoing else { return text("Somebody is being called.") }
        return call.name.map { coming(cut($0)) } ?? text("Somebody is coming to you.")
    }

    fileprivate func coming(_ name: String) -> String {
        text("{name} is coming to you.", ["name": name])
    }
}
