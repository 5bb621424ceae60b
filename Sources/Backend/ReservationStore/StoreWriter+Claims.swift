internal import QueueEngine
internal import Reservations

/// What became of a holder's claim when a phone asked for a place.
struct Claim: Sendable {
    /// How long an attempt may take, and another one of the same holder is not begun: a server that was killed meanwhile
    /// leaves the holder waiting for so long at most. An attempt must be written in half of it, since the clocks of
    /// servers differ.
    static let lease = Duration.minutes(2)

    /// Nil if another attempt of this holder is under way.
    let made: Moment?
    /// The day of which a ticket was claimed; nil for a visit, which names its day itself.
    var ticketDay: CalendarDay?
    /// Why the holder gets no place, if that is known before the shop decides.
    var refused: Refused?

    /// Whether the shop may decide now: soon after the claim, and a ticket before the day has ended.
    func isTaken(at now: LocalMoment) -> Bool {
        guard let made, ticketDay.map({ $0 == now.day }) ?? true else { return false }
        return made <= now.moment + Self.lease / 2 && now.moment < made + Self.lease / 2
    }
}

extension StoreError {
    static let claimIsBusy = StoreError(
        .busy, operation: "claim a place for a holder",
        "another request of the same holder is being carried out")
}

/// One place a day for each holder over all shops, and a few visits (rules: one-place, visits).
///
/// A claim names the days on which a holder has, or may have, a place, and the shop of each. It is written before the
/// shop's transaction, in a transaction of its own, together with the attempt that is under way, which is ended after it.
/// Whether a place is still there is read from the reservations of its shop, so that nothing needs to be written when a
/// place ends, and a crash leaves no claim without a place for longer than the lease.
extension StoreWriter {
    /// The most visits of a holder that are to come, over all shops.
    private static let maxVisits = 5

    /// Claims places for the phones that ask for one.
    ///
    /// If that fails, these requests are not carried out, and all others are.
    func claim(for shares: [ShopCommands]) -> [ShopCommands] {
        var shares = shares
        var asking: [(holder: HolderID, share: Int, place: Int)] = []
        for (number, share) in shares.enumerated() where share.queue.shop.policy.phones.hasPlaces {
            for (place, request) in share.requests.enumerated() {
                if let holder = request.claimant { asking.append((holder, number, place)) }
            }
        }
        guard !asking.isEmpty else { return shares }
        // In the order of their names, so that servers never wait for one another in a circle.
        asking.sort { $0.holder.rawValue < $1.holder.rawValue }
        let now = context.now()
        // After an error the phones ask again; whatever is wrong with the database shows in the shop's own transaction.
        let claims = try? hurriedly { () throws(StoreError) in
            try asking.map { (holder, share, place) throws(StoreError) in
                try claim(
                    shares[share].requests[place], of: holder, in: shares[share].queue, at: now)
            }
        }
        for (number, asked) in asking.enumerated() {
            shares[asked.share].requests[asked.place].claim = claims?[number] ?? Claim(made: nil)
        }
        return shares
    }

    /// Runs a transaction that waits only briefly for a server that hangs.
    func hurriedly<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try database.transaction(
            asking: database.dialect.hurry.map { [$0.with()] } ?? [], body)
    }

    private func claim(
        _ request: AuthenticatedRequest, of holder: HolderID, in queue: ShopQueue, at now: Moment
    ) throws(StoreError) -> Claim {
        guard !request.idempotencyKey.isEmpty else { return Claim(made: nil) }
        let former = try database.claim(of: holder)
        if let former {
            // The keys of another shop are others, even if they are equal.
            let isSame =
                former.attempt == request.idempotencyKey && former.shop == request.shop
            if former.isUnderWay(at: now), !isSame { return Claim(made: nil) }
        }
        let today = queue.local(now).day
        let slot = request.chosenSlot
        // The offset that a phone has written may be any; the day is the shop's.
        let day = slot.map { queue.local($0.start.moment).day } ?? today
        var days = former?.days ?? ClaimedDays()
        var places = PlacesOfHolder(holder, at: now)
        // In a shop that has stayed open over midnight, a ticket of yesterday may still wait, and one that was asked for then
        // may be of today.
        let yesterday = day.advanced(by: -1)
        for claimed in [day, yesterday] {
            guard let shop = days.shops[claimed], shop != request.shop else { continue }
            // With another time zone it may be that shop's today, which is another day.
            let isOver = published.queue(of: shop).map { $0.local(now).day > yesterday } ?? true
            for one in slot == nil && isOver ? [day, yesterday] : [day] {
                guard let place = try places.first(in: shop, on: one, database) else { continue }
                return Claim(made: now, refused: Refused(.alreadyWaiting, place: place))
            }
        }
        if slot != nil,
            let refused = try refusal(
                of: request, on: day, from: today, days, &places, queue.shop.policy.phones)
        {
            return Claim(made: now, refused: refused)
        }
        days.add(day, of: request.shop, today: today)
        // Two claims of one millisecond must differ, so that none is written over one that was not read.
        let claim = StoredClaim(
            shop: request.shop, attempt: request.idempotencyKey,
            claimed: former?.claimed == now ? now + .milliseconds(1) : now, days: days)
        let isMade = try database.write(claim, of: holder, replacing: former)
        return Claim(made: isMade ? now : nil, ticketDay: slot == nil ? day : nil)
    }

    /// Why a holder can have no visit, or cannot move one, as far as the shop itself does not see it.
    private func refusal(
        of request: AuthenticatedRequest, on day: CalendarDay, from today: CalendarDay,
        _ days: ClaimedDays, _ places: inout PlacesOfHolder, _ phones: PhonePolicy
    ) throws(StoreError) -> Refused? {
        // Otherwise a phone could fill its claim with days of other years.
        guard (today...today.inNextMonth).contains(day) else {
            return Refused(phones.hasVisits ? .slotTaken : .noVisitsOnPhones)
        }
        if case .queue(.reservation) = request.command {
            // A place on offer, which its holder could still confirm after the move.
            return try places.held(in: request.shop, on: day, database).map {
                Refused(.alreadyWaiting, place: $0)
            }
        }
        // With a number of that day in this shop, the shop shows the way to it.
        let known = try places.first(in: request.shop, on: day, database)
        guard known?.number == nil else { return nil }
        var visits = 0
        for shop in Set(days.shops.values).union([request.shop]) {
            visits += try places.visits(in: shop, from: today, request, database)
        }
        return visits < Self.maxVisits ? nil : Refused(.tooManyVisits)
    }

    /// Ends the attempts that were carried out; if this fails, they end with their lease.
    func endAttempts(of shares: [ShopCommands]) {
        let carriedOut = shares.flatMap(\.requests).compactMap { request in
            request.claim?.made == nil ? nil : request.claimant.map { (holder: $0, request) }
        }
        guard !carriedOut.isEmpty else { return }
        try? hurriedly { () throws(StoreError) in
            for (holder, request) in carriedOut.sorted(by: {
                $0.holder.rawValue < $1.holder.rawValue
            }) {
                try database.endAttempt(request.idempotencyKey, of: holder, in: request.shop)
            }
        }
    }
}

/// What a holder has in some shops, each of which is read once. A row that cannot be read is no place.
private struct PlacesOfHolder {
    private let holder: HolderID
    private let now: Moment
    private var read: [ShopID: [ReservationRecord]] = [:]

    init(_ holder: HolderID, at now: Moment) {
        self.holder = holder
        self.now = now
    }

    /// The place of a day in a shop; nil if there is none.
    mutating func first(
        in shop: ShopID, on day: CalendarDay, _ database: any Database
    ) throws(StoreError) -> PlaceOfHolder? {
        try places(in: shop, database).first { $0.hold.day == day }.map {
            PlaceOfHolder(shop: shop, day: day, number: $0.confirmation?.number)
        }
    }

    /// The place of a day that is on offer in a shop, and is not confirmed yet; nil if there is none.
    mutating func held(
        in shop: ShopID, on day: CalendarDay, _ database: any Database
    ) throws(StoreError) -> PlaceOfHolder? {
        let isOffered = try places(in: shop, database).contains {
            $0.hold.day == day && $0.state == .pending
        }
        return isOffered ? PlaceOfHolder(shop: shop, day: day, number: nil) : nil
    }

    /// The number of visits in a shop that are to come, without the hold that a request in that shop replaces.
    mutating func visits(
        in shop: ShopID, from today: CalendarDay, _ request: AuthenticatedRequest,
        _ database: any Database
    ) throws(StoreError) -> Int {
        try places(in: shop, database).count { record in
            record.hold.kind == .visit && record.hold.day >= today && record.state != .active
                && (record.state != .pending || shop != request.shop)
        }
    }

    private mutating func places(
        in shop: ShopID, _ database: any Database
    ) throws(StoreError) -> [ReservationRecord] {
        if let known = read[shop] { return known }
        var found: [ReservationRecord] = []
        do throws(StoreError) {
            found = try database.records(of: holder, in: shop).filter { $0.isPlace(at: now) }
        } catch { guard error.code == .corrupt else { throw error } }
        read[shop] = found
        return found
    }
}

extension ReservationRecord {
    /// Whether its holder has a place by it: held, waited for, called or inside. A hold that has run out counts for a minute
    /// more, since the clocks of servers differ.
    func isPlace(at now: Moment) -> Bool {
        switch state {
        case .pending: now < hold.expires.moment + .minutes(1)
        case .planned, .called, .active: true
        case .expired, .deleted: false
        }
    }
}

extension AuthenticatedRequest {
    /// The holder for whom a place is to be claimed; nil if the request asks for none, or comes from a machine.
    fileprivate var claimant: HolderID? {
        guard case .queue(let command) = command, command.asksForPlace else { return nil }
        return sender.holder
    }

    /// The slot that the holder has chosen; nil for a ticket.
    fileprivate var chosenSlot: ChosenSlot? {
        if case .queue(let command) = command { command.chosenSlot } else { nil }
    }
}
