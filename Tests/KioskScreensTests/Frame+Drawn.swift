import KioskFlow
import KioskScreens

extension Frame {
    /// The actions in the foot lines of all screens.
    static let foot: [UserAction] = [
        .openLanguages, .closeLanguages, .changeAppearance, .changeVoice, .help(.open),
    ]

    /// The targets of the screen itself, without its foot line.
    var choices: [UserAction] { targets.map(\.id).filter { !Self.foot.contains($0) } }
}
