internal import Reservations

/// Customers who took a place elsewhere or booked a visit on a phone are asked whether they are coming, if the shop wants
/// that (rules: coming-question). What they answer weighs in forecasts only: they are called in any case.
extension QueueState {
    /// How long before the earliest call of a ticket its customer is asked.
    static let questionBefore = Duration.minutes(15)
    /// How long before its slot the customer of a visit is asked.
    static let visitQuestionBefore = Duration.minutes(120)
    /// The highest number of questions in one decision; further ones follow in the next one.
    private static let maxQuestionsPerTick = 500

    /// Asks those whose slot or turn comes near.
    mutating func askWhoComes(_ deciding: inout Deciding) {
        guard policy.phones.asksWhoComes else { return }
        let until = deciding.now + Self.visitQuestionBefore
        for live in visits.unasked(until: until, limit: Self.maxQuestionsPerTick) {
            ask(live, &deciding)
        }
        askTickets(&deciding)
    }

    /// Asks the customers of tickets whose turn may come in a quarter of an hour, as far as the forecast says.
    private mutating func askTickets(_ deciding: inout Deciding) {
        guard tickets.unaskedCount > 0, let opening = deciding.opening,
            let forecast = deciding.forecast
        else { return }
        let now = deciding.now
        for (ahead, entry) in tickets.entries.enumerated() where entry.live.isUnasked {
            let earliest = forecast.wait(behind: ahead, at: now).p10
            // Those behind are called later.
            guard opening.local(now + .minutes(earliest)).moment <= now + Self.questionBefore else {
                return
            }
            ask(entry.live, &deciding)
        }
    }

    /// After a confirmation: those who could be called so soon have just said to be coming.
    mutating func answerIfSoon(
        _ live: LiveReservation, quoted wait: WaitEstimate, at now: Moment,
        _ deciding: inout Deciding
    ) {
        let before = live.kind == .visit ? Self.visitQuestionBefore : Self.questionBefore
        guard policy.phones.asksWhoComes, live.channel == .remote,
            wait.earliest.moment <= now + before
        else { return }
        change(live, ComingQuestion(answered: now), &deciding)
    }

    /// What is known of the question after a visit was moved: who comes within two hours has just said so.
    func question(ofSlot slot: VisitSlot, movedAt now: Moment) -> ComingQuestion {
        let isSoon = slot.start.moment <= now + Self.visitQuestionBefore
        return ComingQuestion(answered: isSoon && policy.phones.asksWhoComes ? now : nil)
    }

    /// Until when an answer is of use, the slot of a visit or about the earliest call of a ticket; `now` if that is over, nil
    /// if there is nothing to answer.
    func answerBy(
        _ live: LiveReservation, _ status: ReservationStatus, _ deciding: Deciding
    ) -> Moment? {
        guard policy.phones.asksWhoComes, status == .planned, live.isSilent,
            let asked = live.question.asked
        else { return nil }
        return max(deciding.now, live.slot ?? asked + Self.questionBefore)
    }

    /// The customer says to be coming; said again, or before the question of a ticket, it is true as well.
    mutating func comes(
        _ holder: ConfirmedReservation, _ deciding: inout Deciding
    ) -> Deciding.Answer {
        let record = holder.record
        guard record.state == .planned || record.state == .called else {
            return .refused(Self.refusal(record))
        }
        if record.state == .planned { isComing(holder.live, &deciding) }
        let present = deciding.present(record)
        guard let live = LiveReservation(present), let found = found(present, live, deciding) else {
            return .refused(.notFound)
        }
        return .success(.changed(found))
    }

    /// Takes note that the customer of a waiting place is coming, as they said or are there.
    mutating func isComing(_ live: LiveReservation, _ deciding: inout Deciding) {
        // Who means to come in a week is asked nevertheless.
        guard live.mayAnswer, live.kind == .ticket || live.isSilent else { return }
        var question = live.question
        question.answered = max(deciding.now, question.asked ?? deciding.now)
        if live.isSilent {
            attendance.countAnswer()
            deciding.add(.learnedAttendance(attendance))
        }
        change(live, question, &deciding)
    }

    /// A reservation whose customer plans the way, or is with the staff, who give it back: the question is answered.
    func answeredFor(
        _ holder: ConfirmedReservation, _ deciding: inout Deciding
    ) -> ConfirmedReservation {
        guard policy.phones.asksWhoComes, holder.live.mayAnswer else { return holder }
        var record = holder.record
        record.question.answered = max(deciding.now, record.question.asked ?? deciding.now)
        guard let live = LiveReservation(record) else { return holder }
        deciding.add(.questionChanged(record.hold.id, record.question))
        return ConfirmedReservation(
            record: record, confirmation: holder.confirmation, live: live)
    }

    private mutating func ask(_ live: LiveReservation, _ deciding: inout Deciding) {
        change(live, ComingQuestion(asked: max(deciding.now, live.since)), &deciding)
    }

    private mutating func change(
        _ live: LiveReservation, _ question: ComingQuestion, _ deciding: inout Deciding
    ) {
        var changed = live
        changed.question = question
        if live.kind == .visit {
            visits.replace(changed)
        } else {
            tickets.replace(changed, key: live.position)
        }
        deciding.add(.questionChanged(live.id, question))
    }
}

extension LiveReservation {
    /// Whether its customer may be asked whether they are coming, and has not said so.
    fileprivate var mayAnswer: Bool { channel == .remote && question.answered == nil }

    /// Whether its customer has yet to be asked.
    var isUnasked: Bool { mayAnswer && question.asked == nil }

    /// Whether its customer was asked, and has not answered.
    var isSilent: Bool { mayAnswer && question.asked != nil }
}
