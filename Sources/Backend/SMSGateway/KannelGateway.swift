internal import Dispatch
internal import OutgoingHTTP

/// Kannel's `sendsms` (Kannel user guide, "Using HTTP interface to Kannel"), asked by POST: user, password and number
/// are in fields and the text is the body, so that none of them is in an address that is logged.
///
/// Connections are kept between calls, and closed with this object. Nothing of a message is logged. The program ignores
/// SIGPIPE (CURLOPT_NOSIGNAL(3)).
public final class KannelGateway: MessageGateway {
    private let lanes: SendingLanes

    public convenience init(_ address: KannelAddress, account: KannelAccount) {
        self.init(address, account: account, limits: .init())
    }

    init(
        _ address: KannelAddress, account: KannelAccount, limits: KannelTransfer.Limits,
        turnTimeout: DispatchTimeInterval = .seconds(15)
    ) {
        OutgoingRequest.startLibrary()
        lanes = SendingLanes(turnTimeout: turnTimeout) {
            let transfer = KannelTransfer(address, account, limits)
            return { transfer.send($0) }
        }
    }

    public func send(_ message: SMSMessage) async -> SMSOutcome { await lanes.send(message) }

    public func stop() { lanes.stop() }
}
