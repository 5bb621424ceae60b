internal import ReservationStore
internal import Testing

/// So many servers on one database: a file has one at a time.
struct StoreServers: Sendable, CustomTestStringConvertible {
    static let all = [
        StoreServers(engine: .sqlite, count: 1), StoreServers(engine: .postgresql, count: 1),
        StoreServers(engine: .postgresql, count: 2),
    ]

    let engine: StoreEngine
    let count: Int

    var testDescription: String { "\(engine), servers \(count)" }

    func serving(_ site: Site) throws -> [QueueStore] {
        try (0..<count).map { _ in try site.store() }
    }

    func serving() throws -> (site: Site, stores: [QueueStore]) {
        let site = try Site(engine)
        return (site, try serving(site))
    }
}

/// The results of a body that runs for all values at once, in their order.
func atOnce<Input: Sendable, Value: Sendable>(
    _ inputs: some Sequence<Input>, _ body: @escaping @Sendable (Input) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for (index, input) in inputs.enumerated() {
            group.addTask { (index, try await body(input)) }
        }
        return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension RequestResult {
    var answer: StoredAnswer? { if case .answered(let answer, _) = self { answer } else { nil } }

    var isReplayed: Bool { if case .answered(_, replayed: true) = self { true } else { false } }

    var error: StoreError? { if case .unavailable(let error) = self { error } else { nil } }
}
