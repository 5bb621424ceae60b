internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// Corrections that a staff member makes to the queue, at the machine in maintenance mode (rules: corrections,
/// remote-commands), and blocks that are lifted there or at a page of the staff (rules: blocks).
extension BackendService {
    /// Does what the body says; a page of the staff needs the shop's PIN, and machines have asked for one of each person.
    func actForStaff(
        _ call: Call, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let (action, entry) = try staffAction(call)
        let kept = call.toRepeat(JSONText.value(StaffActionRequest.self, call.request.body))
        let act: @Sendable () throws(RefusedCall) -> Void = { [self] () throws(RefusedCall) in
            try mayWrite(action, call)
            perform(action, entry, kept) { [self] response in
                if case .queue(.reservation(_, .recode)) = action,
                    let renewed = JSONText.value(Reservation.self, response.body)
                {
                    endFormerNumbers(of: renewed, in: call.shop)
                }
                respond(response)
            }
        }
        guard call.caller.role == .staff else { return try act() }
        try checkPIN(of: call, respond, act)
    }

    /// The command of the body, and its entry in the audit.
    private func staffAction(_ call: Call) throws(RefusedCall) -> (MachineRequest, AuditEntry) {
        let body = try call.body(
            StaffActionRequest.self, "{\"action\": ...} with what the action needs")
        try checkName(body.by, maxCharacters: StaffActionRequest.maxNameCharacters)
        // The field is checked even if the action does not need it: a body that breaks the contract is not accepted
        // silently.
        guard body.people ?? 0 >= 0 else {
            throw RefusedCall(.implausible, "\"people\" is a number of people inside")
        }
        // A page of the staff has no PIN of each person, and lifts blocks only.
        guard call.caller.role == .ticketMachine || body.action == .unblock else {
            throw RefusedCall(.forbidden)
        }
        log.note(
            "staff-action",
            ["machine": call.caller.machine.rawValue, "action": body.action.rawValue], level: .info)
        let action: StaffAction
        do throws(StaffActionRequest.MissingField) { action = try body.decoded() } catch {
            throw RefusedCall(.malformed, "\"\(error.name)\" is missing")
        }
        let entry = audit(action, body, of: call)
        if case .unblock(let reference) = action {
            return (unblocking(reference, in: call.shop.id), entry)
        }
        guard let command = action.command else { throw RefusedCall(.notFound) }
        return (.queue(command), entry)
    }

    /// Refuses the name of a staff member that people cannot read in the audit; it was given before, perhaps under an
    /// older rule.
    func checkName(_ name: String?, maxCharacters: Int) throws(RefusedCall) {
        guard name.map({ GivenName.isReadable($0, maxCharacters: maxCharacters) }) ?? true else {
            throw RefusedCall(
                .malformed, "\"by\" is a name of 1 to \(maxCharacters) characters that can be read")
        }
    }

    /// Answers with the queue as the staff sees it. Of SMS the database knows how many all servers have sent: the count of
    /// the last answer is shown, and read again meanwhile, so that the queue is there whatever the database does.
    func showStaffQueue(of shop: Shop, _ respond: @escaping @Sendable (WireResponse) -> Void) {
        let present = staffQueue(of: shop)
        guard let queue = present, sms != nil, shop.policy.phones.smsPerDay > 0 else {
            return respond(Answers.response(ifKnown: present))
        }
        let known = smsToday.withLock { $0[shop.id] }
        let answer: @Sendable (SMSOfDay?) -> Void = {
            var queue = queue
            queue.sms = $0
            respond(Answers.response(ifKnown: queue))
        }
        if let known { answer(known) }
        store.smsToday(of: shop.id) { [self] result in
            let count = try? result.get()
            if let count { smsToday.withLock { $0[shop.id] = count } }
            if known == nil { answer(count) }
        }
    }

    /// The queue from memory; nil if the shop is not there any more.
    private func staffQueue(of shop: Shop) -> StaffQueue? {
        guard var queue = store.staffQueue(of: shop.id) else { return nil }
        queue.help = store.helpCalls(of: shop.id)?.calls.filter(\.isOpen) ?? []
        queue.doorsNotClosed = openDoors.withLock { $0[shop.id] ?? [] }.map(\.rawValue).sorted()
        return queue
    }

    private func audit(
        _ action: StaffAction, _ body: StaffActionRequest, of call: Call
    ) -> AuditEntry {
        let entry: AuditEntry.Action =
            switch action {
            case .reservation(.letIn, _, _): .letIn
            case .reservation(.callAgain, _, _): .calledAgain
            case .reservation(.restore, _, _): .restored
            case .reservation(.delete, _, _): .deletedForCustomer
            case .occupancy: .occupancyCorrected
            case .endTickets: .ticketsEnded
            case .sendHome: .sentHome
            case .closeEarly: .closedEarly
            case .openAgain: .openedAgain
            case .newCode: .codeRenewed
            // The entry has no reference, since it stays when the holder is forgotten.
            case .unblock: .holderUnblocked
            }
        let parts = [
            body.number.map { "number \($0.text)" }, body.people.map { "\($0) inside" },
            body.at.map { "at \($0)" },
        ]
        return AuditEntry(
            actor: call.actor(by: body.by), action: entry,
            detail: parts.compactMap(\.self).joined(separator: ", "))
    }
}

extension BackendService.Call {
    /// The call with the part of its body in which a request that is repeated is the same. Its fingerprint is stored, and would
    /// let its reader try every PIN; and a new code is asked for again by a colleague, if the answer to the first was lost.
    fileprivate func toRepeat(_ action: StaffActionRequest?) -> Self {
        guard var action, action.pin != nil || action.action == .newCode else { return self }
        action.pin = nil
        if action.action == .newCode { action.by = nil }
        var request = request
        request.body = JSONText.bytes(action)
        return Self(route: route, request: request, caller: caller, signature: signature)
    }

    /// The machine or device that calls, and the person at it if their name is known, for the audit.
    func actor(by name: String?) -> String {
        let kind = caller.role == .ticketMachine ? "machine" : "device"
        let device = "\(kind) \(caller.machine)"
        return name.map { "\(device), \(GivenName.trimmed($0))" } ?? device
    }
}
