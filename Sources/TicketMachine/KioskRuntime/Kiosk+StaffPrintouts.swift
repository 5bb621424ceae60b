internal import KioskFlow
internal import KioskScreens
internal import Reservations

// Printouts that the staff asks for: none of them makes a reservation.
extension Kiosk {
    func printTest(on index: Int, attempt: AttemptKey) {
        guard parts.printers.indices.contains(index) else { return }
        let content = ReceiptStrings.test(
            machine: flow.shop?.machine, printer: index + 1,
            clock: flow.shopClock(now: now), wording: wording)
        follow(parts.printers[index], { content }, title: "CLup TEST", attempt: attempt)
    }

    /// Checks a printer again and, if it has no trouble, prints a short page marked TEST on the new roll.
    func rollChanged(_ index: Int, attempt: AttemptKey) {
        guard parts.printers.indices.contains(index) else { return }
        let printer = parts.printers[index]
        Task {
            if let trouble = await printer.condition().trouble {
                report(attempt, .failed(trouble))
            } else {
                let content = ReceiptStrings.roll(wording: wording)
                follow(
                    printer, { content }, title: "CLup TEST",
                    attempt: attempt)
            }
        }
    }

    /// Prints a receipt again, marked COPY, if the backend confirms that its reservation or its order is valid.
    func reprint(_ paper: IssuedPaper, attempt: AttemptKey) {
        guard let code = paper.code, let typed = paper.typedCode else {
            return report(attempt, .reservationNotValid(.refusal(.notFound)))
        }
        Task {
            switch await slip(code, typed, of: paper, attempt: attempt) {
            case .failure(let failure):
                noted(failure, of: paper)
                report(attempt, .reservationNotValid(failure))
            case .success(let slip):
                do {
                    let content = try copy(of: slip, paper)
                    follow(
                        parts.printer, { content },
                        title: "CLup \(paper.number.text) COPY", attempt: attempt,
                        copyOf: paper.key)
                } catch {
                    parts.log("QR: \(error)")
                    report(attempt, .failed(.other))
                }
            }
        }
    }

    /// Gives the reservation of a paper that was photographed another code, and prints its ticket again.
    ///
    /// The journal has the code before the paper is printed, so that the ticket can be printed again after every failure; and
    /// the key is that of this paper and its code, so that an answer that was lost is the same the next time.
    func renewCode(of paper: IssuedPaper, by person: String, attempt: AttemptKey) {
        guard case .queue(let number) = paper.number, case .reservation(let code)? = paper.code
        else { return report(attempt, .reservationNotValid(.refusal(.notFound))) }
        let key = AttemptKey("\(paper.key)-code-\(paper.issued.milliseconds)")
        Task {
            // The former code opens nothing from then on, so that a ticket with the new one must come out.
            if let trouble = await parts.printer.condition().trouble {
                return report(attempt, .failed(trouble))
            }
            switch await parts.maintenance.renewCode(of: number, code, by: person, key) {
            case .failure(let failure):
                noted(failure, of: paper)
                report(attempt, .reservationNotValid(failure))
            case .success(let reservation):
                let slip = Slip.reservation(reservation)
                write([.issued(paper.key, slip)])
                let wording = wording(of: paper)
                follow(
                    parts.printer, receipt(of: slip, wording),
                    title: "CLup \(paper.number.text)", attempt: attempt, original: paper.key)
            }
        }
    }

    /// The words in the language in which a paper was issued.
    private func wording(of paper: IssuedPaper) -> Strings {
        parts.wordings[paper.language ?? flow.access.languages[0]] ?? .english
    }

    /// What a paper was printed for, as it is now.
    private func slip(
        _ code: SlipCode, _ typed: TypedCode, of paper: IssuedPaper, attempt: AttemptKey
    ) async -> BackendAnswer<Slip> {
        switch code {
        case .reservation(let code):
            return await parts.customers.lookUp(.entry(code), attempt).ofValidReservation.map {
                found -> Slip in
                var reservation = found.reservation(
                    code: code, typedCode: typed, shopName: flow.shop?.shopName ?? "")
                reservation.symbol = paper.symbol
                return .reservation(reservation)
            }
        case .order(let code):
            return await parts.customers.lookUpOrder(.entry(code), attempt).flatMap { order in
                // An order that was put back and is asked for again has another number.
                var ticket = PickupTicket(code: code, typedCode: typed)
                ticket.symbol = paper.symbol
                guard order.state.isHere,
                    let arrived = ArrivedOrder(order, ticket: ticket),
                    paper.number == .pickup(arrived.number)
                else { return .failure(.refusal(.notFound)) }
                return .success(.order(arrived))
            }
        }
    }

    /// A copy in the customer's language, with the wait as it is now.
    private func copy(of slip: Slip, _ paper: IssuedPaper) throws -> ReceiptContent {
        let wording = wording(of: paper)
        let machine = flow.shop?.machine ?? MachineID("")
        let qr = try parts.paper.matrix(ofCode: slip.symbol)
        return switch slip {
        case .reservation(let reservation):
            ReceiptStrings.content(
                reservation, qr: qr, machine: machine, wording: wording,
                quotedAt: flow.shopClock(now: now), allowsDelays: flow.shop?.allowsDelays == true,
                isCopy: true)
        case .order(let arrived):
            ReceiptStrings.content(
                arrived, qr: qr, machine: machine, wording: wording, isCopy: true)
        }
    }

    /// Writes down that a receipt has come out, or that it is not needed, and deletes its reservation then.
    func seeTo(_ paper: IssuedPaper, _ command: ReceiptCommand, attempt: AttemptKey) {
        switch command {
        case .found: answer(attempt, write([.printed(paper.key)]) ? .done : .failed)
        case .giveBack:
            Task {
                switch await delete(paper, attempt: attempt) {
                case nil:
                    write([.deleteWhenKnown(paper.key), .resolved(paper.key)])
                    answer(attempt, .done)
                case .some(let failure):
                    noted(failure, of: paper)
                    answer(attempt, .backend(failure))
                }
            }
        }
    }

    /// Deletes the reservation of a receipt; returns why it was not deleted, or nil if it was.
    private func delete(_ paper: IssuedPaper, attempt: AttemptKey) async -> BackendFailure? {
        guard let code = paper.code else { return .refusal(.notFound) }
        // An order stays as it is: the desk puts it back if its customer does not come (rules: order-desks).
        guard case .reservation(let code) = code else { return nil }
        switch await parts.customers.lookUp(.entry(code), attempt).ofValidReservation {
        case .failure(let failure): return failure
        case .success(let found):
            let key = AttemptKey("\(attempt)-delete")
            return await parts.customers.delete(found.id, .entry(code), key).failure
        }
    }

    /// A receipt that may be missing is not needed any more if its reservation is not valid.
    private func noted(_ failure: BackendFailure, of paper: IssuedPaper) {
        guard paper.outcome == .unknown, let refusal = failure.refusal,
            refusal.meansNothingIsLeft, refusal != .closedBeforeTurn
        else { return }
        write([.resolved(paper.key)])
    }

    private func follow(
        _ printer: any PrinterPort, _ content: @escaping @Sendable () throws -> ReceiptContent,
        title: String, attempt: AttemptKey, copyOf copied: AttemptKey? = nil,
        original: AttemptKey? = nil
    ) {
        let page = page(content)
        Task {
            for await progress in printer.print(page, title, { .full }) {
                switch progress {
                case .submitted: break
                case .troubled(let trouble): report(attempt, .failed(trouble), isOver: false)
                case .failed(let trouble, _):
                    if let original { write([.notPrinted(original, trouble)]) }
                    report(attempt, .failed(trouble))
                case .printed:
                    if let original { write([.printed(original)]) }
                    if let copied, let day = flow.shopClock(now: now)?.day {
                        parts.logged("status") { try parts.journal.copied(copied, on: day) }
                    }
                    report(attempt, .printed)
                }
            }
        }
    }

    private func report(
        _ attempt: AttemptKey, _ progress: StaffPrint.Progress, isOver: Bool = true
    ) {
        happened(.staff(.print(attempt, progress, isOver: isOver)))
        if isOver { desk?.changed() }
    }
}

extension FoundReservation {
    fileprivate func reservation(
        code: EntryCode, typedCode: TypedCode, shopName: String
    ) -> Reservation {
        let start = visit?.start ?? issued
        return Reservation(
            id: id, kind: visit == nil ? .ticket : .visit, number: number, shopName: shopName,
            code: code, typedCode: typedCode, issued: issued,
            wait: wait
                ?? WaitEstimate(expected: start, earliest: start, latest: start, peopleAhead: 0),
            visit: visit, enterBy: enterBy)
    }
}
