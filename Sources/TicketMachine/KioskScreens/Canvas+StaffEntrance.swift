import KioskFlow
import TerminalSurface

// The screen before maintenance mode: a PIN on the keypad, of which only the length is shown.
extension Canvas {
    mutating func drawStaffEntrance(_ scene: Scene, _ entrance: PINEntry) {
        drawHeader(scene)
        drawFoot()
        if entrance.isShut || scene.pinWait != nil { return drawShut(scene, entrance) }
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

    /// Shown without a keypad while PINs are not checked: how long that lasts, and which command or manager can end it.
    private mutating func drawShut(_ scene: Scene, _ entrance: PINEntry) {
        var blocks: [Block] = [.heading(wording.text("No PIN can be typed now"))]
        blocks.append(.text(entranceWords(scene, entrance), theme.warning))
        switch entrance.answer {
        case .nobody:
            blocks.append(
                .text(wording.text("Add somebody on the machine's command line:"), theme.screen))
            blocks.append(.text(Self.addingCommand, theme.screen.bolded))
        case .failed: break
        case .locked:
            if let way = wayIn(scene, entrance) { blocks.append(.text(way, theme.screen.bolded)) }
            blocks.append(.text(wording.text("Or the administrator, by a command:"), theme.screen))
            blocks += Self.unlockingCommands.map { .text($0, theme.screen) }
        case .person, .wrong, .early, .personLocked, nil:
            if let way = wayIn(scene, entrance) { blocks.append(.text(way, theme.screen)) }
        }
        stack(blocks, in: divided.text)
        placeRow(
            [Button(.cancel, label: wording.text("Cancel"), isMain: true)], in: divided.buttons)
    }

    private static let addingCommand = "clup-kiosk staff add"
    /// Commands at the backend and at the machine's own shell.
    private static let unlockingCommands = [
        "clup-backend machine unlock", "clup-kiosk staff unlock",
    ]

    /// How a staff member can get in all the same; nil if there is no way.
    private func wayIn(_ scene: Scene, _ entrance: PINEntry) -> String? {
        if let holder = entrance.holder {
            return wording.text(
                "Another manager can unlock {name} under {page}.",
                ["name": wording.clean(holder.name), "page": wording.name(.people)])
        }
        return scene.isReaderThere
            ? wording.text("If you have a badge, hold it under the reader.") : nil
    }

    private func entranceWords(_ scene: Scene, _ entrance: PINEntry) -> String {
        if entrance.attempt != nil { return wording.text("One moment") }
        let wrong = wording.text("This PIN is wrong.")
        if let wait = scene.pinWait {
            // A PIN that was typed too early was not checked, so the screen does not call it wrong.
            if case .early = entrance.answer {
                return "\(wording.text("Wrong PINs were typed here.")) \(wording.pleaseWait(wait))"
            }
            return "\(wrong) \(wording.pleaseWait(wait))"
        }
        switch entrance.answer {
        case .wrong(.zero): return wrong
        case .locked:
            return wording.text("Locked after ten wrong PINs, until somebody unlocks it.")
        case .nobody: return wording.text("Nobody has a PIN on this machine yet.")
        case .personLocked: return wording.text("You are locked. A manager can unlock you.")
        case .failed:
            return wording.text("PINs cannot be checked: nothing can be written to the disk.")
        case .wrong, .early, .person, nil:
            if let holder = entrance.holder {
                return wording.text(
                    "{name}: please type your PIN.", ["name": wording.clean(holder.name)])
            }
            return wording.text("For the staff: please type your PIN.")
        }
    }
}

extension Strings {
    /// How long to wait, in minutes if there are many seconds.
    fileprivate func pleaseWait(_ seconds: Int) -> String {
        seconds > 99
            ? plural("Please wait {n} minute.", "Please wait {n} minutes.", (seconds + 59) / 60)
            : plural("Please wait {n} second.", "Please wait {n} seconds.", seconds)
    }
}
