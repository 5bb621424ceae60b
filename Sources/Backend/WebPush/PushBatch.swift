/// The pushes of one call, and the outcomes so far. One thread uses it once it is handed over.
final class PushBatch {
    /// A push of a batch.
    struct Place {
        let batch: PushBatch
        let index: Int

        var push: Push { batch.pushes[index] }

        func end(_ outcome: PushOutcome) { batch.end(index, outcome) }
    }

    let pushes: [Push]
    private var outcomes: [PushOutcome?]
    private var left: Int
    private let caller: CheckedContinuation<[PushOutcome], Never>

    /// - Parameter pushes: at least one.
    init(_ pushes: [Push], for caller: CheckedContinuation<[PushOutcome], Never>) {
        self.pushes = pushes
        self.caller = caller
        outcomes = Array(repeating: nil, count: pushes.count)
        left = pushes.count
    }

    var places: [Place] { pushes.indices.map { Place(batch: self, index: $0) } }

    private func end(_ index: Int, _ outcome: PushOutcome) {
        guard outcomes[index] == nil else { return }
        outcomes[index] = outcome
        left -= 1
        if left == 0 { caller.resume(returning: outcomes.map { $0 ?? .unreached }) }
    }
}
