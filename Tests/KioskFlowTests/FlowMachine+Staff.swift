import KioskFlow
import Reservations
import Testing

extension FlowMachine {
    /// A machine at whose keypad a staff member is to type a PIN.
    static func atKeypad() -> FlowMachine { atHome(isStaffKnown: true).doing(.staffAsked) }

    /// A machine with a staff member logged in, on a screen of maintenance mode.
    static func inside(
        _ role: StaffPerson.Role = .manager, on screen: StaffScreen = .overview
    ) -> FlowMachine {
        var machine = atHome(isStaffKnown: true)
        machine.logsIn(role)
        if screen != .overview { machine.touchesInTurn(.openStaff(screen)) }
        return machine
    }

    mutating func logsIn(_ role: StaffPerson.Role = .manager) {
        does(.staffAsked)
        types("739146")
        answersPIN(.person(StaffPerson(name: "Giulia", role: role)))
        waits(.seconds(1))
    }

    /// A person looks at the screen before the first touch.
    mutating func types(
        _ pin: String, expecting expected: [KioskEffect]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        waits(.milliseconds(500))
        for digit in pin { touches(.digit(digit.wholeNumberValue ?? 0)) }
        touches(.enterCode, expecting: expected, sourceLocation: sourceLocation)
    }

    mutating func answersPIN(_ answer: PINAnswer) {
        guard case .pinEntry(let entrance) = flow.state, let attempt = entrance.attempt else {
            return
        }
        does(.staff(.pin(attempt, answer)))
    }

    /// Expects that the last event had one effect, for the staff, and returns the key of its attempt.
    @discardableResult
    func expectAsked(
        sourceLocation: SourceLocation = #_sourceLocation, _ effect: (AttemptKey) -> StaffEffect
    ) -> AttemptKey {
        let key = lastKey
        #expect(effects == [.staff(effect(key))], sourceLocation: sourceLocation)
        return key
    }

    /// The session in maintenance mode; a test outside of it ends here.
    func staffSession() throws -> StaffSession { try shown(KioskState.staff) }
}

extension Facts {
    static let giulia = StaffPerson(name: "Giulia", role: .manager)

    /// What maintenance mode knows: the queue of a shop that is open.
    static func ofStaff(
        at now: Duration = .zero, people: Int = 1, capacity: Int = 10, help: [HelpCall] = []
    ) -> StaffFacts {
        var facts = StaffFacts()
        facts.queue = .success(
            StaffQueue(
                now: clock(at: now), isOpen: true, closes: nil, closesEarly: false,
                ticketAvailable: true, people: people, capacity: capacity, calling: [], waiting: 0,
                next: [], visits: 0, issued: people, help: help))
        return facts
    }
}
