internal import BackendAPI
internal import Cryptography
internal import Foundation
internal import ReservationStore
internal import Reservations
internal import TestSupport

/// Machines, doors and customers around one backend, with a network and a disk that fail; everything is drawn
/// from one seed, so that a failing seed can be played again.
struct Simulation {
    private static let machines = 4
    /// A machine retries for a time (rules: time-outs); then the confirmation is unresolved, and it keeps asking.
    private static let attemptTimeout = Duration.milliseconds(2_500)
    private static let maxAttempts = 4

    let seed: UInt64
    private var random: SplitMix
    private let backend: SimulatedBackend
    private var callers: [Caller] = []
    private var events: [(moment: Moment, order: Int, event: Event)] = []
    private var order = 0
    private var now: Moment
    private let start: Moment
    private var calls = 0
    private var papers: [Paper] = []
    private var unresolved: [Call] = []
    private(set) var exchanges: [Exchange] = []
    private(set) var violations: [String] = []
    /// Every answer in order; equal for equal seeds.
    private(set) var trace: [UInt8] = []
    private(set) var tally = Tally()
    private var isHealthy = false

    init(seed: UInt64) throws {
        self.seed = seed
        random = SplitMix(seed: seed)
        // A Friday in Rome: the morning, the last hour before closing, or the night of a change of the clock.
        let starts = [
            "2026-11-20T10:00:00+01:00", "2026-11-20T18:40:00+01:00", "2026-11-20T07:55:00+01:00",
            "2026-03-29T00:30:00+01:00", "2026-10-25T02:30:00+02:00", "2026-11-20T23:58:00+01:00",
        ]
        let first = LocalMoment(starts[random.index(starts.count)])!.moment
        start = first
        now = first
        let machines = (0..<Self.machines).map { (name: "m\($0)", role: KeyRole.ticketMachine) }
        let readers = [KeyRole.entrance, .checkout, .turnstile].map { (name: "\($0)", role: $0) }
        callers = try (machines + readers).map {
            Caller(name: $0.name, role: $0.role, signing: try .generate())
        }
        backend = try SimulatedBackend(
            seed: random.next(), capacity: 2 + random.index(6), start: first,
            machines: callers.map { ($0.name, $0.signing.publicKey, $0.role) })
        for index in 0..<Self.machines { schedule(.think(index), in: .seconds(index)) }
        schedule(.pass, in: .seconds(5))
    }

    /// Plays `count` events, then repairs network and disk, resolves what is unresolved, and checks the result.
    mutating func play(_ count: Int) throws {
        for _ in 0..<count {
            guard let (moment, event) = takeEvent() else { break }
            now = max(now, moment)
            backend.clock.change { [now] in $0 = now }
            try handle(event)
            try judgeCapacity()
        }
        try heal()
        let found = Checker(exchanges, rows: try backend.rows).violations()
        violations += found.map { "\($0.invariant.rawValue): \($0.description)" }
        tally.seconds = Double((now - start).wholeMilliseconds) / 1_000
    }

    // MARK: Events

    private mutating func schedule(_ event: Event, in duration: Duration) {
        order += 1
        events.append((now + duration, order, event))
    }

    private mutating func takeEvent() -> (Moment, Event)? {
        guard
            let index = events.indices.min(by: {
                (events[$0].moment, events[$0].order) < (events[$1].moment, events[$1].order)
            })
        else { return nil }
        let event = events.remove(at: index)
        return (event.moment, event.event)
    }

    private mutating func handle(_ event: Event) throws {
        switch event {
        case .pass:
            backend.tick()
            try doors()
            // Now and then hours pass, and with them closing, the night and midnight.
            let pause: Duration =
                random.happens(1, in: 50)
                ? .seconds(3_600 * (1 + random.index(9))) : .seconds(5 + random.index(60))
            schedule(.pass, in: pause)
        case .think(let index):
            think(index)
            schedule(.think(index), in: .seconds(1 + random.index(50)))
        case .deliver(let call, let attempt):
            try deliver([(call, attempt)] + together())
        case .timeOut(let call, let attempt):
            guard !call.isOver else { return }
            if attempt < Self.maxAttempts {
                send(call, attempt + 1)
            } else {
                giveUp(call)
            }
        }
    }

    /// Some of the messages that arrive next, as one burst.
    private mutating func together() -> [(Call, Int)] {
        guard random.happens(1, in: 5) else { return [] }
        var burst: [(Call, Int)] = []
        while burst.count < 6 {
            let near = events.indices.filter {
                if case .deliver = events[$0].event {
                    return events[$0].moment <= now + .milliseconds(400)
                }
                return false
            }
            guard let index = near.min(by: { events[$0].order < events[$1].order }),
                case .deliver(let call, let attempt) = events[index].event
            else { break }
            events.remove(at: index)
            burst.append((call, attempt))
        }
        return burst
    }

    // MARK: Machines and doors

    private mutating func think(_ index: Int) {
        guard !callers[index].isAsking else { return }
        if let hold = callers[index].hold {
            switch random.index(20) {
            case 0..<14: ask(index, .holdConfirmation(hold), "", .confirm)
            case 14..<17: ask(index, .holdExtension(hold), "", .other)
            default:
                callers[index].hold = nil
                ask(index, .hold(hold), "", .other)
            }
        } else {
            switch random.index(20) {
            case 0..<12: ask(index, .holds, #"{"kind":"ticket"}"#, .hold)
            case 12..<16: ask(index, .holds, #"{"kind":"visit"}"#, .hold)
            case 16..<18:
                guard let paper = anyPaper() else { return }
                let body = #"{"code":"\#(papers[paper].code)"}"#
                ask(index, .reservation(papers[paper].id), body, .other)
            case 18:
                // The staff lets a customer in, and rarely closes early.
                ask(index, .staffActions, #"{"action":"call-again","number":1}"#, .other)
            default:
                guard let paper = anyPaper() else { return }
                ask(index, .lookup, #"{"code":"\#(papers[paper].code)"}"#, .other)
            }
        }
    }

    private mutating func anyPaper() -> Int? {
        papers.isEmpty ? nil : random.index(papers.count)
    }

    /// A customer stands before a door, with a ticket that may pass or with any other.
    private mutating func doors() throws {
        for index in papers.indices.suffix(40) where !papers[index].isGone {
            let code = papers[index].code
            let body = #"{"code":"\#(code)"}"#
            if !papers[index].isInside, random.happens(1, in: 6) {
                ask(Self.machines, .entries, body, .enter, code: code)
            } else if papers[index].isInside, random.happens(1, in: 12) {
                ask(Self.machines + 1 + random.index(2), .exits, body, .exit, code: code)
            }
        }
    }

    private mutating func ask(
        _ caller: Int, _ route: Route, _ body: String, _ purpose: Call.Purpose, code: String = ""
    ) {
        calls += 1
        callers[caller].isAsking = caller < Self.machines
        send(Call(calls, caller, route, body, purpose, code: code), 1)
    }

    /// Sends the same bytes of a body under a new signature with the same key.
    private mutating func send(_ call: Call, _ attempt: Int) {
        schedule(.timeOut(call, try: attempt), in: Self.attemptTimeout)
        if !isHealthy, random.happens(1, in: 8) { return note(call, .failed) }
        let travel: Duration =
            !isHealthy && random.happens(1, in: 10)
            ? .milliseconds(300 + random.index(20_000)) : .milliseconds(5 + random.index(150))
        schedule(.deliver(call, try: attempt), in: travel)
        // A proxy sends a request twice: its nonce was used already, or this is the first time.
        if !isHealthy, random.happens(1, in: 25) {
            schedule(.deliver(call, try: attempt), in: travel + .milliseconds(random.index(4_000)))
        }
    }

    private func request(_ call: Call, _ attempt: Int) -> WireRequest {
        var request = WireRequest(
            method: call.route.endpoint.method.rawValue, authority: "queue.example",
            path: call.route.path,
            body: Array(call.body.utf8))
        if call.route.endpoint.carriesKey { request.fields[HeaderField.idempotencyKey] = call.key }
        if !call.body.isEmpty { request.fields[HeaderField.contentType] = "application/json" }
        return RequestSigner(key: callers[call.caller].signing).sign(
            request, created: now.milliseconds / 1_000,
            nonce: "nonce-\(call.number)-\(attempt)")
    }

    private mutating func deliver(_ burst: [(call: Call, try: Int)]) throws {
        drawFailure()
        let answers = backend.answers(burst.map { request($0.call, $0.try) })
        // A failure that was drawn for an operation that did not happen is dropped.
        backend.failures.disarm()
        let died = backend.failures.hasDied()
        if died {
            tally.deaths += 1
            try backend.restart()
        }
        for (answer, (call, _)) in zip(answers, burst) {
            trace += [UInt8(truncatingIfNeeded: answer.status)] + Self.reported(answer)
            // A dead process gives no answer, and a network loses answers.
            guard !died, isHealthy || !random.happens(1, in: 5) else {
                note(call, .unknown)
                continue
            }
            note(call, .answered(status: answer.status, body: answer.body))
            hear(answer, to: call)
        }
    }

    /// The part of an answer that is equal for equal seeds: not the waits, which depend on this computer's speed.
    private static func reported(_ answer: WireResponse) -> [UInt8] {
        if let reply = try? JSONDecoder().decode(Reservation.self, from: Data(answer.body)) {
            return Array("\(reply.number) \(reply.code.rawValue)".utf8)
        }
        return answer.status < 300 ? [] : answer.body
    }

    /// Now and then makes the disk fail at one of the next operations, or ends the process there.
    private mutating func drawFailure() {
        guard !isHealthy, random.happens(1, in: 12) else { return }
        let operations = random.index(14)
        switch random.index(6) {
        case 0: backend.failures.arm(.once(.full), after: operations)
        case 1: backend.failures.arm(.once(.inputOutput), after: operations)
        case 2: backend.failures.arm(.once(.busy), after: operations)
        case 3: backend.failures.arm(.lostCommit, after: 0)
        default: backend.failures.arm(.death, after: operations)
        }
    }

    private mutating func note(_ call: Call, _ outcome: Exchange.Outcome) {
        let epoch = Self.epoch
        let moment = epoch + (now - start)
        exchanges.append(
            Exchange(
                asked: moment, method: call.route.endpoint.method.rawValue, path: call.route.path,
                key: call.route.endpoint.repetition == .stored ? call.key : nil,
                body: Array(call.body.utf8),
                ended: moment, outcome: outcome))
    }

    private static let epoch = ContinuousClock.now

    // MARK: Answers

    private mutating func hear(_ answer: WireResponse, to call: Call) {
        guard !call.isOver else { return }
        // Unavailable, or a nonce that a proxy has used: the machine asks again when this try has timed out.
        guard answer.status < 500, answer.status != 401, answer.status != 429 else { return }
        call.isOver = true
        if let index = unresolved.firstIndex(where: { $0 === call }) {
            unresolved.remove(at: index)
            tally.recovered += 1
        }
        callers[call.caller].isAsking = false
        let data = Data(answer.body)
        switch call.purpose {
        case .hold:
            callers[call.caller].hold =
                (try? JSONDecoder().decode(HeldPlace.self, from: data))?.id
        case .confirm:
            callers[call.caller].hold = nil
            guard let reply = try? JSONDecoder().decode(Reservation.self, from: data) else {
                return
            }
            tally.acknowledged += 1
            papers.append(Paper(id: reply.id, code: reply.code.rawValue))
        case .enter:
            guard answer.status == 200 else { return }
            update(call.code) { $0.isInside = true }
        case .exit:
            guard answer.status == 200 else { return }
            update(call.code) { $0.isGone = true }
        case .other: break
        }
    }

    private mutating func update(_ code: String, _ change: (inout Paper) -> Void) {
        if let index = papers.firstIndex(where: { $0.code == code }) { change(&papers[index]) }
    }

    /// There was neither yes nor no: the machine serves the next one and keeps asking for a confirmation
    /// (rules: unanswered-confirmation).
    private mutating func giveUp(_ call: Call) {
        callers[call.caller].isAsking = false
        if call.purpose == .confirm {
            callers[call.caller].hold = nil
            if !unresolved.contains(where: { $0 === call }) {
                unresolved.append(call)
                tally.unknown += 1
            }
            schedule(.timeOut(call, try: 0), in: .seconds(30))
        } else {
            call.isOver = true
        }
    }

    // MARK: Checks

    private mutating func judgeCapacity() throws {
        let taken = try backend.taken
        if taken > backend.shop.policy.capacity {
            violations.append(
                "O: \(taken) of \(backend.shop.policy.capacity) places are taken at \(now)")
        }
    }

    /// Repairs network and disk: every unresolved request is resolved in one or two tries.
    private mutating func heal() throws {
        isHealthy = true
        events.removeAll()
        for call in unresolved {
            for attempt in 100..<103 where !call.isOver { try deliver([(call, attempt)]) }
            if !call.isOver {
                violations.append("K: \(call.key) gets no answer from a backend that is well")
            }
        }
    }
}

extension SplitMix {
    /// A number from 0 to `count` - 1.
    mutating func index(_ count: Int) -> Int { Int(next() % UInt64(count)) }

    mutating func happens(_ times: Int, in count: Int) -> Bool { index(count) < times }
}
