internal import BackendAPI
internal import ReservationStore
internal import Reservations
internal import VisitCalendar

/// Looks up the codes that customers show or type, and keeps a code of ten digits from being guessed.
///
/// Each look-up of a typed code takes a right from its machine's limit, whether it finds something or not. A typed
/// code as proof for a change of a reservation takes a right too, and gives it back unless the code was wrong. A wrong
/// entry code takes a right as well.
extension BackendService {
    func presentedCode(_ call: Call) throws(RefusedCall) -> PresentedCode {
        let body = try call.body(CodeRequest.self, "{\"code\": the code as it was read}")
        return try presentedCode(body.code)
    }

    func presentedCode(_ text: String) throws(RefusedCall) -> PresentedCode {
        guard let code = PresentedCode(text) else {
            if EventSymbol.isLine(text) { throw RefusedCall(.symbolForCalendars) }
            let isForPhones = Capability(link: text) != nil
            throw RefusedCall(isForPhones ? .symbolForPhones : .unreadableCode)
        }
        return code
    }

    /// The code of the body as a proof.
    func proof(_ call: Call) throws(RefusedCall) -> PresentedCode {
        try proof(presentedCode(call), call)
    }

    /// The code that proves to whom a reservation belongs, if the caller may try one more.
    func proof(_ code: PresentedCode, _ call: Call) throws(RefusedCall) -> PresentedCode {
        try mayTry(code, call)
        return code
    }

    /// The code of the body, which must be of the caller's own shop (rules: codes), if the caller may try one more code.
    func ownCode(_ call: Call) throws(RefusedCall) -> PresentedCode {
        let code = try presentedCode(call)
        if case .entry(let entry) = code, entry.tag != call.shop.tag {
            countOtherShop(call)
            throw RefusedCall(.otherShop)
        }
        try mayTry(code, call)
        return code
    }

    /// Counts a ticket of another shop that a customer showed, once for all attempts with it and within the
    /// machine's limit of writes.
    func countOtherShop(_ call: Call) {
        let key = call.request.idempotencyKey
        let former = attempts.withLock { $0.updateValue(key, forKey: call.caller.limited) }
        guard former != key, limiters[.writes]?.take(call.caller.limited) == nil else { return }
        store.count(.otherShop, of: call.caller.shop.id)
    }

    func lookUp(
        _ code: PresentedCode, _ call: Call, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) {
        store.lookUp(code, in: call.shop.id) { [self] result in
            switch result {
            case .success(nil): respond(RefusedCall(.notFound).response)
            case .success(.some(let found)): respond(Answers.response(found))
            case .failure(let error): respond(unavailable(error))
            }
        }
    }

    /// Logs why the store could not carry out a request.
    func unavailable(_ error: StoreError) -> WireResponse {
        log.note(
            "store-unavailable", ["operation": error.operation, "error": error.description],
            level: .error)
        return Answers.unavailable
    }

    /// Refuses one more typed code of a machine that has tried too many; an entry code cannot be guessed.
    func mayTry<Subject>(_ code: ShownCode<Subject>, _ call: Call) throws(RefusedCall) {
        if case .typed = code { try take(.codes, of: call.caller) }
    }

    /// Takes one right of the machine; fails if it has none now.
    func take(_ action: LimitedAction, of caller: KnownMachine) throws(RefusedCall) {
        try take(action, of: caller.limited, ["machine": caller.machine.rawValue])
    }

    /// The limit counts by `name`; the log gets `detail`, and the caller `words`.
    func take(
        _ action: LimitedAction, of name: String, _ detail: [String: String], _ words: String? = nil
    ) throws(RefusedCall) {
        guard let wait = limiters[action]?.take(name) else { return }
        throw limited("\(action.rawValue)-limited", detail, wait, words)
    }

    /// The refusal "too many requests", with the time after which there is a right again.
    func limited(
        _ event: String, _ detail: [String: String], _ wait: Duration, _ words: String? = nil
    ) -> RefusedCall {
        log.note(event, detail)
        let seconds = max(1, (wait.wholeMilliseconds + 999) / 1_000)
        return RefusedCall(.tooManyRequests, words, fields: [HeaderField.retryAfter: "\(seconds)"])
    }

    /// Counts a wrong proof once, and a right proof not at all. Of confirmations it counts those that made a
    /// reservation, and not those that were only answered again.
    func recordProof(_ command: MachineRequest, _ result: RequestResult, of call: Call) {
        giveBack(command, result, of: call)
        guard let isTyped = command.showsTypedCode, let limiter = limiters[.codes] else { return }
        var wasWrong = false
        if case .answered(let answer, replayed: false) = result {
            wasWrong = answer.status == Refusal.notFound.status
        }
        switch (isTyped, wasWrong) {
        case (true, false): limiter.giveBack(call.caller.limited)
        case (false, true): _ = limiter.take(call.caller.limited)
        case (true, true), (false, false): break
        }
    }
}
