internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations
internal import VisitCalendar

/// The replies of the contract to outcomes, refusals and problems.
enum Answers {
    static let json = "application/json"
    /// The reply without a body.
    private static let empty = StoredAnswer(status: 204, contentType: "", body: [])

    /// The reply to a decided command, as it is stored with its key; `now` is the queue's clock.
    static func stored(_ result: Result<QueueOutcome, Refused>, at now: Moment) -> StoredAnswer {
        switch result {
        case .success(.held(let hold)): value(201, hold.place(at: now))
        case .success(.extended(let hold)): value(200, hold.place(at: now))
        case .success(.confirmed(let reservation, _)): value(201, reservation)
        case .success(.entered(let passage)), .success(.left(let passage)),
            .success(.called(let passage)), .success(.restored(let passage)):
            value(200, passage)
        case .success(.changed(let found)): value(200, found)
        case .success(.occupancy(let people)): value(200, StaffActionResult(people: people))
        case .success(.closing(let moment)): value(200, StaffActionResult(closes: moment))
        case .success(.ticketsEnded), .success(.unblocked): value(200, StaffActionResult())
        case .success(.sentHome(let people)): value(200, StaffActionResult(sentHome: people))
        case .success(.openedAgain(let people)): value(200, StaffActionResult(restored: people))
        case .success(.help(let call, let isNew)): value(isNew ? 201 : 200, call)
        case .success(.order(let order, let isNew)): value(isNew ? 201 : 200, order)
        case .success(.deskOrder(let order, let isNew)): value(isNew ? 201 : 200, order)
        case .success(.orderPassage(let passage)): value(200, passage)
        case .success(.announced(let receipt, let isNew)): value(isNew ? 201 : 200, receipt)
        case .success(.released), .success(.deleted), .success(.ticked):
            empty
        case .failure(let refused): stored(Problem(refused))
        }
    }

    /// The reply to a command of a phone, which asks for its place again.
    static func storedWithoutBody(
        _ result: Result<QueueOutcome, Refused>, at now: Moment
    ) -> StoredAnswer {
        guard case .success = result else { return stored(result, at: now) }
        return empty
    }

    /// The reply to a phone if there is nothing to be changed.
    static let done = response(empty)

    static func stored(_ problem: Problem) -> StoredAnswer {
        StoredAnswer(
            status: problem.status, contentType: Problem.contentType, body: JSONText.bytes(problem))
    }

    static func response(_ answer: StoredAnswer) -> WireResponse {
        var fields = ["cache-control": "no-store"]
        if !answer.contentType.isEmpty { fields[HeaderField.contentType] = answer.contentType }
        return WireResponse(status: answer.status, fields: fields, body: answer.body)
    }

    static func response(_ problem: Problem, fields: [String: String] = [:]) -> WireResponse {
        var response = response(stored(problem))
        response.fields.merge(fields) { $1 }
        return response
    }

    static func response(_ value: some Encodable) -> WireResponse {
        response(Self.value(200, value))
    }

    /// The reply with the file of an event.
    static func response(_ event: CalendarEvent) -> WireResponse {
        response(
            StoredAnswer(
                status: 200, contentType: CalendarEvent.mediaType, body: Array(event.file.utf8)))
    }

    static func response(ifKnown value: (some Encodable)?) -> WireResponse {
        value.map { response($0) } ?? unavailable
    }

    static func created(_ value: some Encodable) -> WireResponse {
        response(Self.value(201, value))
    }

    /// One answer for every way in which a request is not authentic, so that it gives nothing away (rules: signed-answers).
    static let notAuthentic = response(
        Problem(.notAuthentic), fields: ["www-authenticate": "Signature"])
    /// The answer to a failure that passes by itself: the client may ask again in a second.
    static let unavailable = response(Problem(.unavailable), fields: [HeaderField.retryAfter: "1"])

    private static func value(_ status: Int, _ value: some Encodable) -> StoredAnswer {
        StoredAnswer(status: status, contentType: json, body: JSONText.bytes(value))
    }
}
