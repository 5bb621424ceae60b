internal import BackendAPI
internal import ReservationStore
internal import Reservations

/// Takes the status reports of machines, and gives the machines their remote commands (rules: remote-commands).
extension BackendService {
    /// What a machine needs to know about itself and its shop.
    func profile(for call: Call) -> MachineProfile {
        MachineProfile(
            machine: call.caller.machine, shop: call.shop.id, shopName: call.shop.name,
            timeZone: call.shop.timeZone, languages: call.shop.languages,
            now: calendar.local(clock(), in: call.shop), help: call.shop.help,
            hasDesk: call.shop.policy.orders.hasDesk, allowsDelays: call.shop.policy.allowsDelays)
    }

    /// The most days of print tallies that are accepted: a machine remembers a month, and its clock may be a day
    /// off.
    private static let maxReportedDays = 40

    /// Takes a status report; it is answered from memory if it reports nothing new, so that it costs no disk write.
    func report(
        _ call: Call, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        try take(.statuses, of: call.caller)
        let shop = call.caller.shop
        let machine = call.caller.machine
        let read = try readReports.report(call.request, of: call.caller.name) {
            () throws(RefusedCall) in
            let form = "a machine's status of the contract"
            guard let body = try call.body(MachineStatusReport.self, form).cleaned else {
                throw RefusedCall.wrongBody(form)
            }
            return body
        }
        var body = read.content
        note(readsLinks: body.condition.readsLinks ?? false, of: call)
        let now = calendar.local(clock(), in: shop)
        let days = now.day.advanced(by: -Self.maxReportedDays)...now.day.advanced(by: 1)
        body.papers.removeAll { !days.contains($0.day) }
        let report = MachineReport(
            shop: shop.id, machine: machine, seen: now.moment,
            condition: read.condition, content: body,
            nonce: nonce(call.signature.nonce, of: call.signature.keyID))
        store.report(report) { [self] result in
            switch result {
            case .success(nil): respond(notAuthentic("replayed", machine).response)
            case .success(.some(let answer)):
                let detail = ["machine": machine.rawValue]
                if let wait = answer.wait {
                    return respond(limited("memories-limited", detail, wait).response)
                }
                if let last = report.content.events.last, answer.through < last.sequence {
                    log.note("events-limited", detail)
                }
                respond(
                    Answers.response(
                        MachineStatusReply(
                            now: now, through: answer.through,
                            commands: answer.commands.map {
                                RemoteCommand(
                                    id: $0.id, kind: $0.kind, message: $0.message,
                                    given: calendar.local($0.given, in: shop))
                            })))
            case .failure(let error): respond(unavailable(error))
            }
        }
    }
}
