public import Reservations

extension QueueState {
    /// The highest number of called numbers in a message; more than any display shows.
    static let maxCalling = 200

    /// The status at a moment; what is overdue but not yet written is treated as if it were.
    public func status(in context: QueueContext) -> QueueStatus {
        var present = self
        var deciding = Deciding(context, openings: effective(context.openings))
        let now = context.now
        guard let opening = deciding.opening else {
            let next = deciding.openings.first { now < $0.opens.moment }
            return QueueStatus(now: context.local(now), isOpen: false, opens: next?.opens)
        }
        while let hold = present.holds.first, hold.expires.moment <= now {
            present.end(hold, at: hold.expires.moment, because: .holdExpired, &deciding)
        }
        let wait = present.offer(in: opening, deciding)
        return QueueStatus(
            now: context.local(now), isOpen: true, closes: end(of: opening, at: now),
            ticketAvailable: wait != nil, calling: newestCalled.map(\.live.number),
            waiting: tickets.count, wait: wait)
    }

    /// When the shop closes; nil if that is farther away than a day, as in a shop that is always open.
    private func end(of opening: OpenInterval, at now: Moment) -> LocalMoment? {
        opening.ends.moment <= now + .minutes(24 * 60) ? opening.ends : nil
    }

    /// The called reservations, newest first.
    var newestCalled: [ActiveQueue.Entry] {
        called.entries.suffix(Self.maxCalling).sorted {
            ($0.live.since, $0.live.number) > ($1.live.since, $1.live.number)
        }
    }

    /// The queue as the staff sees it at a moment; the queue does not know the doors that could not be closed.
    public func staffQueue(in context: QueueContext) -> StaffQueue {
        let status = status(in: context)
        let now = context.now
        // If the shop closed early, the day is still the calendar's.
        let planned = context.openings.first { $0.contains(now) }
        let deciding = Deciding(context, openings: effective(context.openings))
        let opening = deciding.opening ?? planned
        let day = opening?.staffDay
        return StaffQueue(
            now: status.now, isOpen: status.isOpen, closes: status.closes,
            closesEarly: closesEarly(deciding) || day.flatMap { days[$0]?.closes } != nil,
            ticketsEnded: day.flatMap { days[$0]?.endsTickets } ?? false,
            ticketAvailable: status.ticketAvailable, people: occupancy, capacity: policy.capacity,
            calling: Array(status.calling.prefix(StaffQueue.maxNumbers)), waiting: status.waiting,
            next: tickets.entries.prefix(StaffQueue.maxNumbers).map(\.live.number),
            visits: visits.entries.prefix { entry in
                guard let slot = entry.live.slot, let planned else { return false }
                return slot < planned.closes.moment
            }.count, issued: (opening?.opens.day).map(lastNumber) ?? 0)
    }
}
