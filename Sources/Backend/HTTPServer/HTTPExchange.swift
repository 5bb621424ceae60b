internal import BackendAPI
internal import CMicroHTTPD
private import Glibc
private import Synchronization

/// One request on its way to an answer.
///
/// MHD's thread owns everything except the state; the answer may come from any thread.
final class HTTPExchange: @unchecked Sendable {
    /// The status of an answer after which the connection is a WebSocket (RFC 9110 15.2.2).
    static let switching = 101

    enum State {
        case reading
        /// The service has the request, and MHD's thread has not yet returned from it.
        case handed
        /// MHD keeps the connection suspended until the answer is there.
        case suspended(MHDHandle)
        case answered(WireResponse)
        case finished
    }

    private let state = Mutex(State.reading)
    /// The target as it came, before MHD unescapes it in place.
    let target: [UInt8]
    /// The address at which the target ended in MHD's memory: a zero byte inside would end it too early.
    let targetEnd: UInt
    var head: RequestHead?
    var body: [UInt8] = []
    /// Gets the WebSocket that the request becomes; set before the answer, under its lock.
    private(set) var opened: (@Sendable (WireSocket) -> @Sendable () -> Void)?
    var asksForSocket = false
    /// How many bytes of the body came, including discarded ones.
    var received = 0

    init(uri: UnsafePointer<CChar>) {
        target = Array(UnsafeRawBufferPointer(start: uri, count: strlen(uri)))
        targetEnd = UInt(bitPattern: uri) + UInt(target.count)
    }

    /// True the first time: MHD calls again after a resume.
    func handOverOnce() -> Bool {
        state.withLock { state in
            guard case .reading = state else { return false }
            state = .handed
            return true
        }
    }

    /// Takes the answer from any thread; only the first one counts.
    func answer(
        _ response: WireResponse, opened: (@Sendable (WireSocket) -> @Sendable () -> Void)? = nil
    ) {
        let waiting: MHDHandle? = state.withLock { state in
            let waiting: MHDHandle?
            switch state {
            case .answered, .finished: return nil
            case .reading, .handed: waiting = nil
            case .suspended(let connection): waiting = connection
            }
            self.opened = opened
            state = .answered(response)
            return waiting
        }
        if let waiting { MHD_resume_connection(waiting.pointer) }
    }

    /// The answer if it is there; otherwise suspends the connection until it comes.
    func takeAnswer(orSuspend connection: OpaquePointer) -> WireResponse? {
        state.withLock { state in
            switch state {
            case .answered(let response):
                state = .finished
                return response
            case .handed:
                // This happens under the lock, so that no answer resumes a connection that is not yet suspended.
                MHD_suspend_connection(connection)
                state = .suspended(MHDHandle(pointer: connection))
                return nil
            case .reading, .suspended, .finished: return nil
            }
        }
    }
}

/// A handle of MHD: another thread may resume a connection with it, or release one that was handed over.
struct MHDHandle: @unchecked Sendable { let pointer: OpaquePointer }
