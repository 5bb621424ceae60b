internal import MachineClock
internal import Reservations

/// Polls what the machine shows while it is not used: shop, queue and printer.
@MainActor final class Poller {
    /// An administrator changes a shop's name and languages only rarely.
    private static let shopPollInterval: Duration = .seconds(600)

    private weak var kiosk: Kiosk?
    private let parts: any Kiosk.Parts
    private let time: MachineClock
    private var backendTask: Task<Void, Never>?
    private var printerTask: Task<Void, Never>?
    private var shopAsked: MachineClock.Instant?
    private var pace = PollPace()

    init(for kiosk: Kiosk) {
        self.kiosk = kiosk
        parts = kiosk.parts
        time = kiosk.time
    }

    /// Polls now, and from now on every few seconds (rules: idle-cost).
    func refresh() {
        backendTask?.cancel()
        backendTask = Task {
            while !Task.isCancelled {
                await askBackend()
                try? await time.sleep(for: .milliseconds(Int.random(in: pace.pause)))
            }
        }
        printerTask?.cancel()
        printerTask = Task {
            while !Task.isCancelled {
                let condition = await parts.printer.condition()
                kiosk?.happened(.printer(.condition(condition)))
                try? await time.sleep(for: .seconds(4))
            }
        }
    }

    private func askBackend() async {
        let now = time.now
        if shopAsked.map({ $0.duration(to: now) > Self.shopPollInterval }) ?? true {
            switch await parts.background.shop() {
            case .success(let shop):
                shopAsked = now
                kiosk?.reported(shop)
            // A second call would wait as long again without an answer.
            case .failure(.unanswered): return answered(.failure(.unanswered), after: nil)
            case .failure: break
            }
        }
        let asked = time.now
        let answer = await parts.background.queue()
        // Even a refusal is an answer.
        let isAnswer = answer.failure != .unanswered
        answered(answer, after: isAnswer ? asked.duration(to: time.now) : nil)
    }

    private func answered(_ answer: BackendAnswer<QueueStatus>, after latency: Duration?) {
        pace.answered(answer.failure)
        kiosk?.reported(answer, after: latency)
    }
}
