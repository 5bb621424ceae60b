public import Reservations

/// What is asked of a shop's calls for help.
public enum HelpCommand: Hashable, Sendable {
    /// The customer at a machine calls for help.
    case raise(machine: MachineID)
    /// A staff member says that they are going.
    case acknowledge(HelpCallID, by: String?)
    /// A staff member silences the calls of the call's machine for a while.
    case mute(HelpCallID)
    case end(HelpCallID, HelpCall.End, by: Caller)

    /// The person who ends a call.
    public enum Caller: Hashable, Sendable {
        /// The customer at this machine, for a short time and as a mistake only.
        case customer(at: MachineID)
        case staff
    }
}

/// A shop's calls for help, and the decisions about them (rules: help, help-staff).
public struct HelpDesk: Hashable, Sendable {
    /// The answer to a command.
    public struct Decision: Hashable, Sendable {
        /// The call as it is now.
        public let call: HelpCallRecord
        /// Whether the command has changed something, so that the call must be stored.
        public let isChanged: Bool
    }

    /// The customer's answer to a mistake may be on its way for so long after `HelpCall.mistakeTime`: its machine may
    /// have to ask again.
    public static let mistakeMargin = Duration.seconds(15)
    /// A call to which a staff member went ends by itself after so long: the page may have been forgotten meanwhile.
    public static let maxGoingTime = Duration.minutes(30)
    /// A call to which no staff member went ends by itself after so long: the shop's longest day.
    public static let maxOpenTime = Duration.minutes(12 * 60)
    /// From the call to the first start of the help program, and from each start to the next.
    public static let programInterval = Duration.seconds(60)
    public static let maxProgramRuns = 10
    /// Calls that ended longer ago than this are not needed any more: the machine's silence is over by then.
    public static let retention = HelpCall.muteTime

    /// The open calls and those that ended within `retention`, the oldest first.
    public private(set) var calls: [HelpCallRecord]

    public init(_ calls: [HelpCallRecord] = []) {
        self.calls = calls.sorted { ($0.raised, $0.id.rawValue) < ($1.raised, $1.id.rawValue) }
    }

    /// Decides a command.
    ///
    /// - Parameters:
    ///   - isOpen: Whether the shop is open.
    ///   - newID: The identifier of a call that begins.
    public mutating func perform(
        _ command: HelpCommand, at now: Moment, isOpen: Bool, newID: () -> HelpCallID
    ) -> Result<Decision, Refused> {
        switch command {
        case .raise(let machine):
            if let open = calls.first(where: { $0.machine == machine && $0.isOpen }) {
                return .success(Decision(call: open, isChanged: false))
            }
            guard isOpen else { return .refused(.shopClosed) }
            let muted = calls.filter { $0.machine == machine }.compactMap(\.mutedUntil).max()
            let call = HelpCallRecord(
                id: newID(), machine: machine, raised: now,
                mutedUntil: muted.flatMap { now < $0 ? $0 : nil })
            calls.append(call)
            return .success(Decision(call: call, isChanged: true))
        case .acknowledge(let id, let person):
            return change(id) { call in
                // The first one to go is the one that the customer sees.
                guard call.isOpen, call.going == nil else { return }
                call.going = now
                call.by = person
            }
        case .mute(let id):
            return change(id) { $0.mutedUntil = now + HelpCall.muteTime }
        case .end(let id, let end, .staff): return change(id) { $0.finish(end, at: now) }
        case .end(let id, let end, .customer(let machine)):
            guard let call = calls.first(where: { $0.id == id && $0.machine == machine }) else {
                return .refused(.notFound)
            }
            let isInTime = now < call.raised + HelpCall.mistakeTime + Self.mistakeMargin
            guard end == .mistake, isInTime || !call.isOpen else { return .refused(.forbidden) }
            return change(id) { $0.finish(.mistake, at: now) }
        }
    }

    private mutating func change(
        _ id: HelpCallID, _ body: (inout HelpCallRecord) -> Void
    ) -> Result<Decision, Refused> {
        guard let place = calls.firstIndex(where: { $0.id == id }) else {
            return .refused(.notFound)
        }
        let former = calls[place]
        body(&calls[place])
        return .success(Decision(call: calls[place], isChanged: calls[place] != former))
    }

    /// Ends the calls whose time is over, and returns them.
    public mutating func expire(at now: Moment) -> [HelpCallRecord] {
        var expired: [HelpCallRecord] = []
        for place in calls.indices where calls[place].hasExpired(at: now) {
            calls[place].finish(.expired, at: now)
            expired.append(calls[place])
        }
        return expired
    }

    /// Counts a start of the help program for each call to which no staff member has gone for too long, and returns
    /// these calls. The starts that were missed, as while no server ran, are not made up for.
    public mutating func startPrograms(at now: Moment) -> [HelpCallRecord] {
        var started: [HelpCallRecord] = []
        for place in calls.indices where calls[place].needsProgram(at: now) {
            calls[place].programRuns = calls[place].dueProgramRuns(at: now)
            started.append(calls[place])
        }
        return started
    }

    /// Whether time has passed that `expire` or, if there is a help program, `startPrograms` must consider.
    public func isDue(at now: Moment, hasProgram: Bool) -> Bool {
        calls.contains {
            $0.hasExpired(at: now) || hasProgram && $0.needsProgram(at: now)
        }
    }

    /// The calls as machines and pages see them: open, or ended a short time ago; the oldest first.
    public func reported(
        of shop: Shop, at now: Moment, local: (Moment) -> LocalMoment
    ) -> HelpCalls {
        let reported = calls.filter { call in
            call.ended.map { now < $0 + HelpCall.endedTime } ?? true
        }
        return HelpCalls(
            now: local(now),
            calls: reported.suffix(HelpCalls.maxCalls).map {
                $0.call(of: shop, at: now, local: local)
            })
    }
}

extension HelpCallRecord {
    fileprivate mutating func finish(_ end: HelpCall.End, at now: Moment) {
        guard isOpen else { return }
        ended = now
        self.end = end
    }

    fileprivate func hasExpired(at now: Moment) -> Bool {
        guard isOpen else { return false }
        let isOver = going.map { $0 + HelpDesk.maxGoingTime <= now } ?? false
        return isOver || raised + HelpDesk.maxOpenTime <= now
    }

    /// How often the help program should have been started by now.
    fileprivate func dueProgramRuns(at now: Moment) -> Int {
        min(HelpDesk.maxProgramRuns, Int((now - raised) / HelpDesk.programInterval))
    }

    fileprivate func needsProgram(at now: Moment) -> Bool {
        isOpen && going == nil && programRuns < dueProgramRuns(at: now)
    }
}
