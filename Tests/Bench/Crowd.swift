import BackendAPI
import Cryptography
import FoundationEssentials
import Glibc
import Reservations
import TestSupport

/// The other customers of a demonstration: they see the wait, take tickets or leave, are called, come in and go.
///
/// More of them come than the shop can serve, and each has a wait that is too long for him. So the queue grows
/// until as many leave as are too many, and stays there.
final class Crowd {
    struct Habits {
        /// Tickets that are taken at once, so that a demonstration begins with a wait.
        var first = 14
        /// The mean time between two customers afterwards, in seconds.
        var every = 30.0
        /// Minutes that a customer stays inside on the average.
        var stay = 12.0

        /// Minutes of the wait that is too long; everybody has his own between these.
        static let patience = 12.0...26.0
        /// One in eight who took a place thinks better of it before he confirms.
        static let thinksBetter = 0.125
        /// With one customer in ten somebody gives back a ticket that was taken earlier.
        static let givesBack = 0.1
        /// One in ten who are called does not come.
        static let noShow = 0.1
        /// Seconds on the way from the call to the door.
        static let walk = 5.0...90.0
    }

    /// Keys of the readers through which they come in and go.
    struct Doors {
        let entrance: SigningKey
        let checkout: SigningKey
    }

    /// What the times of events are.
    enum Time {
        /// They happen when they are due.
        case real
        /// The shop's clock is moved to them.
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

    /// How often the called numbers are looked at.
    private static let interval = Duration.seconds(5)

    private let habits: Habits
    private let port: UInt16
    private let machine: SigningKey
    private let doors: Doors?
    private let time: Time
    private var random: SplitMix
    private var events = EventQueue<Event>()
    private var now: Moment
    /// Who was not called yet; the oldest are forgotten where nobody has a door to come in by.
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

    /// Lets so much time pass, with all that happens in it.
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

    /// What anybody would be told who came now.
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
        case .controlled(let control, let begin): try control.obey("set \(begin.at(moment))")
        }
        // What was held up by a backend that was away happens late, not all at once.
        now = moment
    }

    private func schedule(_ event: Event, in duration: Duration) {
        events.add(event, at: now + duration)
    }

    /// Times between customers who do not know each other are exponential.
    private var gap: Duration { .seconds(min(-log(random.unit()), 10) * habits.every) }

    private func drawn(from range: ClosedRange<Double>) -> Double {
        range.lowerBound + random.unit() * (range.upperBound - range.lowerBound)
    }

    // MARK: What happens

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
        }
        let queue = try queue()
        guard let wait = queue.wait else { return say(Line(event: "refused")) }
        let told = wait.expected.moment - queue.now.moment
        let minutes = Int(told.wholeMilliseconds / 60_000)
        guard isFirst || told < .seconds(60 * drawn(from: Habits.patience)) else {
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

    /// Who is called sets out, or does not come.
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

    /// A connection for each call: a backend may have gone and come back in between.
    private func connection(_ key: SigningKey) throws -> DeviceConnection {
        try DeviceConnection("customers", port: port, key: key)
    }

    private func say(_ line: Line) {
        guard let data = try? JSONEncoder().encode(line) else { return }
        Progress.say(String(decoding: data, as: UTF8.self))
    }
}
