import KioskFlow
import TerminalSurface

// The screen before maintenance mode: a PIN on the keypad, of which only the length is shown.
extension Canvas {
    mutating func drawPINEntry(_ entrance: PINEntry) {
        if entrance.isShut || scene.pinWait != nil { return drawShut(entrance) }
        drawHeader()
        drawFoot()
        let words = entranceWords(entrance)
        let isComplete = entrance.digits.count >= PINRules.lengths.lowerBound
        drawKeypad(
            [
                .line(words, entrance.answer == nil ? .bold : .warning),
                .line(hidden(entrance.digits), .bold),
            ], saying: [words], back: Button(.cancel, text("Cancel"), isMain: !isComplete),
            ok: Button(.enterCode, text("OK"), isMain: isComplete), in: middle)
    }

    /// Shown without a keypad while PINs are not checked: how long that lasts, and which command or manager can end it.
    private mutating func drawShut(_ entrance: PINEntry) {
        var blocks: [Block] = [
            .heading(text("No PIN can be typed now")), .line(entranceWords(entrance), .warning),
        ]
        switch entrance.answer {
        case .noStaff:
            blocks.append(.line(text("Add somebody on the machine's command line:")))
            blocks.append(.line(Self.addingCommand, .bold))
        case .failed: break
        case .locked:
            if let way = wayIn(entrance) { blocks.append(.line(way, .bold)) }
            blocks.append(.line(text("Or the administrator, by a command:")))
            blocks += Self.unlockingCommands.map { .line($0) }
        case .person, .wrong, .early, .personLocked, nil:
            if let way = wayIn(entrance) { blocks.append(.line(way)) }
        }
        drawScreen(blocks, buttons: [Button(.cancel, text("Cancel"), isMain: true)])
    }

    private static let addingCommand = "clup-kiosk staff add"
    /// Commands at the backend and at the machine's own shell.
    private static let unlockingCommands = [
        "clup-backend machine unlock", "clup-kiosk staff unlock",
    ]

    /// How a staff member can get in all the same; nil if there is no way.
    private func wayIn(_ entrance: PINEntry) -> String? {
        if let holder = entrance.holder {
            return text(
                "Another manager can unlock {name} under {page}.",
                ["name": wording.clean(holder.name), "page": wording.name(.people)])
        }
        return scene.isReaderReady ? text("If you have a badge, hold it under the reader.") : nil
    }

    private func entranceWords(_ entrance: PINEntry) -> String {
        if entrance.attempt != nil { return text("One moment") }
        let wrong = text("This PIN is wrong.")
        if let wait = scene.pinWait {
            // A PIN that was typed too early was not checked, so the screen does not call it wrong.
            if case .early = entrance.answer {
                return "\(text("Wrong PINs were typed here.")) \(wording.pleaseWait(wait))"
            }
            return "\(wrong) \(wording.pleaseWait(wait))"
        }
        switch entrance.answer {
        case .wrong(.zero): return wrong
        case .locked: return text("Locked after ten wrong PINs, until somebody unlocks it.")
        case .noStaff: return text("Nobody has a PIN on this machine yet.")
        case .personLocked: return text("You are locked. A manager can unlock you.")
        case .failed: return text("PINs cannot be checked: nothing can be written to the disk.")
        case .wrong, .early, .person, nil:
            if let holder = entrance.holder {
                return text("{name}: please type your PIN.", ["name": wording.clean(holder.name)])
            }
            return text("For the staff: please type your PIN.")
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
