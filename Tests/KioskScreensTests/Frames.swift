import KioskFlow
import KioskScreens

extension Frame {
    /// What stands in the foot line of some screen.
    static let foot: [UserAction] = [
        .openLanguages, .closeLanguages, .changeAppearance, .changeVoice,
    ]

    /// The targets of the screen itself, without its foot line.
    var choices: [UserAction] { targets.map(\.id).filter { !Self.foot.contains($0) } }
}
