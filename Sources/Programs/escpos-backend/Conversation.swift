import ESCPOS
import Glibc

/// Carries one job to its end: performs the actions that its dialogue decides.
struct Conversation {
    let address: DeviceAddress
    let pages: [DotPage]
    /// Whether the printer can be asked for its status.
    let answers: Bool
    private let start = ContinuousClock.now

    /// The time between two attempts to reach the printer.
    private static let pollTimeoutMs: Int32 = 500
    /// The time for a printer that answers nothing: if it accepts nothing for so long, it is in trouble.
    private static let silenceTimeout = Duration.seconds(2)
    private static let jobTimeout = Duration.seconds(20)

    private var now: Duration { ContinuousClock.now - start }
    private var isCancelled: Bool { EscposBackend.isCancelled.load(ordering: .relaxed) }

    func run() -> EscposBackend.Status {
        CupsMessage.connecting(true)
        while true {
            if let device = Device(address) {
                CupsMessage.connecting(false)
                if let end = answers ? talk(with: device) : send(to: device) { return end }
                CupsMessage.info("The printer is not responding: the line is down.")
            }
            CupsMessage.report(.mute)
            // A job without pages only asks for the status, which is known now.
            if pages.isEmpty { return end(.done) }
            if isCancelled || now >= Self.jobTimeout { return end(.jobEnded) }
            poll(nil, 0, Self.pollTimeoutMs)
        }
    }

    private func end(_ status: EscposBackend.Status) -> EscposBackend.Status {
        CupsMessage.connecting(false)
        return status
    }

    /// Nil if the connection broke before any page was sent.
    private func talk(with device: borrowing Device) -> EscposBackend.Status? {
        var dialogue = ESCPOSDialogue(pages)
        var line = Line(device.descriptor)
        var actions: [ESCPOSDialogue.Action] = []
        while true {
            while !actions.isEmpty {
                switch actions.removeFirst() {
                case .send(let bytes): line.send(bytes)
                case .report(let status): CupsMessage.report(status)
                case .end(let ending):
                    line.flush(within: 500)
                    if ending == .done, !pages.isEmpty { CupsMessage.paperIsOut() }
                    return ending == .done ? .done : .jobEnded
                }
            }
            if isCancelled { actions += dialogue.cancelled(at: now) }
            guard let heard = line.exchange(within: 50) else {
                guard dialogue.hasBegun else { return nil }
                CupsMessage.report(.mute)
                return .jobEnded
            }
            actions += dialogue.received(heard, at: now)
            actions += dialogue.timePassed(to: now)
        }
    }

    /// Sends to a printer that cannot be asked: the bytes that it has accepted count as printed.
    private func send(to device: borrowing Device) -> EscposBackend.Status? {
        CupsMessage.report(ESCPOSStatus([]))
        var line = Line(device.descriptor)
        line.send(ESCPOSCommand.initialise)
        for page in pages { line.send((page.bands + [ESCPOSCommand.feedAndCut]).flatMap { $0 }) }
        var lastProgress = now
        while !line.isEmpty {
            let waiting = line.waiting
            guard line.exchange(within: 50) != nil else {
                CupsMessage.report(.mute)
                return .jobEnded
            }
            if isCancelled { return .jobEnded }
            if line.waiting < waiting {
                lastProgress = now
            } else if now - lastProgress >= Self.silenceTimeout {
                CupsMessage.report(.mute)
                if now - lastProgress >= Self.jobTimeout { return .jobEnded }
            }
        }
        CupsMessage.paperIsOut()
        return .done
    }
}
