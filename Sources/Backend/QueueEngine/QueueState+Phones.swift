public import Reservations

/// Customers who take places on their phones: one place at a time, a share of the places, and a pause for those who do
/// not come (rules 32).
extension QueueState {
    /// So long after a holder missed a call it may still count, whatever the shop has set.
    public static let noShowMemory = Duration.seconds(PhonePolicy.noShowMemoryDays * 86_400)

    /// How long an invitation is good for after the minute in which it is shown (rules 35).
    public static let invitationLifetime = Duration.minutes(3)
    /// The time for which joins are counted, which is longer than any invitation is good for.
    static let joinPeriod = Duration.minutes(10)
    /// So many customers may always join within that time, as a family that comes together.
    static let minJoins = 3

    /// Why the shop gives a holder no place, whatever is free.
    func refusal(of holder: HolderID, _ deciding: Deciding) -> Refused? {
        // A holder with a place is shown the way to it, whatever the shop gives to others.
        let waiting = [tickets, visits, called].lazy.flatMap(\.entries).map(\.live)
        if let live = waiting.first(where: { $0.holder == holder }) {
            return Refused(
                .alreadyWaiting, place: PlaceOfHolder(shop: deciding.shop.id, number: live.number))
        }
        guard policy.phones.hasPlaces else { return Refused(.noPlacesOnPhones) }
        guard let end = blockEnd(of: holder), deciding.now < end else { return nil }
        return Refused(.blocked, until: deciding.localTime(end))
    }

    /// Until when a holder may take no place; a moment that has passed if the block is over, nil if there was none.
    public func blockEnd(of holder: HolderID) -> Moment? {
        Self.blockEnd(after: noShows[holder] ?? [], policy.phones)
    }

    /// The end of the block that follows from missed calls, given in order.
    public static func blockEnd(after noShows: [Moment], _ policy: PhonePolicy) -> Moment? {
        guard policy.blockDays > 0, noShows.count >= PhonePolicy.maxNoShows else { return nil }
        let last = noShows[noShows.count - 1]
        let first = noShows[noShows.count - PhonePolicy.maxNoShows]
        guard last - first <= .seconds(policy.noShowDays * 86_400) else { return nil }
        return last + .seconds(policy.blockDays * 86_400)
    }

    /// Whether a phone would get a place now if a ticket is left.
    public func hasPhonePlace(in context: QueueContext) -> Bool {
        guard policy.phones.hasPlaces else { return false }
        let deciding = Deciding(context, openings: effective(context.openings))
        return deciding.opening.map { hasPhonePlace(in: $0, deciding) } ?? false
    }

    /// Whether phones have taken less than their share of the admissions of an hour, and not too many at once.
    func hasPhonePlace(in opening: OpenInterval, _ deciding: Deciding) -> Bool {
        let stay = stays(at: opening.local(deciding.now)).mean + policy.leaveDelay.inMinutes
        return hasPhonePlace(inAnHour: stay, deciding) && mayJoin(stay, deciding)
    }

    /// Whether phones have taken fewer places within ten minutes than the shop admits in that time.
    ///
    /// All invitations are counted together, with all copies of them: a picture of the symbol that goes around the town
    /// fills no shop.
    private func mayJoin(_ stay: Double, _ deciding: Deciding) -> Bool {
        let minutes = Self.joinPeriod.inMinutes
        let admissions = Int((Double(policy.capacity) * minutes / max(1, stay)).rounded())
        let since = deciding.now - Self.joinPeriod
        func isRecent(_ channel: Channel, _ taken: Moment) -> Bool {
            channel == .phone && taken > since
        }
        let held = holds.count { isRecent($0.owner.channel, $0.taken.moment) }
        let confirmed = [tickets, called, inside].map { line in
            line.entries.count { isRecent($0.live.channel, $0.live.taken) }
        }
        return confirmed.reduce(held, +) < max(Self.minJoins, admissions)
    }

    /// Whether phones have taken less than their share of the admissions of an hour.
    ///
    /// The hour is counted in admissions, as many as the shop has in an hour with customers who stay as long as usual:
    /// those before the next ticket, and behind them the customers who were called or came in last. What phones leave
    /// goes to the machines, whose tickets have no such limit.
    private func hasPhonePlace(inAnHour stay: Double, _ deciding: Deciding) -> Bool {
        guard policy.phones.sharePercent < 100 else { return true }
        let hour = max(1, Int(Double(policy.capacity) * 60 / max(1, stay)))
        let held = holds.lazy.filter { $0.kind == .ticket }.map(\.owner.channel)
        let lines = [tickets, called, inside].lazy.flatMap { $0.entries.reversed() }
        let channels = lines.map(\.live.channel).prefix(max(0, hour - held.count))
        let phones = held.count { $0 == .phone } + channels.count { $0 == .phone }
        return phones < max(1, hour * policy.phones.sharePercent / 100)
    }

    /// Remembers that a holder did not come, and takes back what a blocked holder still has.
    mutating func noShow(of holder: HolderID, at call: Moment, _ deciding: inout Deciding) {
        let oldest = deciding.now - Self.noShowMemory
        noShows = noShows.mapValues { $0.filter { $0 >= oldest } }.filter { !$0.value.isEmpty }
        // Two places that staff restored may be called and missed together.
        guard noShows[holder]?.contains(call) != true else { return }
        noShows[holder] = ((noShows[holder] ?? []) + [call]).sorted()
        deciding.add(.noShow(holder, at: call))
        guard let end = blockEnd(of: holder), deciding.now < end else { return }
        for hold in holds where hold.owner == .phone(holder) {
            self.end(hold, at: deciding.now, because: .blocked, &deciding)
        }
        for live in (tickets.entries + visits.entries).map(\.live) where live.holder == holder {
            leaveLine(live)
            if let visit = live.visit { days[live.day]?.visits.remove(visit.milliseconds) }
            deciding.move(
                live.id, from: .planned, to: .deleted, at: max(deciding.now, live.since),
                because: .blocked)
        }
    }
}
