public import Reservations
internal import TextForms

/// One call of the wire contract, `/v1` (Assets/Api/openapi.yaml), with all facts that both sides need.
public protocol AnyEndpoint: Sendable {
    var name: EndpointName { get }
    var method: HTTPMethod { get }
    /// The path, in which the mark of a `PathParameter` stands for what the call is about.
    var path: String { get }
    /// What the path names; nil if it names nothing.
    var parameter: PathParameter? { get }
    /// The roles that may make the call; the holder of any other key gets `forbidden`.
    var roles: Set<KeyRole> { get }
    var repetition: Repetition { get }
    var maxBodyBytes: Int { get }
}

extension AnyEndpoint {
    /// Whether the call carries an Idempotency-Key.
    public var carriesKey: Bool { repetition != .reading }
}

/// What the path of a call names.
public enum PathParameter: String, Hashable, Sendable, CaseIterable {
    /// The identifier of a place, a reservation, an order or a call for help.
    case id
    /// The name that a shop's own system gave an order (rules: announced-orders).
    case reference

    /// Its place in the path of an endpoint.
    public var mark: String { "{\(rawValue)}" }

    /// What a text in the path names; nil if it cannot name anything. References may be percent-encoded.
    func value(_ text: String) -> String? {
        switch self {
        case .id: return PathIdentifier.isValid(text) ? text : nil
        case .reference:
            guard let bytes = PercentEncoding.bytes(text.utf8) else { return nil }
            let written = String(decoding: bytes, as: UTF8.self)
            let reference = OrderReference.withoutNumberSign(written)
            return OrderReference.isValid(reference) ? reference : nil
        }
    }
}

/// The effect of a call that is sent again.
public enum Repetition: Hashable, Sendable {
    /// It changes nothing and carries no Idempotency-Key.
    case reading
    /// The call carries an Idempotency-Key, as the signature covers one of every POST, and is carried out again.
    case again
    /// Its answer is stored with its Idempotency-Key, and given again (rules: idempotency-keys).
    case stored
}

/// The names of the calls; those of a reservation, an order or a call for help concern the one that the path names.
public enum EndpointName: String, Hashable, Sendable, CaseIterable {
    case machine, machineKey, machineStatus, queue, holds, holdExtension, hold, holdConfirmation
    case lookup, reservation, delay, reclaim, entries, exits, staffActions, staffQueue
    case help, helpCalls, helpAcknowledgement, helpMute, helpCall, sessions, turns, pairings
    case orderLookup, orderArrival, deskOrders, deskStep, handovers
    case orderAnnouncement, orderCancellation
}

/// A call with the types of its bodies.
public struct Endpoint<Request: Codable & Sendable, Reply: Codable & Sendable>: AnyEndpoint {
    public let name: EndpointName
    public let method: HTTPMethod
    public let path: String
    public let parameter: PathParameter?
    public let roles: Set<KeyRole>
    public let repetition: Repetition
    public let maxBodyBytes: Int

    /// - Parameter maxBodyBytes: most bodies have about a hundred.
    init(
        _ name: EndpointName, _ method: HTTPMethod, _ path: String, roles: Set<KeyRole>,
        _ repetition: Repetition, maxBodyBytes: Int = 4_096
    ) {
        self.name = name
        self.method = method
        self.path = path
        parameter = PathParameter.allCases.first { path.contains($0.mark) }
        self.roles = roles
        self.repetition = repetition
        self.maxBodyBytes = maxBodyBytes
    }

    /// The call with its path.
    public func route() -> Route { Route(self, nil) }

    /// The call of the place, reservation, order or call for help that its path names.
    public func route<Subject>(_ id: Identifier<Subject>) -> Route { Route(self, id.rawValue) }

    /// The call of the order to which the shop's own system gave this name.
    public func route(reference: String) -> Route { Route(self, reference) }
}

/// A call without a body, or without one in its answer.
public struct NoBody: Codable, Hashable, Sendable { public init() {} }

/// The calls of the wire contract; server, client, role tests and the contract's list of paths come from here.
public enum API {
    private static let machines: Set<KeyRole> = [.ticketMachine]
    private static let desks: Set<KeyRole> = [.desk]
    private static let devices = Set(KeyRole.devices)
    /// The roles of pages that staff members see, and of machines, whose maintenance mode they see.
    private static let helpers = KeyRole.helpers.union(machines)

    public static let machine = Endpoint<NoBody, MachineProfile>(
        .machine, .get, "/v1/machine", roles: Set(KeyRole.allCases), .reading)
    public static let machineKey = Endpoint<KeyRequest, NoBody>(
        .machineKey, .post, "/v1/machine/key", roles: machines, .stored)
    /// A fact that is reported twice is stored once. The body contains the machine's events.
    public static let machineStatus = Endpoint<MachineStatusReport, MachineStatusReply>(
        .machineStatus, .post, "/v1/machine/status", roles: machines, .again, maxBodyBytes: 65_536)
    public static let queue = Endpoint<NoBody, QueueStatus>(
        .queue, .get, "/v1/queue", roles: [.ticketMachine, .display], .reading)
    public static let holds = Endpoint<HoldRequest, HeldPlace>(
        .holds, .post, "/v1/holds", roles: machines, .stored)
    public static let holdExtension = Endpoint<NoBody, HeldPlace>(
        .holdExtension, .post, "/v1/holds/{id}/extension", roles: machines, .stored)
    public static let hold = Endpoint<NoBody, NoBody>(
        .hold, .delete, "/v1/holds/{id}", roles: machines, .stored)
    public static let holdConfirmation = Endpoint<NoBody, Reservation>(
        .holdConfirmation, .post, "/v1/holds/{id}/confirmation", roles: machines, .stored)
    public static let lookup = Endpoint<CodeRequest, FoundReservation>(
        .lookup, .post, "/v1/reservations/lookup", roles: machines, .again)
    public static let reservation = Endpoint<CodeRequest, NoBody>(
        .reservation, .delete, "/v1/reservations/{id}", roles: machines, .stored)
    /// Lets people go ahead of a waiting ticket; answered by the reservation as it is then (rules: more-time).
    public static let delay = Endpoint<DelayRequest, FoundReservation>(
        .delay, .post, "/v1/reservations/{id}/delay", roles: machines, .stored)
    /// Takes the place of a missed call back; answered by the reservation as it is then (rules: more-time).
    public static let reclaim = Endpoint<CodeRequest, FoundReservation>(
        .reclaim, .post, "/v1/reservations/{id}/reclaim", roles: machines, .stored)
    public static let entries = Endpoint<CodeRequest, Passage>(
        .entries, .post, "/v1/entries", roles: [.entrance], .stored)
    public static let exits = Endpoint<CodeRequest, Passage>(
        .exits, .post, "/v1/exits", roles: [.checkout, .turnstile], .stored)
    /// Answered by a `Passage` if the action is on a reservation. A page of the staff may lift blocks only, with a PIN.
    public static let staffActions = Endpoint<StaffActionRequest, StaffActionResult>(
        .staffActions, .post, "/v1/staff/actions", roles: machines.union([.staff]), .stored)
    public static let staffQueue = Endpoint<NoBody, StaffQueue>(
        .staffQueue, .get, "/v1/staff/queue", roles: machines, .reading)
    /// A customer at the machine calls for help; a machine has one open call, which is answered again.
    public static let help = Endpoint<NoBody, HelpCall>(
        .help, .post, "/v1/help", roles: machines, .stored)
    /// The shop's open calls for help, and those that ended within two minutes.
    public static let helpCalls = Endpoint<NoBody, HelpCalls>(
        .helpCalls, .get, "/v1/help/calls", roles: helpers, .reading)
    /// A staff member says that they are going.
    public static let helpAcknowledgement = Endpoint<HelpAction, HelpCall>(
        .helpAcknowledgement, .post, "/v1/help/{id}/acknowledgement", roles: helpers, .stored)
    /// A staff member silences the calls of the call's machine for ten minutes.
    public static let helpMute = Endpoint<HelpAction, HelpCall>(
        .helpMute, .post, "/v1/help/{id}/mute", roles: helpers, .stored)
    /// Ends the call: the customer within a minute, as a mistake, or a staff member.
    public static let helpCall = Endpoint<HelpEnding, HelpCall>(
        .helpCall, .delete, "/v1/help/{id}", roles: helpers, .stored)
    /// The body may be missing, as of a program that reads no links.
    public static let sessions = Endpoint<SessionRequest, SessionReply>(
        .sessions, .post, "/v1/sessions", roles: devices, .again)
    /// The WebSocket of displays and readers.
    public static let turns = Endpoint<NoBody, TurnsMessage>(
        .turns, .get, "/v1/turns", roles: devices, .reading)
    /// Only machines that are not on the allow list yet make the call, so that it has no role.
    public static let pairings = Endpoint<KeyRequest, PairingReply>(
        .pairings, .post, "/v1/pairings", roles: [], .stored)

    /// The order of a code, in whatever state it is (rules: order-codes).
    public static let orderLookup = Endpoint<CodeRequest, PickupOrder>(
        .orderLookup, .post, "/v1/orders/lookup", roles: machines, .again)
    /// The customer of an order is here, at a machine or at a desk; answered by the order as it is then, with its ticket if
    /// this drew its number.
    public static let orderArrival = Endpoint<CodeRequest, PickupOrder>(
        .orderArrival, .post, "/v1/orders/{id}/arrival", roles: machines.union(desks), .stored)

    /// The orders whose customers are here (rules: order-desks).
    public static let deskOrders = Endpoint<NoBody, DeskOrders>(
        .deskOrders, .get, "/v1/desk/orders", roles: desks, .reading)
    /// An assistant takes a step with an order.
    public static let deskStep = Endpoint<DeskStepRequest, DeskOrder>(
        .deskStep, .post, "/v1/desk/orders/{id}/state", roles: desks, .stored)
    /// A customer shows the code at a desk: the order is handed over if it was called there. Answered by the order as it
    /// is then.
    public static let handovers = Endpoint<HandoverRequest, DeskOrder>(
        .handovers, .post, "/v1/desk/handovers", roles: desks, .stored)

    /// A shop's own system announces an order, or changes it until its customer is here.
    public static let orderAnnouncement = Endpoint<OrderAnnouncement, OrderReceipt>(
        .orderAnnouncement, .put, "/v1/orders/{reference}", roles: [.orderSource], .stored)
    /// A shop's own system calls an order off.
    public static let orderCancellation = Endpoint<NoBody, OrderReceipt>(
        .orderCancellation, .delete, "/v1/orders/{reference}", roles: [.orderSource], .stored)

    public static let all: [any AnyEndpoint] = [
        machine, machineKey, machineStatus, queue, holds, holdExtension, hold, holdConfirmation,
        lookup, reservation, delay, reclaim, entries, exits, staffActions, staffQueue, help,
        helpCalls,
        helpAcknowledgement, helpMute, helpCall, sessions, turns, pairings, orderLookup,
        orderArrival, deskOrders, deskStep, handovers, orderAnnouncement, orderCancellation,
    ]
}

/// A call with its path: the endpoint, and the identifier that the path names.
public struct Route: Hashable, Sendable {
    public let endpoint: any AnyEndpoint
    /// The text of what the path names, as the endpoint says; nil if it names nothing.
    public let id: String?

    public var name: EndpointName { endpoint.name }

    init(_ endpoint: some AnyEndpoint, _ id: String?) {
        precondition((id != nil) == (endpoint.parameter != nil), "\(endpoint.path) and its name")
        self.endpoint = endpoint
        self.id = id
    }

    public static func == (left: Route, right: Route) -> Bool {
        left.name == right.name && left.id == right.id
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(id)
    }

    /// The methods that the path answers to, as in `Allow` (RFC 9110 10.2.1).
    public var methods: [HTTPMethod] { API.all.filter { $0.path == endpoint.path }.map(\.method) }

    /// Identifiers and references need no percent-encoding.
    public var path: String {
        guard let id, let mark = endpoint.parameter?.mark else { return endpoint.path }
        return endpoint.path.replacing(mark, with: id)
    }

    private static let fixed = Dictionary(
        uniqueKeysWithValues: API.all.filter { $0.parameter == nil }.map { ($0.path, $0) })

    /// The calls whose path names something, with the text before it and the text after it.
    private static let named = API.all.compactMap { endpoint in
        endpoint.parameter.map { parameter in
            let parts = endpoint.path.split(
                separator: parameter.mark, omittingEmptySubsequences: false)
            return (endpoint, parameter, before: Array(parts[0].utf8), after: Array(parts[1].utf8))
        }
    }

    /// The route of a request's path; nil if there is none. If a path has several methods, it is the one of this method or,
    /// for another method, any of them.
    public init?(path: String, method: String) {
        // A path without an identifier comes before one with an identifier: `lookup` is no identifier.
        var found = Self.fixed[path].map { Route($0, nil) }
        if found?.endpoint.method.rawValue != method {
            let text = Array(path.utf8)
            for (endpoint, parameter, before, after) in Self.named
            where (found == nil || endpoint.method.rawValue == method)
                && text.count > before.count + after.count && text.starts(with: before)
                && text.suffix(after.count).elementsEqual(after)
            {
                let id = String(
                    decoding: text[before.count..<(text.count - after.count)], as: UTF8.self)
                guard let value = parameter.value(id) else { continue }
                found = Route(endpoint, value)
                if endpoint.method.rawValue == method { break }
            }
        }
        guard let found else { return nil }
        self = found
    }

    /// What is wrong with a path that would be one of a call but for the reference in it; nil for every other path.
    public static func wrongReference(path: String, method: String) -> String? {
        for (endpoint, parameter, before, after) in named
        where parameter == .reference && after.isEmpty && endpoint.method.rawValue == method {
            let text = Array(path.utf8)
            guard text.starts(with: before) else { continue }
            let reference = String(decoding: text.dropFirst(before.count), as: UTF8.self)
            return "\"\(WrongForm.excerpt(of: reference))\" is no reference: \(OrderReference.rule)"
        }
        return nil
    }
}

public enum HTTPMethod: String, Sendable, Hashable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
}

/// Header fields of the contract, in lower case as HTTP/2 and signatures write them.
public enum HeaderField {
    public static let contentType = "content-type"
    public static let contentDigest = "content-digest"
    public static let idempotencyKey = "idempotency-key"
    public static let acceptSignature = "accept-signature"
    public static let signature = "signature"
    public static let signatureInput = "signature-input"
    public static let retryAfter = "retry-after"
    public static let date = "date"
    public static let host = "host"
    public static let cookie = "cookie"
    public static let setCookie = "set-cookie"
}
