internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import VisitCalendar

/// The events of visits for customers' own calendars (rules: own-calendar).
extension BackendService {
    /// Answers with the event of a visit as it is stored now.
    func sendCalendar(
        _ request: WireRequest, _ respond: @escaping @Sendable (WireResponse) -> Void
    ) throws(RefusedCall) {
        let body = try request.decoded(
            CalendarRequest.self,
            "{\"capability\": the text after # of the link, "
                + "\"language\": it, for example}"
        ) { body in
            Self.isLanguage(body.language)
        }
        follow(body.capability, request) { [self] result in
            do throws(RefusedCall) {
                let place = try result.get()
                guard place.record.hold.kind == .visit else {
                    throw RefusedCall(
                        .unsupportedKind, "a ticket has no time that a calendar can keep")
                }
                places.renew(place.record, of: place.shop) { [self] result in
                    do throws(RefusedCall) {
                        guard let (record, shown) = try present(result),
                            let renewed = OpenedPlace(record, of: place.shop),
                            // A visit that was moved to another day has another capability.
                            renewed.capability == place.capability,
                            let event = event(
                                of: renewed, shown.reservation, in: body.language)
                        else { throw RefusedCall(.notFound) }
                        respond(Answers.response(event))
                    } catch { respond(error.response) }
                }
            } catch { respond(error.response) }
        }
    }

    /// The event of a visit; nil for a ticket.
    private func event(
        of place: OpenedPlace, _ found: FoundReservation, in language: String
    ) -> CalendarEvent? {
        guard let pages = options.phones, let visit = found.visit else { return nil }
        let words = VisitEventWords(language)
        let page = place.capability.link(to: pages.page)
        let (shop, moves) = (place.shop, place.record.turn.moveCount)
        let isCancelled = found.status.isLost
        return CalendarEvent(
            // The reservation keeps its name when it is moved; the host makes it one of all calendars.
            id: EventSymbol.uid(of: place.id, at: pages.host),
            sequence: isCancelled ? moves + 1 : moves,
            written: found.now.moment, start: visit.start.moment, end: visit.end.moment,
            summary: words.summary(of: shop.name, isCancelled: isCancelled),
            details: isCancelled
                ? words.cancelledDetails
                : words.details(
                    found.number, page: page, onPhone: place.record.hold.channel.isPhone),
            location: [shop.name, shop.address.street, shop.address.town].compactMap { $0 }
                .joined(separator: ", "),
            page: page, isCancelled: isCancelled)
    }
}

extension ReservationStatus {
    /// Whether the holder will not come in any more, and has not come in.
    fileprivate var isLost: Bool {
        switch self {
        case .planned, .called, .inside, .used: false
        case .missed, .unanswered, .closed, .deleted: true
        }
    }
}
