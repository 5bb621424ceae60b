import Reservations
import Testing

@testable import KioskFlow

/// Every event in every reachable state, breadth first over the real flow.
@Suite("The flow, explored")
struct ExplorationTests {
    /// A state with its open obligations: holds that were taken and not yet given back or confirmed.
    private struct Visited: Hashable {
        var state: String
        var held: Set<ReservationID>
        var intended: Set<AttemptKey>
        var isChoosing: Bool
        /// Whether the customer has changed appearance or voice; the chosen values change nothing more.
        var isSet: Bool
        /// The call for help, without times and keys.
        var help: String
    }

    private struct Node {
        var machine: FlowMachine
        var held: Set<ReservationID>
        var intended: Set<AttemptKey>
        var depth: Int
    }

    private enum Event: CaseIterable {
        case getTicket, confirm, cancel, leave, done, languages, anywhere
        case place, noTicket, closed, placeLost, reserved, expired, confirmationLost, refused
        case printed, printFailed, troubled, outage, recovery, journalFails
        case bookVisit, visit, ticketAgain, noVisit
        case find, scan, digit, enter, found, refusedCode, lookUpLost, deleted, deletionLost
        case foundDelayable, foundMissed, moreTime, delay, reclaim, turnChanged, turnChangeLost
        case collect, scanOrder, orderReady, orderHere, refusedOrder, arrive, arrived, hereAlready
        case arrivalLost
        case letters, ear, voiceFails
        case staff, rightPIN, wrongPIN, openPapers, testPrint, back
        case help, callHelp, declineHelp, leaveHelp, helpComes, helpLost, helpEnds
        case second, inactivity
    }

    private func apply(_ event: Event, to machine: inout FlowMachine) {
        switch event {
        case .getTicket: machine.touches(.getTicket)
        case .confirm:
            let isFound = if case .found = machine.flow.state { true } else { false }
            machine.touches(isFound ? .giveUp : .confirm)
        case .cancel: machine.touches(.cancel)
        case .leave: machine.touches(.leave)
        case .done: machine.touches(.done)
        case .languages: machine.touches(.openLanguages)
        case .anywhere: machine.touches(nil)
        case .place: machine.answersPlace(.success(Facts.place()))
        case .noTicket: machine.answersPlace(.failure(.refusal(.noTicketToday)))
        case .closed: machine.answersPlace(.failure(.refusal(.shopClosed)))
        case .placeLost: machine.answersPlace(.failure(.unanswered))
        case .reserved:
            machine.answersConfirmation(.success(Facts.reservation(at: machine.now)))
        case .expired: machine.answersConfirmation(.failure(.refusal(.holdExpired)))
        case .confirmationLost: machine.answersConfirmation(.failure(.unanswered))
        case .refused: machine.answersConfirmation(.failure(.refusal(.notAuthentic)))
        case .printed: machine.prints(.printed)
        case .printFailed: machine.prints(.failed(.jam))
        case .troubled: machine.prints(.troubled(.noPaper))
        case .outage: machine.does(.backend(.queue(.failure(.refusal(.notAuthentic)))))
        case .recovery: machine.queueReported()
        case .journalFails: machine.does(.journal(.failed(unsent: true)))
        case .bookVisit: machine.touches(.bookVisit)
        case .visit: machine.answersPlace(.success(Facts.visit(id: Facts.hold)))
        case .ticketAgain: machine.answersPlace(.failure(.refusal(.ticketAvailable)))
        case .noVisit: machine.answersPlace(.failure(.refusal(.nothingWithinAMonth)))
        case .find: machine.touches(.findReservation)
        case .scan: machine.scans(Facts.code.rawValue)
        case .digit: machine.touches(.digit(7))
        case .enter: machine.touches(.enterCode)
        case .found: machine.answersLookUp(.success(Facts.found()))
        case .refusedCode: machine.answersLookUp(.failure(.refusal(.notFound)))
        case .lookUpLost: machine.answersLookUp(.failure(.unanswered))
        case .deleted: machine.answersDeletion(nil)
        case .deletionLost: machine.answersDeletion(.unanswered)
        case .foundDelayable: machine.answersLookUp(.success(Facts.delayable()))
        case .foundMissed: machine.answersLookUp(.success(Facts.missed()))
        case .moreTime: machine.touches(.openDelays)
        case .delay: machine.touches(.delay(people: 2))
        case .reclaim: machine.touches(.reclaim)
        case .turnChanged: machine.answersTurnChange(.success(Facts.found()))
        case .turnChangeLost: machine.answersTurnChange(.failure(.unanswered))
        case .collect: machine.touches(.collectOrder)
        case .scanOrder: machine.scans(Facts.pickupTicket.code.rawValue)
        case .orderReady: machine.answersOrder(.success(Facts.order(.onShelf)))
        case .orderHere: machine.answersOrder(.success(Facts.order(.called)))
        case .refusedOrder: machine.answersOrder(.failure(.refusal(.otherShop)))
        case .arrive: machine.touches(.arrive)
        case .arrived: machine.answersArrival(.success(Facts.arrived(at: machine.now)))
        case .hereAlready: machine.answersArrival(.success(Facts.order(.fetching)))
        case .arrivalLost: machine.answersArrival(.failure(.unanswered))
        case .letters: machine.touches(.changeAppearance)
        case .ear: machine.touches(.changeVoice)
        case .voiceFails:
            machine.does(.speechFailed)
        case .staff: machine.does(.staffAsked)
        case .rightPIN:
            machine.types("739146")
            machine.answersPIN(.person(StaffPerson(name: "Giulia", role: .staff)))
        case .wrongPIN:
            machine.types("824091")
            machine.answersPIN(.wrong(wait: .seconds(30)))
        case .openPapers: machine.touches(.openStaff(.papers))
        case .testPrint: machine.touches(.testPrint(0))
        case .back: machine.touches(.leaveStaff)
        case .help: machine.touches(.help(.open))
        case .callHelp: machine.touches(.help(.call))
        case .declineHelp: machine.touches(.help(.decline))
        case .leaveHelp: machine.touches(.help(.leave))
        case .helpComes: answerHelp(.success(Facts.help(at: machine.now)), of: &machine)
        case .helpLost: answerHelp(.failure(.unanswered), of: &machine)
        case .helpEnds: machine.lists(Facts.help(at: machine.now, ended: .helped))
        case .second: machine.waits(.seconds(1))
        case .inactivity: machine.waits(.seconds(200))
        }
    }

    private func answerHelp(
        _ answer: Result<HelpCall, BackendFailure>, of machine: inout FlowMachine
    ) {
        switch machine.flow.help {
        case .calling(let key): machine.does(.help(.called(key, answer)))
        case .unreachable(let unanswered):
            machine.does(.help(.called(unanswered.attempt, answer)))
        case .none, .asking, .open, .closed: break
        }
    }

    /// Help can be had on every screen for customers, and takes neither place nor ticket away.
    private func checkHelp(in machine: FlowMachine) {
        guard machine.flow.state.isForCustomers else { return }
        var helped = machine
        helped.touches(.help(.open))
        #expect(helped.flow.isHelpShown, "no help on \(machine.flow.state)")
        #expect(helped.flow.state.name == machine.flow.state.name)
        let lost = helped.effects.contains { effect in
            switch effect {
            case .backend(.release), .backend(.resolve), .printer(.leave), .journal: true
            default: false
            }
        }
        #expect(!lost, "help takes something away on \(machine.flow.state)")
    }

    private func kind(_ state: KioskState) -> String {
        String(describing: state).prefix { $0.isLetter }.lowercased()
    }

    /// Keeps what the machine holds and has recorded; a confirmation must have been recorded before.
    private func noteEffects(of node: inout Node) {
        for effect in node.machine.effects {
            switch effect {
            case .backend(.release(let hold)): node.held.remove(hold)
            case .journal(.record(.intended(let key, _))): node.intended.insert(key)
            case .backend(.confirm(_, let key)):
                #expect(node.intended.contains(key), "confirmed without a record")
            case .backend(.resolve(let open)):
                if case .place(let hold) = open.what { node.held.remove(hold) }
            case .journal(.record(.issued)): node.held.remove(Facts.hold)
            case .backend(.takePlace): node.held.remove(Facts.hold)
            default: break
            }
        }
    }

    private func check(_ next: Node, after event: Event, in node: Node) {
        let (state, former) = (next.machine.flow.state, node.machine.flow.state)
        if state.isResting {
            #expect(next.held.isEmpty, "a hold is kept after \(event) in \(former)")
        }
        let isHelp = [.help, .callHelp, .declineHelp, .helpComes, .helpLost, .helpEnds]
            .contains(event)
        #expect(!isHelp || next.held == node.held, "\(event) gives a place back in \(former)")
        if next.machine.flow.staffLeft(now: next.machine.now) != nil {
            #expect(next.held.isEmpty, "staff over a customer's place after \(event)")
            let wasStaff = node.machine.flow.staffLeft(now: node.machine.now) != nil
            #expect(wasStaff || former.isResting)
        }
        if state.isResting, !former.isResting {
            // The answer that the shop is closed comes while the customer is still at the machine.
            if case .closed = state {
            } else {
                #expect(!isSet(next.machine.flow), "kept after \(event)")
            }
        }
    }

    private func checkWayHome(from machine: FlowMachine) {
        var home = machine
        home.queueReported()
        home.does(.journal(.recovered))
        home.lists(Facts.help(at: home.now, ended: .helped))
        home.waits(.seconds(400))
        answerHelp(.failure(.refusal(.shopClosed)), of: &home)
        home.waits(.seconds(100))
        home.answersPlace(.failure(.unanswered))
        home.answersConfirmation(.failure(.unanswered))
        home.answersLookUp(.failure(.unanswered))
        home.answersOrder(.failure(.unanswered))
        home.answersArrival(.failure(.unanswered))
        home.answersDeletion(.unanswered)
        home.answersTurnChange(.failure(.unanswered))
        home.prints(.failed(.silent))
        home.waits(.seconds(400))
        home.queueReported()
        #expect(!home.flow.isHelpShown, "no way out of \(machine.flow.help)")
        #expect(home.flow.state == .home, "no way Home from \(machine.flow.state)")
        #expect(!isSet(home.flow), "the next customer finds this one's settings")
    }

    @Test("No hold is kept at Home, nothing is confirmed without a record, all paths lead Home")
    func exploration() {
        var queue = [
            Node(
                machine: .atHomeWithDesk(canSpeak: true, isStaffKnown: true), held: [],
                intended: [],
                depth: 0)
        ]
        var seen: Set<Visited> = []
        var kinds: Set<String> = []
        while !queue.isEmpty {
            let node = queue.removeFirst()
            for event in Event.allCases {
                var next = node
                next.machine.effects = []
                if event == .place || event == .visit, case .asking = next.machine.flow.state {
                    next.held.insert(Facts.hold)
                }
                apply(event, to: &next.machine)
                noteEffects(of: &next)
                kinds.insert(kind(next.machine.flow.state))
                check(next, after: event, in: node)
                checkWayHome(from: next.machine)
                next.machine.waits(.milliseconds(500))
                checkHelp(in: next.machine)
                next.depth += 1
                let visited = Visited(
                    state: label(next.machine.flow.state), held: next.held,
                    intended: [], isChoosing: next.machine.flow.access.isChoosingLanguage,
                    isSet: isSet(next.machine.flow), help: label(next.machine.flow.help))
                if next.depth <= 7, seen.insert(visited).inserted { queue.append(next) }
            }
        }
        #expect(
            kinds.isSuperset(of: [
                "home", "closed", "outofservice", "asking", "offer", "notickettoday",
                "confirming", "unresolved", "issued", "requestfailed", "novisit", "scanning",
                "lookingup", "found", "deleting", "deleted", "coderefused", "staff", "pinentry",
                "delayoffers", "missedcall", "changingturn", "turnchanged", "order",
            ]))
        #expect(seen.count > 30)
    }

    private func isOfOrder(_ slip: Slip) -> Bool {
        if case .order = slip { true } else { false }
    }

    private func isOfOrder(_ what: Requested) -> Bool {
        if case .arrival = what { true } else { false }
    }

    private func isSet(_ flow: KioskFlow) -> Bool {
        flow.access.appearance != .normal || flow.access.voice != .off || !flow.access.isSpeechThere
    }

    private func label(_ help: HelpState) -> String {
        switch help {
        case .none: "none"
        case .asking: "asking"
        case .calling: "calling"
        case .unreachable(let unanswered):
            "unreachable \(unanswered.isShown) \(unanswered.nextTry == nil)"
        case .open: "open \(help.isShown)"
        case .closed: "closed"
        }
    }

    /// The state without times and keys, so that the exploration ends.
    private func label(_ state: KioskState) -> String {
        switch state {
        case .issued(let issued):
            "issued \(issued.paper) \(issued.closes == nil) \(isOfOrder(issued.slip))"
        case .confirming(let confirming): "confirming \(isOfOrder(confirming.what))"
        case .order(let found): "order \(found.order.state) \(found.isChoice)"
        case .lookingUp(let looking): "looking up \(looking.code.sought)"
        case .codeRefused(let refused): "refused \(refused.sought)"
        case .requestFailed(let requestFailed): "apology \(requestFailed.reason)"
        case .outOfService(let reason): "out of service \(reason)"
        case .offer(let offer):
            "offer \(offer.place.visit == nil) \(offer.renewed) \(offer.extensions)"
        case .unresolved(let unresolved):
            "unresolved \(unresolved.nextTry == nil) \(isOfOrder(unresolved.asked.what))"
        case .asking(let asking): "asking \(asking.kind) \(asking.renewed)"
        case .scanning(let scanning): "scanning \(scanning.sought) \(min(scanning.digits.count, 2))"
        case .pinEntry(let entrance): "entrance \(entrance.answer == nil)"
        case .found(let found): "found \(found.delayOffers.count)"
        case .staff(let visit): "staff \(visit.screen) \(visit.print == nil)"
        default: kind(state)
        }
    }
}
