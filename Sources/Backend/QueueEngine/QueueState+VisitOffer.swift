public import Reservations

/// Slots of an opening that follow one another, and how many phones could still book each of them (rules: visits).
public struct FreeSlots: Hashable, Sendable {
    /// When the first one begins.
    public let first: LocalMoment
    /// In the order of the slots; 0 for one that cannot be booked.
    public let free: [Int]
}

/// How many visits of an opening there may still be.
struct VisitPlaces {
    private let all: VisitCounts
    private let phones: VisitCounts
    /// By the names of those departments for which the question is, and that have a capacity.
    private let departments: [(capacity: Int, visitors: VisitCounts)]
    private let policy: ShopPolicy

    /// - Parameter named: The names of the departments to which the visitors want to go.
    init(of opening: OpenInterval, in state: QueueState, named: [String] = []) {
        // If the shop stays open over midnight, visitors of the day before may still be inside, and those of the next day
        // come while these are.
        let (first, last) = (opening.begins.day, opening.closes.day)
        let days = Set([first, opening.opens.day, opening.ends == opening.closes ? first : last])
            .compactMap { state.days[$0] }
        departments = state.policy.capacities(of: named).map { department in
            let books = days.compactMap { $0.departmentVisits[department.name] }
            return (department.capacity, VisitCounts(books))
        }
        all = VisitCounts(days.map(\.visits))
        phones = VisitCounts(days.map(\.phoneVisits))
        policy = state.policy
    }

    /// The visits that may be added for the whole of this time; 0 or less if there is no place for one.
    ///
    /// Phones leave a part of the places to machines, whose customers can only have the first free slot.
    func free(in visit: Range<Int64>, for channel: Channel) -> Int {
        let places = departments.reduce(policy.visitPlaces - all.peak(in: visit)) {
            min($0, $1.capacity - $1.visitors.peak(in: visit))
        }
        return channel.isPhone
            ? min(places, policy.phoneVisitPlaces - phones.peak(in: visit)) : places
    }
}

extension QueueState {
    /// The first free slot of a visit, today or until the same date of next month (rules: slots).
    func firstVisit(_ deciding: Deciding) -> (day: CalendarDay, slot: VisitSlot)? {
        let last = callOfLast(deciding)
        for opening in bookable(deciding) {
            let day = opening.opens.day
            let places = VisitPlaces(of: opening, in: self)
            let slot = slots(in: opening, after: last, deciding).first {
                places.free(in: $0.range.milliseconds, for: .machine) > 0
            }
            if let slot { return (day, slot) }
        }
        return nil
    }

    /// The slots that phones can book, until the same date of next month (rules: visits).
    ///
    /// - Parameters:
    ///   - minutes: How long the customer expects to stay; nil to leave that to the shop.
    ///   - departments: The names of the departments to which the customer wants to go.
    public func freeSlots(
        minutes: Int?, departments: [String] = [], in context: QueueContext
    ) -> [FreeSlots] {
        let deciding = Deciding(context, openings: effective(context.openings))
        let last = callOfLast(deciding)
        return bookable(deciding).flatMap { opening in
            let places = VisitPlaces(of: opening, in: self, named: departments)
            let slots = slots(in: opening, after: last, minutes: minutes, deciding)
            // At a change of clocks the times of a day do not follow one another.
            let parts = slots.split(where: \.start.offsetMinutes)
            return parts.compactMap { part in
                part.first.map { first in
                    FreeSlots(
                        first: first.start,
                        free: part.map {
                            max(0, places.free(in: $0.range.milliseconds, for: .remote))
                        })
                }
            }
        }
    }

    /// The last day of which visits can be booked.
    public func lastVisitDay(in context: QueueContext) -> CalendarDay {
        context.local(context.now).day.inNextMonth
    }

    /// The slot that a phone chose; nil if it is not free, or no slot.
    func freeSlot(_ chosen: ChosenSlot, _ deciding: Deciding) -> VisitSlot? {
        let start = chosen.start.moment
        let named = policy.known(chosen.departments ?? [])
        guard chosen.isPlausible,
            let opening = bookable(deciding).first(where: { $0.contains(start) }),
            let slot = slots(
                in: opening, after: callOfLast(deciding), minutes: chosen.minutes, deciding
            ).first(where: { $0.start.moment == start }),
            VisitPlaces(of: opening, in: self, named: named)
                .free(in: slot.range.milliseconds, for: .remote) > 0
        else { return nil }
        return VisitSlot(start: slot.start, end: slot.end, departments: named)
    }

    /// The present opening and those to come of which visits can be booked.
    private func bookable(_ deciding: Deciding) -> [OpenInterval] {
        let lastDay = deciding.localTime(deciding.now).day.inNextMonth
        return deciding.openings.prefix { $0.opens.day <= lastDay }.filter {
            hasFreeNumber(on: $0.opens.day) && days[$0.staffDay]?.endsTickets != true
        }
    }

    /// The slots of an opening from the first one that is late enough, free or not, each with the time for which a visit
    /// takes its place.
    private func slots(
        in opening: OpenInterval, after last: @autoclosure () -> Moment?, minutes: Int? = nil,
        _ deciding: Deciding
    ) -> [VisitSlot] {
        let length = ShopPolicy.slotLength.wholeMilliseconds
        let opens = opening.opens.moment.milliseconds
        let closes = opening.closes.moment.milliseconds
        // Those who wait are called in the present opening, and in those that follow it without a pause.
        let isPresent = deciding.opening?.ends == opening.ends
        let notice = deciding.now + ShopPolicy.visitNotice
        let earliest = max(notice, (isPresent ? last() : nil) ?? notice).milliseconds
        // The first slot that is late enough: -(-a / b) rounds up.
        let first = opens + max(0, -((opens - earliest).flooredQuotient(by: length))) * length
        var known: (cell: LearnedStays.Cell, stay: Duration)?
        var slots: [VisitSlot] = []
        for start in stride(from: first, to: closes, by: Int64.Stride(length)) {
            let begin = opening.local(Moment(milliseconds: start))
            let cell = LearnedStays.cell(begin)
            let stay = known?.cell == cell ? known?.stay : nil
            let usual = stay ?? visitStay(at: begin, declaredMinutes: minutes)
            known = (cell, usual)
            let end = begin.moment + usual
            guard end <= opening.ends.moment else { continue }
            slots.append(VisitSlot(start: begin, end: deciding.localTime(end)))
        }
        return slots
    }

    /// When the last customer who has a place already should be called: a slot of today comes after that, so that no customer
    /// is pushed back. Nil if there is none.
    private func callOfLast(_ deciding: Deciding) -> Moment? {
        let ahead = tickets.count + ticketHolds
        guard ahead > 0, let opening = deciding.opening else { return nil }
        return wait(behind: ahead - 1, in: opening, deciding).expected.moment
    }

    /// The time for which a visit keeps a place. What the customer has declared counts twice as much as what was learned
    /// of all customers of that hour: a customer who declares little often stays a little longer (rules: visits).
    private func visitStay(at moment: LocalMoment, declaredMinutes: Int?) -> Duration {
        let promised = promisedStay(at: moment)
        guard let declaredMinutes else { return promised }
        guard stays.exits(in: LearnedStays.cell(moment)) >= Self.exitsForPromises else {
            return .minutes(declaredMinutes)
        }
        let third = (Double(2 * declaredMinutes) + promised.inMinutes) / 3
        return .minutes(Int(third.rounded(.up)))
    }
}

extension Array {
    /// The parts of elements that follow one another and have the same property.
    fileprivate func split<Property: Equatable>(
        where property: (Element) -> Property
    ) -> [ArraySlice<Element>] {
        var parts: [ArraySlice<Element>] = []
        for index in indices {
            if let last = parts.last?.last, property(last) == property(self[index]) {
                parts[parts.count - 1] = self[parts[parts.count - 1].startIndex...index]
            } else {
                parts.append(self[index...index])
            }
        }
        return parts
    }
}
