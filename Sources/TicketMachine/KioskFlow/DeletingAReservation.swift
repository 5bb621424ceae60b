public import Reservations

// Delete a reservation [UC13, R8], and *is my place still mine?*: the paper shows where it stands.
extension KioskFlow {
    /// Digits of the typed code (rules 11).
    private static let codeLength = 10

    /// The reader has read something, or a burst of keys ended (rules 16).
    public mutating func codeScanned(_ text: String, now: Duration) -> [KioskEffect] {
        if let badge = StaffBadge(read: text), !isStaffInside {
            return badgeScanned(badge, now: now)
        }
        switch state {
        case .staff(let visit) where visit.screen == .reader:
            return staffRead(text, visit, now: now)
        case .home, .scanning, .issued, .apology, .deleted, .codeRefused:
            guard warning(now: now) == nil else { return [.beep] }
            lastTouch = now
            return paperLeft + lookUp(text, now: now)
        default: return [.beep]
        }
    }

    mutating func findTouched(now: Duration) -> [KioskEffect] {
        switch state {
        case .home, .codeRefused:
            enter(.scanning(Scanning(digits: "")), now: now)
            return []
        default: return customerStayed(now: now)
        }
    }

    /// Whether an action may follow the last one at once, as the keys of a number do.
    func isKeypad(_ action: KioskAction?) -> Bool {
        switch state {
        case .scanning, .staffEntrance: break
        case .staff(let visit) where visit.form != nil: break
        default: return false
        }
        switch action {
        case .digit, .erase, .staff(.letter), .staff(.accent): return true
        default: return false
        }
    }

    mutating func typed(_ digit: Int, now: Duration) -> [KioskEffect] {
        guard case .scanning(var scanning) = state, (0...9).contains(digit),
            scanning.digits.count < Self.codeLength
        else { return [] }
        scanning.digits.append("\(digit)")
        update(.scanning(scanning))
        return []
    }

    mutating func erased(now: Duration) -> [KioskEffect] {
        guard case .scanning(var scanning) = state, !scanning.digits.isEmpty else { return [] }
        scanning.digits.removeLast()
        update(.scanning(scanning))
        return []
    }

    mutating func codeEntered(now: Duration) -> [KioskEffect] {
        guard case .scanning(let scanning) = state, scanning.digits.count == Self.codeLength else {
            return []
        }
        return lookUp(scanning.digits, isTyped: true, now: now)
    }

    private mutating func lookUp(
        _ text: String, isTyped: Bool = false, now: Duration
    ) -> [KioskEffect] {
        guard let code = PresentedCode(read: text) else {
            refuse(.unreadable, now: now)
            return []
        }
        let attempt = makeKey()
        let looking = LookingUp(attempt: attempt, code: code, isTyped: isTyped)
        enter(.lookingUp(looking), now: now)
        return [.lookUp(code, attempt)]
    }

    public mutating func lookUpAnswered(
        _ attempt: AttemptKey, _ answer: Result<FoundReservation, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard case .lookingUp(let looking) = state, looking.attempt == attempt else { return [] }
        lastTouch = now
        switch answer {
        case .success(let reservation):
            enter(.found(Found(reservation: reservation, code: looking.code)), now: now)
            return []
        case .failure(.code(let refusal)):
            refuse(refusal, isTyped: looking.isTyped, now: now)
            return []
        case .failure(let failure):
            apologize(for: OutOfService(failure), now: now)
            return [.refresh]
        }
    }

    mutating func delete(_ found: Found, now: Duration) -> [KioskEffect] {
        let attempt = makeKey()
        enter(
            .deleting(Deleting(attempt: attempt, reservation: found.reservation)), now: now)
        return [.delete(found.reservation.id, found.code, attempt)]
    }

    public mutating func deletionAnswered(
        _ attempt: AttemptKey, _ answer: Result<Void, BackendFailure>, now: Duration
    ) -> [KioskEffect] {
        guard case .deleting(let deleting) = state, deleting.attempt == attempt else { return [] }
        lastTouch = now
        switch answer {
        case .success:
            let deleted = Deleted(
                number: deleting.reservation.number, closes: now + KioskTiming.finished)
            enter(.deleted(deleted), now: now)
            return [.refresh]
        case .failure(.code(let refusal)):
            refuse(refusal, now: now)
            return []
        case .failure(let failure):
            // The paper shows the truth when it is held to the reader again.
            apologize(for: OutOfService(failure), ofDeletion: true, now: now)
            return [.refresh]
        }
    }

    private mutating func refuse(
        _ reason: CodeRefusal, isTyped: Bool = false, now: Duration
    ) {
        lastTouch = now
        let refused = CodeRefused(
            reason: reason, closes: now + KioskTiming.finished, isTyped: isTyped)
        enter(.codeRefused(refused), now: now)
    }
}
