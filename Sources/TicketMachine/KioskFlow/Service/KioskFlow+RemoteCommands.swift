internal import Reservations

// Remote commands that the shop gives to the machine through the backend (rules: remote-commands).
extension KioskFlow {
    mutating func commanded(
        _ command: RemoteCommand, decided: Moment?, now: Duration
    ) -> [KioskEffect] {
        switch command.kind {
        case .outOfService:
            return serve(command, .outOfService, decided, message: command.message ?? "", now: now)
        case .inService: return serve(command, .inService, decided, message: nil, now: now)
        case .restart: restart.await(command)
        case .rotate: return [.program(.rotate(command.id))]
        case .unlock: return [.program(.unlock(command.id))]
        // It is sent again until it is carried out: a customer who is being served must not get a page of another
        // person.
        case .testPrint where !state.isResting: break
        case .testPrint:
            return [
                .staff(.printTest(settings.printer, keys.next())),
                .staff(.note(.commanded(.testPrint))), .program(.acknowledged(command.id)),
            ]
        // The command comes from a newer backend: it is ignored.
        case nil: break
        }
        return []
    }

    /// A customer who is being served is served to the end, whatever the command says.
    private mutating func serve(
        _ command: RemoteCommand, _ kind: RemoteCommand.Kind, _ decided: Moment?, message: String?,
        now: Duration
    ) -> [KioskEffect] {
        // A decision that the staff made after the command was given has priority.
        if let decided, command.given.moment < decided {
            return [.program(.acknowledged(command.id))]
        }
        let isPutOut = kind == .outOfService
        service.decide(isPutOut: isPutOut, message: message)
        if state.isResting { rest(now: now) }
        return [
            .staff(.note(.commanded(kind))),
            .program(.keepService(isPutOut: isPutOut, message: command.message, by: command)),
            .program(.acknowledged(command.id)),
        ]
    }
}
