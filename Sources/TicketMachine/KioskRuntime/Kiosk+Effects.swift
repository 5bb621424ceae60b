internal import KioskFlow
internal import KioskScreens
internal import Reservations
internal import VisitCalendar

/// The ports carry out the effects of the flow.
extension Kiosk {
    /// The records that are kept while the disk accepts no writes: six for each customer of an hour.
    private static let maxUnwrittenRecords = 400

    func perform(_ effects: [KioskEffect]) {
        var records: [JournalRecord] = []
        for effect in effects {
            if case .journal(.record(let record)) = effect {
                records.append(record)
                continue
            }
            guard write(records) else { return }
            records = []
            carryOut(effect)
        }
        write(records)
    }

    private func carryOut(_ effect: KioskEffect) {
        switch effect {
        case .backend(let effect): call(effect)
        case .printer(.print(let key, let slip)): print(slip, key: key)
        case .printer(.leave(let key)): papers[key]?.leaves()
        // The records were written before, consecutive ones in a single write.
        case .journal(.record): break
        case .journal(.check): checkJournal()
        case .staff(let effect): carryOut(effect)
        case .help(let effect): carryOut(effect)
        case .program(let effect): carryOut(effect)
        case .beep: parts.terminal.beep()
        case .refresh: poller?.refresh()
        }
    }

    private func call(_ effect: BackendEffect) {
        switch effect {
        case .lookUp(.reservation(let code), let key):
            answered("looking up", { await $0.lookUp(code, key) }) { .found(key, $0) }
        case .lookUp(.order(let code), let key):
            answered("looking up an order", { await $0.lookUpOrder(code, key) }) {
                .orderFound(key, $0)
            }
        case .delete(let reservation, let code, let key):
            answered("deleting", { await $0.delete(reservation, code, key) }) {
                .deleted(key, $0.failure)
            }
        case .changeTurn(.delay(let people), let reservation, let code, let key):
            answered(
                "letting people ahead", { await $0.delay(reservation, code, people: people, key) }
            ) { .turnChanged(key, $0) }
        case .changeTurn(.reclaim, let reservation, let code, let key):
            answered("taking a place back", { await $0.reclaim(reservation, code, key) }) {
                .turnChanged(key, $0)
            }
        case .takePlace(let kind, let key):
            // A machine has one place at a time: an older call that is still repeated could take a second one.
            asking?.cancel()
            asking = answered("taking a place", { await $0.takePlace(kind, key) }) {
                .place(key, $0)
            }
        case .confirm(.place(let hold), let key):
            answered("confirming", { await $0.confirm(hold, key) }) { .confirmed(key, $0) }
        case .confirm(.arrival(let order, let code), let key):
            answered("saying that a customer is here", { await $0.arrive(order, code, key) }) {
                .arrived(key, $0)
            }
        case .extend(let hold):
            let key = makeBackgroundKey()
            Task {
                let answer = await parts.background.extend(hold, key)
                happened(.backend(.extended(hold, answer)))
            }
        case .release(let hold): resolver?.release(hold, key: makeBackgroundKey())
        case .resolve(let open): resolver?.resolve(open)
        }
    }

    /// Makes a call that a customer waits for, and passes its answer to the flow.
    @discardableResult private func answered<Value: Sendable>(
        _ name: String, _ call: @escaping @Sendable (any BackendPort) async -> BackendAnswer<Value>,
        _ event: @escaping (BackendAnswer<Value>) -> BackendEvent
    ) -> Task<Void, Never> {
        Task {
            let answer = await call(parts.customers)
            if let failure = answer.failure { parts.log("\(name) failed: \(failure)") }
            happened(.backend(event(answer)))
        }
    }

    private func carryOut(_ effect: ProgramEffect) {
        switch effect {
        case .keepService(let isPutOut, let message, let command):
            let decided = command?.given.moment ?? parts.clock + .seconds(parts.clockOffset)
            keep(ServiceStatus(isPutOut: isPutOut, message: message, at: decided))
        case .acknowledged(let command): keepAcknowledged(command)
        case .restartOnce(let command): if keepAcknowledged(command) { parts.restart() }
        case .rotate(let command): rotate(command)
        case .unlock(let command): unlock(command)
        case .restart: parts.restart()
        case .restartIntoNewVersion: parts.startNewVersion()
        }
    }

    private func checkJournal() {
        do {
            try parts.journal.prune()
            if !unwritten.isEmpty { try parts.journal.write(unwritten) }
            unwritten = []
            perform(flow.handle(.journal(.recovered), now: now))
        } catch { parts.log("journal: \(error)") }
    }

    func makeBackgroundKey() -> AttemptKey {
        backgroundKeys += 1
        return AttemptKey("\(keyPrefix)-b\(backgroundKeys)")
    }

    /// Writes the records; returns whether the effects after them may be performed.
    @discardableResult func write(_ records: [JournalRecord]) -> Bool {
        guard !records.isEmpty else { return true }
        do {
            try parts.journal.write(unwritten + records)
            unwritten = []
            return true
        } catch {
            let unsent = records.contains(where: \.mustPrecede)
            // After a start, a place that was shown must not look as if the customer had not seen it.
            if !unsent { unwritten = (unwritten + records).suffix(Self.maxUnwrittenRecords) }
            journalFailed(error, unsent: unsent)
            return !unsent
        }
    }

    func journalFailed(_ error: any Error, unsent: Bool) {
        parts.log("journal: \(error)")
        perform(flow.handle(.journal(.failed(unsent: unsent)), now: now))
    }

    /// The page with this content for a roll; nil, and a line in the log, if it cannot be made.
    func page(
        _ content: @escaping @Sendable () throws -> ReceiptContent
    ) -> @Sendable (RollMedia) -> ReceiptPage? {
        let paper = parts.paper
        return { [parts] roll in
            do { return try paper.page(content(), on: roll) } catch {
                parts.log("paper: \(error)")
                return nil
            }
        }
    }

    /// The paper of a slip, with all its symbols.
    func receipt(
        of slip: Slip, _ wording: Strings
    ) -> @Sendable () throws -> ReceiptContent {
        let paper = parts.paper
        let machine = flow.shop?.machine ?? MachineID("")
        let allowsDelays = flow.shop?.allowsDelays == true
        return {
            let qr = try paper.matrix(ofCode: slip.symbol)
            switch slip {
            case .reservation(let reservation):
                return ReceiptStrings.content(
                    reservation, qr: qr,
                    symbolForPhones: slip.link.flatMap { try? paper.matrix(ofText: $0) },
                    symbolForCalendars: EventSymbol.text(of: reservation).flatMap {
                        try? paper.matrix(ofText: $0)
                    }, machine: machine, wording: wording, allowsDelays: allowsDelays)
            case .order(let arrived):
                return ReceiptStrings.content(
                    arrived, qr: qr,
                    symbolForPhones: slip.link.flatMap { try? paper.matrix(ofText: $0) },
                    machine: machine, wording: wording)
            }
        }
    }

    private func print(_ slip: Slip, key: AttemptKey) {
        let page = page(receipt(of: slip, wording))
        let customer = ReceiptCustomer()
        papers[key] = customer
        let way = parts.printer.print(page, "CLup \(slip.number.text)") { customer.timeout }
        Task {
            defer { papers[key] = nil }
            for await progress in way {
                if case .failed(let trouble, _) = progress { parts.log("not printed: \(trouble)") }
                happened(.printer(.progress(key, progress)))
            }
        }
    }
}

extension Result where Failure == BackendFailure {
    /// Why there is no answer of the expected kind; nil if there is one.
    var failure: BackendFailure? { if case .failure(let failure) = self { failure } else { nil } }
}
