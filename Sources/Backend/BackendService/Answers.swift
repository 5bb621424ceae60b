internal import BackendAPI
internal import QueueEngine
internal import ReservationStore
internal import Reservations

/// What is answered to whom: outcomes, refusals and problems as replies of the contract.
enum Answers {
    static let json = "application/json"

    /// The reply to a decided command, as it is stored with its key; `now` is the queue's clock.
    static func stored(
        _ result: Result<QueueOutcome, QueueRefusal>, at now: Moment
    ) -> StoredAnswer {
        switch result {
        case .success(.held(let hold)): value(201, reply(hold, at: now))
        case .success(.extended(let hold)): value(200, reply(hold, at: now))
        case .success(.confirmed(let reservation)): value(201, ReservationReply(reservation))
        case .success(.entered(let passage)), .success(.left(let passage)),
            .success(.called(let passage)), .success(.restored(let passage)):
            value(200, reply(passage))
        case .success(.occupancy(let people)): value(200, StaffActionReply(people: people))
        case .success(.closing(let moment)): value(200, StaffActionReply(closes: moment))
        case .success(.ticketsEnded): value(200, StaffActionReply())
        case .success(.sentHome(let people)): value(200, StaffActionReply(sentHome: people))
        case .success(.openedAgain(let people)): value(200, StaffActionReply(restored: people))
        case .success(.released), .success(.deleted), .success(.ticked):
            StoredAnswer(status: 204, contentType: "", body: [])
        case .failure(let refusal): stored(problem(refusal))
        }
    }

    /// The reply to a change of a machine's keys.
    static func keyChanged(_ result: Result<QueueOutcome, QueueRefusal>) -> StoredAnswer {
        guard case .success = result else { return stored(Problem(.keyTaken)) }
        return StoredAnswer(status: 204, contentType: "", body: [])
    }

    static func stored(_ problem: Problem) -> StoredAnswer {
        StoredAnswer(
            status: problem.status, contentType: Problem.contentType, body: JSONText.bytes(problem))
    }

    static func problem(_ refusal: QueueRefusal) -> Problem {
        switch refusal {
        case .noTicketToday: Problem(.noTicketToday)
        case .shopClosed(let opens): Problem(.shopClosed, opens: opens)
        case .holdLapsed: Problem(.holdLapsed)
        case .notFound: Problem(.notFound)
        case .ticketAvailable: Problem(.ticketAvailable)
        case .nothingWithinAMonth: Problem(.nothingWithinAMonth)
        case .alreadyDeleted: Problem(.alreadyDeleted)
        case .alreadyUsed: Problem(.alreadyUsed)
        case .missed: Problem(.missed)
        case .closedBeforeTurn: Problem(.closedBeforeTurn)
        case .inside: Problem(.inside)
        case .notYetCalled(let expected): Problem(.notYetCalled, wait: expected)
        case .notInside: Problem(.notInside)
        case .stillValid: Problem(.stillValid)
        case .full: Problem(.full)
        case .implausible: Problem(.implausible)
        }
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

    static func created(_ value: some Encodable) -> WireResponse {
        response(Self.value(201, value))
    }

    /// One for every way in which a request is not authentic, so that it tells nothing (rules 22).
    static let notAuthentic = response(
        Problem(.notAuthentic), fields: ["www-authenticate": "Signature"])
    /// For what passes by itself: ask again in a second.
    static let unavailable = response(Problem(.unavailable), fields: [HeaderField.retryAfter: "1"])

    private static func value(_ status: Int, _ value: some Encodable) -> StoredAnswer {
        StoredAnswer(status: status, contentType: json, body: JSONText.bytes(value))
    }

    private static func reply(_ passage: Passage) -> PassageReply {
        PassageReply(
            id: passage.id, kind: passage.kind, number: passage.number, enterBy: passage.enterBy,
            staySeconds: passage.stay.map { Int($0.wholeMilliseconds / 1_000) })
    }

    private static func reply(_ hold: Hold, at now: Moment) -> HoldReply {
        HoldReply(
            id: hold.id, kind: hold.kind, now: hold.taken.at(now), expires: hold.expires,
            wait: hold.wait, visit: hold.visit)
    }
}
