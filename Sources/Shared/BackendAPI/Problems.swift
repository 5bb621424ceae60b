public import Reservations

/// What can be wrong with a call, by name; the status of each is part of the contract.
public enum ProblemType: String, Codable, Sendable, CaseIterable, Hashable {
    /// No ticket of today is left [UC12]; a visit may be booked.
    case noTicketToday = "no-ticket-today"
    /// No visit is needed: a ticket of today is to be had [UC12].
    case ticketAvailable = "ticket-available"
    /// No visit is free until the same date of next month [UC12].
    case nothingWithinAMonth = "nothing-within-a-month"
    /// The shop is closed; `opens` says until when [R27].
    case shopClosed = "shop-closed"
    /// The held place ran out before it was confirmed (rules 2).
    case holdLapsed = "hold-lapsed"
    /// The reservation was deleted before.
    case alreadyDeleted = "already-deleted"
    /// The reservation was used: its holder was inside and left.
    case alreadyUsed = "already-used"
    /// The reservation's holder was called and did not come in time.
    case missed
    /// The shop closed before the turn of the reservation's holder came; he missed nothing.
    case closedBeforeTurn = "closed-before-turn"
    /// The reservation's holder is in the shop.
    case inside
    /// His turn has not come; `wait` says when it should, where that is known [UC14].
    case notYetCalled = "not-yet-called"
    /// Nobody came in with it, so nobody can go out [UC15].
    case notInside = "not-inside"
    /// It was not missed, so that nothing needs to be restored.
    case stillValid = "still-valid"
    /// Every place inside is taken.
    case full
    /// A time or a number that cannot be.
    case implausible
    /// The code is one of another shop, where it is to be shown (rules 11).
    case otherShop = "other-shop"
    /// What was read or typed is no code of ours.
    case unreadableCode = "unreadable-code"
    /// No signature, or one of an unknown, revoked or foreign key, stale, replayed or wrong.
    case notAuthentic = "not-authentic"
    /// The key is good, but not for this call.
    case forbidden
    /// No place, reservation, number or code is what was named, or none that the caller may know of.
    case notFound = "not-found"
    /// The contract has no such call.
    case unknownRoute = "unknown-route"
    /// The request was sent to a name that is not the backend's (RFC 9110 15.5.20).
    case misdirected
    case methodNotAllowed = "method-not-allowed"
    /// The body or a header is not of the contract's form.
    case malformed = "malformed"
    /// The public key is another machine's, or was revoked.
    case keyTaken = "key-taken"
    /// The Idempotency-Key was used before for another request.
    case keyReused = "key-reused"
    case tooLarge = "too-large"
    /// The head of the request, its fields above all, is longer than anybody needs.
    case headTooLarge = "head-too-large"
    /// The request did not come to its end in time.
    case requestTimeout = "request-timeout"
    /// The body came in chunks, or without its length.
    case lengthRequired = "length-required"
    /// The method is none of HTTP's.
    case notImplemented = "not-implemented"
    case versionNotSupported = "version-not-supported"
    case unsupportedKind = "unsupported-kind"
    case tooManyRequests = "too-many-requests"
    /// The call is for a WebSocket only (RFC 6455).
    case upgradeRequired = "upgrade-required"
    /// The store cannot commit just now.
    case unavailable

    public var status: Int {
        switch self {
        case .noTicketToday, .ticketAvailable, .nothingWithinAMonth, .shopClosed, .holdLapsed,
            .alreadyDeleted, .alreadyUsed, .missed, .closedBeforeTurn, .inside, .otherShop,
            .notYetCalled, .notInside, .stillValid, .full, .keyTaken:
            409
        case .notAuthentic: 401
        case .forbidden: 403
        case .notFound, .unknownRoute: 404
        case .misdirected: 421
        case .methodNotAllowed: 405
        case .malformed: 400
        case .keyReused, .unsupportedKind, .unreadableCode, .implausible: 422
        case .tooLarge: 413
        case .headTooLarge: 431
        case .requestTimeout: 408
        case .lengthRequired: 411
        case .notImplemented: 501
        case .versionNotSupported: 505
        case .tooManyRequests: 429
        case .upgradeRequired: 426
        case .unavailable: 503
        }
    }

    public var title: String {
        switch self {
        case .noTicketToday: "No ticket is left for today"
        case .ticketAvailable: "A ticket for today is available"
        case .nothingWithinAMonth: "No visit is free within a month"
        case .shopClosed: "The shop is closed"
        case .holdLapsed: "The held place has run out"
        case .alreadyDeleted: "The reservation was deleted before"
        case .alreadyUsed: "The reservation was used"
        case .missed: "The reservation was missed"
        case .closedBeforeTurn: "The shop closed before the reservation's turn"
        case .inside: "The reservation's holder is in the shop"
        case .notYetCalled: "The reservation has not been called yet"
        case .notInside: "The reservation's holder is not in the shop"
        case .stillValid: "The reservation is still valid"
        case .full: "Every place in the shop is taken"
        case .implausible: "The time or the number cannot be"
        case .otherShop: "The code is one of another shop"
        case .unreadableCode: "This is no code of a reservation"
        case .notAuthentic: "The request is not authentic"
        case .forbidden: "The key is not for this call"
        case .notFound: "There is no such thing"
        case .unknownRoute: "There is no such call"
        case .misdirected: "The request is for another server"
        case .methodNotAllowed: "The method is not allowed here"
        case .malformed: "The request is not of the contract's form"
        case .keyTaken: "The public key cannot be this machine's"
        case .keyReused: "The Idempotency-Key was used for another request"
        case .tooLarge: "The request is too large"
        case .headTooLarge: "The head of the request is too large"
        case .requestTimeout: "The request took too long"
        case .lengthRequired: "The length of the body is missing"
        case .notImplemented: "There is no such method"
        case .versionNotSupported: "This version of HTTP is not spoken"
        case .unsupportedKind: "This kind of place is not offered"
        case .tooManyRequests: "Too many requests"
        case .upgradeRequired: "This is for a WebSocket"
        case .unavailable: "The service cannot store anything just now"
        }
    }
}

/// A problem document (RFC 9457); `type` is `urn:clup:problem:` and the problem's name.
public struct Problem: Codable, Hashable, Sendable, Error {
    public static let contentType = "application/problem+json"
    private static let typePrefix = "urn:clup:problem:"

    public var type: String
    public var title: String
    public var status: Int
    public var detail: String?
    /// With `shop-closed`: the next opening, where one is known.
    public var opens: LocalMoment?
    /// With `not-yet-called`: when the turn should come, where that is known.
    public var wait: WaitEstimate?

    public init(
        _ problem: ProblemType, detail: String? = nil, opens: LocalMoment? = nil,
        wait: WaitEstimate? = nil
    ) {
        type = Self.typePrefix + problem.rawValue
        title = problem.title
        status = problem.status
        self.detail = detail
        self.opens = opens
        self.wait = wait
    }

    /// The problem by name; nil where this version of the contract does not know it.
    public var problemType: ProblemType? {
        guard type.hasPrefix(Self.typePrefix) else { return nil }
        return ProblemType(rawValue: String(type.dropFirst(Self.typePrefix.count)))
    }
}
