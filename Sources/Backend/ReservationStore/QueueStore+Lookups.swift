internal import QueueEngine
public import Reservations

/// Small tasks that a writer does between two batches of a shop.
extension QueueStore {
    /// Finds the reservation of a code in its shop, between two batches; changes nothing.
    ///
    /// `completion` is called exactly once, on the answers' queue, with nil if there is none; it is called at once, on
    /// the caller's thread, if too many look-ups wait or the store is stopped.
    public func lookUp(
        _ code: PresentedCode, in shop: ShopID,
        completion: @escaping @Sendable (Result<FoundReservation?, StoreError>) -> Void
    ) {
        aside(of: shop, completion) { writer throws(StoreError) in try writer.lookUp(code, in: shop)
        }
    }

    /// Finds the order of a code in its shop, as `lookUp` finds a reservation (rules: order-codes).
    public func lookUpOrder(
        _ code: PresentedOrderCode, in shop: ShopID,
        completion: @escaping @Sendable (Result<PickupOrder?, StoreError>) -> Void
    ) {
        aside(of: shop, completion) { writer throws(StoreError) in
            try writer.lookUpOrder(code, in: shop)
        }
    }

    /// Counts a customer's request that was refused before it came to the queue; a failure to count it is ignored.
    public func count(_ kind: RefusedRequestKind, of shop: ShopID) {
        aside(of: shop, { (_: Result<Void, StoreError>) in }) { writer throws(StoreError) in
            try writer.count(kind, of: shop)
        }
    }

    /// Counts a visit that was wanted and not to be had; a failure to count it is ignored.
    public func count(_ slot: RefusedSlot, of shop: ShopID) {
        aside(
            of: shop, count: \.phoneLookups, atMost: Self.maxWaitingPhoneLookups,
            { (_: Result<Void, StoreError>) in }
        ) { writer throws(StoreError) in try writer.count(slot, of: shop) }
    }

    /// Notes what the program behind a key has said, for all servers (rules: code-links); a failure to note it is ignored,
    /// since the program says it again.
    public func note(readsLinks: Bool, of key: String, in shop: ShopID) {
        aside(of: shop, { (_: Result<Void, StoreError>) in }) { writer throws(StoreError) in
            try writer.note(readsLinks: readsLinks, of: key, in: shop)
        }
    }

    /// Gives a machine that is not paired yet a code to show; `completion` is called as by `lookUp`.
    public func openPairing(
        _ request: PairingRequest,
        completion: @escaping @Sendable (Result<PairingOutcome, StoreError>) -> Void
    ) {
        aside(of: nil, completion) { writer throws(StoreError) in try writer.openPairing(request) }
    }

    /// Runs a task between two batches of a shop.
    ///
    /// - Parameter count: The waiting tasks that count together, `limit` at most.
    func aside<Value: Sendable>(
        of shop: ShopID?, count: any WritableKeyPath<WriterLine, Int> & Sendable = \.lookups,
        atMost limit: Int = maxWaitingLookups,
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (StoreWriter) throws(StoreError) -> Value
    ) {
        let task: WaitingTask = { [self] writer in
            line.withLock { $0[keyPath: count] -= 1 }
            let result: Result<Value, StoreError>
            do throws(StoreError) { result = .success(try body(writer)) } catch {
                result = .failure(error)
            }
            context.deliver { completion(result) }
        }
        let refusal = add(unless: { $0[keyPath: count] >= limit }) {
            $0[keyPath: count] += 1
            $0.waiting.append(task, of: shop)
        }
        if let refusal { completion(.failure(refusal)) }
    }
}

extension StoreWriter {
    fileprivate func note(
        readsLinks: Bool, of key: String, in shop: ShopID
    ) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            _ = try database.lock(shop)
            try database.write(readsLinks: readsLinks, of: key, in: shop)
            try database.raiseChangeSequence(of: shop)
        }
        context.signal?.notify(.everything)
    }
}
