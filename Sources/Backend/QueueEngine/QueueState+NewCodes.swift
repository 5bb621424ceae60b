internal import Reservations

/// Another code for a place whose paper was photographed (rules: new-codes).
extension QueueState {
    /// The holder keeps the number and the turn; the code of the paper opens nothing any more.
    mutating func recode(
        _ holder: ConfirmedReservation, code: EntryCode, typed: TypedCode,
        _ deciding: inout Deciding
    ) -> Deciding.Answer {
        var record = holder.record
        let former = holder.confirmation
        record.confirmation = Confirmation(
            number: former.number, code: code, typedCode: typed, issued: former.issued)
        // No paper has the code of a place that was taken on a phone.
        guard !record.hold.channel.isPhone, let live = LiveReservation(record) else {
            return .refused(.notFound)
        }
        switch record.state {
        case .planned:
            leaveLine(holder.live)
            wait(live)
        case .called:
            leaveCalled(holder.live)
            called.insert(live, key: enterBy(live, called: record.since))
        case .pending, .active, .expired, .deleted: return .refused(Self.refusal(record))
        }
        deciding.add(.recoded(record, former: former.typedCode))
        return confirmed(record, deciding)
    }
}
