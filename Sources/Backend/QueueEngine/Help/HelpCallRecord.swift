public import Reservations

/// A call for help as it is stored (rules: help).
public struct HelpCallRecord: Hashable, Sendable {
    public let id: HelpCallID
    public let machine: MachineID
    public let raised: Moment
    /// When a staff member said that they are going; nil before.
    public var going: Moment?
    /// The staff member who goes; nil if they gave no name.
    public var by: String?
    public var ended: Moment?
    public var end: HelpCall.End?
    /// Until when the machine's calls make no sound at the pages; nil if they do.
    public var mutedUntil: Moment?
    /// How often the shop's help program was started for this call.
    public var programRuns: Int

    public init(
        id: HelpCallID, machine: MachineID, raised: Moment, going: Moment? = nil, by: String? = nil,
        ended: Moment? = nil, end: HelpCall.End? = nil, mutedUntil: Moment? = nil,
        programRuns: Int = 0
    ) {
        self.id = id
        self.machine = machine
        self.raised = raised
        self.going = going
        self.by = by
        self.ended = ended
        self.end = end
        self.mutedUntil = mutedUntil
        self.programRuns = programRuns
    }

    public var isOpen: Bool { ended == nil }

    /// The call as machines and pages see it.
    ///
    /// - Parameter local: Returns a moment as the shop's clock shows it.
    public func call(
        of shop: Shop, at now: Moment, local: (Moment) -> LocalMoment
    ) -> HelpCall {
        HelpCall(
            id: id, machine: machine, since: local(raised), going: going.map(local),
            by: shop.help.showsNames ? by : nil, ended: ended.map(local), end: end,
            mutedUntil: mutedUntil.flatMap { now < $0 ? local($0) : nil })
    }
}
