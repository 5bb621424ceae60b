import QueueEngine
import Reservations

/// One ticket that had to wait: the wait that each method quoted, and the actual one; minutes.
struct QuotedWait {
    let channel: Channel
    let quoted: WaitEstimate
    /// The customers ahead plus 1, times the mean stay, divided by the capacity.
    let naive: Double
    /// The wait of the customer who was called last before (LES).
    let last: Double
    let issued: Moment
    var called: Moment?

    /// Minutes from the ticket's issue to a moment.
    func minutes(to moment: Moment) -> Double {
        (moment - issued).minutes
    }

    var wait: Double? { called.map(minutes) }
}

/// The events of a simulated day.
struct ShopDayLog {
    var waits: [ReservationID: QuotedWait] = [:]
    var tickets = 0
    /// The walk-ins who got no ticket, by their place in the sequence of walk-ins.
    var turnedAway: Set<Int> = []
    /// The minutes that the other walk-ins waited for their call, 0 for those called at once, likewise.
    var waited: [Int: Double] = [:]
    var channels: [Int: Channel] = [:]
    var mostTaken = 0
    /// Minutes times customers inside, for the mean occupancy.
    var insideMinutes = 0.0
    var missed = 0
    var inferred = 0
    /// The places that programs took, and how many of them were called.
    var robots = 0
    var robotsCalled = 0
}

/// A day of a shop, event by event, against the real engine; an array takes the place of the store.
struct ShopDay {
    private enum Event {
        case walkIn
        case confirm(ReservationID, HoldOwner)
        case arrive(ReservationID)
        case leave(ReservationID)
        case answer(ReservationID)
        case tick
    }

    private let world: ShopWorld
    private let day: CalendarDay
    private let seed: UInt64
    private var random: SplitMix
    private let shop: Shop
    private let opening: OpenInterval
    private var state: QueueState
    private let records = StoredRecords()
    private var events = EventQueue<Event>()
    private var now = Moment(milliseconds: 0)
    private var drawn = 0
    private var ticks = 0
    private var customers: [ReservationID: (index: Int, customer: SimulatedCustomer)] = [:]
    private var lastWait = 0.0
    /// The part of the walk-ins who have booked a visit and do not walk in.
    private var booked = 0.0
    private var insideSince: (count: Int, moment: Moment)
    private(set) var log = ShopDayLog()

    /// The statistics that the queue learned are taken over from the day before.
    init(_ world: ShopWorld, day: CalendarDay, seed: UInt64, after former: QueueState?) {
        self.world = world
        self.day = day
        self.seed = seed
        random = SplitMix(seed: seed)
        var policy = ShopPolicy(
            capacity: world.capacity, usualStayMinutes: Int(world.meanStay), leaveDelaySeconds: 0)
        policy.phones.hasPlaces = true
        policy.phones.hasRemotePlaces = true
        policy.phones.hasVisits = true
        policy.phones.asksWhoComes = true
        if !world.hasRobots { policy.phones.sharePercent = 100 }
        shop = .simulated(policy)
        func moment(_ minutes: Double) -> Moment {
            Moment(
                milliseconds: Int64(day.daysSince1970) * 86_400_000 + Int64(minutes * 60_000))
        }
        opening = OpenInterval(
            opens: LocalMoment(moment(ShopWorld.opens), offsetMinutes: 0),
            closes: LocalMoment(moment(ShopWorld.closes), offsetMinutes: 0))
        state = QueueState(policy: policy)
        if let former { state.restore(stays: former.stays, attendance: former.attendance) }
        now = opening.opens.moment
        insideSince = (0, now)
        bookVisits()
        if world.isBookedOut { bookOut() }
    }

    /// Books all visits that phones may, a day before; so many fewer customers walk in.
    private mutating func bookOut() {
        let opens = now
        now = opens - .minutes(12 * 60)
        var count = 0
        var slot = opens
        while slot < opening.closes.moment {
            let holder = HolderID("visitor-\(count)")
            let id = ReservationID("b\(count)")
            let chosen = ChosenSlot(start: opening.local(slot))
            records.next.id = id
            guard case .success = ask(.holdVisit(chosen), by: .phone(holder)),
                let codes = confirmation(state.lastNumber(of: day) + 1)
            else {
                slot = slot + ShopPolicy.slotLength
                continue
            }
            customers[id] = (
                -count,
                SimulatedCustomer(world, seed: seed, index: count &+ 1 << 30, phones: 1)
            )
            records.next.codes = codes
            ask(.held(id, .confirm), by: .phone(holder))
            count += 1
        }
        now = opens
        booked = Double(count) / world.walkIns
    }

    /// Plays the day to its end; returns the queue's state at that time.
    mutating func play() -> QueueState {
        schedule(.walkIn, in: gap())
        schedule(.tick, in: 0)
        while let (moment, event) = events.next(), moment < opening.closes.moment {
            now = moment
            handle(event)
        }
        return state
    }

    /// Makes the visits that were booked on the days before: the number in each slot is random.
    private mutating func bookVisits() {
        let perSlot = world.booked * Double(world.capacity) * 15 / world.meanStay
        var slot = opening.opens.moment
        var number = 0
        while slot + .minutes(Int(world.meanStay)) <= opening.closes.moment {
            let count = Int(perSlot) + (random.unit() < perSlot - perSlot.rounded(.down) ? 1 : 0)
            for _ in 0..<count {
                number += 1
                let visit = VisitSlot(
                    start: opening.local(slot),
                    end: opening.local(slot + .minutes(Int(world.meanStay))))
                let wait = WaitEstimate(
                    expected: visit.start, earliest: visit.start, latest: visit.start,
                    peopleAhead: 0)
                let id = ReservationID("v\(number)")
                customers[id] = customer(-number)
                let hold = Hold(
                    id: id, owner: .machine(MachineID("m1")), kind: .visit, day: day,
                    taken: opening.opens, expires: opening.opens, extensions: 0, wait: wait,
                    visit: visit)
                let record = ReservationRecord(
                    hold: hold, state: .planned, since: now, cause: .confirmed,
                    confirmation: confirmation(number))
                records[hold.id] = record
                state.restore(record)
            }
            slot = slot + ShopPolicy.slotLength
        }
        state.restore(day: day, counter: number)
    }

    private func confirmation(_ number: Int) -> Confirmation? {
        shop.confirmation(number, code: number, issued: opening.local(now))
    }

    private mutating func handle(_ event: Event) {
        switch event {
        case .tick:
            // Customers elsewhere are asked by the forecast.
            ticks += 1
            let hasRemote = (world.phones > 0 || world.hasRobots) && ticks % 4 == 0
            ask(.tick, hasRemote ? WaitForecast(state, at: now, in: opening) : nil)
            if world.hasRobots, hasRemote { takeRemotePlaces() }
            schedule(.tick, in: 0.25)
        case .walkIn:
            schedule(.walkIn, in: gap())
            walkIn()
        case .confirm(let id, let owner): confirm(id, owner)
        case .arrive(let id):
            if case .success = ask(.reservation(.id(id), .enter)),
                let customer = customers[id]?.customer, customer.isScanned
            {
                schedule(.leave(id), in: customer.stay)
            }
        case .answer(let id): ask(.reservation(.id(id), .comes))
        case .leave(let id): ask(.reservation(.id(id), .exit(at: .checkout)))
        }
    }

    private mutating func walkIn() {
        drawn += 1
        let id = ReservationID("t\(drawn)")
        let walkIn = customer(drawn)
        guard walkIn.customer.booking >= booked else { return }
        customers[id] = walkIn
        log.channels[drawn] = walkIn.customer.channel
        let owner: HoldOwner =
            switch walkIn.customer.channel {
            case .machine: .machine(MachineID("m\(drawn % 2)"))
            case .phone, .remote: .phone(HolderID("p\(drawn)"))
            }
        let forecast = WaitForecast(state, at: now, in: opening)
        let isRemote = walkIn.customer.channel == .remote
        records.next.id = id
        guard case .success = ask(.hold(.ticket, isRemote: isRemote), by: owner, forecast) else {
            log.turnedAway.insert(drawn)
            return
        }
        schedule(.confirm(id, owner), in: 0.2)
    }

    /// Programs take all places that phones elsewhere get now, each from an address of its own.
    private mutating func takeRemotePlaces() {
        let forecast = WaitForecast(state, at: now, in: opening)
        while let codes = confirmation(drawn) {
            let id = ReservationID("r\(log.robots)")
            let owner = HoldOwner.phone(HolderID("robot-\(log.robots)"))
            records.next = (id, codes)
            guard case .success = ask(.hold(.ticket, isRemote: true), by: owner, forecast) else {
                return
            }
            customers[id] = (0, SimulatedCustomer.robot)
            ask(.held(id, .confirm), by: owner, forecast)
            log.robots += 1
        }
    }

    /// A walk-in, or below zero a visitor.
    private func customer(_ index: Int) -> (index: Int, customer: SimulatedCustomer) {
        let phones = index > 0 ? world.phones : 0
        return (
            index, SimulatedCustomer(world, seed: seed, index: index &+ 1 << 31, phones: phones)
        )
    }

    private mutating func confirm(_ id: ReservationID, _ owner: HoldOwner) {
        guard let codes = confirmation(drawn) else { return }
        let ahead = state.status(in: context(nil)).waiting
        let before = lastWait
        let forecast = WaitForecast(state, at: now, in: opening)
        records.next.codes = codes
        let answer = ask(.held(id, .confirm), by: owner, forecast)
        guard case .success(.confirmed(let ticket, _)) = answer else { return }
        log.tickets += 1
        guard ticket.enterBy == nil, let customer = customers[id] else {
            if let index = customers[id]?.index { log.waited[index] = 0 }
            return
        }
        log.waits[id] = QuotedWait(
            channel: customer.customer.channel, quoted: ticket.wait,
            naive: Double(ahead + 1) * world.meanStay / Double(world.capacity), last: before,
            issued: now)
    }

    private func context(_ forecast: WaitForecast?) -> QueueContext {
        shop.context(at: now, in: [opening], forecast, offsetMinutes: 60)
    }

    @discardableResult
    private mutating func ask(
        _ command: QueueCommand, by sender: HoldOwner? = nil, _ forecast: WaitForecast? = nil
    ) -> Result<QueueOutcome, Refused> {
        let decision = state.perform(command, by: sender, in: context(forecast), records)
        for change in decision.changes { store(change) }
        log.mostTaken = max(log.mostTaken, state.taken)
        return decision.result
    }

    private mutating func store(_ change: QueueChange) {
        guard let record = records.store(change) else { return }
        if case .questionChanged(let id, let question) = change, question.answered == nil,
            let minutes = customers[id]?.customer.answer
        {
            schedule(.answer(id), in: minutes)
        }
        if case .moved(let transition) = change { move(record, transition) }
    }

    private mutating func move(_ record: ReservationRecord, _ transition: Transition) {
        switch transition.to {
        case .called:
            guard transition.cause == .turn else { return }
            if record.hold.id.rawValue.hasPrefix("r") { log.robotsCalled += 1 }
            if log.waits[transition.id] != nil {
                log.waits[transition.id]?.called = transition.at
                lastWait = log.waits[transition.id]?.wait ?? 0
                if let index = customers[transition.id]?.index { log.waited[index] = lastWait }
            } else if record.hold.visit == nil {
                lastWait = 0
            }
            guard let customer = customers[transition.id]?.customer, customer.comes else { return }
            if let visit = record.hold.visit {
                events.add(
                    .arrive(transition.id),
                    at: max(customer.arrival(at: visit.start.moment), transition.at))
            } else {
                events.add(.arrive(transition.id), minutes: 5 * customer.walk, after: transition.at)
            }
        case .active: count(1, at: transition.at)
        case .expired:
            if transition.cause == .missed { log.missed += 1 }
            if transition.cause == .inferred { log.inferred += 1 }
            let isOut =
                transition.cause == .inferred
                || transition.cause == .left && transition.from == .active
            if isOut { count(-1, at: transition.at) }
        case .pending, .planned, .deleted: break
        }
    }

    private mutating func count(_ change: Int, at moment: Moment) {
        let minutes = (moment - insideSince.moment).minutes
        log.insideMinutes += minutes * Double(insideSince.count)
        insideSince = (insideSince.count + change, moment)
    }

    private mutating func gap() -> Double {
        world.gap(at: ShopWorld.opens + (now - opening.opens.moment).minutes, &random)
    }

    private mutating func schedule(_ event: Event, in minutes: Double) {
        events.add(event, minutes: minutes, after: now)
    }
}

/// Reservations as a store would keep them, in a class so that a look-up copies nothing.
final class StoredRecords: QueueRecords {
    private var rows: [ReservationID: ReservationRecord] = [:]
    /// The identifier and the codes that the next reservation gets.
    var next = (id: ReservationID(""), codes: Confirmation?.none)

    func record(_ name: ReservationName) -> ReservationRecord? {
        if case .id(let id) = name { rows[id] } else { nil }
    }

    func sentHome(on days: [CalendarDay]) -> [ReservationRecord] { [] }

    func newID(at now: Moment) -> ReservationID { next.id }

    func newCodes(isAnother: Bool) -> (code: EntryCode, typed: TypedCode) {
        guard let codes = next.codes else { preconditionFailure("there are no codes") }
        return (codes.code, codes.typedCode)
    }

    subscript(_ id: ReservationID) -> ReservationRecord? {
        get { rows[id] }
        set { rows[id] = newValue }
    }

    /// Stores a change; gives the record that it has changed, as it is now, if there is one.
    @discardableResult
    func store(_ change: QueueChange) -> ReservationRecord? {
        switch change {
        case .inserted(let record), .confirmed(let record), .turnChanged(let record),
            .rebooked(let record, _), .recoded(let record, _):
            rows[record.hold.id] = record
            return record
        case .questionChanged(let id, let question):
            rows[id] = rows[id]?.with(question)
            return rows[id]
        case .moved(let transition):
            let after = rows[transition.id]?.after(transition)
            rows[transition.id] = transition.from == .pending ? nil : after
            return rows[transition.id]
        case .extended, .counterAdvanced, .closingSet, .ticketsEnded, .unregistered, .learnedStays,
            .learnedAttendance, .noShow, .noShowsForgotten, .orderCalled, .collectorsChanged:
            return nil
        }
    }
}
