internal import Reservations

/// Customers who have booked a visit on a phone, and are asked whether they are coming before its slot (rules 39).
extension QueueState {
    /// How long before its slot the customer of a visit is asked.
    static let visitQuestionBefore = Duration.minutes(120)
    /// The highest number of questions in one decision; further ones follow in the next one.
    private static let maxQuestionsPerTick = 500

    /// Asks those whose slot comes within two hours; where the shop does not ask, they are taken for coming.
    mutating func askVisitors(_ deciding: inout Deciding) {
        let now = deciding.now
        let unasked = visits.unasked(
            until: now + Self.visitQuestionBefore, limit: Self.maxQuestionsPerTick)
        for live in unasked {
            if policy.phones.asksVisitors {
                ask(live, &deciding)
            } else {
                change(live, ComingQuestion(answered: now), &deciding)
            }
        }
    }

    /// Ends the visits whose customers have neither answered nor come as late as one who was called may.
    mutating func endSilentVisits(_ deciding: inout Deciding) {
        guard deciding.isAnswerable else { return }
        let late = deciding.now - .minutes(ShopPolicy.entryTimeLimitMinutes)
        for live in visits.silent(until: late, limit: Self.maxQuestionsPerTick) {
            leaveLine(live)
            expire(live, because: .unanswered, &deciding)
            // The slot was kept from others, as that of a customer who does not come when called.
            if let holder = live.holder { noShow(of: holder, at: deciding.now, &deciding) }
        }
    }

    /// What is known of the question after a booking or a move: who comes within two hours has just said so.
    static func question(ofSlot slot: VisitSlot, bookedAt now: Moment) -> ComingQuestion {
        let isSoon = slot.start.moment <= now + visitQuestionBefore
        return ComingQuestion(answered: isSoon ? now : nil)
    }
}

extension LiveReservation {
    /// Whether it is a visit whose slot has come, and which is not called, since its customer has not answered.
    func isSilent(at now: Moment) -> Bool {
        mustAnswer && slot.map { $0 <= now } == true
    }
}
