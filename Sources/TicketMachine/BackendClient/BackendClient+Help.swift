internal import BackendAPI
public import KioskFlow
public import KioskRuntime
public import Reservations

extension BackendClient: HelpPort {
    public func callHelp(_ key: AttemptKey) async -> BackendAnswer<HelpCall> {
        await call(API.help, key: key, within: Limit.other, each: Limit.helpTry)
    }

    public func helpCalls() async -> BackendAnswer<HelpCalls> {
        await call(API.helpCalls, each: Limit.helpTry)
    }

    public func goToHelp(
        _ call: HelpCallID, by person: String, _ key: AttemptKey
    ) async -> BackendAnswer<HelpCall> {
        await about(call, API.helpAcknowledgement, HelpAction(by: person), key)
    }

    public func muteHelp(
        _ call: HelpCallID, by person: String, _ key: AttemptKey
    ) async -> BackendAnswer<HelpCall> {
        await about(call, API.helpMute, HelpAction(by: person), key)
    }

    public func endHelp(
        _ call: HelpCallID, _ end: HelpCall.End, by person: String?, _ key: AttemptKey
    ) async -> BackendAnswer<HelpCall> {
        await about(call, API.helpCall, HelpEnding(end, by: person), key)
    }

    /// A change of one call, whose answer is that call.
    private func about<Request>(
        _ id: HelpCallID, _ endpoint: Endpoint<Request, HelpCall>, _ request: Request,
        _ key: AttemptKey
    ) async -> BackendAnswer<HelpCall> {
        await call(
            endpoint, of: id, request, key: key, within: Limit.other, each: Limit.helpTry
        ).believed { $0.id == id }
    }
}
