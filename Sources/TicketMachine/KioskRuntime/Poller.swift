internal import KioskFlow

/// Asks for what the machine shows while nobody touches it: shop, queue and printer.
@MainActor
final class Poller {
    enum News {
        case shop(ShopReport)
        case queue(Result<QueueReport, BackendFailure>)
        case printer(PrinterCondition)
    }

    /// A shop's name and languages change by hand, once in a while.
    private static let shopPeriod: Duration = .seconds(600)

    private let backend: BackendPort
    private let printer: PrinterPort
    private let tell: (News) -> Void
    private var backendTask: Task<Void, Never>?
    private var printerTask: Task<Void, Never>?
    private var shopAsked: ContinuousClock.Instant?
    private var failed: BackendFailure?

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
                try? await Task.sleep(for: pause)
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
        if shopAsked.map({ now - $0 > Self.shopPeriod }) ?? true,
            case .success(let shop) = await backend.shop()
        {
            shopAsked = now
            tell(.shop(shop))
        }
        let answer = await backend.queue()
        failed = if case .failure(let failure) = answer { failure } else { nil }
        tell(.queue(answer))
    }

    /// 3 to 5 s; sooner while the backend is away, later while it refuses the machine's key.
    private var pause: Duration {
        switch failed {
        case .notAuthentic: .milliseconds(.random(in: 8_000...12_000))
        case nil: .milliseconds(.random(in: 3_000...5_000))
        default: .milliseconds(.random(in: 800...2_000))
        }
    }
}
