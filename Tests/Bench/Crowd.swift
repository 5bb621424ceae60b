import BackendAPI
import Cryptography
import FoundationEssentials
import Glibc
import Reservations
import TestSupport

/// The other customers of a demonstration: they see the wait, take tickets or leave, are called, come in and leave.
///
/// More of them come than the shop can serve, and each has a limit for the wait. So the queue grows until the wait
/// turns the surplus customers away, and then keeps its length.
final class Crowd {
    struct Habits {
        /// Tickets that are taken at once, so that a demonstration begins with a wait.
        var first = 14
        /// The mean time between two customers afterwards, in seconds.
        var every = 30.0
        /// The minutes that a customer stays inside on average.
        var stay = 12.0

        /// Minutes of the longest wait that a customer accepts; each customer's own limit is in this range.
        static let maxWait = 12.0...26.0
        /// One customer in eight who holds a place cancels before the confirmation.
        static let thinksBetter = 0.125
        /// With one customer in ten, a ticket that was taken earlier is given back.
        static let givesBack = 0.1
        /// One customer in ten who are called does not come.
        static let noShow = 0.1
        /// Seconds from the call to the door.
        static let walk = 5.0...90.0
    }

    /// Keys of the readers at the doors through which customers come in and leave.
    struct Doors {
        let entrance: SigningKey
        let checkout: SigningKey
    }

    /// The clock that the times of events refer to.
    enum Time {
        /// Events happen at their time of the real clock.
        case real
        /// The shop's clock is moved to each event.
        case controlled(ClockControl, LocalMoment)
    }

    private struct Ticket {
        let id: ReservationID
        let number: QueueNumber
        let code: EntryCode
    }

    private enum Event {
        case come(isFirst: Bool)
        case look
        case enter(Ticket)
        case leave(Ticket)
    }

    private struct Line: Encodable {
        let event: String
        var number: Int?
        var wait: Int?
        var problem: String?
    }

    /// The interval at which the called numbers are read.
    private static let interval = Duration.seconds(5)

    private let habits: Habits
    private let port: UInt16
    private let machine: SigningKey
    private let doors: Doors?
    private let time: Time
    private var random: SplitMix
    private var events = EventQueue<Event>()
    private var now: Moment
    /// Tickets that were not called yet; the oldest are forgotten if there are no doors to enter by.
    private var waiting: [Ticket] = []

    init(
        _ habits: Habits, port: UInt16, machine: SigningKey, doors: Doors?, seed: UInt64,
        time: Time
    ) {
        self.habits = habits
        self.port = port
        self.machine = machine
        self.doors = doors
        self.time = time
        random = SplitMix(seed: seed)
        now =
            switch time {
            case .real: Self.uptime
            case .controlled(_, let begin): begin.moment
            }
        for _ in 0..<habits.first { events.add(.come(isFirst: true), at: now) }
        schedule(.come(isFirst: false), in: gap)
        schedule(.look, in: Self.interval)
    }

    /// Lets this time pass, with all events in it.
    func play(for duration: Duration) throws {
        let end = now + duration
        while let (moment, event) = events.next() {
            guard moment <= end else {
                events.add(event, at: moment)
                break
            }
            try wait(until: moment)
            handle(event)
        }
        try wait(until: end)
    }

    /// The state of the queue as a customer would see it now.
    func queue() throws -> QueueStatus {
        try connection(machine).call(API.queue).reply()
    }

    // MARK: Time

    private static var uptime: Moment {
        Moment(milliseconds: Clock.monotonic / 1_000_000)
    }

    private func wait(until moment: Moment) throws {
        switch time {
        case .real:
            let left = (moment - Self.uptime).wholeMilliseconds
            if left > 0 { usleep(UInt32(clamping: left * 1_000)) }
        case .controlled(let control, let begin): try control.carryOut("set \(begin.at(moment))")
        }
        // Events that waited for an absent backend happen late, not all at once.
        now = moment
    }

    private func schedule(_ event: Event, in duration: Duration) {
        events.add(event, at: now + duration)
    }

    /// The times between independent customers are distributed exponentially.
    private var gap: Duration { .seconds(min(-log(random.unit()), 10) * habits.every) }

    private func drawn(from range: ClosedRange<Double>) -> Double {
        range.lowerBound + random.unit() * (range.upperBound - range.lowerBound)
    }

    // MARK: Events

    private func handle(_ event: Event) {
        do {
            switch event {
            case .come(let isFirst):
                if !isFirst { schedule(event, in: gap) }
                try come(isFirst: isFirst)
            case .look:
                schedule(event, in: Self.interval)
                try look()
            case .enter(let ticket):
                guard let doors else { return }
                try pass(doors.entrance, API.entries, "entrance", ticket)
                schedule(.leave(ticket), in: .seconds(60 * habits.stay * drawn(from: 0.5...1.5)))
            case .leave(let ticket):
                guard let doors else { return }
                try pass(doors.checkout, API.exits, "checkout", ticket)
            }
        } catch {
            say(Line(event: "unanswered", problem: "\(error)"))
            switch event {
            case .come(isFirst: true), .enter, .leave: schedule(event, in: Self.interval)
            case .come(isFirst: false), .look: break
            }
        }
    }

    private func come(isFirst: Bool) throws {
        if !isFirst, !waiting.isEmpty, random.unit() < Habits.givesBack {
            let index = Int(random.unit() * Double(waiting.count))
            try giveBack(waiting.remove(at: index))
            // The wait that follows is of the changed queue.
            try wait(until: now)
        }
        let queue = try queue()
        guard let wait = queue.wait else { return say(Line(event: "refused")) }
        let quoted = wait.expected.moment - queue.now.moment
        let minutes = Int(quoted.wholeMilliseconds / 60_000)
        guard isFirst || quoted < .seconds(60 * drawn(from: Habits.maxWait)) else {
            return say(Line(event: "left", wait: minutes))
        }
        let offer = try connection(machine).call(API.holds, HoldRequest(kind: .ticket))
        guard offer.status == 201 else { return refused(offer.status, minutes) }
        let id = try offer.reply().id
        guard isFirst || random.unit() >= Habits.thinksBetter else {
            _ = try connection(machine).call(API.hold, of: id)
            return say(Line(event: "cancelled", wait: minutes))
        }
        let answer = try connection(machine).call(API.holdConfirmation, of: id)
        guard answer.status == 201 else { return refused(answer.status, minutes) }
        let reply = try answer.reply()
        waiting = waiting.suffix(999) + [Ticket(id: id, number: reply.number, code: reply.code)]
        say(Line(event: "ticket", number: reply.number.rawValue, wait: minutes))
    }

    private func giveBack(_ ticket: Ticket) throws {
        let answer = try connection(machine).call(
            API.reservation, of: ticket.id, CodeRequest(code: ticket.code.rawValue))
        say(
            Line(
                event: "deleted", number: ticket.number.rawValue,
                problem: answer.status == 204 ? nil : "status \(answer.status)"))
    }

    /// A customer who is called sets out, or does not come.
    private func look() throws {
        for number in try queue().calling {
            guard let index = waiting.firstIndex(where: { $0.number == number }) else { continue }
            let ticket = waiting.remove(at: index)
            if random.unit() < Habits.noShow { continue }
            schedule(.enter(ticket), in: .seconds(drawn(from: Habits.walk)))
        }
    }

    private func pass(
        _ key: SigningKey, _ door: Endpoint<CodeRequest, Passage>, _ name: String, _ ticket: Ticket
    ) throws {
        let answer = try connection(key).call(door, CodeRequest(code: ticket.code.rawValue))
        say(
            Line(
                event: answer.status == 200 ? name : "\(name) refused",
                number: ticket.number.rawValue))
    }

    private func refused(_ status: Int, _ wait: Int) {
        say(Line(event: "refused", wait: wait, problem: "status \(status)"))
    }

    /// Makes a connection for each call: the backend may have been restarted in between.
    private func connection(_ key: SigningKey) throws -> DeviceConnection {
        try DeviceConnection("customers", port: port, key: key)
    }

    private func say(_ line: Line) {
        guard let data = try? JSONEncoder().encode(line) else { return }
        Progress.say(String(decoding: data, as: UTF8.self))
    }
}
