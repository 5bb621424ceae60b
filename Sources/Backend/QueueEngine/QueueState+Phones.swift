public import Reservations

/// Customers who take places on their phones: one place at a time, a share of the places, and a pause for those who do
/// not come (rules: one-place, phone-places, blocks).
extension QueueState {
    /// So long after a holder missed a call it may still count, whatever the shop has set.
    public static let noShowMemory = Duration.seconds(PhonePolicy.noShowMemoryDays * 86_400)

    /// How long an invitation is good for after the minute in which it is shown (rules: joining).
    public static let invitationLifetime = Duration.minutes(3)
    /// The time for which joins are counted, which is longer than any invitation is good for.
    static let joinPeriod = Duration.minutes(10)
    /// So many customers may always join within that time, as a family that comes together.
    static let minJoins = 3

    /// Why the shop gives a holder no ticket, whatever is free.
    func refusal(of holder: HolderID, isRemote: Bool, _ deciding: Deciding) -> Refused? {
        let today = deciding.localTime(deciding.now).day
        if let refused = refusal(of: holder, on: today, deciding) { return refused }
        guard policy.phones.hasRemotePlaces || !isRemote else { return Refused(.noRemotePlaces) }
        return blockRefusal(of: holder, deciding)
    }

    /// Why the shop gives a holder no place of a day, for tickets and visits alike.
    ///
    /// - Parameter moved: The visit that the holder moves, which is no further place.
    func refusal(
        of holder: HolderID, on day: CalendarDay, moving moved: ReservationID? = nil,
        _ deciding: Deciding
    ) -> Refused? {
        // A holder with a place is shown the way to it, whatever the shop gives to others. In a shop that has stayed open
        // over midnight it may be one of the day before.
        let opening = deciding.opening.flatMap { $0.opens.day == day ? $0 : nil }
        let days = [day, opening?.begins.day ?? day]
        let others = [tickets, called, inside].lazy.flatMap(\.entries).map(\.live)
        let place =
            days.lazy.compactMap { visits.visit(of: holder, on: $0, without: moved) }.first
            ?? others.first { $0.holder == holder && days.contains($0.day) && $0.id != moved }
        if let live = place {
            return Refused(
                .alreadyWaiting,
                place: PlaceOfHolder(shop: deciding.shop.id, day: live.day, number: live.number))
        }
        return policy.phones.hasPlaces ? nil : Refused(.noPlacesOnPhones)
    }

    /// Why a holder who missed too many calls gets no place; nil if there is nothing against it.
    func blockRefusal(of holder: HolderID, _ deciding: Deciding) -> Refused? {
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

    /// The holders who may take no place now.
    public func blockedHolders(at now: Moment) -> [HolderID] {
        noShows.keys.filter { blockEnd(of: $0).map { now < $0 } ?? false }
    }

    /// Lifts a block, as the staff may (rules: blocks).
    mutating func unblock(
        _ holder: HolderID?, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        // A reference that is unknown and one whose block is over get the same answer.
        guard let holder, let end = blockEnd(of: holder), deciding.now < end else {
            return .refused(.notBlocked)
        }
        noShows[holder] = nil
        deciding.add(.noShowsForgotten(holder))
        return .success(.unblocked)
    }

    /// Whether a phone would get a place now if a ticket is left.
    public func hasPhonePlace(in context: QueueContext) -> Bool {
        guard policy.phones.hasPlaces else { return false }
        let deciding = Deciding(context, openings: effective(context.openings))
        return deciding.opening.map { hasPhonePlace(in: $0, deciding) } ?? false
    }

    /// Whether phones have taken less than their share of the admissions of an hour, and not too many at once.
    func hasPhonePlace(in opening: OpenInterval, _ deciding: Deciding) -> Bool {
        let place = minutesOfPlace(at: opening.local(deciding.now))
        return hasPhonePlace(inAnHour: place) && mayJoin(place, deciding)
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
        let held = holds.count { $0.kind == .ticket && isRecent($0.channel, $0.taken.moment) }
        let confirmed = [tickets, called, inside].map { line in
            line.entries.count {
                $0.live.kind == .ticket && isRecent($0.live.channel, $0.live.taken)
            }
        }
        return confirmed.reduce(held, +) < max(Self.minJoins, admissions)
    }

    /// Whether phones have taken less than their share of the admissions of an hour.
    private func hasPhonePlace(inAnHour place: Double) -> Bool {
        guard policy.phones.sharePercent < 100 else { return true }
        return recent(inAnHour: place, \.isPhone) < phonePlaces(inAnHour: place)
    }

    /// Whether a phone that is elsewhere would get a place now if a ticket is left (rules: elsewhere).
    public func hasRemotePlace(in context: QueueContext) -> Bool {
        guard policy.phones.hasPlaces, policy.phones.hasRemotePlaces else { return false }
        let deciding = Deciding(context, openings: effective(context.openings))
        return deciding.opening.map { hasRemotePlace(in: $0, deciding) } ?? false
    }

    /// Whether those who are elsewhere have taken less than half of the share of phones, and these less than all of it: the
    /// other half is for customers at the door. They get less of it if they do not come.
    func hasRemotePlace(in opening: OpenInterval, _ deciding: Deciding) -> Bool {
        let place = minutesOfPlace(at: opening.local(deciding.now))
        return hasPhonePlace(inAnHour: place)
            && recent(inAnHour: place, { $0 == .remote })
                + missed(since: deciding.now - .minutes(60))
                < remotePlaces(inAnHour: place)
    }

    /// The calls that phones have missed since then: these places are in no line any more, and were taken all the same.
    private func missed(since start: Moment) -> Int {
        noShows.values.reduce(0) { $0 + $1.count { $0 > start } }
    }

    /// So many places phones that are elsewhere get within an hour; 0 while the shop is closed.
    public func remotePlacesAnHour(in context: QueueContext) -> Int {
        let openings = effective(context.openings)
        guard let opening = openings.first(where: { $0.contains(context.now) }) else { return 0 }
        return remotePlaces(inAnHour: minutesOfPlace(at: opening.local(context.now)))
    }

    /// The minutes for which a customer who enters at this moment takes a place, on average.
    private func minutesOfPlace(at moment: LocalMoment) -> Double {
        stays(at: moment).mean + policy.leaveDelay.inMinutes
    }

    private func admissions(inAnHour place: Double) -> Int {
        max(1, Int(Double(policy.capacity) * 60 / max(1, place)))
    }

    private func phonePlaces(inAnHour place: Double) -> Int {
        max(1, admissions(inAnHour: place) * policy.phones.sharePercent / 100)
    }

    private func remotePlaces(inAnHour place: Double) -> Int {
        let half = phonePlaces(inAnHour: place) / 2
        guard half > 0 else { return 0 }
        // An eighth stays, so that it shows when customers come again.
        return max(1, half / 8, Int(Double(half) * attendance.remoteTrust))
    }

    /// How many of the places of an hour are tickets that were taken on these channels. Visits have a share of their own
    /// (rules: visits).
    ///
    /// The hour is counted in admissions, as many as the shop has in an hour with customers who stay as long as usual:
    /// those before the next ticket, and behind them the customers who were called or came in last. What phones leave
    /// goes to the machines, whose tickets have no such limit.
    private func recent(inAnHour place: Double, _ counts: (Channel) -> Bool) -> Int {
        let held = holds.lazy.filter { $0.kind == .ticket }.map(\.channel)
        let lines = [tickets, called, inside].lazy.flatMap { $0.entries.reversed() }
        let admitted = lines.map(\.live).prefix(max(0, admissions(inAnHour: place) - held.count))
        return held.count(where: counts)
            + admitted.count { $0.kind == .ticket && counts($0.channel) }
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
        let waiting = tickets.entries.map(\.live) + visits.entries.map(\.live)
        for live in waiting where live.holder == holder {
            leaveLine(live)
            unbook(live)
            deciding.move(
                live.id, from: .planned, to: .deleted, at: max(deciding.now, live.since),
                because: .blocked)
        }
    }
}
