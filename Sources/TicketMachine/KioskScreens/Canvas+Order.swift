import KioskFlow
import Reservations
import TerminalSurface

// An order that is collected [Click-And-Collect UC10]: what its code finds, by its state (rules: orders, order-arrivals).
extension Canvas {
    mutating func drawOrder(_ found: FoundOrder) {
        let order = found.order
        if found.isChoice { return drawReadyOrder(order) }
        switch order.state {
        case .promised, .onShelf: drawOrderOfLater(order)
        case .arrived, .fetching, .notFound: drawOrderOfCustomerHere(order)
        case .called: drawCalledOrder(order)
        case .handedOver:
            let since = wording.todayOrDay(order.since, seenOn: order.now.day)
            drawEndedOrder(
                order, text("Already collected"),
                since.day.map {
                    text("It was collected on {day} at {time}.", ["day": $0, "time": since.time])
                } ?? text("It was collected today at {time}.", ["time": since.time]),
                text("If it was not you, please ask the staff."))
        case .cancelled:
            drawEndedOrder(
                order, text("Order cancelled"),
                text("This order was cancelled and cannot be collected."),
                text("Please ask the staff if you have a question."))
        case .expired:
            drawEndedOrder(
                order, text("No longer kept for you"),
                text("This order was not collected in time."),
                text("Please ask the staff."))
        }
    }

    /// Shows the order and one question: whether its customer is here.
    private mutating func drawReadyOrder(_ order: PickupOrder) {
        var blocks: [Block] = [.spare(wording.nameAndParcels(of: order), .bold)]
        if let wait = order.wait {
            let time = wording.waitAtDesk(wait, quotedAt: order.now)
            blocks.append(
                introducing(time.isAbout ? text("Your wait is about") : text("Waiting time")))
            blocks.append(.largest(time.words))
        }
        var subtitle = text("print my number")
        if let trouble = scene.printer.trouble {
            let sentence = text(
                "{trouble} We will show your code here instead, to photograph or copy.",
                ["trouble": wording.trouble(trouble)])
            blocks.append(.line(sentence, trouble.emphasis))
            subtitle = text("show my number")
        } else {
            blocks.append(
                .ifRoom(text("Let us know that you are here, and we will fetch your order.")))
        }
        drawScreen(
            blocks,
            buttons: [back, Button(.arrive, text("I am here"), subtitle: subtitle, isMain: true)])
    }

    private mutating func drawOrderOfLater(_ order: PickupOrder) {
        let sentence =
            switch order.promised.day {
            case order.now.day: text("Your order will be ready today from")
            case order.now.day.advanced(by: 1): text("Your order will be ready tomorrow from")
            default:
                text(
                    "Your order will be ready on {day} from",
                    ["day": wording.day(order.promised.day)])
            }
        drawScreen(
            [
                .spare(wording.name(of: order), .bold), .line(sentence),
                .largest(wording.time(order.promised)),
                .line(text("Please come back then and show the code again."), .bold),
            ], buttons: [doneButton()])
    }

    private mutating func drawOrderOfCustomerHere(_ order: PickupOrder) {
        var blocks: [Block] = [
            introducing(
                order.state == .notFound
                    ? text("The staff is still looking for your order. Your number:")
                    : text("Your arrival is registered. Your number:"), .bold)
        ]
        blocks += numberBlocks(order)
        if let wait = order.wait {
            let time = wording.waitAtDesk(wait, quotedAt: order.now)
            let words = time.isAbout ? text("about {wait}", ["wait": time.words]) : time.words
            blocks.append(.line(wording.fact(text("Waiting time"), words), .accent))
        }
        // Nothing is printed any more.
        let lost = text("Have you lost your ticket? Please ask the staff.")
        blocks.append(.line("\(watchForDesk) \(lost)"))
        drawScreen(blocks, buttons: [doneButton()])
    }

    private mutating func drawCalledOrder(_ order: PickupOrder) {
        let desk = order.desk.map {
            Block.heading(text("Please go to desk {n}", ["n": String($0)]))
        }
        drawScreen([desk].compactMap { $0 } + numberBlocks(order), buttons: [doneButton()])
    }

    private mutating func drawEndedOrder(
        _ order: PickupOrder, _ heading: String, _ sentence: String, _ advice: String
    ) {
        drawScreen(
            [
                .heading(heading), .line(wording.name(of: order), .bold),
                .line("\(sentence) \(advice)"),
            ], buttons: [doneButton()])
    }

    private func numberBlocks(_ order: PickupOrder) -> [Block] {
        order.number.map { [.largest($0.text)] } ?? []
    }

    /// What the customer of an order does until the number is called.
    var watchForDesk: String {
        text("Watch the display: it will show your number and the desk.")
    }
}

extension Strings {
    /// The order as its customer knows it, for example "Order 4711".
    func name(of order: PickupOrder) -> String {
        text("Order {reference}", ["reference": order.reference])
    }

    /// For example "Order 4711, 3 parcels".
    func nameAndParcels(of order: PickupOrder) -> String {
        "\(name(of: order)), \(parcels(order.parcels))"
    }

    /// For example "3 parcels".
    private func parcels(_ count: Int) -> String { plural("{n} parcel", "{n} parcels", count) }

    /// How long an order takes to the desk: a range of whole minutes while it is short, then as the wait of an offer.
    ///
    /// `isAbout` if the words do not say themselves that they are an estimate.
    fileprivate func waitAtDesk(
        _ wait: WaitEstimate, quotedAt now: LocalMoment
    ) -> (words: String, isAbout: Bool) {
        let low = Int((wait.earliest.moment - now.moment).wholeMilliseconds / 60_000)
        let high = max(1, (wait.latest.moment - now.moment).minutesUp)
        guard high < Self.longWaitAtDesk else {
            return (minutes(Wait(estimate: wait, quotedAt: now).minutes), true)
        }
        guard low > 0 else { return (text("up to {wait}", ["wait": minutes(high)]), false) }
        guard low < high else { return (minutes(high), true) }
        let range = ["low": String(low), "high": String(high)]
        return (text("{low}–{high} minutes", range), true)
    }

    /// When an order should be at the desk, for example "Ready between 14:10 and 14:15."
    func readyAt(_ wait: Wait) -> String {
        let times = wait.times
        guard time(times.from) != time(times.to) else {
            return text("Your order should be ready at about {time}.", ["time": time(times.to)])
        }
        return text(
            "Your order should be ready between {from} and {to}.",
            ["from": time(times.from), "to": time(times.to)])
    }

    /// Minutes from which on a wait at the desk is rounded.
    private static let longWaitAtDesk = 15

    /// The time of a moment, and its day if that is another one.
    fileprivate func todayOrDay(
        _ moment: LocalMoment, seenOn today: CalendarDay
    ) -> (day: String?, time: String) {
        (moment.day == today ? nil : day(moment.day), time(moment))
    }
}
