internal import BackendAPI
internal import QRCode
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// A place whose page is opened with the code of its paper (rules: paper-symbol). The code shows the place and its
/// symbol, as the paper does; whatever changes the place asks for the ten digits all the same, which are in no answer
/// to a code.
extension BackendService {
    /// Answers with the capability of the place that a code opens, and with its symbol. Every other code gets the same answer,
    /// and counts for the address that tries it.
    func openByCode(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let body = try request.decoded(
            OpeningRequest.self,
            "{\"code\": the text after # of the symbol's link}")
        guard let code = EntryCode(bare: body.code), let shop = shop(code.tag) else {
            throw missed(request)
        }
        store.record(of: .code(code), in: shop.id) { [self] result in
            do throws(RefusedCall) {
                guard let place = try present(result).flatMap({ OpenedPlace($0, of: shop) }) else {
                    throw missed(request)
                }
                places.remember(place.record, of: shop.id, as: place.capability)
                let opened = try counted(place, request, hasCode: true).get()
                places.show(opened.record, of: shop) { [self] shown in
                    do throws(RefusedCall) {
                        guard let shown = try present(shown) else {
                            throw RefusedCall(.notFound)
                        }
                        let symbol =
                            shown.reservation.status.isOpen ? symbol(of: place) : nil
                        respond(
                            Answers.response(PlaceOpening(place.capability, symbol: symbol)))
                    } catch { respond(error.response) }
                }
            } catch { respond(error.response) }
        }
    }

    /// The symbol with which the customer of a place comes in.
    func symbol(of place: OpenedPlace) -> QRMatrix? {
        symbol(of: place.confirmation.code, in: place.shop)
    }

    /// The one symbol of a code, as papers and pages show it.
    func symbol<Subject>(of code: SymbolCode<Subject>, in shop: Shop) -> QRMatrix? {
        try? QRCode.matrix(ofCode: symbolLink(of: code, in: shop) ?? code.rawValue)
    }
}

extension ReservationStatus {
    /// Whether a symbol still opens a door: before its customer enters, and until they leave.
    var isOpen: Bool {
        switch self {
        case .planned, .called, .inside: true
        case .used, .missed, .unanswered, .closed, .deleted: false
        }
    }
}
