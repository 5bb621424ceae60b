internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// The one symbol of papers and phones: a link with the code (rules: code-links).
extension BackendService {
    /// Notes what the program of a machine, a reader or a desk says about links; only a change is written.
    func note(readsLinks: Bool, of call: Call) {
        let caller = call.caller
        guard caller.role.readsCodes, caller.readsLinks != readsLinks else { return }
        store.note(readsLinks: readsLinks, of: call.signature.keyID, in: caller.shop.id)
    }

    /// The link in the symbol of a code; nil if the symbol is that of the code alone: if something in the shop does not read
    /// links yet, or with pages whose address is too long for a symbol of version 3.
    func symbolLink<Subject>(of code: SymbolCode<Subject>, in shop: Shop) -> String? {
        guard let pages = options.phones, pages.hasSmallLinks, directory.readsLinks(shop.id) else {
            return nil
        }
        return code.link(at: pages.origin)
    }
}

extension KeyRole {
    /// Whether a device of this role is shown codes.
    var readsCodes: Bool {
        switch self {
        case .ticketMachine, .entrance, .checkout, .turnstile, .desk: true
        case .display, .staff, .orderSource: false
        }
    }
}
