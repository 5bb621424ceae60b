import KioskFlow
import Reservations
import TerminalSurface

// The staff members of the machine, and facts about the machine itself.
extension Canvas {
    mutating func drawPeople(_ visit: StaffSession) {
        let members = staffFacts.members
        let title = members == nil ? text("One moment") : text("Touch a name to change something.")
        let (page, list, buttons) = drawListHead(
            visit, title, rows: hasSmallCells ? 8 : 2, count: members?.count ?? 0, columns: 2)
        // The rest of a button's width, without its frame and the mark of a locked staff member.
        let room = (list.columns - margin) / 2 - 6
        placeGrid(
            (members ?? [])[page.range].map { member in
                let (name, role) = (member.person.name, wording.name(member.person.role))
                let words = member.isLocked ? "\(role), \(text("locked"))" : role
                let mark = member.isLocked && !typeface.hasShapes ? "!! " : ""
                var button = Button(
                    .staff(.member(name)), mark + PlainText.clean(name, limit: room),
                    subtitle: staffButtonRows > 3 || typeface.hasShapes ? words : nil)
                button.isFaulty = member.isLocked
                return button
            }, columns: 2, in: list)
        let more = page.isLast && page.index == 0 ? nil : moreButton(page)
        placeGrid(
            [back, more, Button(.staff(.type(.name)), text("Add"), isMain: true)], columns: 3,
            in: buttons)
    }

    mutating func drawMember(_ member: StaffMember, _ visit: StaffSession) {
        let (content, buttons) = staffDivided(rows: 2, height: wideButtonRows)
        let (lines, result) = content.splitBottom(sentenceRows)
        let (name, isLocked) = (member.person.name, member.isLocked)
        setLines(
            [
                StaffLine(text("Name"), wording.clean(name)),
                StaffLine(text("Role"), wording.name(member.person.role)),
                StaffLine(
                    text("PIN"), isLocked ? text("locked") : text("works"),
                    isLocked ? .wrong : .good),
                StaffLine(
                    text("Badge"),
                    member.hasBadge ? text("there is one") : text("none", context: "badge")),
            ], in: lines)
        setOutcome(visit.outcome, in: result)
        func button(_ command: StaffListCommand, _ label: String) -> Button {
            Button(.staff(.ask(.people(command))), label)
        }
        placeGrid(
            [
                Button(.staff(.type(.pin(.resetPIN(name)))), text("New PIN")),
                isLocked
                    ? button(.unlock(name), text("Unlock")) : button(.lock(name), text("Lock")),
                member.hasBadge ? button(.revokeBadge(name), text("Revoke badge")) : nil,
                back, button(.remove(name), text("Remove")), nil,
            ], columns: 3, height: wideButtonRows, in: buttons)
    }

    mutating func drawMachine(_ visit: StaffSession) {
        let (lines, result) = staffText.splitBottom(visit.outcome == nil ? 0 : sentenceRows)
        let (body, shop, isPutOut) = (staffFacts.body, scene.shop, scene.isPutOut)
        let message = isPutOut ? wording.serviceMessage(scene.serviceMessage) : "-"
        func facts(_ fingerprint: String) -> [StaffLine] {
            [
                service(), StaffLine(text("Message"), message),
                StaffLine(
                    text("Machine"), PlainText.clean(shop?.machine.rawValue ?? "-", limit: 30)),
                StaffLine(text("Shop"), PlainText.clean(shop?.shopName ?? "-", limit: 40)),
                StaffLine(text("Key"), fingerprint),
                StaffLine(text("Version"), body?.version ?? "-"),
            ]
        }
        var fingerprint = body?.fingerprint ?? "-"
        // Staff members compare the fingerprint with another one, so every character is shown, in two halves
        // if need be.
        if TextWidth.of(fingerprint) > wordColumns(facts(fingerprint), in: lines.columns) {
            let bytes = fingerprint.split(separator: ":")
            let halves = [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)]
            fingerprint = halves.map { $0.joined(separator: ":") }.joined(separator: ": ")
        }
        setLines(facts(fingerprint), in: lines)
        setOutcome(visit.outcome, in: result)
        let hasLightTheme = scene.settings.hasLightTheme
        placeStaffButtons(
            [
                Button(
                    .putOutOfService,
                    isPutOut ? text("Put in service") : text("Put out of service"), isMain: isPutOut
                ), Button(.openStaff(.message), text("Message to customers")),
                Button(.staff(.ask(.restartProgram)), text("Restart the program")),
                body?.mayRestart == true
                    ? Button(.staff(.ask(.restartMachine)), text("Restart the machine")) : nil,
                Button(.openLanguages, text("Language")),
                Button(
                    .staff(.theme(isLight: !hasLightTheme)),
                    hasLightTheme ? text("White on black") : text("Black on white")),
                Button(.openStaff(.sound), text("Volume")),
            ])
        // The keys begin at *Back* in service, so that a key pressed by mistake takes nothing from customers.
        if !isPutOut { firstFocus = .cancel }
    }

    /// Shows what customers can read while the machine is out of service; choosing a message puts it out of service.
    mutating func drawMessages() {
        let (content, buttons) = staffDivided(rows: 3, height: wideButtonRows)
        setSentence(
            text("Out of service: what do customers read?"), theme.screen.bolded, in: content)
        let standard = Button(.staff(.message(nil)), wording.serviceMessage(nil), isMain: true)
        let messages = ReadyMessage.allCases.map { Button(.staff(.message($0)), wording.ready($0)) }
        var all = [standard] + messages
        all.insert(back, at: all.count - 1)
        placeGrid(all, columns: 2, height: wideButtonRows, in: buttons)
    }
}
