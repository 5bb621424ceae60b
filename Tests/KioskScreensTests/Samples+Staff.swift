import Reservations

@testable import KioskFlow
@testable import KioskScreens

extension Samples {
    /// Maintenance mode on a day without faults, and on one on which everything fails.
    static let staffScenes: [NamedScene] =
        list([
            "staff-entrance": entrance("", nil),
            "staff-entrance-typed": entrance("739146", nil),
            "staff-entrance-badge": entrance("", nil, holder: giulia),
            "staff-entrance-wrong": entrance("", .wrong(wait: .zero)),
            "staff-entrance-waits": entrance("", .wrong(wait: .seconds(30)), wait: 28),
            "staff-entrance-waits-long": entrance("", .early(wait: .seconds(1_900)), wait: 1_900),
            "staff-entrance-locked": entrance("", .locked),
            "staff-entrance-locked-badge": entrance("", .locked, holder: giulia),
            "staff-entrance-person-locked": entrance("", .personLocked),
            "staff-entrance-nobody": entrance("", .noStaff),
            "staff-entrance-failed": entrance("", .failed),
            "staff-overview": staff(.overview, well),
            "staff-overview-asking": staff(.overview, asking),
            "staff-overview-one": staff(.overview, noPaper),
            "staff-overview-no-devices": staff(.overview, noPrinter).with { $0.readerPlace = nil },
            "staff-overview-staff": staff(.overview, well, role: .staff),
            "staff-overview-trouble": staff(.overview, bad, isOut: true, readerThere: false),
            "staff-overview-trouble-more":
                staff(.overview, bad, isOut: true, readerThere: false) { $0.page = 1 },
            "staff-printer": staff(.printer, well),
            "staff-printer-trouble": staff(.printer, bad, print: .failed(.jam)),
            "staff-jobs": staff(.jobs, bad),
            "staff-jobs-none": staff(.jobs, well),
            "staff-jobs-question": asked(.jobs, .cancelJob(printer: 0, job: 118)),
            "staff-papers": staff(.papers, well),
            "staff-papers-printed": staff(.papers, well, print: .printed),
            "staff-papers-gone":
                staff(.papers, bad, print: .reservationNotValid(.refusal(.notFound))),
            "staff-reprint": staff(.papers, well, chosen: well.papers?.first),
            "staff-overview-missing": staff(.overview, missing),
            "staff-papers-missing": staff(.papers, missing),
            "staff-missing": staff(.papers, missing, chosen: missing.papers?.first),
            "staff-missing-give-back": asked(.papers, .paper(.giveBack, missingPaper)),
            "staff-papers-found": ended(.papers, missing, .paper(.found, missingPaper)),
            "staff-reader": staff(.reader, well) { $0.reads = reads },
            "staff-reader-away": staff(.reader, bad, readerThere: false),
            "staff-screen": staff(.screen, well),
            "staff-touch-test": staff(.touchTest, well),
            "staff-colours": staff(.colours, well),
            "staff-letters": staff(.letters, well),
            "staff-sound": staff(.sound, well),
            "staff-network": staff(.network, well),
            "staff-network-trouble": staff(.network, bad),
            "staff-events": staff(.events, bad),
            "staff-events-none": staff(.events, well),
        ]) + helpCallScenes + queueScenes + machineScenes + peopleScenes

    private static let helpCallScenes: [NamedScene] =
        list([
            "staff-overview-help": staff(.overview, called),
            "staff-printer-help": staff(.printer, called),
            "staff-help": staff(.help, called),
            "staff-help-none": staff(.help, well),
            "staff-help-other": staff(.help, called) { $0.call = helpCalls[1].id },
        ])
        + StaffHelp.Action.allCases.map { action in
            (
                "staff-help-\(action.rawValue)",
                ended(.help, called, .help(StaffHelp(action, helpCalls[0].id)))
            )
        }

    private static let queueScenes: [NamedScene] =
        list([
            "staff-queue": staff(.queue, well),
            "staff-queue-early": staff(.queue, early),
            "staff-queue-silent": staff(.queue, bad),
            "staff-queue-done": ended(.queue, well, .queue(.reservation(.letIn, number))),
            "staff-queue-number": form(.queue, .number(.callAgain), "42"),
            "staff-queue-people": form(.queue, .people),
            "staff-queue-delete": asked(.queue, .queue(.reservation(.delete, number))),
            "staff-queue-ended": staff(.queue, ticketsEnded),
            "staff-queue-door": staff(.queue, doorOpen),
            "staff-queue-home": asked(.queue, .queue(.sendHome)),
            "staff-queue-sent-home":
                ended(.queue, early, .queue(.sendHome), .doneTo(people: 15)),
            "staff-queue-opened": ended(.queue, well, .queue(.openAgain), .doneTo(people: 14)),
            "staff-queue-opened-nobody":
                ended(.queue, well, .queue(.openAgain), .doneTo(people: 0)),
            "staff-queue-correct": asked(.queue, .queue(.occupancy(people: 12))),
            "staff-phones": staff(.phones, well),
            "staff-phones-digits": form(.phones, .reference, "48150"),
            "staff-phones-done": ended(.phones, well, .queue(.unblock(reference))),
            "staff-phones-unknown":
                ended(
                    .phones, well, .queue(.unblock(reference)), .backend(.refusal(.notBlocked))),
        ])

    static let refusalScenes: [NamedScene] =
        refusals.enumerated().map { index, failure in
            (
                "staff-queue-refused-\(index)",
                ended(.queue, well, .queue(.reservation(.letIn, number)), .backend(failure))
            )
        }
        + [
            StaffListRefusal.name, .taken, .unknown, .tooMany, .lastManager, .disk, .pin,
            .commonPIN,
        ].enumerated().map { index, refusal in
            (
                "staff-member-refused-\(index)",
                ended(.people, well, .people(.lock("Giulia")), .people(refusal))
                    .withSession { $0.member = "Giulia" }
            )
        }

    /// Every way in which the backend refuses a staff command.
    private static let refusals: [BackendFailure] = [
        .unanswered, .refusal(.notAuthentic), .refusal(.alreadyUsed), .refusal(.missed),
        .refusal(.closedBeforeTurn), .refusal(.alreadyDeleted), .refusal(.inside),
        .refusal(.notFound), .refusal(.shopClosed), .refusal(.notYetCalled),
        .refusal(.stillValid), .refusal(.full), .refusal(.implausible), .refusal(.forbidden),
    ]

    private static let machineScenes: [NamedScene] = list([
        "staff-machine": staff(.machine, well),
        "staff-machine-out": staff(.machine, bad, isOut: true),
        "staff-machine-restart": asked(.machine, .restartProgram),
        "staff-machine-restart-whole": asked(.machine, .restartMachine),
        "staff-machine-not-restarted": ended(.machine, well, .restartMachine, .failed),
        "staff-message": staff(.message, well),
        "staff-message-question": asked(.message, .putOut(.askStaff)),
        "staff-language": staff(.machine, well).with { $0.access.isChoosingLanguage = true },
        "out-of-service-message": outOfService("back-soon"),
        "out-of-service-other-machine": outOfService("other-machine"),
        "out-of-service-ask-staff": outOfService("ask-staff"),
        "out-of-service-no-tickets": outOfService("no-tickets"),
        "out-of-service-written": outOfService("Riapriamo alle 16: grazie della pazienza."),
        "home-light": scene(.home).with { $0.settings.hasLightTheme = true },
    ])

    private static let peopleScenes: [NamedScene] =
        list([
            "staff-people": staff(.people, well),
            "staff-people-added": ended(.people, well, .people(.add(giulia))),
            "staff-member": staff(.people, well) { $0.member = "Giulia" },
            "staff-member-locked": staff(.people, well) { $0.member = "Marco" },
            "staff-name": form(.people, .name),
            "staff-name-typed": form(.people, .name, "Francesca"),
            "staff-name-taken": form(.people, .name, fault: .taken),
            "staff-role": form(.people, .role(name: "Francesca")),
            "staff-pin": form(.people, .pin(.resetPIN("Francesca"))),
            "staff-pin-common": form(.people, .pin(.resetPIN("Francesca")), fault: .pin(.common)),
            "staff-pin-again":
                form(.people, .again(.resetPIN("Francesca"), first: "739146"), "7391"),
            "staff-lock": asked(.people, .people(.lock("Marco"))),
            "staff-remove": asked(.people, .people(.remove("Marco"))),
            "staff-revoke": asked(.people, .people(.revokeBadge("Marco"))),
        ])

    /// The scenes that have the foot line: all but maintenance mode itself.
    static let customerScenes = scenes.filter { $0.scene.staffFacts == nil }

    static let giulia = StaffPerson(name: "Giulia", role: .manager)
    static let number = QueueNumber(rawValue: 42)!
    private static let reference = BlockReference(rawValue: "48151623")!
    private static var missingPaper: IssuedPaper { missing.papers![0] }

    private static func entrance(
        _ digits: String, _ answer: PINAnswer?, wait: Int? = nil, holder: StaffPerson? = nil
    ) -> Scene {
        var entrance = PINEntry(holder: holder)
        entrance.digits = digits
        entrance.answer = answer
        return scene(.pinEntry(entrance)).with { $0.pinWait = wait }
    }

    /// What is shown when a command has ended.
    private static func ended(
        _ screen: StaffScreen, _ facts: StaffFacts, _ command: StaffCommand,
        _ answer: StaffCommandAnswer = .done
    ) -> Scene {
        staff(screen, facts) {
            $0.outcome = StaffCommandStatus(command: command, attempt: key, answer: answer)
        }
    }

    private static func form(
        _ screen: StaffScreen, _ purpose: StaffForm.Purpose, _ text: String = "",
        fault: StaffForm.Fault? = nil
    ) -> Scene {
        staff(screen, well) {
            $0.form = StaffForm(purpose)
            $0.form?.text = text
            $0.form?.fault = fault
        }
    }

    private static func asked(_ screen: StaffScreen, _ command: StaffCommand) -> Scene {
        staff(screen, well) { $0.question = command }
    }

    private static func staff(
        _ screen: StaffScreen, _ facts: StaffFacts, isOut: Bool = false, readerThere: Bool = true,
        print: StaffPrint.Progress? = nil, chosen: IssuedPaper? = nil,
        role: StaffPerson.Role = .manager, _ change: (inout StaffSession) -> Void = { _ in }
    ) -> Scene {
        var visit = StaffSession(person: StaffPerson(name: "Giulia", role: role))
        visit.screen = screen
        visit.print = print.map { StaffPrint(attempt: key, progress: $0) }
        visit.chosen = chosen
        change(&visit)
        return scene(.staff(visit)).with {
            $0.staffFacts = facts
            $0.isPutOut = isOut
            $0.serviceMessage = isOut ? "back-soon" : nil
            $0.isReaderThere = readerThere
            $0.staffLeft = 108
        }
    }
}
