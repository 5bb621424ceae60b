import Reservations

@testable import KioskFlow
@testable import KioskScreens

/// More time for a ticket, and a place that is taken back after a missed call (rules: more-time).
extension Samples {
    static let turnScenes: [NamedScene] = list([
        "delay-offers": delayOffers(offers),
        "delay-offers-two": delayOffers(Array(offers.prefix(2))),
        "delay-offers-one-person": delayOffers([DelayOffer(people: 1, wait: later(by: 5))]),
        "changing-turn": changingTurn(.delay(people: 2)),
        "changing-turn-back": changingTurn(.reclaim),
        "turn-changed": turnChanged(.delay(people: 2), foundReservation(wait: offers[0].wait)),
        "turn-changed-large-number":
            turnChanged(.delay(people: 10), foundReservation(number: 123_456, wait: long)),
        "turn-changed-called":
            turnChanged(.reclaim, foundReservation(.called, enterBy: quarterPast)),
        "turn-changed-back": turnChanged(.reclaim, foundReservation(wait: soon)),
        "missed-call": missedCall(42),
        "missed-call-large-number": missedCall(123_456),
        "apology-of-delay": failed(.network, .turn(.delay(people: 2))),
        "apology-of-reclaim": failed(.network, .turn(.reclaim)),
    ])

    /// How many people may go ahead, with the time that each choice costs.
    static let offers = [(2, 10), (5, 25), (10, 60)].map { people, minutes in
        DelayOffer(people: people, wait: later(by: minutes))
    }

    private static func later(by minutes: Int) -> WaitEstimate {
        func later(_ time: LocalMoment) -> LocalMoment { time.at(time.moment + .minutes(minutes)) }
        return WaitEstimate(
            expected: later(wait.expected), earliest: later(wait.earliest),
            latest: later(wait.latest), peopleAhead: wait.peopleAhead + 2)
    }

    private static func delayOffers(_ offers: [DelayOffer]) -> Scene {
        var reservation = foundReservation()
        reservation.delayOffers = offers
        return scene(.delayOffers(Found(reservation: reservation, code: typed)))
    }

    private static func missedCall(_ number: Int) -> Scene {
        var reservation = foundReservation(.missed, number: number)
        reservation.reclaimBy = quarterPast
        return scene(.missedCall(Found(reservation: reservation, code: typed)))
    }

    private static func changingTurn(_ change: TurnChange) -> Scene {
        scene(.changingTurn(ChangingTurn(attempt: key, change: change)))
    }

    private static func turnChanged(_ change: TurnChange, _ reservation: FoundReservation) -> Scene
    {
        scene(
            .turnChanged(
                TurnChanged(change: change, reservation: reservation, closes: .seconds(20))),
            closes: 20)
    }
}
