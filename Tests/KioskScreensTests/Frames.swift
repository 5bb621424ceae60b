import KioskFlow
import KioskScreens

extension Frame {
    /// What stands in the foot line of some screen.
    static let foot: [KioskAction] = [
        .openLanguages, .closeLanguages, .changeAppearance, .changeVoice,
    ]

    /// The targets of the screen itself, without its foot line.
    var choices: [KioskAction] { targets.map(\.id).filter { !Self.foot.contains($0) } }
}
