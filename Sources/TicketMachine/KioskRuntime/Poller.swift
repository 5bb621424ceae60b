internal import KioskFlow
internal import Reservations

/// Polls what the machine shows while it is not used: shop, queue and printer.
@MainActor
final class Poller {
    enum News {
        case shop(MachineProfile)
        case queue(Result<QueueStatus, BackendFailure>)
        case printer(PrinterCondition)
        /// How long the last answer of the queue took; nil if none came.
        case latency(Duration?)
    }

    /// An administrator changes a shop's name and languages only rarely.
    private static let shopPollInterval: Duration = .seconds(600)

    private let backend: BackendPort
    private let printer: PrinterPort
    private let tell: (News) -> Void
    private var backendTask: Task<Void, Never>?
    private var printerTask: Task<Void, Never>?
    private var shopAsked: ContinuousClock.Instant?
    private var pace = PollPace()

    init(backend: BackendPort, printer: PrinterPort, tell: @escaping (News) -> Void) {
        self.backend = backend
        self.printer = printer
        self.tell = tell
    }

    /// Polls now, and from now on every few seconds (rules 19).
    func refresh() {
        backendTask?.cancel()
        backendTask = Task {
            while !Task.isCancelled {
                await askBackend()
                try? await Task.sleep(for: .milliseconds(Int.random(in: pace.pause)))
            }
        }
        printerTask?.cancel()
        printerTask = Task {
            while !Task.isCancelled {
                tell(.printer(await printer.condition()))
                try? await Task.sleep(for: .seconds(4))
            }
        }
    }

    private func askBackend() async {
        let now = ContinuousClock.now
        if shopAsked.map({ now - $0 > Self.shopPollInterval }) ?? true {
            switch await backend.shop() {
            case .success(let shop):
                shopAsked = now
                tell(.shop(shop))
            // A second call would wait as long again without an answer.
            case .failure(.unanswered):
                tell(.latency(nil))
                return answered(.failure(.unanswered))
            case .failure: break
            }
        }
        let asked = ContinuousClock.now
        let answer = await backend.queue()
        tell(.latency(answer.isAnswer ? ContinuousClock.now - asked : nil))
        answered(answer)
    }

    private func answered(_ answer: Result<QueueStatus, BackendFailure>) {
        if case .failure(let failure) = answer {
            pace.answered(failure)
        } else {
            pace.answered(nil)
        }
        tell(.queue(answer))
    }
}

extension Result where Failure == BackendFailure {
    /// Whether there was any answer, even a refusal.
    fileprivate var isAnswer: Bool {
        if case .failure(.unanswered) = self { false } else { true }
    }
}
