public import Reservations

extension QueueState {
    private static let maxNext = 8
    /// The highest number of times in a message: in letters readable from 5 m, no display shows more within a minute.
    private static let maxTimes = 300
    /// The highest number of visits in a message: more than half of the places of a large shop within the hour.
    private static let maxVisits = 64
    /// Visits are in the message from so long before their slot.
    private static let visitNotice = Duration.minutes(60)

    /// The public display's content at a moment, with the waits of the forecast; without a forecast they are computed
    /// once (rules: forecasts). The sender sets its sequence.
    public func turns(in context: QueueContext) -> TurnsMessage {
        let openings = effective(context.openings)
        let now = context.now
        guard let opening = openings.first(where: { $0.contains(now) }) else {
            return message(status(in: context), in: context, callsEnded: true)
        }
        var informed = context
        informed.forecast = context.forecast ?? WaitForecast(self, at: now, in: opening)
        let deciding = Deciding(informed, openings: openings)
        var message = message(
            status(in: informed), in: context,
            callsEnded: tickets.isEmpty && now >= lastCall(in: opening, at: now))
        message.next = tickets.entries.prefix(Self.maxNext).enumerated().map { ahead, entry in
            WaitingTurn(
                number: entry.live.number, wait: wait(behind: ahead, in: opening, deciding))
        }
        message.visits = visits.entries(until: now + Self.visitNotice).prefix(Self.maxVisits)
            .compactMap { entry in
                entry.live.slot.map {
                    VisitTurn(number: entry.live.number, start: context.local($0))
                }
            }
        message.times = tickets.entries.prefix(Self.maxTimes).enumerated().map { ahead, entry in
            [
                entry.live.number.rawValue,
                Int(informed.forecast?.wait(behind: ahead, at: now).p50.rounded() ?? 0),
            ]
        }
        return message
    }

    private func message(
        _ status: QueueStatus, in context: QueueContext, callsEnded: Bool
    ) -> TurnsMessage {
        var message = TurnsMessage(
            status, shopName: context.shop.name, languages: context.shop.languages)
        message.called = calledTurns(context)
        message.callsEnded = callsEnded
        message.times = []
        return message
    }

    /// The called turns, newest first; a customer who was called before the shop closed may still enter.
    private func calledTurns(_ context: QueueContext) -> [CalledTurn] {
        newestCalled.map { entry in
            CalledTurn(
                number: entry.live.number, kind: entry.live.kind,
                since: context.local(entry.live.since),
                enterBy: context.local(Moment(milliseconds: entry.key)))
        }
    }
}
