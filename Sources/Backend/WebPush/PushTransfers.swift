internal import CCurl
internal import OutgoingHTTP

/// The pushes on their way, over connections that are kept.
///
/// libcurl's handles belong to one thread at a time (libcurl-thread(3)).
final class PushTransfers {
    /// The most pushes on their way, and to one service: the rest is for the others when one does not answer.
    static let maxAtOnce = 64
    static let maxPerService = 32
    /// How long a push waits for its turn: longer than those before it can take.
    static let turnTimeout: Duration = .seconds(15)
    /// The longest sleep; libcurl's own timers end it sooner (curl_multi_poll(3)).
    private static let pollTimeoutMs: Int32 = 500

    private let multi: UnsafeMutableRawPointer?
    private let services: PushServices
    private let limits: PushTransfer.Limits
    private let now: @Sendable () -> Int64
    private var tokens: VapidTokens
    private var waiting = WaitingPushes(maxAtOnce: maxAtOnce, maxPerService: maxPerService)
    private var transfers: [UnsafeMutableRawPointer: PushTransfer] = [:]
    /// How many transfers each service has.
    private var running: [Int: Int] = [:]
    /// Handles without a transfer, at most `maxAtOnce`.
    private var spare: [UnsafeMutableRawPointer] = []

    init(
        services: PushServices, tokens: VapidTokens, limits: PushTransfer.Limits,
        now: @escaping @Sendable () -> Int64
    ) {
        OutgoingRequest.startLibrary()
        self.services = services
        self.tokens = tokens
        self.limits = limits
        self.now = now
        multi = curl_multi_init()
        clup_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.maxAtOnce)
    }

    deinit { close() }

    /// Whether there is nothing to do.
    var isEmpty: Bool { transfers.isEmpty }

    func add(_ pending: PendingPush) {
        let push = pending.push
        if push.content.count > Push.maxContentBytes {
            pending.end(.tooLarge)
        } else if !push.hasValidTopic {
            pending.end(.wrongTopic)
        } else if let match = services.match(push.endpoint) {
            let deadline = ContinuousClock.now + Self.turnTimeout
            waiting.add(.init(pending: pending, match: match, deadline: deadline))
            beginNext()
        } else {
            pending.end(.unreached)
        }
    }

    /// Goes on with all transfers, then sleeps until something happens or `wake` is called.
    func step() {
        var count: Int32 = 0
        curl_multi_perform(multi, &count)
        endFinished()
        while let late = waiting.nextExpired(now: .now) { late.pending.end(.unreached) }
        beginNext()
        guard !isEmpty else { return }
        curl_multi_poll(multi, nil, 0, Self.pollTimeoutMs, nil)
    }

    /// Ends the sleep of `step`, and may be called from any thread (curl_multi_wakeup(3)).
    func wake() { curl_multi_wakeup(multi) }

    /// Ends all pushes without an outcome of their services.
    func endAll() {
        for transfer in Array(transfers.values) { end(transfer, .unreached) }
        while let next = waiting.popAny() { next.pending.end(.unreached) }
    }

    private func close() {
        endAll()
        for handle in spare { curl_easy_cleanup(handle) }
        curl_multi_cleanup(multi)
    }

    private func beginNext() {
        while let next = waiting.next(running: running) { begin(next) }
    }

    private func begin(_ next: WaitingPushes.Waiting) {
        let push = next.pending.push
        guard let handle = spare.popLast() ?? curl_easy_init() else {
            return next.pending.end(.unreached)
        }
        guard let body = SealedPush.seal(push.content, for: push.keys) else {
            spare.append(handle)
            return next.pending.end(.tooLarge)
        }
        let transfer = PushTransfer(handle: handle, pending: next.pending, match: next.match)
        transfer.prepare(
            push, body: body,
            authorization: tokens.field(for: next.match.origin, now: now()),
            isSecure: next.match.service.isSecure, limits)
        transfers[handle] = transfer
        running[transfer.service, default: 0] += 1
        if curl_multi_add_handle(multi, handle) != CURLM_OK { end(transfer, .unreached) }
    }

    private func endFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = transfers[handle]
            else { continue }
            end(transfer, transfer.outcome(now: now()))
        }
    }

    private func end(_ transfer: PushTransfer, _ outcome: PushOutcome) {
        curl_multi_remove_handle(multi, transfer.handle)
        transfers[transfer.handle] = nil
        running[transfer.service] = running[transfer.service].flatMap { $0 > 1 ? $0 - 1 : nil }
        // The handle names the fields and the transfer until it is set up again.
        curl_easy_reset(transfer.handle)
        spare.append(transfer.handle)
        transfer.pending.end(outcome)
    }
}
