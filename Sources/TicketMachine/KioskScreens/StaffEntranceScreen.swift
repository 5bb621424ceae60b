import KioskFlow
import TerminalSurface

// The way into maintenance mode: a PIN on the keypad, of which nothing but its length is shown.
extension Canvas {
    mutating func drawStaffEntrance(_ scene: Scene, _ entrance: StaffEntrance) {
        drawHeader(scene)
        drawFoot()
        let isTight = size.rows < 24
        let above = isTight ? divided.text.splitBottom(1).rest : divided.text
        let (text, keys) = above.splitBottom(2 * keyRows + 1)
        let count = entrance.digits.count
        let dots = String(repeating: "*", count: count)
        let places =
            dots + String(repeating: "_", count: max(0, PINRules.lengths.lowerBound - count))
        let words = entranceWords(scene, entrance)
        stack(
            [.text(words, entrance.answer == nil ? theme.screen.bolded : theme.warning)]
                + (isTight ? [] : [.text(places, theme.screen.bolded)]), in: text, saying: [words])
        placeKeypad(in: keys, digits: isTight ? places : nil)
        let isComplete = count >= PINRules.lengths.lowerBound
        placeRow(
            [
                Button(.cancel, label: wording.text("Cancel"), isMain: !isComplete),
                Button(.enterCode, label: wording.text("OK"), isMain: isComplete),
            ], in: divided.buttons)
    }

    private func entranceWords(_ scene: Scene, _ entrance: StaffEntrance) -> String {
        if entrance.attempt != nil { return wording.text("One moment") }
        let wrong = wording.text("This PIN is wrong.")
        if let wait = scene.pinWait {
            // Of a PIN that came too early nothing is known.
            if case .early = entrance.answer { return wording.pleaseWait(wait) }
            return "\(wrong) \(wording.pleaseWait(wait))"
        }
        switch entrance.answer {
        case .wrong(.zero): return wrong
        case .locked:
            return wording.text("Locked after ten wrong PINs. The administrator can unlock it.")
        case .nobody: return wording.text("Nobody has a PIN on this machine yet.")
        case .personLocked: return wording.text("You are locked. A manager can unlock you.")
        case .failed: return wording.text("PINs cannot be checked: the disk takes nothing.")
        case .wrong, .early, .person, nil:
            if let holder = entrance.holder {
                return wording.text(
                    "{name}: please type your PIN.", ["name": wording.clean(holder.name)])
            }
            return wording.text("For the staff: please type your PIN.")
        }
    }
}

extension Wording {
    /// How long to wait, in minutes once there are many seconds.
    fileprivate func pleaseWait(_ seconds: Int) -> String {
        seconds > 99
            ? plural("Please wait {n} minute.", "Please wait {n} minutes.", (seconds + 59) / 60)
            : plural("Please wait {n} second.", "Please wait {n} seconds.", seconds)
    }
}
