import QRCode
import Reservations

@testable import KioskFlow
@testable import KioskScreens

typealias NamedScene = (name: String, scene: Scene)

/// Samples of every screen, with facts of one day in November.
enum Samples {
    static let scenes: [NamedScene] =
        list([
            "starting": scene(.starting, queue: nil),
            "home": scene(.home),
            "home-nothing-left": scene(.home, queue: queue(wait: nil)),
            "home-nobody":
                scene(.home, queue: queue(wait: now, calling: [], waiting: 0))
                .with { $0.shop?.allowsDelays = true },
            "home-calling-1": scene(.home, queue: queue(wait: soon, calling: [7], waiting: 1)),
            "home-calling-6": scene(.home, queue: queue(wait: long, calling: Array(41...46))),
            "home-calling-20": scene(.home, queue: longQueue),
            "home-old": scene(.home).with { $0.queueAge = 40 },
            "home-very-old":
                scene(.home, queue: queue(wait: now, waiting: 0)).with { $0.queueAge = 180 },
            "home-nothing-left-old":
                scene(.home, queue: queue(wait: nil, calling: Array(41...60)))
                .with { $0.queueAge = 20 },
            "asking": asking(.ticket),
            "asking-renewed": asking(.ticket, renewed: true),
            "asking-visit": asking(.visit),
            "asking-instead": asking(.ticket, insteadOfVisit: true),
            "offer": offer(wait),
            "offer-long": offer(long, nearby: nearby),
            "offer-now": offer(now),
            "offer-renewed": offer(wait, renewed: true),
            "offer-no-paper": offer(wait, printer: .noPaper),
            "offer-at-the-last": offer(wait, extensions: KioskTiming.extensions),
            "offer-renewed-no-paper": offer(wait, renewed: true, printer: .jam),
            "offer-instead": offer(wait, insteadOfVisit: true),
            "offer-visit": offer(wait, visit: tomorrow),
            "offer-visit-today": offer(wait, printer: .coverOpen, visit: today),
            "offer-visit-later": offer(wait, renewed: true, printer: .offline, visit: later),
            "confirming": scene(.confirming(confirming(.ticket))),
            "unresolved": unresolved(confirming(.ticket)),
            "unresolved-visit": unresolved(confirming(.visit)),
            "issued-printing": issued(.printing, closes: nil),
            "issued-printed": issued(.printed, closes: 18),
            "issued-more-time":
                issued(.printed, closes: 18).with { $0.shop?.allowsDelays = true },
            "issued-late": issued(.late(.jam), closes: 57),
            "issued-shown-only": issued(.shownOnly(.noPaper), closes: 41),
            "issued-now": issued(.printed, closes: 18, wait: now, enterBy: quarterPast),
            "offer-no-printer": offer(wait, printer: .absent),
            "issued-shown-only-no-printer": issued(.shownOnly(.absent), closes: 41),
            "issued-large-number": issued(.shownOnly(.offline), closes: 60, number: 123_456),
            "issued-visit": issued(.printed, closes: 18, visit: tomorrow),
            "issued-visit-shown-only": issued(.shownOnly(.silent), closes: 41, visit: later),
            "no-ticket-today": scene(.noTicketToday),
            "no-visit": scene(.noVisit),
            "scanning": scanning(),
            "scanning-no-reader-ever": scanning("", nil),
            "scanning-reader-left": scanning("", .left, step: 1),
            "scanning-reader-right": scanning("", .right, step: 2),
            "scanning-reader-above": scanning("", .above, step: 2),
            "scanning-no-reader": scanning().with { $0.isReaderThere = false },
            "scanning-typing": scanning("04193"),
            "scanning-one-missing": scanning("041938451"),
            "scanning-typed": scanning("0419384512"),
            "scanning-correcting": scanning("0419384527", corrected: 4),
            "looking-up": scene(.lookingUp(LookingUp(attempt: key, code: .reservation(typed)))),
            "found-ticket": found(wait: wait),
            "found-next": found(wait: now),
            "found-called": found(.called, wait: now),
            "found-called-until": found(.called, enterBy: quarterPast),
            "found-visit": found(visit: later),
            "found-large-number": found(number: 123_456, wait: long),
            "found-more-time": found(delays: offers),
            "deleting": scene(.deleting(Deleting(attempt: key, reservation: foundReservation()))),
            "deleted": deleted(42),
            "deleted-large-number": deleted(123_456),
            "closed-today": scene(.closed(opens: clock("2026-11-20T16:00:00+01:00"))),
            "closed-tomorrow": scene(.closed(opens: clock("2026-11-21T08:00:00+01:00"))),
            "closed-later": scene(.closed(opens: clock("2026-11-23T08:30:00+01:00"))),
            "closed": scene(.closed(opens: nil)),
            "apology": failed(.notAuthentic, nil, closes: 9),
            "apology-of-deletion": failed(.network, .deletion),
            "warning": offer(wait).with { $0.warning = 38 },
            "warning-scanning": scanning("04").with { $0.warning = 40 },
            "warning-one": scene(.noTicketToday).with { $0.warning = 1 },
            "languages": choosing(["it", "en"]),
            "languages-five": choosing(["it", "en", "de", "fr", "es"]),
        ])
        + turnScenes
        + orderScenes
        + helpScenes
        + linkScenes
        + invitationScenes
        + staffScenes
        + OutOfService.allCases.map { ("out-of-service-\($0.rawValue)", scene(.outOfService($0))) }
        + [
            ("out-of-service-message", outOfService(Samples.message)),
            ("refused-not-found-typed", refused(.notFound, typed: "0419384527")),
        ]
        + codeRefusals.map { ("refused-\($0.rawValue)", refused($0)) }

    static func list(_ scenes: KeyValuePairs<String, Scene>) -> [NamedScene] {
        scenes.map { ($0.key, $0.value) }
    }

    /// The refusals of a code that the machine can show.
    static let codeRefusals = Refusal.allCases.filter { $0.customerSentences != nil }

    /// As long as the shop's text may be.
    static let message =
        "Inventur bis 15 Uhr. Bitte benutzen Sie den Automaten am Nordeingang, oder fragen Sie an der "
        + "Kasse 4 nach einem Papier mit einer Nummer für den Einlass heute."

    static func outOfService(_ message: String) -> Scene {
        scene(.outOfService(.staff)).with { $0.serviceMessage = message }
    }

    static func refused(
        _ reason: Refusal, of sought: Sought = .reservation, typed: String? = nil
    ) -> Scene {
        scene(
            .codeRefused(
                CodeRefused(reason: reason, sought: sought, closes: .zero, typed: typed)),
            closes: 20)
    }

    static func failed(_ reason: OutOfService, _ change: PlaceChange?, closes: Int = 20) -> Scene {
        scene(
            .requestFailed(RequestFailed(reason: reason, change: change, closes: .zero)),
            closes: closes)
    }

    static func named(_ name: String) -> Scene { scenes.first { $0.name == name }!.scene }

    static let key = AttemptKey("k-1")
    static let typed = PresentedCode("0419384512")!
    static let hold = ReservationID("h-1")

    static func clock(_ text: String) -> LocalMoment { LocalMoment(text)! }

    /// An estimate with times of the samples' day.
    static func estimate(
        _ expected: String, _ earliest: String, _ latest: String, ahead: Int
    ) -> WaitEstimate {
        func time(_ text: String) -> LocalMoment { clock("2026-11-20T\(text)+01:00") }
        return WaitEstimate(
            expected: time(expected), earliest: time(earliest), latest: time(latest),
            peopleAhead: ahead)
    }

    static let noon = clock("2026-11-20T14:05:00+01:00")
    static let wait = estimate("14:28:10", "14:26:00", "14:39:00", ahead: 9)
    static let long = estimate("15:24:00", "15:10:00", "15:45:00", ahead: 1)
    static let now = estimate("14:05:00", "14:05:00", "14:06:00", ahead: 0)
    static let soon = estimate("14:07:00", "14:05:00", "14:11:00", ahead: 1)
    static let quarterPast = clock("2026-11-20T14:15:00+01:00")

    static let today = visit("2026-11-20T19:15:00+01:00")
    static let tomorrow = visit("2026-11-21T15:00:00+01:00")
    /// The day with the longest name in most languages.
    static let later = visit("2026-12-16T09:45:00+01:00")

    private static func visit(_ start: String) -> VisitSlot {
        let start = clock(start)
        return VisitSlot(start: start, end: start.at(start.moment + .minutes(45)))
    }

    static func queue(
        wait: WaitEstimate?, calling: [Int] = [41, 42], waiting: Int = 9,
        nearby: NearbyShop? = nil
    ) -> QueueStatus {
        var status = QueueStatus(
            now: noon, isOpen: true, closes: clock("2026-11-20T20:00:00+01:00"), opens: nil,
            ticketAvailable: wait != nil, calling: calling.compactMap(QueueNumber.init),
            waiting: waiting, wait: wait)
        status.nearby = nearby
        return status
    }

    private static let longQueue = queue(
        wait: long, calling: (123_437...123_456).reversed(), nearby: nearbyWithLongName)

    /// - Parameter closes: the seconds after which a finished screen goes Home.
    static func scene(
        _ state: KioskState, queue: QueueStatus? = queue(wait: wait),
        shop: String = "Supermercato Città Studi", closes: Int? = nil
    ) -> Scene {
        var scene = Scene(
            KioskFlow(languages: ["en"], canSpeak: true, keyPrefix: "k"), now: .zero)
        scene.state = state
        scene.queue = queue.map { QueueFacts($0) }
        scene.shop = MachineProfile(
            machine: MachineID("m-1"), shop: ShopID("shop"), shopName: shop,
            timeZone: "Europe/Rome", languages: ["it", "en"], now: noon)
        scene.access.languages = ["it", "en"]
        scene.clock = noon
        scene.countdown = closes
        return scene
    }

    static func offer(
        _ wait: WaitEstimate, renewed: Bool = false, insteadOfVisit: Bool = false,
        printer: PrinterTrouble? = nil, visit: VisitSlot? = nil, extensions: Int = 0,
        nearby: NearbyShop? = nil
    ) -> Scene {
        let place = HeldPlace(
            id: hold, kind: visit == nil ? .ticket : .visit, now: noon,
            expires: noon.at(noon.moment + .seconds(210)), wait: wait, visit: visit)
        var offer = Offer(
            place: place, expires: .seconds(210), renewed: renewed,
            insteadOfVisit: insteadOfVisit, nearby: nearby)
        offer.extensions = extensions
        return scene(.offer(offer)).with {
            $0.printer = PrinterCondition(trouble: printer)
            $0.timeLeft = 171
        }
    }

    static func reservation(
        number: Int = 42, wait: WaitEstimate = wait, visit: VisitSlot? = nil,
        shop: String = "Supermercato Città Studi", enterBy: LocalMoment? = nil
    ) -> Reservation {
        Reservation(
            id: hold, kind: visit == nil ? .ticket : .visit, number: QueueNumber(rawValue: number)!,
            shopName: shop,
            code: EntryCode(rawValue: "CLUP:1:CSTD7K2M9QX4T1RB8VZ0HN5EWYJ3PA")!,
            typedCode: TypedCode(rawValue: "0419384512")!, issued: noon, wait: wait,
            visit: visit, enterBy: enterBy)
    }

    static func issued(
        _ paper: Issued.Paper, closes: Int?, wait: WaitEstimate = wait, number: Int = 42,
        visit: VisitSlot? = nil, enterBy: LocalMoment? = nil
    ) -> Scene {
        let issued = Issued(
            key: key,
            slip: .reservation(
                reservation(number: number, wait: wait, visit: visit, enterBy: enterBy)),
            paper: paper, closes: closes.map { .seconds($0) })
        return scene(.issued(issued), closes: closes)
    }

    static func asking(
        _ kind: ReservationKind, renewed: Bool = false, insteadOfVisit: Bool = false
    ) -> Scene {
        scene(
            .asking(
                Asking(
                    attempt: key, kind: kind, renewed: renewed, insteadOfVisit: insteadOfVisit)))
    }

    static func confirming(_ kind: ReservationKind) -> Confirming {
        Confirming(key: key, what: .place(hold), kind: kind)
    }

    static func unresolved(_ asked: Confirming) -> Scene {
        scene(.unresolved(Unresolved(asked: asked, until: .seconds(120), nextTry: nil)))
    }

    static func foundReservation(
        _ status: ReservationStatus = .planned, number: Int = 42, wait: WaitEstimate? = nil,
        visit: VisitSlot? = nil, enterBy: LocalMoment? = nil
    ) -> FoundReservation {
        FoundReservation(
            reservation(number: number, wait: wait ?? Samples.wait, visit: visit),
            day: noon.day, status: status, now: noon, enterBy: enterBy)
    }

    static func found(
        _ status: ReservationStatus = .planned, number: Int = 42, wait: WaitEstimate? = nil,
        visit: VisitSlot? = nil, enterBy: LocalMoment? = nil, delays: [DelayOffer]? = nil
    ) -> Scene {
        var reservation = foundReservation(
            status, number: number, wait: wait, visit: visit, enterBy: enterBy)
        reservation.delayOffers = delays
        return scene(.found(Found(reservation: reservation, code: typed)))
    }

    static func deleted(_ number: Int) -> Scene {
        let deleted = Deleted(number: QueueNumber(rawValue: number)!, closes: .seconds(20))
        return scene(.deleted(deleted), closes: 20)
    }

    static func scanning(
        _ digits: String = "", of sought: Sought = .reservation, _ place: ReaderPlace? = .below,
        step: Int = 0, corrected: Int? = nil
    ) -> Scene {
        scene(.scanning(Scanning(sought: sought, digits: digits, corrected: corrected))).with {
            $0.readerPlace = place
            $0.arrowStep = step
        }
    }

    private static func choosing(_ languages: [String]) -> Scene {
        scene(.home).with {
            $0.access.isChoosingLanguage = true
            $0.access.languages = languages
        }
    }

    /// The symbols of the sample's code and of its link: of versions 2 and 4.
    static let qr = try! QRCode.matrix(of: reservation().code.rawValue)
    static let phones = try! QRCode.matrix(of: link)
}
