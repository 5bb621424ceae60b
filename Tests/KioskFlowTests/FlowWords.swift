import Reservations

@testable import KioskFlow

/// The machine's effects and screens in words that do not depend on how the flow is written, so that recorded paths can
/// be compared.
enum FlowWords {
    static func failure(_ failure: BackendFailure) -> String {
        switch failure {
        case .unanswered: "unanswered"
        case .notUnderstood: "not-understood"
        case .refused(let refused): refused.refusal.rawValue
        case .noKey(let trouble): "no-key \(trouble)"
        }
    }

    static func progress(_ progress: StaffPrint.Progress) -> String {
        switch progress {
        case .under: "under way"
        case .printed: "printed"
        case .failed(let trouble): "failed \(trouble.rawValue)"
        case .reservationNotValid(let reason): "not standing \(failure(reason))"
        }
    }

    static func pin(_ answer: PINAnswer) -> String {
        switch answer {
        case .person(let person): "\(person.name) \(person.role.rawValue)"
        case .wrong(let wait): "wrong \(wait)"
        case .early(let wait): "early \(wait)"
        case .locked: "locked"
        case .noStaff: "nobody"
        case .personLocked: "person locked"
        case .failed: "failed"
        }
    }

    static func verdict(_ verdict: StaffRead.Verdict) -> String {
        switch verdict {
        case .valid: "valid"
        case .refused(let refusal): "refused \(refusal.rawValue)"
        case .unanswered: "unanswered"
        }
    }

    static func command(_ command: StaffCommand) -> String {
        "\(command.event.text.kind) \(command.event.text.detail)"
    }

    private static func purpose(_ purpose: StaffForm.Purpose) -> String {
        switch purpose {
        case .number(let kind): "number \(kind.rawValue)"
        case .people: "people"
        case .reference: "reference"
        case .name: "name"
        case .role(let name): "role of \(name)"
        case .pin(let command): "pin \(Self.command(.people(command)))"
        case .again(let command, let first): "again \(Self.command(.people(command))) \(first)"
        }
    }

    // MARK: Effects

    static func effect(_ effect: KioskEffect) -> String {
        switch effect {
        case .backend(let effect): Self.effect(effect)
        case .printer(.print(let key, let slip)): "print \(key) \(slip.number.text)"
        case .printer(.leave(let key)): "leave paper \(key)"
        case .journal(.record(let record)): "record \(Self.record(record))"
        case .journal(.check): "check journal"
        case .staff(let effect): Self.effect(effect)
        case .help(let effect): Self.effect(effect)
        case .program(let effect): Self.effect(effect)
        case .beep: "beep"
        case .refresh: "refresh"
        }
    }

    private static func turn(_ change: TurnChange) -> String {
        switch change {
        case .delay(let people): "delay \(people)"
        case .reclaim: "reclaim"
        }
    }

    private static func change(_ change: PlaceChange) -> String {
        switch change {
        case .deletion: "deletion"
        case .arrival: "arrival"
        case .turn(let change): turn(change)
        }
    }

    private static func effect(_ effect: BackendEffect) -> String {
        switch effect {
        case .takePlace(let kind, let key): "take place \(kind.rawValue) \(key)"
        case .lookUp(let code, let key): "look up \(code.text) \(key)"
        case .delete(let id, let code, let key): "delete \(id) \(code.text) \(key)"
        case .changeTurn(let change, let id, let code, let key):
            "change \(turn(change)) \(id) \(code.text) \(key)"
        case .release(let hold): "release \(hold)"
        case .extend(let hold): "extend \(hold)"
        case .confirm(let what, let key): "confirm \(requested(what)) \(key)"
        case .resolve(let open):
            "resolve \(requested(open.what)) \(open.key) \(open.deleteWhenKnown)"
        }
    }

    private static func effect(_ effect: HelpEffect) -> String {
        switch effect {
        case .call(let key): "call for help \(key)"
        case .endAsMistake(let call, let key): "end as mistake \(call) \(key)"
        case .follow: "follow calls"
        }
    }

    private static func effect(_ effect: StaffEffect) -> String {
        switch effect {
        case .checkPIN(let pin, let key, let holder): "check pin \(pin) \(key) \(holder ?? "-")"
        case .askPINAvailability(let key, let holder): "ask gate \(key) \(holder ?? "-")"
        case .checkBadge(let badge, let key): "check badge \(badge.rawValue) \(key)"
        case .openMonitor: "look after"
        case .note(let what, let person):
            "event \(what.text.kind) '\(what.text.detail)' \(person ?? "-")"
        case .printTest(let printer, let key): "test print \(printer) \(key)"
        case .reprint(let paper, let key): "reprint \(paper.key) \(key)"
        case .renewCode(let paper, let person, let key): "renew \(paper.key) \(person) \(key)"
        case .rollChanged(let printer, let key): "roll changed \(printer) \(key)"
        case .seeToPaper(let command, let paper, let key):
            "paper \(Self.command(.paper(command, paper))) \(key)"
        case .cancelJob(let printer, let job, let key): "cancel \(printer) \(job) \(key)"
        case .tryCode(let code, let key): "try \(code.text) \(key)"
        case .correctQueue(let command, let person, let closes, let key):
            "queue \(Self.command(.queue(command))) \(person) \(closes?.description ?? "-") \(key)"
        case .answerHelp(let help, let person, let key):
            "answer \(help.action.rawValue) \(help.call) \(person) \(key)"
        case .changeStaffList(let command, let pin, let key):
            "people \(Self.command(.people(command))) \(pin) \(key)"
        case .keepSettings(let settings): "keep settings \(Self.settings(settings))"
        case .saySample: "sample"
        case .restartMachine(let key): "restart machine \(key)"
        }
    }

    private static func effect(_ effect: ProgramEffect) -> String {
        switch effect {
        case .keepService(_, _, let command?):
            "keep order \(command.id) \(command.kind?.rawValue ?? "")"
        case .keepService(let isPutOut, let message, nil):
            "keep service \(isPutOut) \(message ?? "-")"
        case .acknowledged(let id): "obeyed \(id)"
        case .rotate(let id): "rotate \(id)"
        case .unlock(let id): "unlock \(id)"
        case .restartOnce(let id): "restart once \(id)"
        case .restart: "restart"
        case .restartIntoNewVersion: "renew"
        }
    }

    private static func record(_ record: JournalRecord) -> String {
        switch record {
        case .intended(let key, let what): "intended \(key) \(requested(what))"
        case .issued(let key, let slip): "reserved \(key) \(slip.number.text)"
        case .language(let key, let language): "language \(key) \(language)"
        case .shown(let key): "shown \(key)"
        case .printing(let key): "printing \(key)"
        case .printed(let key): "printed \(key)"
        case .notPrinted(let key, let trouble): "not printed \(key) \(trouble.rawValue)"
        case .deleteWhenKnown(let key): "delete when known \(key)"
        case .resolved(let key): "settled \(key)"
        }
    }

    private static func settings(_ settings: MachineSettings) -> String {
        "\(settings.volume) \(settings.hasLightTheme) \(settings.printer) \(settings.language ?? "-")"
    }

    // MARK: State

    /// The state and everything that a screen reads from the flow, in one line.
    static func shown(_ flow: KioskFlow, now: Duration) -> String {
        ([
            state(flow.state), "due \(flow.nextDeadline.map { "\($0)" } ?? "-")",
            "warning \(number(flow.warning(now: now)))",
            "closes \(number(flow.countdown(now: now)))", "left \(number(flow.timeLeft(now: now)))",
            "staff \(number(flow.staffLeft(now: now)))", "pin \(number(flow.pinWait(now: now)))",
            "languages \(flow.access.languages.joined(separator: " ")) \(flow.access.language)",
            "choosing \(flow.access.isChoosingLanguage)", flow.access.appearance.rawValue,
            flow.access.voice.rawValue,
            "speech \(flow.access.isSpeechThere)", "reader \(flow.isReaderThere)",
            "printer \(flow.printer.trouble?.rawValue ?? "ready")",
            "out \(flow.service.isPutOut) \(flow.service.message ?? "-") "
                + "\(flow.service.outOfService?.rawValue ?? "-")",
            "queue \(flow.service.queue == nil ? "-" : "known") "
                + number(flow.service.queueAge(now: now)?.wholeSecondsUp),
            "clock \(flow.shopClock(now: now)?.description ?? "-")",
            "settings \(settings(flow.settings))", "gone \(flow.hasCustomerLeft(now: now))",
            "facts \(flow.staffFacts == nil ? "-" : "known")",
        ] + [help(flow.help).map { "help \($0)" }].compactMap(\.self)).joined(separator: "; ")
    }

    /// The call for help, if there is one.
    private static func help(_ help: HelpState) -> String? {
        switch help {
        case .none: nil
        case .asking(let question): "asking \(question.isLong)"
        case .calling(let key): "calling \(key)"
        case .unreachable(let unanswered): "unreachable \(unanswered.isShown)"
        case .closed: "closed"
        case .open(let open):
            "open \(open.call.id) \(open.call.going != nil) \(help.isShown) \(open.mistake != nil)"
        }
    }

    private static func number(_ value: Int?) -> String { value.map(String.init) ?? "-" }

    private static func state(_ state: KioskState) -> String {
        switch state {
        case .starting: "starting"
        case .home: "home"
        case .closed(let opens): "closed \(opens?.description ?? "-")"
        case .outOfService(let reason): "out of service \(reason.rawValue)"
        case .asking(let asking):
            "asking \(asking.attempt) \(asking.kind.rawValue) \(asking.renewed) \(asking.insteadOfVisit)"
        case .offer(let offer):
            "offer \(offer.place.id) \(offer.place.visit == nil) \(offer.expires) \(offer.renewed) "
                + "\(offer.insteadOfVisit) \(offer.isExtendable)"
        case .noTicketToday: "no ticket today"
        case .noVisit: "no visit"
        case .confirming(let confirming):
            "confirming \(confirming.key) \(requested(confirming.what))"
        case .unresolved(let unresolved): "unresolved \(unresolved.asked.key)"
        case .issued(let issued):
            "issued \(issued.key) \(issued.slip.number.text) \(paper(issued.paper))"
        case .scanning(let scanning):
            "scanning '\(scanning.digits)'\(scanning.corrected.map { " at \($0)" } ?? "")"
                + sought(scanning.sought)
        case .lookingUp(let looking):
            "looking up \(looking.code.text) \(looking.typed != nil)\(sought(looking.code.sought))"
        case .found(let found): "found \(found.reservation.number.text) \(found.reservation.status)"
        case .order(let found): "order \(found.order.state.rawValue) \(found.isChoice)"
        case .delayOffers(let found): "delay offers \(found.reservation.number.text)"
        case .missedCall(let found): "missed call \(found.reservation.number.text)"
        case .changingTurn(let changing):
            "changing turn \(turn(changing.change)) \(changing.attempt)"
        case .turnChanged(let changed):
            "turn changed \(turn(changed.change)) \(changed.reservation.status)"
        case .deleting(let deleting): "deleting \(deleting.attempt)"
        case .deleted(let deleted): "deleted \(deleted.number.text)"
        case .codeRefused(let refused):
            "code refused \(refused.reason.rawValue) \(refused.typed != nil)\(sought(refused.sought))"
        case .requestFailed(let requestFailed):
            "apology \(requestFailed.reason.rawValue) \(requestFailed.change.map(change) ?? "-")"
        case .pinEntry(let entrance):
            "entrance '\(entrance.digits)' \(entrance.holder?.name ?? "-") \(entrance.attempt != nil) "
                + "\(entrance.answer.map(pin) ?? "-") \(entrance.opens) \(entrance.isShut)"
        case .staff(let visit): staff(visit)
        }
    }

    private static func requested(_ what: Requested) -> String {
        switch what {
        case .place(let hold): "\(hold)"
        case .arrival(let order, let code): "arrival \(order) \(code.text)"
        }
    }

    /// Nothing for a reservation, as the recorded paths have no orders.
    private static func sought(_ sought: Sought) -> String {
        switch sought {
        case .reservation: ""
        case .order: " order"
        }
    }

    private static func paper(_ paper: Issued.Paper) -> String {
        switch paper {
        case .printing: "printing"
        case .late(let trouble): "late \(trouble.rawValue)"
        case .printed: "printed"
        case .shownOnly(let trouble): "shown only \(trouble.rawValue)"
        }
    }

    private static func staff(_ visit: StaffSession) -> String {
        let form = visit.form.map {
            "\(purpose($0.purpose)) '\($0.text)' \($0.fault.map { "\($0)" } ?? "-")"
        }
        let outcome = visit.outcome.map {
            "\(command($0.command)) \($0.answer.map { $0.reason?.word ?? "done" } ?? "under way")"
        }
        let reads = visit.reads.map {
            "\($0.kind) \($0.length) \($0.layout?.rawValue ?? "-") \($0.verdict.map(verdict) ?? "-")"
        }
        return [
            "staff \(visit.person.name)", visit.screen.rawValue,
            "print \(visit.print.map { progress($0.progress) } ?? "-")",
            "chosen \(visit.chosen?.key.rawValue ?? "-")", "page \(visit.page)",
            "question \(visit.question.map(command) ?? "-")", "form \(form ?? "-")",
            "outcome \(outcome ?? "-")", "member \(visit.member ?? "-")",
            "touches \(visit.touches.count)", "reads \(reads.joined(separator: ", "))",
        ].joined(separator: ", ")
    }
}
