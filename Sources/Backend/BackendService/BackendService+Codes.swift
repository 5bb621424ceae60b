internal import BackendAPI
internal import ReservationStore
internal import Reservations

/// Looks up the codes that customers show or type, and keeps a code of ten digits from being guessed.
///
/// Each look-up of a typed code takes a right from its machine's limit, whether it finds something or not. A typed
/// code as proof for a deletion takes a right too, and gives it back unless the code was wrong. A wrong entry code
/// takes a right as well.
extension BackendService {
    /// The code of the body, which may belong to any shop.
    func presentedCode(_ call: Call) -> Result<PresentedCode, RefusedCall> {
        call.body(CodeRequest.self, "{\"code\": the code as it was read}").flatMap { body in
            PresentedCode(body.code).map { .success($0) }
                ?? .failure(RefusedCall(.unreadableCode))
        }
    }

    /// The code of the body, which must be of the caller's own shop (rules 11), if the caller may try one more code.
    func ownCode(_ call: Call) -> Result<PresentedCode, RefusedCall> {
        presentedCode(call).flatMap { code in
            if case .entry(let entry) = code, entry.tag != call.shop.tag {
                countOtherShop(call)
                return .failure(RefusedCall(.otherShop))
            }
            return mayTry(code, call).map { code }
        }
    }

    /// Answers with the present state of the reservation that has the code.
    func lookUp(_ call: Call, _ respond: @escaping @Sendable (WireResponse) -> Void) {
        switch ownCode(call) {
        case .failure(let refusal): respond(refusal.response)
        case .success(let code):
            store.lookUp(code, in: call.shop.id) { [self] result in
                switch result {
                case .success(nil): respond(RefusedCall(.notFound).response)
                case .success(.some(let found)): respond(Answers.response(found))
                case .failure(let error): respond(unavailable(error))
                }
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

    /// Whether the machine may try one more code; an entry code cannot be guessed and is always tried.
    func mayTry(_ code: PresentedCode, _ call: Call) -> Result<Void, RefusedCall> {
        guard case .typed = code, let wait = codeLimiter?.take(call.caller.limited) else {
            return .success(())
        }
        return .failure(limited("codes-limited", ["machine": call.caller.machine.rawValue], wait))
    }

    /// The refusal "too many requests", with the time after which there is a right again.
    func limited(
        _ event: String, _ detail: [String: String], _ wait: Duration, _ words: String? = nil
    ) -> RefusedCall {
        log.note(event, detail)
        let seconds = max(1, (wait.wholeMilliseconds + 999) / 1_000)
        return RefusedCall(
            .tooManyRequests, words, fields: [HeaderField.retryAfter: "\(seconds)"])
    }

    /// Counts a wrong proof once, and a right proof not at all. Of confirmations it counts those that made a
    /// reservation, and not those that were only answered again.
    func settle(_ command: MachineRequest, _ result: CommandResult, of call: Call) {
        giveBack(command, result, of: call)
        guard let code = command.presented, let codeLimiter else { return }
        var wasWrong = false
        if case .answered(let answer, replayed: false) = result {
            wasWrong = answer.status == Refusal.notFound.status
        }
        switch (code, wasWrong) {
        case (.typed, false): codeLimiter.giveBack(call.caller.limited)
        case (.entry, true): _ = codeLimiter.take(call.caller.limited)
        case (.typed, true), (.entry, false): break
        }
    }
}

extension MachineRequest {
    /// The code that a customer showed or typed, as proof for a deletion or to pass a door.
    fileprivate var presented: PresentedCode? {
        if case .delete(_, let code) = self { return code }
        if case .passage(let code, _) = self { return code }
        return nil
    }
}
