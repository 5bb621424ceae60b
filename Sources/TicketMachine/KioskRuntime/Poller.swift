internal import KioskFlow
internal import Reservations

/// Asks for what the machine shows while nobody touches it: shop, queue and printer.
@MainActor
final class Poller {
    enum News {
        case shop(MachineProfile)
        case queue(Result<QueueStatus, BackendFailure>)
        case printer(PrinterCondition)
        /// How long the last answer of the queue took; nil where none came.
        case latency(Duration?)
    }

    /// A shop's name and languages change by hand, once in a while.
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

    /// Asks now, and from now on every few seconds (rules 19).
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
            // A second question would wait as long again for the same silence.
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
    /// Whether anything came back, were it a refusal.
    fileprivate var isAnswer: Bool {
        if case .failure(.unanswered) = self { false } else { true }
    }
}
