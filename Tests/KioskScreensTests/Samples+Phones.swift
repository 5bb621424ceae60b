import Reservations

@testable import KioskFlow
@testable import KioskScreens

/// A reservation with a link, whose paper and screen have a second symbol, and an invitation, whose link is as long.
extension Samples {
    static let link = "https://clup.example/t#CSTD0M99001A7K2M9QX4T1RB8VZ0HN5EWYJ3PA"

    static let linkScenes: [NamedScene] = list([
        "issued-with-link": issued(.printed, closes: 18),
        "issued-with-link-printing": issued(.printing, closes: nil),
        "issued-with-link-shown-only": issued(.shownOnly(.noPaper), closes: 41),
        "issued-with-link-visit": issued(.printed, closes: 18, visit: later),
    ]).map { name, scene in (name, scene.withReservation { $0.link = link }) }

    static let invitationScenes: [NamedScene] = [
        ("home-invitation", scene(.home).with { $0.invitation = link })
    ]
}
