internal import ReservationStore

extension QueueStore {
    /// What `begin` says when it has ended; for tasks that do one thing after the other.
    ///
    /// - Parameter begin: Calls a method of this store with the completion that it is given.
    func awaiting<Value: Sendable>(
        _ begin: (
            QueueStore, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void
        ) -> Void
    ) async -> Result<Value, StoreError> {
        await withCheckedContinuation { ended in
            begin(self) { ended.resume(returning: $0) }
        }
    }
}
