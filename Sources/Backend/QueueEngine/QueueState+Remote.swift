internal import Reservations

/// Customers who have taken a place elsewhere, and are asked whether they are coming before it is called (rules 37, 39).
extension QueueState {
    /// How long before the earliest call the customer is asked, and how long the place is kept without an answer at least.
    static let questionBefore = Duration.minutes(15)

    /// After a confirmation: those who could be called so soon have just said to be coming.
    mutating func answerIfSoon(
        _ live: LiveReservation, quoted wait: WaitEstimate, at now: Moment,
        _ deciding: inout Deciding
    ) {
        let before = live.kind == .visit ? Self.visitQuestionBefore : Self.questionBefore
        guard live.channel == .remote, wait.earliest.moment <= now + before else { return }
        change(live, ComingQuestion(answered: now), &deciding)
    }

    /// Asks those whose turn may come in a quarter of an hour, as far as the forecast says.
    mutating func askWhoComes(_ deciding: inout Deciding) {
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

    /// Asks those whose turn has come, and ends the places of those who have not answered in time.
    ///
    /// Those in front who were asked a short time ago stay where they are, and others are called before them.
    mutating func endUnanswered(_ deciding: inout Deciding) {
        let now = deciding.now
        let silent = tickets.entries.lazy.map(\.live).prefix { $0.mustAnswer }
        guard deciding.opening != nil else { return }
        let known = attendance
        for live in Array(silent) {
            guard let asked = live.question.asked else {
                ask(live, &deciding)
                continue
            }
            guard now >= asked + Self.questionBefore, deciding.isAnswerable else { continue }
            leaveLine(live)
            attendance.count(isAnswered: false)
            expire(live, because: .unanswered, &deciding)
        }
        if attendance != known { deciding.add(.learnedAttendance(attendance)) }
    }

    /// The first waiting ticket that may be called; nil if there is none.
    var firstWhoComes: LiveReservation? { tickets.entries.first { !$0.live.mustAnswer }?.live }

    /// Whether every ticket among the first ones is passed over for now, as it has not been answered for.
    func isNext(behind ahead: Int) -> Bool {
        tickets.entries.prefix(ahead).allSatisfy(\.live.mustAnswer)
            && ahead <= tickets.count
    }

    /// Until when a place is kept without an answer; `now` if that is over, nil if there is nothing to answer.
    func answerBy(
        _ live: LiveReservation, _ status: ReservationStatus, _ deciding: Deciding
    ) -> Moment? {
        guard status == .planned, live.mustAnswer, let asked = live.question.asked else {
            return nil
        }
        let end = live.slot.map { $0 + .minutes(ShopPolicy.entryTimeLimitMinutes) }
        return max(deciding.now, end ?? asked + Self.questionBefore)
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
        call(&deciding)
        let present = deciding.present(record)
        guard let live = LiveReservation(present), let found = found(present, live, deciding) else {
            return .refused(.notFound)
        }
        return .success(.changed(found))
    }

    /// Takes note that the customer of a waiting place is coming, as they said or are there.
    mutating func isComing(_ live: LiveReservation, _ deciding: inout Deciding) {
        // Who means to come in a week is asked nevertheless.
        guard live.mustAnswer, live.kind == .ticket || !live.isUnasked else { return }
        var question = live.question
        question.answered = max(deciding.now, question.asked ?? deciding.now)
        if question.asked != nil, live.kind == .ticket {
            attendance.count(isAnswered: true)
            deciding.add(.learnedAttendance(attendance))
        }
        change(live, question, &deciding)
    }

    /// A reservation whose customer is with the staff, who give it back: it need not be answered for any more.
    func answeredFor(
        _ holder: ConfirmedReservation, _ deciding: inout Deciding
    ) -> ConfirmedReservation {
        guard holder.live.mustAnswer else { return holder }
        var record = holder.record
        record.question.answered = max(deciding.now, record.question.asked ?? deciding.now)
        guard let live = LiveReservation(record) else { return holder }
        deciding.add(.questionChanged(record.hold.id, record.question))
        return ConfirmedReservation(
            record: record, confirmation: holder.confirmation, live: live)
    }

    /// A place that comes back when the shop opens again: its customer, who saw it closed, is asked once more.
    func unasked(_ live: LiveReservation, _ deciding: inout Deciding) -> LiveReservation {
        guard live.mustAnswer, live.question.asked != nil else { return live }
        var changed = live
        changed.question = ComingQuestion()
        deciding.add(.questionChanged(live.id, changed.question))
        return changed
    }

    mutating func ask(_ live: LiveReservation, _ deciding: inout Deciding) {
        change(live, ComingQuestion(asked: max(deciding.now, live.since)), &deciding)
    }

    mutating func change(
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
    /// Whether it is not called before its customer has said to be coming.
    var mustAnswer: Bool { channel == .remote && question.answered == nil }

    /// Whether its customer has not been asked yet.
    var isUnasked: Bool { mustAnswer && question.asked == nil }
}
