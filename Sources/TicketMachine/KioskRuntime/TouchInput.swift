internal import KioskFlow
internal import KioskScreens
internal import Reservations
internal import TerminalSurface

/// Fingers and four keys on the frame that is shown: press and release inside the same button.
struct TouchInput {
    /// What an event asks for; every touch counts as one, also beside the buttons.
    enum Outcome: Equatable {
        case nothing
        case redraw
        case touched(KioskAction?)
    }

    private(set) var pointing = Pointing()
    /// The screen on which the keys move the focus, by its name.
    private var screen = ""

    /// Another screen is shown: its main button has the focus, whatever had it on the one before.
    ///
    /// Answers whether the screen looks otherwise by that.
    mutating func isNew(_ screen: String) -> Bool {
        defer { self.screen = screen }
        return screen != self.screen && forget()
    }

    /// The main button has the focus again; answers whether another one had it.
    @discardableResult
    mutating func forget() -> Bool {
        defer { pointing.focus = nil }
        return pointing.focus != nil
    }

    mutating func handle(_ event: TerminalEvent, on frame: Frame) -> Outcome {
        switch event {
        case .press(let place):
            pointing.pressed = frame.action(at: place)
            return .redraw
        case .release(let place):
            defer { pointing.pressed = nil }
            let action = frame.action(at: place)
            // A finger that slides off a button takes its touch back.
            return .touched(action == pointing.pressed ? action : nil)
        case .click(let place):
            pointing.pressed = nil
            return .touched(frame.action(at: place))
        case .key(.next): return focus(frame.nextFocus)
        case .key(.previous): return focus(frame.previousFocus)
        case .key(.choose): return .touched(frame.focus)
        case .key(.back):
            return .touched(Self.waysBack.first { way in frame.targets.contains { $0.id == way } })
        case .key(.character(let scalar)):
            // Digits of a person's keyboard are the keypad's; a reader's burst does not come here.
            guard let digit = Int(digits: String(scalar)),
                frame.targets.contains(where: { $0.id == .digit(digit) })
            else { return .nothing }
            return .touched(.digit(digit))
        case .key(.function), .resize, .interrupt, .hangup: return .nothing
        }
    }

    /// What *back* means, where the screen offers it.
    private static let waysBack: [KioskAction] = [
        .closeLanguages, .cancel, .leave, .done, .leaveStaff,
    ]

    private mutating func focus(_ action: KioskAction?) -> Outcome {
        pointing.focus = action
        // Moving the focus is a sign of life, as a touch beside the buttons is.
        return .touched(nil)
    }
}
