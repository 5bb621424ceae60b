internal import KioskFlow
internal import KioskScreens
internal import Reservations

/// What the flow asks for is carried out by the ports.
extension Kiosk {
    /// Records kept for a disk that takes none: six for each of the customers of an hour.
    private static let mostUnwritten = 400

    func perform(_ effects: [KioskEffect]) {
        var records: [JournalRecord] = []
        for effect in effects {
            if case .record(let record) = effect {
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
        case .record: break
        case .beep: parts.terminal.beep()
        case .lookUp(let code, let key):
            Task {
                let answer = await parts.customers.lookUp(code, key)
                logFailure(of: "looking up", answer)
                happened { $0.lookUpAnswered(key, answer, now: $1) }
            }
        case .delete(let reservation, let code, let key):
            Task {
                let answer = await parts.customers.delete(reservation, code, key)
                logFailure(of: "deleting", answer)
                happened { $0.deletionAnswered(key, answer, now: $1) }
            }
        case .takePlace(let kind, let key):
            // A machine has one place at a time: an older call still repeating itself would take it.
            asking?.cancel()
            asking = Task {
                let answer = await parts.customers.takePlace(kind, key)
                logFailure(of: "taking a place", answer)
                happened { $0.placeAnswered(key, answer, now: $1) }
            }
        case .confirm(let hold, let key):
            Task {
                let answer = await parts.customers.confirm(hold, key)
                logFailure(of: "confirming", answer)
                happened { $0.confirmationAnswered(key, answer, now: $1) }
            }
        case .extend(let hold):
            let key = makeBackgroundKey()
            Task {
                let answer = await parts.background.extend(hold, key)
                happened { $0.extensionAnswered(hold, answer, now: $1) }
            }
        case .release(let hold): settler?.release(hold, key: makeBackgroundKey())
        case .settle(let open): settler?.settle(open)
        case .print(let key, let reservation): print(reservation, key: key)
        case .leavePaper(let key): papers[key]?.leaves()
        case .checkJournal:
            do {
                try parts.journal.check()
                if !unwritten.isEmpty { try parts.journal.record(unwritten) }
                unwritten = []
                flow.journalRecovered(now: now)
            } catch { parts.log("journal: \(error)") }
        case .refresh: poller?.refresh()
        case .checkPIN(let pin, let attempt, let holder):
            guard let staff = parts.staff else { break }
            Task {
                let answer = await staff.check(pin, holder)
                happened { $0.pinAnswered(attempt, answer, now: $1) }
            }
        case .askGate(let attempt, let holder):
            guard let staff = parts.staff else { break }
            Task {
                let answer = await staff.gate(holder)
                happened { flow, now in
                    flow.gateAnswered(attempt, answer, now: now)
                    return []
                }
            }
        case .lookAfter: desk?.open { [weak self] in self?.dayBegan ?? Moment(milliseconds: 0) }
        case .note(let kind, let detail, let person):
            if kind == .left { desk?.close() }
            let words = [person, kind.rawValue, detail].compactMap(\.self).filter { !$0.isEmpty }
                .joined(separator: " ")
            parts.log(kind == .ordered ? words : "staff: \(words)")
            note(kind, detail, by: person)
        case .printTest(let printer, let attempt): printTest(on: printer, attempt: attempt)
        case .reprint(let paper, let attempt): reprint(paper, attempt: attempt)
        case .rollChanged(let printer, let attempt): rollChanged(printer, attempt: attempt)
        case .keepSettings(let settings): parts.staff?.keepSettings(settings)
        case .keepService(let isPutOut, let message):
            parts.status?.keepService(
                ServiceDecision(isPutOut: isPutOut, message: message, at: backendTime))
        case .keepOrder(let order): keep(order)
        case .obeyed(let order): _ = parts.status?.keepObeyed(order)
        case .restartOnce(let order):
            if parts.status?.keepObeyed(order) == true { parts.staff?.restart() }
        case .rotate(let order): rotate(order)
        case .unlock(let order): unlock(order)
        case .restart: parts.staff?.restart()
        case .renew: parts.renewal?.begin()
        case .seeToPaper(let deed, let paper, let attempt): seeTo(paper, deed, attempt: attempt)
        case .checkBadge, .tryCode, .cancelJob, .actOnQueue, .changePeople, .saySample,
            .restartMachine:
            carryOutForStaff(effect)
        }
    }

    private func logFailure<Value>(of call: String, _ answer: Result<Value, BackendFailure>) {
        if case .failure(let failure) = answer { parts.log("\(call) failed: \(failure)") }
    }

    func makeBackgroundKey() -> AttemptKey {
        backgroundKeys += 1
        return AttemptKey("\(keyPrefix)-b\(backgroundKeys)")
    }

    /// Whether what follows the records may happen.
    @discardableResult
    func write(_ records: [JournalRecord]) -> Bool {
        guard !records.isEmpty else { return true }
        do {
            try parts.journal.record(unwritten + records)
            unwritten = []
            return true
        } catch {
            let unsent = records.contains(where: \.mustPrecede)
            // A place that was shown must not look, after a start, as if nobody had seen it.
            if !unsent { unwritten = (unwritten + records).suffix(Self.mostUnwritten) }
            journalFailed(error, unsent: unsent)
            return !unsent
        }
    }

    func journalFailed(_ error: any Error, unsent: Bool) {
        parts.log("journal: \(error)")
        perform(flow.journalFailed(unsent: unsent, now: now))
    }

    private func print(_ reservation: Reservation, key: AttemptKey) {
        let wording = wording
        let paper = parts.paper
        let log = parts.log
        let machine = flow.shop?.machine ?? MachineID("")
        let page: PrinterPort.Page = { media in
            do {
                let content = PaperWording.content(
                    reservation, qr: try paper.matrix(reservation.code),
                    machine: machine, wording: wording)
                return try paper.page(content, media)
            } catch {
                log("paper: \(error)")
                return nil
            }
        }
        let customer = PaperCustomer()
        papers[key] = customer
        let way = parts.printer.print(page, "CLup \(reservation.number.text)") {
            customer.patience
        }
        Task {
            defer { papers[key] = nil }
            for await progress in way {
                if case .failed(let trouble, _) = progress { log("not printed: \(trouble)") }
                happened { $0.printProgressed(key, reservation.id, progress, now: $1) }
            }
        }
    }
}
