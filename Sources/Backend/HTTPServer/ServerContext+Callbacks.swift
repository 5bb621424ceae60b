internal import BackendAPI
internal import CMicroHTTPD
private import FoundationEssentials
internal import Reservations

// The callbacks of MHD, all on its one thread. C functions cannot capture: the context comes as a pointer.

/// A connection was opened or closed; its socket is remembered in it, as the socket may already be closed at the
/// end.
func notifyConnection(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    code: MHD_ConnectionNotificationCode
) {
    guard let context = ServerContext.from(context), let connection, let socketContext else {
        return
    }
    switch code {
    case .CONNECTION_NOTIFY_STARTED:
        let socket = clup_mhd_socket(connection)
        socketContext.pointee = UnsafeMutableRawPointer(bitPattern: Int(socket) + 1)
        context.connections.enter(.reading, socket)
    default: context.connections.closed(Int32(Int(bitPattern: socketContext.pointee) - 1))
    }
    context.quiescence.perform(connection)
}

/// Only the request line is there; makes the exchange that MHD hands to the other callbacks.
func beginRequest(
    context: UnsafeMutableRawPointer?, uri: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context = ServerContext.from(context), let uri, let connection else { return nil }
    let exchange = HTTPExchange(uri: uri)
    context.connections.began(exchange, socket(of: connection))
    return Unmanaged.passRetained(exchange).toOpaque()
}

func completeRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
    guard let context = ServerContext.from(context), let connection, let pointer = request?.pointee
    else { return }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue()
    context.connections.ended(exchange, socket(of: connection))
    request?.pointee = nil
}

/// Called when the head is there, for each piece of the body, at its end, and after each resume.
func handleRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, data: UnsafePointer<CChar>?,
    size: UnsafeMutablePointer<Int>?, request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = ServerContext.from(context), let connection, let method, let version,
        let size, let pointer = request?.pointee
    else { return .NO }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()

    guard let head = exchange.head else {
        return context.readHead(exchange, connection, method: method, version: version)
    }
    if size.pointee > 0 {
        defer { size.pointee = 0 }
        return context.readBody(exchange, data, size.pointee) ? .YES : .NO
    }
    guard exchange.received <= context.limits.body else {
        return send(.refusal(.tooLarge, "the body is too large"), connection, closes: true)
    }
    return context.hand(exchange, head, connection)
}

extension ServerContext {
    fileprivate static func from(_ pointer: UnsafeMutableRawPointer?) -> ServerContext? {
        // The server holds the context and stops the daemon before it releases the context.
        pointer.map { Unmanaged<ServerContext>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate func readHead(
        _ exchange: HTTPExchange, _ connection: OpaquePointer, method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> MHD_Result {
        do throws(WireResponse) {
            // MHD ends the target with a zero in place of the space before the version: a version that begins at
            // another address means a zero byte within the target.
            guard UInt(bitPattern: version) == exchange.targetEnd + 1 else {
                throw WireResponse.refusal(.malformed, "the request line is not well formed")
            }
            let lines = HeadLines(of: connection, from: method, to: version)
            guard lines.areWhole else {
                throw WireResponse.refusal(
                    .malformed, "a line of the head does not end with CRLF")
            }
            let length = lines.length(from: exchange.targetEnd) + exchange.target.count
            guard length <= limits.head else {
                throw WireResponse.refusal(.headTooLarge, "the head is too large")
            }
            let head = try RequestHead(
                method: String(cString: method), target: exchange.target,
                version: String(cString: version), lines: lines)
            guard head.contentLength ?? 0 <= limits.body else {
                throw WireResponse.refusal(.tooLarge, "the body is too large")
            }
            exchange.head = head
            connections.readHead(socket(of: connection))
            return .YES
        } catch { return send(error, connection, closes: true) }
    }

    /// Keeps the bytes that fit; a body that grows without end is cut off.
    fileprivate func readBody(
        _ exchange: HTTPExchange, _ data: UnsafePointer<CChar>?, _ count: Int
    ) -> Bool {
        exchange.received += count
        if exchange.received <= limits.body {
            exchange.body.append(contentsOf: UnsafeRawBufferPointer(start: data, count: count))
        } else {
            exchange.body = []
        }
        // An answer can only follow the whole body, so that some of it is read and discarded.
        return exchange.received <= 16 * limits.body
    }

    fileprivate func hand(
        _ exchange: HTTPExchange, _ head: RequestHead, _ connection: OpaquePointer
    ) -> MHD_Result {
        if exchange.handOverOnce() {
            connections.enter(.handling, socket(of: connection))
            // A request that came after the last look at the exchanges in progress would still be suspended when the
            // daemon is stopped, and MHD then ends the process.
            if isDraining.load(ordering: .relaxed) {
                exchange.answer(.stopping)
            } else if let socketHandler, Handshake.isWanted(by: head) {
                exchange.asksForSocket = true
                upgrade(exchange, head, socketHandler)
            } else {
                let client = ClientAddress.texts(peer: clup_mhd_peer(connection), head.fields)
                handler(head.request(exchange.body, from: client)) { exchange.answer($0) }
            }
        }
        guard let response = exchange.takeAnswer(orSuspend: connection) else { return .YES }
        if response.status == HTTPExchange.switching { return become(response, connection) }
        return send(
            response, connection,
            closes: exchange.asksForSocket || isDraining.load(ordering: .relaxed))
    }

    /// Asks the service whether the connection becomes a WebSocket; otherwise refuses with the reason.
    private func upgrade(
        _ exchange: HTTPExchange, _ head: RequestHead, _ decide: HTTPServer.SocketHandler
    ) {
        if sockets.isFull { return exchange.answer(.tooManySockets) }
        do {
            let handshake = try Handshake(head)
            decide(head.request([], from: ClientAddress.Texts())) { admission in
                switch admission {
                case .refused(let response): exchange.answer(response)
                case .admitted(let opened):
                    exchange.answer(
                        WireResponse(
                            status: HTTPExchange.switching,
                            fields: [
                                "upgrade": "websocket", "sec-websocket-accept": handshake.accept,
                            ]), opened: opened)
                }
            }
        } catch { exchange.answer(error) }
    }

    private func become(_ response: WireResponse, _ connection: OpaquePointer) -> MHD_Result {
        guard
            let made = MHD_create_response_for_upgrade(
                beginSocket, Unmanaged.passUnretained(self).toOpaque())
        else { return .NO }
        return queue(made, response, connection)
    }
}

/// The head of the answer is sent: the connection's socket is a WebSocket from here on.
private func beginSocket(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    request: UnsafeMutableRawPointer?, early: UnsafePointer<CChar>?, earlySize: Int,
    descriptor: Int32, handle: OpaquePointer?
) {
    guard let context = ServerContext.from(context), let request, let handle else { return }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(request).takeUnretainedValue()
    context.connections.upgraded(exchange)
    context.sockets.open(
        descriptor, MHDHandle(pointer: handle),
        early: Array(UnsafeRawBufferPointer(start: early, count: earlySize)),
        opened: exchange.opened)
}

private func socket(of connection: OpaquePointer) -> Int32 {
    Int32(Int(bitPattern: clup_mhd_context(connection)) - 1)
}

private func send(
    _ response: WireResponse, _ connection: OpaquePointer, closes: Bool
) -> MHD_Result {
    var body = response.body
    guard
        let made = body.withUnsafeMutableBytes({
            MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
        })
    else { return .NO }
    return queue(made, response, connection, closes: closes)
}

/// Hands MHD a response, which gets the fields of the answer.
private func queue(
    _ made: OpaquePointer, _ response: WireResponse, _ connection: OpaquePointer,
    closes: Bool = false
) -> MHD_Result {
    defer { MHD_destroy_response(made) }
    for (name, value) in response.fields { MHD_add_response_header(made, name, value) }
    if closes { MHD_add_response_header(made, "connection", "close") }
    return clup_mhd_queue(connection, UInt32(response.status), made)
}

/// A request that is refused before a service sees it throws its answer.
extension WireResponse: Error {
    /// The answer to requests that come, or still wait, while the server stops.
    static let stopping = unavailable("the server is stopping")
    static let tooManySockets = unavailable("too many sockets are open")

    private static func unavailable(_ reason: String) -> WireResponse {
        var response = refusal(.unavailable, reason)
        response.fields[HeaderField.retryAfter] = "1"
        response.fields["cache-control"] = "no-store"
        return response
    }

    /// The answer to a request whose body did not come in time: a proxy takes an answer as proof that the server
    /// works, and a cut connection as a sign that it died.
    static let requestTimeout = refusal(.requestTimeout, "the request did not come in time")

    /// The server's own answers, before any service saw the request, as problems of the contract. They are not
    /// signed: machines treat them as a failed transport.
    static func refusal(_ problem: Refusal, _ reason: String) -> WireResponse {
        // A problem consists of numbers and texts, which can always be encoded.
        let body = try? JSONEncoder().encode(Problem(problem, detail: reason))
        return WireResponse(
            status: problem.status, fields: ["content-type": Problem.contentType],
            body: body.map(Array.init) ?? [])
    }

    /// The same as `refusal` for requests that are no call of the contract, which has no problem for them.
    static func plainRefusal(_ status: Int, _ reason: String) -> WireResponse {
        WireResponse(
            status: status, fields: ["content-type": "text/plain; charset=utf-8"],
            body: Array((reason + "\n").utf8))
    }
}
