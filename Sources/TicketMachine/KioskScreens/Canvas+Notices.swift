import KioskFlow
import Reservations
import TerminalSurface

// Screens while the machine is working, and for a service that is not available now: the reason, and what to do.
extension Canvas {
    /// Characters of the shop's message that fit into three lines of the smallest screen.
    private static let maxMessageLength = 160

    mutating func drawWorking(_ sentence: String, buttons: [Button] = []) {
        drawScreen([.heading(text("One moment")), .line(sentence)], buttons: buttons)
    }

    mutating func drawAsking(_ asking: Asking) {
        let sentence: Block =
            if asking.renewed {
                .line(text("Your place has expired. Finding you a new one."), .warning)
            } else if asking.insteadOfVisit {
                .line(text("A ticket for today has become free."), .accent)
            } else {
                switch asking.kind {
                case .ticket: .line(text("Finding you a place."))
                case .visit: .line(text("Finding the first available slot."))
                }
            }
        // The button has the place and size that it has on the offer, which comes next.
        drawScreen(
            [.heading(text("One moment")), sentence],
            buttons: [Button(.cancel, text("Cancel")), placeholder(for: asking.kind)])
    }

    /// Neither yes nor no is known (rules: unanswered-confirmation).
    mutating func drawUnresolved(_ asked: Confirming) {
        let (meanwhile, consequence, next) =
            switch asked.what {
            case .place:
                (
                    text("You may already have a place. We will keep asking for two minutes."),
                    text("and give up the place"), placeholder(for: asked.kind ?? .ticket)
                )
            case .arrival:
                (
                    text("You may already have a number. We will keep asking for two minutes."),
                    text("and show the code later"), placeholderOfArrival
                )
            }
        drawScreen(
            [
                .heading(text("Please wait")), .line(meanwhile, .bold),
                .line(text("Your ticket will come as soon as we know.")),
            ], buttons: [Button(.leave, text("Leave"), subtitle: consequence), next])
    }

    mutating func drawNoTicketToday() {
        let book = Button(
            .bookVisit, text("Book the first available slot"), subtitle: text("for one person"),
            isMain: true)
        drawScreen(
            hint: hintOfNearby,
            [
                .heading(text("No tickets left")),
                .line(text("There is no place left before closing."), .bold),
                .line(text("You can book the next free time for a visit.")),
            ], buttons: [Button(.cancel, text("Cancel")), book])
        sayNearby()
    }

    mutating func drawNoVisit() {
        drawScreen(
            hint: hintOfNearby,
            [
                .heading(text("No visits left")),
                .line(text("All visits for the next month are taken."), .bold),
                .line(text("Please try again tomorrow, or ask the staff.")),
            ], buttons: [Button(.done, text("Done"), isMain: true)])
        sayNearby()
    }

    mutating func drawClosed(opens: LocalMoment?) {
        let heading = Block.heading(text("We are closed"))
        guard let opens else {
            let sentence = text("We do not know yet when the shop will open again.")
            return drawScreen([heading, .line(sentence)])
        }
        let sentence =
            switch opens.day {
            case scene.clock?.day: text("The shop opens today at")
            case scene.clock?.day.advanced(by: 1): text("The shop opens tomorrow at")
            default: text("The shop opens on {day} at", ["day": wording.day(opens.day)])
            }
        drawScreen([
            heading, .line(sentence), .largest(wording.time(opens)),
            .spare(text("You can get a ticket from then on."), .bold),
        ])
    }

    mutating func drawOutOfService(_ reason: OutOfService) {
        let message = scene.serviceMessage.map {
            wording.customerMessage($0, limit: Self.maxMessageLength)
        }
        var blocks: [Block] = [
            .heading(text("Out of service")),
            .line(text("This machine cannot give tickets just now."), .bold),
        ]
        if reason == .staff, let message, !message.isEmpty {
            blocks.append(.line(message, .warning))
        } else {
            blocks.append(.line(wording.reason(reason)))
            blocks.append(.line(wording.advice(reason), .warning))
        }
        drawScreen(hint: wording.staffCode(reason), blocks)
    }

    mutating func drawRequestFailed(_ requestFailed: RequestFailed) {
        let (result, advice) =
            requestFailed.change.map {
                (wording.unknown($0), wording.lookAgain($0))
            }
            ?? (
                text("That did not work. Nothing has changed."),
                wording.advice(requestFailed.reason)
            )
        drawScreen(
            hint: wording.staffCode(requestFailed.reason),
            [
                .heading(text("We are sorry")), .line(result, .bold),
                .line(wording.reason(requestFailed.reason)), .line(advice, .warning),
            ], buttons: [doneButton()])
    }

    /// The button that leaves a finished screen, with the time until it closes by itself.
    func doneButton(isMain: Bool = true) -> Button {
        let closing = scene.countdown.map {
            plural("closes in {n} second", "closes in {n} seconds", $0)
        }
        return Button(.done, text("Done"), subtitle: closing, isMain: isMain)
    }
}

extension Strings {
    /// What may have happened although a request failed.
    fileprivate func unknown(_ change: PlaceChange) -> String {
        switch change {
        case .deletion: text("We do not know whether your reservation is cancelled.")
        case .arrival: text("We do not know whether your arrival is registered.")
        case .turn(.delay): text("We do not know whether your time to come in has changed.")
        case .turn(.reclaim): text("We do not know whether you have your place back.")
        }
    }

    /// How the customer finds that out.
    fileprivate func lookAgain(_ change: PlaceChange) -> String {
        switch change {
        case .deletion, .turn: text("Show your ticket again to see.")
        case .arrival: text("Show the code of your order again to see.")
        }
    }

    func reason(_ reason: OutOfService) -> String {
        switch reason {
        case .network: text("There is no connection just now. The machine keeps trying.")
        case .busy: text("The system is very busy just now.")
        // What exactly it is says the code for the staff.
        case .notUnderstood, .notAuthentic, .noKey, .damagedKey, .foreignKey, .journal:
            text("Something is wrong with this machine.")
        case .staff: text("The staff is looking after it.")
        }
    }

    /// What customers read on a machine that was put out of service: a ready sentence in their language, or
    /// the text of a staff member or administrator as it was written.
    func serviceMessage(_ message: String?) -> String {
        guard let message, !message.isEmpty else { return reason(.staff) }
        return customerMessage(message, limit: 120)
    }

    fileprivate func customerMessage(_ message: String, limit: Int) -> String {
        ReadyMessage(rawValue: message).map(ready) ?? PlainText.clean(message, limit: limit)
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
}
