import KioskFlow
import Reservations
import TerminalSurface

// The staff members of the machine, and facts about the machine itself.
extension Canvas {
    mutating func drawPeople(_ scene: Scene, _ visit: StaffSession) {
        let (text, buttons) = staffDivided(rows: 1)
        let (title, list) = text.splitTop(hasSmallCells ? 8 : 2)
        let members = scene.staffFacts?.members
        if visit.outcome != nil {
            setOutcome(visit.outcome, in: title)
        } else {
            setSentence(
                members == nil
                    ? wording.text("One moment")
                    : wording.text("Touch a name to change something."),
                theme.screen.bolded, in: title)
        }
        let columns = 2
        // The rest of a button's width, without its frame and the mark of a locked staff member.
        let room = (list.columns - margin) / columns - 6
        let all = members ?? []
        let page = Page(visit.page, of: all.count, size: max(1, gridRows(in: list) * columns))
        placeGrid(
            all[page.range].map { member in
                Button(
                    .staff(.member(member.person.name)),
                    label: (member.isLocked ? "!! " : "")
                        + PlainText.clean(member.person.name, limit: room), isMain: false)
            }, columns: columns, in: list)
        placeGrid(
            [
                back,
                page.isLast && page.index == 0
                    ? nil
                    : Button(
                        .turnPage(page.isLast ? 0 : page.index + 1), label: wording.text("More"),
                        isMain: false),
                Button(.staff(.type(.name)), label: wording.text("Add"), isMain: true),
            ], columns: 3, in: buttons)
    }

    mutating func drawMember(_ member: StaffMember, _ visit: StaffSession) {
        let (text, buttons) = staffDivided(rows: 2, height: wideButtonRows)
        let (lines, result) = text.splitBottom(sentenceRows)
        let name = member.person.name
        setLines(
            [
                StaffLine(wording.text("Name"), .good, wording.clean(name)),
                StaffLine(
                    wording.text("Role"), .good,
                    member.person.role == .manager
                        ? wording.text("manager") : wording.text("staff")),
                StaffLine(
                    wording.text("PIN"), member.isLocked ? .wrong : .good,
                    member.isLocked ? wording.text("locked") : wording.text("works")),
                StaffLine(
                    wording.text("Badge"), .good,
                    member.hasBadge
                        ? wording.text("there is one") : wording.text("none", context: "badge")),
            ], in: lines)
        setOutcome(visit.outcome, in: result)
        placeGrid(
            [
                Button(
                    .staff(.type(.pin(.resetPIN(name)))), label: wording.text("New PIN"),
                    isMain: false),
                member.isLocked
                    ? Button(
                        .staff(.ask(.people(.unlock(name)))), label: wording.text("Unlock"),
                        isMain: false)
                    : Button(
                        .staff(.ask(.people(.lock(name)))), label: wording.text("Lock"),
                        isMain: false),
                member.hasBadge
                    ? Button(
                        .staff(.ask(.people(.revokeBadge(name)))),
                        label: wording.text("Revoke badge"), isMain: false) : nil,
                Button(
                    .staff(.ask(.people(.remove(name)))), label: wording.text("Remove"),
                    isMain: false),
                nil, back,
            ], columns: 3, height: wideButtonRows, in: buttons)
    }

    mutating func drawMachine(_ scene: Scene, _ visit: StaffSession) {
        let (text, buttons) = staffDivided(rows: 2, height: wideButtonRows)
        let (lines, result) = text.splitBottom(visit.outcome == nil ? 0 : sentenceRows)
        let body = scene.staffFacts?.body
        let key = wording.text("Key")
        var facts = [
            service(scene),
            StaffLine(
                wording.text("Message"), .good,
                scene.service.isPutOut ? wording.serviceMessage(scene.service.message) : "-"),
            StaffLine(
                wording.text("Machine"), .good,
                PlainText.clean(scene.shop?.machine.rawValue ?? "-", limit: 30)),
            StaffLine(
                wording.text("Shop"), .good, PlainText.clean(scene.shop?.shopName ?? "-", limit: 40)
            ),
            StaffLine(key, .good, body?.fingerprint ?? "-"),
            StaffLine(wording.text("Version"), .good, body?.version ?? "-"),
        ]
        // Staff members compare the fingerprint with another one, so every character is shown, in two halves
        // if need be.
        if let index = facts.firstIndex(where: { $0.name == key }),
            TextWidth.of(facts[index].words) > wordColumns(facts, in: lines.columns)
        {
            let bytes = facts[index].words.split(separator: ":")
            let halves = [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)]
            facts[index] = StaffLine(
                key, .good, halves.map { $0.joined(separator: ":") }.joined(separator: ": "))
        }
        setLines(facts, in: lines)
        setOutcome(visit.outcome, in: result)
        placeGrid(
            [
                Button(
                    .putOutOfService,
                    label: scene.service.isPutOut
                        ? wording.text("Put in service") : wording.text("Put out of service"),
                    isMain: scene.service.isPutOut),
                Button(
                    .openStaff(.message), label: wording.text("Message to customers"),
                    isMain: false),
                Button(
                    .staff(.ask(.restartProgram)), label: wording.text("Restart the program"),
                    isMain: false),
                body?.mayRestart == true
                    ? Button(
                        .staff(.ask(.restartMachine)), label: wording.text("Restart the machine"),
                        isMain: false) : nil,
                Button(.openLanguages, label: wording.text("Language"), isMain: false),
                Button(
                    .staff(.theme(isLight: !scene.settings.hasLightTheme)),
                    label: scene.settings.hasLightTheme
                        ? wording.text("White on black") : wording.text("Black on white"),
                    isMain: false),
                Button(.openStaff(.sound), label: wording.text("Volume"), isMain: false),
                // *Back* is the main button in service, so that a key pressed by mistake takes nothing from customers.
                Button(.cancel, label: wording.text("Back"), isMain: !scene.service.isPutOut),
            ], columns: 4, height: wideButtonRows, in: buttons)
    }

    /// Shows what customers can read while the machine is out of service; choosing a message puts it out of service.
    mutating func drawMessages(_ scene: Scene) {
        let (text, buttons) = staffDivided(rows: 3, height: wideButtonRows)
        setSentence(
            wording.text("Out of service: what do customers read?"), theme.screen.bolded, in: text)
        placeGrid(
            [Button(.staff(.message(nil)), label: wording.serviceMessage(nil), isMain: true)]
                + ReadyMessage.allCases.map {
                    Button(.staff(.message($0)), label: wording.ready($0), isMain: false)
                } + [back], columns: 2, height: wideButtonRows, in: buttons)
    }
}
