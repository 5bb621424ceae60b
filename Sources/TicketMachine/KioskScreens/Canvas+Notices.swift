import KioskFlow
import Reservations
import TerminalSurface

// Screens for a service that is not available now: the reason, and what to do instead.
extension Canvas {
    /// Characters of the shop's message that fit into three lines of the smallest screen.
    private static let maxMessageLength = 160

    mutating func drawNoTicketToday(_ scene: Scene) {
        drawHeader(scene)
        drawFoot()
        stack(
            [
                .heading(wording.text("No tickets left")),
                .text(wording.text("There is no place left before closing."), theme.screen.bolded),
                .text(
                    wording.text("You can book the next free time for a visit."), theme.screen),
            ], in: divided.text)
        placeRow(
            [
                Button(.cancel, label: wording.text("Cancel"), isMain: false),
                Button(
                    .bookVisit, label: wording.text("Book the first available slot"),
                    subtitle: wording.text("for one person"), isMain: true),
            ], in: divided.buttons)
    }

    mutating func drawNoVisit(_ scene: Scene) {
        drawHeader(scene)
        drawFoot()
        stack(
            [
                .heading(wording.text("No visits left")),
                .text(
                    wording.text("All visits for the next month are taken."), theme.screen.bolded),
                .text(
                    wording.text("Please try again tomorrow, or ask the staff."), theme.screen),
            ], in: divided.text)
        placeRow([Button(.done, label: wording.text("Done"), isMain: true)], in: divided.buttons)
    }

    mutating func drawClosed(_ scene: Scene, opens: LocalMoment?) {
        drawHeader(scene)
        drawFoot()
        var blocks: [Block] = [.heading(wording.text("We are closed"))]
        if let opens {
            let time = wording.time(opens)
            let today = scene.clock?.day
            if opens.day == today {
                blocks.append(.text(wording.text("The shop opens today at"), theme.screen))
            } else if opens.day == today?.advanced(by: 1) {
                blocks.append(.text(wording.text("The shop opens tomorrow at"), theme.screen))
            } else {
                blocks.append(
                    .text(
                        wording.text(
                            "The shop opens on {day} at", ["day": wording.day(opens.day)]),
                        theme.screen))
            }
            blocks.append(.largest(time))
            blocks.append(
                .spare(wording.text("You can get a ticket from then on."), theme.screen.bolded))
        } else {
            blocks.append(
                .text(
                    wording.text("We do not know yet when the shop will open again."), theme.screen)
            )
        }
        stack(blocks, in: middle)
    }

    mutating func drawOutOfService(_ scene: Scene, _ reason: OutOfService) {
        drawHeader(scene)
        drawFoot(hint: wording.staffCode(reason))
        let message = scene.service.message.map { message in
            ReadyMessage(rawValue: message).map(wording.ready)
                ?? PlainText.clean(message, limit: Self.maxMessageLength)
        }
        let why: [Block] =
            if reason == .staff, let message, !message.isEmpty {
                [.text(message, theme.warning)]
            } else {
                [
                    .text(wording.reason(reason), theme.screen),
                    .text(wording.advice(reason), theme.warning),
                ]
            }
        stack(
            [
                .heading(wording.text("Out of service")),
                .text(
                    wording.text("This machine cannot give tickets just now."),
                    theme.screen.bolded),
            ] + why, in: middle)
    }

    mutating func drawApology(_ scene: Scene, _ apology: RequestFailed) {
        drawHeader(scene)
        drawFoot(hint: wording.staffCode(apology.reason))
        stack(
            [
                .heading(wording.text("We are sorry")),
                .text(
                    apology.ofDeletion
                        ? wording.text("We do not know whether your reservation is cancelled.")
                        : wording.text("That did not work. Nothing has changed."),
                    theme.screen.bolded),
                .text(wording.reason(apology.reason), theme.screen),
                .text(
                    apology.ofDeletion
                        ? wording.text("Hold the ticket under the red light again to see.")
                        : wording.advice(apology.reason),
                    theme.warning),
            ], in: divided.text)
        placeRow(
            [
                Button(
                    .done, label: wording.text("Done"), subtitle: wording.closing(scene.countdown),
                    isMain: true)
            ], in: divided.buttons)
    }
}

extension Strings {
    /// Why the machine is out of service, in plain words.
    func reason(_ reason: OutOfService) -> String {
        switch reason {
        case .network: text("This machine cannot reach the shop's computer and keeps trying.")
        case .notUnderstood: text("This machine does not understand the shop's computer.")
        case .notAuthentic: text("The shop's computer does not accept this machine.")
        case .noKey, .damagedKey, .foreignKey: text("This machine cannot prove who it is.")
        case .busy: text("The shop's computer is too busy.")
        case .journal: text("This machine cannot save anything.")
        case .staff: text("The staff is looking after it.")
        }
    }

    /// What customers read on a machine that was put out of service: a ready sentence in their language, or
    /// the text of a staff member or administrator as it was written.
    func serviceMessage(_ message: String?) -> String {
        guard let message, !message.isEmpty else { return reason(.staff) }
        return ReadyMessage(rawValue: message).map(ready) ?? PlainText.clean(message, limit: 120)
    }

    func ready(_ message: ReadyMessage) -> String {
        switch message {
        case .backSoon: text("It will work again in a few minutes.")
        case .otherMachine: text("Please use the other machine.")
        case .askStaff: text("The staff at the entrance will give you a ticket.")
        case .noTickets: text("There are no more tickets today.")
        }
    }

    /// What to do meanwhile: customers are not asked to try again if only the staff can help.
    func advice(_ reason: OutOfService) -> String {
        switch reason {
        case .network, .busy: text("Please ask the staff, or try again in a minute.")
        case .notUnderstood, .notAuthentic, .noKey, .damagedKey, .foreignKey, .journal, .staff:
            text("Please ask the staff.")
        }
    }

    /// The code for the staff, for example "Code for the staff: N1".
    func staffCode(_ reason: OutOfService) -> String {
        text("Code for the staff: {code}", ["code": reason.rawValue])
    }

    /// The countdown, for example "closes in 18 s"; nil if the screen does not close by itself.
    func closing(_ seconds: Int?) -> String? {
        seconds.map { plural("closes in {n} second", "closes in {n} seconds", $0) }
    }
}
