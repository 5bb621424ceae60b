internal import Reservations

extension QueueState {
    /// The highest number of calls in one decision; further customers whose turn it is are called in the next one.
    private static let maxCallsPerTick = 500

    /// How far the clocks of a shop's servers may differ.
    private static let maxClockDifference = Duration.minutes(1)

    /// Calls the orders and customers whose turn it is (`CallingRule`).
    mutating func call(_ deciding: inout Deciding) {
        for _ in 0..<Self.maxCallsPerTick {
            let full = fullDepartments
            switch turn(deciding, full: full) {
            case .noCustomer: return
            case .visit:
                guard let visit = callable(until: deciding.now, full, deciding).first else {
                    return
                }
                call(visit, &deciding)
            case .order: callOrder(&deciding)
            case .ticket:
                guard let ticket = nextTicket(deciding) else { return }
                call(ticket, &deciding)
            }
        }
    }

    private mutating func call(_ live: LiveReservation, _ deciding: inout Deciding) {
        let now = deciding.now
        leaveLine(live)
        let moment = max(now, live.since, latestCall(at: now))
        let called = live.since(moment)
        self.called.insert(called, key: enterBy(called, called: moment))
        deciding.move(live.id, from: .planned, to: .called, at: moment, because: .turn)
    }

    /// The moment of the last call, as far as it is known from the customers who were called or have entered since.
    ///
    /// Another server, whose clock is a little ahead of this one's, may have made it: no later call gets an earlier
    /// moment. A clock that is further ahead is wrong and is not followed.
    private func latestCall(at now: Moment) -> Moment {
        let limit = now + Self.maxClockDifference
        // A customer who was called later than now may also enter for longer than one who is called now.
        let calledLater = called.entries(after: now + .minutes(ShopPolicy.entryTimeLimitMinutes))
        let calls = [calledLater, inside.entries(after: now)].joined().lazy.map(\.live.since)
        return calls.filter { $0 <= limit }.max() ?? now
    }

    /// The first ticket that may be called; after closing, only one whose customer was promised a place since then.
    private func nextTicket(_ deciding: Deciding) -> LiveReservation? {
        guard let ticket = tickets.entries.lazy.map(\.live).first(where: isCallable),
            deciding.opening != nil || closedSince.map({ ticket.since >= $0 }) == true
        else { return nil }
        return ticket
    }

    /// Whether no customer is called by this number. Visits of two days may have the same if the hours between them were
    /// changed after they had been booked: the second is called once the first has come, or has missed the call.
    private func isCallable(_ live: LiveReservation) -> Bool {
        !called.entries.contains { $0.live.number == live.number }
    }

    /// Decides whose turn it is by the calling rule, whether the shop is open or not.
    private func turn(_ deciding: Deciding) -> CallingRule.Turn {
        turn(deciding, full: fullDepartments)
    }

    private func turn(_ deciding: Deciding, full: Set<String>) -> CallingRule.Turn {
        let now = deciding.now
        let visits = callable(until: now + CallingRule.lookAhead, full, deciding)
        return CallingRule.turn(
            free: freePlaces, taken: taken, hasReadyOrder: collectors.contains(where: \.isAwaiting),
            minutesToVisit: visits.first?.slot.map { ($0 - now).inMinutes }
        ) {
            visits.count
        } meanStay: {
            deciding.opening.map { stays(at: $0.local(now)).mean }
                ?? Double(policy.usualStayMinutes)
        }
    }

    /// The visits whose slot is at most so late and that may be called then: while the shop is closed, none of those whose slot
    /// has come.
    private func callable(
        until slot: Moment, _ full: Set<String>, _ deciding: Deciding
    ) -> some Collection<LiveReservation> {
        let now = deciding.now
        let isOpen = deciding.opening != nil
        return visits.callable(until: slot, full: full, now: now).lazy.filter {
            (isOpen || $0.slot.map { $0 > now } == true) && isCallable($0)
        }
    }

    /// The departments in which there are as many visitors, called or inside, as they have place for (calling rule,
    /// sentence 8).
    private var fullDepartments: Set<String> {
        let capacities = policy.departments.filter { $0.capacity != nil }
        guard !capacities.isEmpty else { return [] }
        var visitors: [String: Int] = [:]
        for line in [called, inside] {
            for entry in line.entries {
                for name in entry.live.departments { visitors[name, default: 0] += 1 }
            }
        }
        return Set(
            capacities.filter { department in
                department.capacity.map { visitors[department.name, default: 0] >= $0 } == true
            }.map(\.name))
    }

    /// The wait of a ticket with so many before it; exactly zero if it would be called at once.
    func wait(behind ahead: Int, in opening: OpenInterval, _ deciding: Deciding) -> WaitEstimate {
        let now = deciding.now
        let wait: WaitDistribution
        if ahead == 0, tickets.first.map({ isCallable($0.live) }) ?? true,
            turn(deciding) == .ticket
        {
            wait = .none
        } else {
            let forecast = deciding.forecast ?? WaitForecast(self, at: now, in: opening)
            wait = forecast.wait(behind: ahead, at: now)
        }
        return estimate(wait, ahead: ahead, deciding)
    }

    /// In a shop that does not close within a day, no ticket is offered that might wait for longer: its number is of one day.
    static let longestWait = Duration.minutes(12 * 60)

    /// Whether a customer with this wait would have stayed before the shop closes (rules: offered-tickets).
    func isInTime(_ wait: WaitEstimate, in opening: OpenInterval, _ deciding: Deciding) -> Bool {
        let isEndless = opening.ends.moment - opening.opens.moment > .minutes(24 * 60)
        return wait.latest.moment + promisedStay(at: wait.latest) <= opening.ends.moment
            && (!isEndless || wait.latest.moment <= deciding.now + Self.longestWait)
    }

    /// The wait of one more ticket; nil if its stay might not end before closing (rules: offered-tickets).
    func offer(in opening: OpenInterval, _ deciding: Deciding) -> WaitEstimate? {
        let wait = wait(behind: tickets.count + ticketHolds, in: opening, deciding)
        guard isInTime(wait, in: opening, deciding),
            days[opening.staffDay]?.endsTickets != true, hasFreeNumber(on: opening.opens.day)
        else { return nil }
        return wait
    }
}
