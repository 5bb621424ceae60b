public import Reservations

/// A slot of visits, and how many phones can still book it.
public struct FreeSlot: Hashable, Sendable {
    public let start: LocalMoment
    /// 0 if it is full.
    public let free: Int
}

/// What a shop can offer instead of a slot that is wanted (rules: slot-suggestions) [UC5].
public struct SlotSuggestions: Hashable, Sendable {
    /// The wanted slot, full or not; nil if there is none at that time.
    public let wanted: FreeSlot?
    /// The free slots of that day within two hours, the nearest first.
    public let sameDay: [FreeSlot]
    /// The slots of the same time on the two days before and the two days after, as far as they are free, in order.
    public let otherDays: [FreeSlot]
}

extension QueueState {
    /// How far a suggestion may be from the wanted time on the same day.
    private static let suggestedWithin = Duration.minutes(120)
    /// How many days a suggestion of the same time may be earlier or later.
    private static let suggestedDays = 2

    /// What is free near a slot.
    public func suggestions(
        for chosen: ChosenSlot, in context: QueueContext
    ) -> SlotSuggestions {
        let wanted = chosen.start.moment
        let start = context.local(wanted)
        let all = freeSlots(
            minutes: chosen.minutes, departments: chosen.departments ?? [], in: context
        ).flatMap { period in
            period.free.enumerated().map { place, free in
                FreeSlot(
                    start: period.first.at(
                        period.first.moment + ShopPolicy.slotLength * place), free: free)
            }
        }
        func distance(_ slot: FreeSlot) -> Duration {
            slot.start.moment < wanted ? wanted - slot.start.moment : slot.start.moment - wanted
        }
        let free = all.filter { $0.free > 0 }
        let near = free.filter {
            $0.start.day == start.day && $0.start.moment != wanted
                && distance($0) <= Self.suggestedWithin
        }
        let days = (1...Self.suggestedDays).flatMap {
            [start.day.advanced(by: -$0), start.day.advanced(by: $0)]
        }
        return SlotSuggestions(
            wanted: all.first { $0.start.moment == wanted },
            sameDay: near.sorted {
                (distance($0), $0.start.moment) < (distance($1), $1.start.moment)
            },
            otherDays: free.filter { days.contains($0.start.day) && $0.start.time == start.time })
    }
}
