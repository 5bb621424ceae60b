import Reservations
import TerminalSurface

@testable import KioskFlow
@testable import KioskScreens

/// A reservation with a link, whose paper and screen have a second symbol, and an invitation.
extension Samples {
    static let link = "https://clup.example/t#CSTD0M99001A7K2M9QX4T1RB8VZ0HN5EWYJ3PA"

    static let linkScenes: [(name: String, scene: Scene)] = [
        ("issued-with-link", withLink(issued(.printed, closes: 18))),
        ("issued-with-link-printing", withLink(issued(.printing, closes: nil))),
        ("issued-with-link-shown-only", withLink(issued(.shownOnly(.noPaper), closes: 41))),
        (
            "issued-with-link-visit",
            withLink(issued(.printed, closes: 18, visit: later))
        ),
    ]

    static let invitationScenes: [(name: String, scene: Scene)] = [
        ("home-invitation", inviting(scene(.home)))
    ]

    private static func inviting(_ scene: Scene) -> Scene {
        var scene = scene
        scene.invitation = link
        return scene
    }

    /// The symbol of a scene's invitation, whose link is as long as that of a real one.
    static func invitation(_ scene: Scene) -> QRMatrix? { scene.invitation.map { _ in phones } }

    private static func withLink(_ scene: Scene) -> Scene {
        guard case .issued(let issued) = scene.state,
            case .reservation(var reservation) = issued.slip
        else { return scene }
        reservation.link = link
        var linked = scene
        linked.state = .issued(
            Issued(
                key: issued.key, slip: .reservation(reservation), paper: issued.paper,
                closes: issued.closes))
        return linked
    }

    /// The symbol for phones of a scene whose reservation has a link.
    static func symbolForPhones(_ scene: Scene) -> QRMatrix? {
        guard case .issued(let issued) = scene.state, issued.slip.link != nil else {
            return nil
        }
        return phones
    }

    /// The symbol of the sample's link: version 4-M, as libqrencode makes it.
    static let phones: QRMatrix = {
        QRMatrix(side: 33, dark: phoneModules.joined().map { $0 == "#" })!
    }()

    private static let phoneModules = [
        "#######.#..#####.#...##...#######",
        "#.....#....#...#....#.#...#.....#",
        "#.###.#.#.#.##.###...#....#.###.#",
        "#.###.#....#...#...#...#..#.###.#",
        "#.###.#...##...#.#.#.###..#.###.#",
        "#.....#.########..##..##..#.....#",
        "#######.#.#.#.#.#.#.#.#.#.#######",
        ".........#.#..###..##.###........",
        "#.#...##.##.###...#.#...#..#..#.#",
        "...###.###..##..##.#..##..#..#.#.",
        ".#.#..#...###..##..#...##.#..##.#",
        "##.#........##...#..#.#....###..#",
        ".#..#.##...###.#.#.##..##.#......",
        ".#..#....##..#.......##.#.#....##",
        ".#...##....###.#..#######..#....#",
        ".#...#.#..#...#...#.#...###.###..",
        ".#..#.##..##.####.#.#.....##.###.",
        "##.#.#.##..#.#..#..###.##.#..#..#",
        "#.###.#####.###.######.#.#.#.##.#",
        "..#..#...#.#.#..#.#.###.#.#.##...",
        "#.#..####..##..####..#.#..#....##",
        ".#.....#..#####.#.##...##.#.#...#",
        "##.#.##....#....###..######.....#",
        "..####....#..####.#...#..####.###",
        "##.####..#.##...#.###...#######.#",
        "........###.##.#.####..##...#....",
        "#######.###.....#..##.#.#.#.#####",
        "#.....#....#.#...#.....##...##...",
        "#.###.#..#....#..#.#...######..##",
        "#.###.#..##...#.....##...#.##..#.",
        "#.###.#.##..##.#..##.#...#.##.###",
        "#.....#..####......#..##.#.##.#..",
        "#######.###....#..#....##.####..#",
    ]
}
