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

    /// What happens to the machine, by a name.
    private typealias Event = (name: String, happens: @Sendable (inout FlowMachine) -> Void)

    private static let events: [Event] =
        touches.map { action in ("\(action.map { "\($0)" } ?? "touch")", { $0.touches(action) }) }
        + noPlace.map { refusal in
            ("\(refusal)", { $0.answersPlace(.failure(.refusal(refusal))) })
        } + others.map { ($0.key, $0.value) }

    private static let touches: [UserAction?] = [
        .getTicket, .cancel, .leave, .done, .openLanguages, nil, .bookVisit, .findReservation,
        .digit(7), .enterCode, .openDelays, .delay(people: 2), .reclaim, .collectOrder, .arrive,
        .changeAppearance, .changeVoice, .openStaff(.papers), .testPrint(0), .leaveStaff,
        .help(.leave),
    ]

    private static let noPlace: [Refusal] = [
        .noTicketToday, .shopClosed, .ticketAvailable, .nothingWithinAMonth,
    ]

    private static let others: KeyValuePairs<String, @Sendable (inout FlowMachine) -> Void> = [
        "confirm": {
            let isFound = if case .found = $0.flow.state { true } else { false }
            $0.touches(isFound ? .giveUp : .confirm)
        },
        "held ticket": { $0.answersPlace(.success(Facts.place())) },
        "held visit": { $0.answersPlace(.success(Facts.visit(id: Facts.hold))) },
        "place lost": { $0.answersPlace(.failure(.unanswered)) },
        "reserved": { $0.answersConfirmation(.success(Facts.reservation(at: $0.now))) },
        "expired": { $0.answersConfirmation(.failure(.refusal(.holdExpired))) },
        "confirmation lost": { $0.answersConfirmation(.failure(.unanswered)) },
        "refused": { $0.answersConfirmation(.failure(.refusal(.notAuthentic))) },
        "printed": { $0.prints(.printed) },
        "print failed": { $0.prints(.failed(.jam)) },
        "troubled": { $0.prints(.troubled(.noPaper)) },
        "outage": { $0.does(.backend(.queue(.failure(.refusal(.notAuthentic))))) },
        "recovery": { $0.queueReported() },
        "journal fails": { $0.does(.journal(.failed(unsent: true))) },
        "scan": { $0.scans(Facts.code.rawValue) },
        "found": { $0.answersLookUp(.success(Facts.found())) },
        "refused code": { $0.answersLookUp(.failure(.refusal(.notFound))) },
        "look-up lost": { $0.answersLookUp(.failure(.unanswered)) },
        "deleted": { $0.answersDeletion(nil) },
        "deletion lost": { $0.answersDeletion(.unanswered) },
        "found delayable": { $0.answersLookUp(.success(Facts.delayable())) },
        "found missed": { $0.answersLookUp(.success(Facts.missed())) },
        "turn changed": { $0.answersTurnChange(.success(Facts.found())) },
        "turn change lost": { $0.answersTurnChange(.failure(.unanswered)) },
        "scan order": { $0.scans(Facts.pickupTicket.code.rawValue) },
        "order ready": { $0.answersOrder(.success(Facts.order(.onShelf))) },
        "order here": { $0.answersOrder(.success(Facts.order(.called))) },
        "refused order": { $0.answersOrder(.failure(.refusal(.otherShop))) },
        "arrived": { $0.answersArrival(.success(Facts.arrived(at: $0.now))) },
        "here already": { $0.answersArrival(.success(Facts.order(.fetching))) },
        "arrival lost": { $0.answersArrival(.failure(.unanswered)) },
        "voice fails": { $0.does(.speechFailed) },
        "staff": { $0.does(.staffAsked) },
        "right PIN": {
            $0.types("739146")
            $0.answersPIN(.person(StaffPerson(name: "Giulia", role: .staff)))
        },
        "wrong PIN": {
            $0.types("824091")
            $0.answersPIN(.wrong(wait: .seconds(30)))
        },
        "help": { $0.touches(.help(.open)) },
        "help called": { $0.touches(.help(.call)) },
        "help declined": { $0.touches(.help(.decline)) },
        "help comes": { answerHelp(.success(Facts.help(at: $0.now)), of: &$0) },
        "help lost": { answerHelp(.failure(.unanswered), of: &$0) },
        "help ends": { $0.lists(Facts.help(at: $0.now, ended: .helped)) },
        "second": { $0.waits(.seconds(1)) },
        "inactivity": { $0.waits(.seconds(200)) },
    ]

    private static func answerHelp(
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

    private func check(_ next: Node, after event: String, in node: Node) {
        let (state, former) = (next.machine.flow.state, node.machine.flow.state)
        if state.isResting {
            #expect(next.held.isEmpty, "a hold is kept after \(event) in \(former)")
        }
        let isHelp = event.hasPrefix("help")
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
        Self.answerHelp(.failure(.refusal(.shopClosed)), of: &home)
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
                intended: [], depth: 0)
        ]
        var seen: Set<Visited> = []
        var kinds: Set<String> = []
        while !queue.isEmpty {
            let node = queue.removeFirst()
            for (event, happens) in Self.events {
                var next = node
                next.machine.effects = []
                if event.hasPrefix("held "), case .asking = next.machine.flow.state {
                    next.held.insert(Facts.hold)
                }
                happens(&next.machine)
                noteEffects(of: &next)
                kinds.insert(kind(next.machine.flow.state))
                check(next, after: event, in: node)
                checkWayHome(from: next.machine)
                next.machine.waits(.milliseconds(500))
                checkHelp(in: next.machine)
                next.depth += 1
                let visited = Visited(
                    state: label(next.machine.flow.state), held: next.held,
                    isChoosing: next.machine.flow.access.isChoosingLanguage,
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
            "issued \(issued.paper) \(issued.closes == nil) \(issued.slip.number.text)"
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
