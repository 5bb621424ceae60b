import Reservations

@testable import KioskFlow
@testable import KioskScreens

extension Samples {
    /// Every screen of a call for help, and the band of one on other screens.
    static let helpScenes: [NamedScene] = list([
        "help-question": help(.question(isLong: false)),
        "help-question-long": help(.question(isLong: true)),
        "help-calling": help(.calling),
        "help-open": help(.open(Scene.Call(mayBeMistake: true), isShown: true)),
        "help-open-later": help(.open(Scene.Call(), isShown: true)),
        "help-coming": help(.open(Scene.Call(isGoing: true, mayBeMistake: true), isShown: true)),
        "help-coming-name":
            help(
                .open(
                    Scene.Call(isGoing: true, name: "Giulia", mayBeMistake: true), isShown: true)),
        "help-coming-long-name":
            help(.open(Scene.Call(isGoing: true, name: longName), isShown: true)),
        "help-unreachable": help(.unreachable),
        "help-unreachable-no-phone": help(.unreachable, phone: nil),
        "help-closed": help(.closed),
        "home-help": help(band, over: scene(.home)),
        "home-help-coming": help(comingBand(longName), over: scene(.home)),
        "offer-help": help(band, over: offer(wait)),
        "offer-help-coming": help(comingBand("Giulia"), over: offer(wait, printer: .noPaper)),
        "issued-help": help(band, over: issued(.printed, closes: 18)),
        "issued-help-shown-only":
            help(comingBand(nil), over: issued(.shownOnly(.noPaper), closes: 41)),
        "scanning-help": help(band, over: scanning()),
        "closed-help":
            help(comingBand(nil), over: scene(.closed(opens: clock("2026-11-21T08:00:00+01:00")))),
        "warning-help": help(band, over: offer(wait).with { $0.warning = 38 }),
    ])

    private static let band = Scene.Help.open(Scene.Call(), isShown: false)

    private static func comingBand(_ name: String?) -> Scene.Help {
        .open(Scene.Call(isGoing: true, name: name), isShown: false)
    }

    /// As long as a staff member's name may be.
    private static let longName = String(
        String(repeating: "Giulia-", count: 9).prefix(55))

    private static func help(
        _ help: Scene.Help, over below: Scene = scene(.home), phone: String? = "+39 02 1234 5678"
    ) -> Scene {
        below.with {
            $0.help = help
            $0.helpPhone = phone
        }
    }

    static let helpCalls = [
        HelpCall(id: HelpCallID("help-1"), machine: MachineID("7"), since: noon),
        HelpCall(
            id: HelpCallID("help-2"), machine: MachineID("12-34-56"), since: noon,
            going: noon, by: "Giulia", mutedUntil: quarterPast),
    ]
}
