internal import BackendAPI
internal import ReservationStore
internal import Reservations

/// Codes that people show or type: looking them up, and keeping ten digits from being guessed.
///
/// A look-up of a typed code takes a right of its machine's, whether it finds something or not. As proof for
/// a deletion it takes one too, and gets it back unless it was wrong; so does a wrong entry code.
extension BackendService {
    static let noCode = Refusal(.malformed, "the body must be {\"code\": the code as it was read}")

    /// Answers what became of the reservation of a code, in the caller's own shop only (rules 11).
    func lookUp(_ call: Call, _ respond: @escaping @Sendable (WireResponse) -> Void) {
        guard let body = JSONText.value(LookupRequest.self, call.request.body) else {
            return respond(Self.noCode.response)
        }
        guard let code = PresentedCode(body.code) else {
            return respond(Refusal(.unreadableCode).response)
        }
        let shop = call.caller.shop
        if case .entry(let entry) = code, entry.tag != shop.tag {
            countOtherShop(call)
            return respond(Refusal(.otherShop).response)
        }
        if case .failure(let refusal) = mayTry(code, call) { return respond(refusal.response) }
        store.lookUp(code, in: shop.id) { [log, calendar] result in
            switch result {
            case .success(nil): respond(Refusal(.notFound).response)
            case .success(.some(let found)):
                let report = found.report
                respond(
                    Answers.response(
                        LookupReply(
                            report.reservation, day: report.day, state: report.standing,
                            now: calendar.local(found.now, in: shop), enterBy: report.enterBy)))
            case .failure(let error):
                log.note(
                    "store-unavailable",
                    ["operation": error.operation, "error": error.description])
                respond(Answers.unavailable)
            }
        }
    }

    /// Whether the machine may try one more code; an entry code cannot be guessed and is always tried.
    func mayTry(_ code: PresentedCode, _ call: Call) -> Result<Void, Refusal> {
        guard case .typed = code, let wait = codeLimiter?.take(call.caller.limited) else {
            return .success(())
        }
        return .failure(limited("codes-limited", ["machine": call.caller.machine.rawValue], wait))
    }

    /// "Too many", with the time after which there is a right again.
    func limited(
        _ event: String, _ detail: [String: String], _ wait: Duration, _ words: String? = nil
    ) -> Refusal {
        log.note(event, detail)
        let seconds = max(1, (wait.wholeMilliseconds + 999) / 1_000)
        return Refusal(
            .tooManyRequests, words, fields: [HeaderField.retryAfter: "\(seconds)"])
    }

    /// Counts a proof that was wrong, once, and one that was not not at all; of confirmations those that
    /// made a reservation, and nothing that was only answered again.
    func settle(_ command: MachineCommand, _ result: CommandResult, of call: Call) {
        giveBack(command, result, of: call)
        guard let code = command.presented, let codeLimiter else { return }
        var wasWrong = false
        if case .answered(let answer, replayed: false) = result {
            wasWrong = answer.status == ProblemType.notFound.status
        }
        switch (code, wasWrong) {
        case (.typed, false): codeLimiter.giveBack(call.caller.limited)
        case (.entry, true): _ = codeLimiter.take(call.caller.limited)
        case (.typed, true), (.entry, false): break
        }
    }
}

extension MachineCommand {
    /// The code that somebody showed or typed, as proof or to pass.
    fileprivate var presented: PresentedCode? {
        if case .delete(_, let code) = self { return code }
        return presentedAtADoor
    }
}
