/// Why a request is refused. All facts about a refusal are in this file: its name on the wire, its status, its
/// title, and the sentences that people read at a machine.
///
/// The sentences are the keys of the message catalogues. A case without a comment means what its title says.
public enum Refusal: String, Codable, Sendable, CaseIterable, Hashable {
    /// No ticket of today is left [UC12]: it would be called so late that the usual stay would not end before
    /// closing (rules: offered-tickets).
    case noTicketToday = "no-ticket-today"
    /// No visit is needed: a ticket of today is available [UC12].
    case ticketAvailable = "ticket-available"
    /// No visit is free until the same date of next month [UC12] (rules: slots).
    case nothingWithinAMonth = "nothing-within-a-month"
    /// The holder of a phone has a place on that day already, in this shop or another: `place` says where
    /// (rules: one-place).
    case alreadyWaiting = "already-waiting"
    /// The shop gives no places to phones (rules: phone-places).
    case noPlacesOnPhones = "no-places-on-phones"
    /// Phones have the share of the places that the shop gives them (rules: phone-places).
    case phonePlacesTaken = "phone-places-taken"
    /// The shop gives no places to customers who are elsewhere (rules: elsewhere).
    case noRemotePlaces = "no-remote-places"
    /// Customers who are elsewhere have their part of the places, which the door's invitation does not need (rules: elsewhere).
    case remotePlacesTaken = "remote-places-taken"
    /// The shop gives no visits to phones (rules: visits).
    case noVisitsOnPhones = "no-visits-on-phones"
    /// The chosen slot is not free any more, or never was one (rules: visits).
    case slotTaken = "slot-taken"
    /// The holder of a phone has as many visits as one may have (rules: visits).
    case tooManyVisits = "too-many-visits"
    /// So many ask for the shop's places that a phone must do some work first: `work` says which (rules: join-limits).
    case workNeeded = "work-needed"
    /// The text with which a phone would join is no invitation, or one of some minutes ago (rules: joining).
    case invitationOver = "invitation-over"
    /// A phone that would join sends no cookie of ours, so that nothing would show whose the place is (rules: joining).
    case deviceUnknown = "device-unknown"
    /// The holder of a phone was called three times and did not come; `until` says how long this lasts (rules: blocks).
    case blocked
    /// No customer who is blocked in this shop has this reference (rules: blocks).
    case notBlocked = "not-blocked"
    /// The shop has no PIN for the pages of its staff.
    case noStaffPIN = "no-staff-pin"
    case wrongPIN = "wrong-pin"
    /// The shop is closed; `opens` is the next opening, if it is known [R27].
    case shopClosed = "shop-closed"
    /// The held place expired before it was confirmed (rules: holds).
    case holdExpired = "hold-lapsed"
    case alreadyDeleted = "already-deleted"
    /// The reservation was used: its holder was inside and left.
    case alreadyUsed = "already-used"
    /// The reservation's holder was called and did not come in time.
    case missed
    /// The reservation's holder did not say whether they are coming; backends of schemas before 31 answer so.
    case unanswered
    /// The shop closed before the turn of the reservation's holder, so that the holder missed nothing.
    case closedBeforeTurn = "closed-before-turn"
    case inside
    /// The turn of the reservation's holder has not come; `wait` says when it should, if that is known [UC14].
    case notYetCalled = "not-yet-called"
    /// A visit of another day was shown at the entrance; `wait` says which one [UC14].
    case notToday = "not-today"
    /// The reservation's holder never came in, and so cannot go out [UC15].
    case notInside = "not-inside"
    /// The reservation was not missed, so that nothing needs to be restored.
    case stillValid = "still-valid"
    case full
    case implausible
    /// The entry code that was shown belongs to another shop (rules: codes).
    case otherShop = "other-shop"
    /// So many people cannot be let ahead of the customer, or not any more (rules: more-time).
    case noDelay = "no-delay"
    /// The text that was scanned or typed is no code of this product.
    case unreadableCode = "unreadable-code"
    /// The symbol for phones was shown to a reader: the link to the customer's own page (rules: capabilities).
    case symbolForPhones = "symbol-for-phones"
    /// The symbol for calendars was shown to a reader: the event of a visit (rules: own-calendar).
    case symbolForCalendars = "symbol-for-calendars"
    /// A shop's own system changes an order too late: its customer is here or has been, or it is over
    /// (rules: announced-orders).
    case orderUnderWay = "order-under-way"
    /// The order is not in a state for this step of an assistant: another one was faster, or it was too late
    /// (rules: order-desks).
    case orderChanged = "order-changed"
    /// The code of an order is shown at a door, and the order is not at a desk (rules: desks-inside).
    case orderNotCalled = "order-not-called"
    /// The shop has as many orders as it may have (rules: announced-orders).
    case tooManyOrders = "too-many-orders"
    /// The digits that a customer's page was given are not those of its ticket (rules: proofs).
    case wrongDigits = "wrong-digits"
    /// As many browsers as may have only the link of a place get its notices: one more shows that the place is its customer's
    /// (rules: proofs).
    case noticesTaken = "notices-taken"
    /// A browser's push service is none of those that the backend may send notices to (rules: notices).
    case pushServiceUnknown = "push-service-unknown"
    /// The shop wants a confirmed telephone number of customers who are elsewhere (rules: confirmed-numbers).
    case numberNeeded = "number-needed"
    /// The text is no telephone number, or no SMS go to numbers that begin so (rules: telephone-numbers).
    case numberNotServed = "number-not-served"
    /// A number of a country that is served, but of no mobile phone (rules: telephone-numbers).
    case numberNotMobile = "number-not-mobile"
    /// The number's owner has answered STOP (rules: sms-answers).
    case numberStopped = "number-stopped"
    /// The shop's SMS of today are used up, or the codes of this number (rules: sms, confirmed-numbers).
    case smsUsedUp = "sms-used-up"
    /// The digits are not the code that was sent to the number, or one of a while ago (rules: confirmed-numbers).
    case wrongCode = "wrong-code"
    /// There is no signature, or one of an unknown, revoked or foreign key, or one that is stale, replayed or wrong.
    case notAuthentic = "not-authentic"
    case forbidden
    /// The place, reservation, number or code does not exist, or the caller may not know of it.
    case notFound = "not-found"
    case unknownRoute = "unknown-route"
    /// The request was sent to a name that is not the backend's (RFC 9110 15.5.20).
    case misdirected
    case methodNotAllowed = "method-not-allowed"
    case malformed = "malformed"
    case keyTaken = "key-taken"
    case keyReused = "key-reused"
    case tooLarge = "too-large"
    /// The head of the request, its fields above all, is longer than any client needs.
    case headTooLarge = "head-too-large"
    case requestTimeout = "request-timeout"
    /// The body came in chunks, or without its length.
    case lengthRequired = "length-required"
    case notImplemented = "not-implemented"
    case versionNotSupported = "version-not-supported"
    case unsupportedKind = "unsupported-kind"
    case tooManyRequests = "too-many-requests"
    case upgradeRequired = "upgrade-required"
    case unavailable

    /// The sentences for customers if their code is refused for this reason.
    public struct Sentences: Hashable, Sendable {
        /// The sentence that says what happened.
        public let heading: String
        /// The sentence that says what the customer can do.
        public let advice: String
        /// The advice if the code was typed on the screen.
        public let adviceIfTyped: String
        /// A word or two about the code for the staff, while the reader is tested.
        public let short: String
        /// Whether the same customer may try again with this or another code.
        public let mayHelpToTryAgain: Bool

        init(
            _ heading: String, _ advice: String, ifTyped: String? = nil, short: String,
            tryAgain: Bool = false
        ) {
            self.heading = heading
            self.advice = advice
            adviceIfTyped = ifTyped ?? advice
            self.short = short
            mayHelpToTryAgain = tryAgain
        }
    }

    /// All facts about one refusal.
    private struct Declaration {
        let status: Int
        let title: String
        var customer: Sentences?
        /// What differs if the code is one of an order.
        var order: Sentences?
        var staff: String?

        init(
            _ status: Int, _ title: String, customer: Sentences? = nil, order: Sentences? = nil,
            staff: String? = nil
        ) {
            self.status = status
            self.title = title
            self.customer = customer
            self.order = order
            self.staff = staff
        }
    }

    private var declaration: Declaration {
        switch self {
        case .noTicketToday: Declaration(409, "No ticket is left for today")
        case .ticketAvailable: Declaration(409, "A ticket for today is available")
        case .nothingWithinAMonth: Declaration(409, "No visit is free within a month")
        case .alreadyWaiting: Declaration(409, "The holder has a place already")
        case .noPlacesOnPhones: Declaration(409, "The shop gives no places to phones")
        case .phonePlacesTaken: Declaration(409, "The places for phones are taken")
        case .noRemotePlaces:
            Declaration(409, "The shop gives no places to phones that are elsewhere")
        case .remotePlacesTaken:
            Declaration(409, "The places for phones that are elsewhere are taken")
        case .noVisitsOnPhones: Declaration(409, "The shop gives no visits to phones")
        case .slotTaken: Declaration(409, "The slot is not free any more")
        case .tooManyVisits: Declaration(409, "The holder has as many visits as one may have")
        case .workNeeded: Declaration(428, "The phone must do some work first")
        case .invitationOver: Declaration(409, "The invitation is not valid any more")
        case .deviceUnknown: Declaration(403, "The phone's browser sends no cookie")
        case .blocked: Declaration(409, "The customer missed three calls and gets no place for now")
        case .notBlocked:
            Declaration(
                409, "No blocked customer has this reference",
                staff: "no blocked phone has these digits.")
        case .noStaffPIN: Declaration(409, "The shop has no PIN for the pages of its staff")
        case .wrongPIN: Declaration(403, "The PIN is not the shop's")
        case .shopClosed: Declaration(409, "The shop is closed", staff: "the shop is closed.")
        case .holdExpired: Declaration(409, "The held place has run out")
        case .alreadyDeleted:
            Declaration(
                409, "The reservation was deleted before",
                customer: Sentences(
                    "Already cancelled",
                    "This reservation is already cancelled. There is nothing left to do.",
                    short: "already cancelled"), staff: "it is already cancelled.")
        case .alreadyUsed:
            Declaration(
                409, "The reservation was used",
                customer: Sentences(
                    "Already used", "The visit with this code is over.",
                    short: "already used"), staff: "it has already been used.")
        case .missed:
            Declaration(
                409, "The reservation was missed",
                customer: Sentences(
                    "Your turn has passed",
                    "Your number was called and the time to come in is over. "
                        + "Please get a new ticket.", short: "its time is over"),
                staff: "its time is over.")
        case .unanswered:
            Declaration(
                409, "The customer did not say they were coming",
                customer: Sentences(
                    "Your place was given to others",
                    "We asked on your phone whether you were coming, but no answer came. "
                        + "Please get a new ticket, or ask the staff.",
                    short: "did not say they were coming"),
                staff: "its customer did not say they were coming.")
        case .closedBeforeTurn:
            Declaration(
                409, "The shop closed before the reservation's turn",
                customer: Sentences(
                    "The shop closed before your turn",
                    "This number is no longer valid. Please get a new ticket.",
                    short: "the shop closed before its turn"),
                staff: "the shop closed before its turn.")
        case .inside:
            Declaration(
                409, "The reservation's holder is in the shop",
                customer: Sentences(
                    "Already in the shop",
                    "Someone has come in with this code.",
                    short: "the customer is inside"), staff: "the customer is already inside.")
        case .notYetCalled:
            Declaration(
                409, "The reservation has not been called yet", staff: "it has not been called yet."
            )
        case .notToday: Declaration(409, "The visit is on another day")
        case .notInside: Declaration(409, "The reservation's holder is not in the shop")
        case .stillValid:
            Declaration(
                409, "The reservation is still valid",
                customer: Sentences(
                    "You still have your place",
                    "Show your ticket again to see when you can come in.", short: "still valid",
                    tryAgain: true),
                staff: "it was not missed and is still valid.")
        case .full:
            Declaration(
                409, "Every place in the shop is taken", staff: "every place inside is taken.")
        case .implausible:
            Declaration(
                422, "The time or the number cannot be",
                staff: "this time or number is not possible.")
        case .otherShop:
            Declaration(
                409, "The code is one of another shop",
                customer: Sentences(
                    "Code of another shop", "It is valid at the shop whose name is on the ticket.",
                    short: "of another shop", tryAgain: true),
                order: Sentences(
                    "This order is at another shop",
                    "Please go to the shop named in your order confirmation.",
                    short: "of another shop", tryAgain: true), staff: Self.noSuchNumber)
        case .noDelay:
            Declaration(
                409, "So many people cannot be let ahead",
                customer: Sentences(
                    "Your place has not changed",
                    "That is no longer possible. "
                        + "Show your ticket again to see what you can do now.",
                    short: "cannot wait longer", tryAgain: true))
        case .unreadableCode:
            Declaration(
                422, "This is no code of a reservation",
                customer: Sentences(
                    "This code cannot be read",
                    "Hold the ticket flat and still, or type the ten digits under the code.",
                    short: "unknown in this shop", tryAgain: true),
                order: Sentences(
                    "This code cannot be read",
                    "Hold the code of your order still, or type its ten digits.",
                    short: "unknown in this shop", tryAgain: true), staff: Self.noSuchNumber)
        case .symbolForPhones:
            Declaration(
                422, "This symbol opens a page on a phone and is no code of a reservation",
                customer: Sentences(
                    "This QR code is for your phone",
                    "Please hold the other QR code on the ticket here, the large one.",
                    short: "symbol for phones", tryAgain: true), staff: Self.noSuchNumber)
        case .symbolForCalendars:
            Declaration(
                422, "This symbol is an event for a calendar and is no code of a reservation",
                customer: Sentences(
                    "This QR code is for your calendar",
                    "Please hold the large QR code on the ticket here.",
                    short: "symbol for calendars", tryAgain: true), staff: Self.noSuchNumber)
        case .orderUnderWay: Declaration(409, "The order cannot be changed any more")
        case .orderChanged: Declaration(409, "The order is not in a state for this step")
        case .orderNotCalled: Declaration(409, "The order is not called to a desk")
        case .tooManyOrders: Declaration(409, "The shop has as many orders as it may have")
        case .pushServiceUnknown:
            Declaration(422, "Notices cannot be sent to the browser's push service")
        case .numberNeeded: Declaration(403, "The shop wants a confirmed telephone number")
        case .numberNotServed: Declaration(422, "No SMS can be sent to this telephone number")
        case .numberNotMobile: Declaration(422, "The telephone number is not of a mobile phone")
        case .numberStopped: Declaration(409, "The number's owner wants no SMS")
        case .smsUsedUp: Declaration(409, "No further SMS can be sent today")
        case .wrongCode: Declaration(403, "The digits are not the code that was sent")
        case .noticesTaken:
            Declaration(409, "As many browsers as may have only the link get the notices")
        case .wrongDigits: Declaration(403, "The ten digits are not those of this place's ticket")
        case .notAuthentic:
            Declaration(
                401, "The request is not authentic",
                staff: "the backend does not accept this machine.")
        case .forbidden: Declaration(403, "The key is not for this call")
        case .notFound:
            Declaration(
                404, "There is no such thing",
                customer: Sentences(
                    "We do not know this code", "Show another ticket, or ask the staff.",
                    ifTyped: "Check the digits, or ask the staff.", short: "unknown in this shop",
                    tryAgain: true),
                order: Sentences(
                    "We do not know this order", "Show the code of your order, or ask the staff.",
                    ifTyped: "Check the digits, or ask the staff.", short: "unknown in this shop",
                    tryAgain: true), staff: Self.noSuchNumber)
        case .unknownRoute: Declaration(404, "There is no such call")
        case .misdirected: Declaration(421, "The request is for another server")
        case .methodNotAllowed: Declaration(405, "The method is not allowed here")
        case .malformed: Declaration(400, "The request is not of the contract's form")
        case .keyTaken: Declaration(409, "The public key cannot be this machine's")
        case .keyReused: Declaration(422, "The Idempotency-Key was used for another request")
        case .tooLarge: Declaration(413, "The request is too large")
        case .headTooLarge: Declaration(431, "The head of the request is too large")
        case .requestTimeout: Declaration(408, "The request took too long")
        case .lengthRequired: Declaration(411, "The length of the body is missing")
        case .notImplemented: Declaration(501, "There is no such method")
        case .versionNotSupported: Declaration(505, "This version of HTTP is not spoken")
        case .unsupportedKind:
            Declaration(
                422, "This kind of place is not offered",
                order: Sentences(
                    "No orders are handed out here",
                    "Please go to the shop named in your order confirmation.",
                    short: "no orders here"))
        case .tooManyRequests:
            Declaration(
                429, "Too many requests",
                customer: Sentences(
                    "Too many tries", "Please wait a few minutes, or ask the staff.",
                    short: "too many tries: wait"), staff: "too many tries: wait a few minutes.")
        case .upgradeRequired: Declaration(426, "This is for a WebSocket")
        case .unavailable:
            Declaration(503, "The service cannot store anything just now", staff: Self.noAnswer)
        }
    }

    private static let noSuchNumber = "there is no such number today."
    private static let noAnswer = "the backend does not answer."

    /// The status of HTTP (RFC 9110 15); part of the contract.
    public var status: Int { declaration.status }

    /// The title for developers, in English (RFC 9457 3.1.3).
    public var title: String { declaration.title }

    /// The sentences for customers if their code is refused so; nil if the refusal is not about a code.
    public var customerSentences: Sentences? { declaration.customer }

    /// The sentences for customers if the code of their order is refused so; nil if the refusal is not about a code
    /// (rules: order-codes).
    public var orderSentences: Sentences? { declaration.order ?? declaration.customer }

    /// The sentence for the staff after a refused command; nil if the staff's commands do not get this refusal.
    public var staffReason: String? { declaration.staff }
}
