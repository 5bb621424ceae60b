internal import BackendAPI
internal import QueueEngine
internal import Reservations

/// What shows that a place is the caller's (rules: proofs). Its link is enough to look at it; whatever gives it up,
/// delays, moves or answers for it, or leads its messages elsewhere, needs the browser that took it, or the ten digits
/// of its ticket.
extension BackendService {
    /// Whether a request comes from the browser that took the place, or from one that has confirmed the number with which
    /// it was taken.
    func isTaken(_ place: OpenedPlace, by request: WireRequest) -> Bool {
        guard let pages = options.phones, let device = PhoneDevice(request, of: pages) else {
            return false
        }
        return holders(of: device, request).contains { place.record.hold.owner == .phone($0) }
    }

    /// The code of the place, if the request shows that the place is the caller's; fails otherwise.
    ///
    /// Wrong digits count for the address of those who try. They also count for the place, and with many of them each
    /// address has a few tries left for it, and keeps these whatever others do: neither guesses nor their refusals reach a
    /// customer who types the right ones. The browser that took the place is not counted at all.
    ///
    /// - Parameter digits: The ten digits of the ticket, as they were typed; nil if there are none.
    func proof(
        _ digits: String?, of place: OpenedPlace, _ request: WireRequest
    ) throws(RefusedCall) -> PresentedCode {
        if isTaken(place, by: request) { return .typed(place.confirmation.typedCode) }
        guard let digits else { throw RefusedCall(.wrongDigits) }
        let mine = Self.limited(request, place.id.rawValue)
        let isGuessed = limiters[.digits]?.take(place.id.rawValue) != nil
        var limited = [(LimitedAction.codes, mine)]
        if isGuessed { limited.append((.guessedDigits, mine)) }
        do throws(RefusedCall) { try takeAll(limited, of: place.shop.id, request) } catch {
            if !isGuessed { limiters[.digits]?.giveBack(place.id.rawValue) }
            throw error
        }
        guard let code = TypedCode(rawValue: digits).map(PresentedCode.typed),
            place.confirmation.isProved(by: code)
        else { throw RefusedCall(.wrongDigits) }
        for (action, name) in limited { limiters[action]?.giveBack(name) }
        if !isGuessed { limiters[.digits]?.giveBack(place.id.rawValue) }
        return code
    }

    /// Whether a request shows that the place is the caller's; fails if it has digits that are wrong.
    func isProved(
        _ digits: String?, of place: OpenedPlace, _ request: WireRequest
    ) throws(RefusedCall) -> Bool {
        guard digits != nil || isTaken(place, by: request) else { return false }
        _ = try proof(digits, of: place, request)
        return true
    }
}
