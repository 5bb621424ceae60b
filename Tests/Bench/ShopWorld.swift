import Glibc
import QueueEngine
import Reservations

/// The properties of a simulated shop.
struct ShopWorld {
    var capacity = 30
    /// Stays follow a lognormal distribution with this mean and this ratio of deviation to mean.
    var meanStay = 35.0
    var variation = 0.6
    var noShow = ByChannel(machine: 0.1, phone: 0.3, remote: 0.3)
    /// The share of walk-ins who take their ticket on a phone.
    var phones = 0.0
    /// The share of these who do so elsewhere, and the share of them who neither answer when asked whether they are coming nor
    /// come.
    var remote = 0.5
    var silence = 0.15
    /// Whether programs take every place that is given to phones elsewhere, and never come.
    var hasRobots = false
    /// The share of customers who leave without a scan at the exit.
    var missedExit = 0.0
    /// The share of the capacity that visits book on average.
    var booked = 0.2
    /// Whether phones have booked every visit that they may, instead of walking in (rules: visits).
    var isBookedOut = false
    /// Walk-ins a minute, as a share of what the unbooked places can serve, before and in the two peaks.
    var quiet = 0.75
    var peak = 1.5

    static let opens = 8 * 60.0
    static let closes = 20 * 60.0

    /// Walk-ins a minute at a minute of the day.
    func arrivals(at minute: Double) -> Double {
        let served = Double(capacity) * (1 - booked) / (meanStay * (1 - noShow.machine) + 3)
        let isPeak = (10 * 60..<12 * 60).contains(minute) || (16 * 60..<18 * 60).contains(minute)
        return served * (isPeak ? peak : quiet)
    }

    /// The walk-ins of a day.
    var walkIns: Double {
        stride(from: Self.opens, to: Self.closes, by: 1).reduce(0) { $0 + arrivals(at: $1) }
    }

    /// Minutes from a minute of the day to the next walk-in.
    func gap(at minute: Double, _ random: inout SplitMix) -> Double {
        -log1p(-random.unit()) / arrivals(at: minute)
    }

    /// The minutes that a customer stays inside.
    func stay(_ random: inout SplitMix) -> Double {
        StayDistribution(mean: meanStay, variation: variation).quantile(random.unit())
    }
}

/// What a customer will do, whatever the shop does: the same in each play of a day with the same seed.
struct SimulatedCustomer {
    let channel: Channel
    /// Whether the customer comes when called.
    let comes: Bool
    /// The minutes after which a customer elsewhere answers the question; nil for one who does not.
    let answer: Double?
    /// The part of the longest way to the door, 0 to 1.
    let walk: Double
    /// The minutes inside.
    let stay: Double
    /// Whether the exit is scanned.
    let isScanned: Bool
    /// How soon the customer would book a visit instead of walking in, 0 to 1.
    let booking: Double

    /// - Parameter phones: The share of such customers who take their ticket on a phone.
    init(_ world: ShopWorld, seed: UInt64, index: Int, phones: Double) {
        var random = SplitMix(seed: seed << 32 ^ UInt64(index))
        let (onPhone, elsewhere) = (random.unit() < phones, random.unit() < world.remote)
        channel = onPhone ? elsewhere ? .remote : .phone : .machine
        answer = random.unit() < world.silence ? nil : 10 * random.unit()
        let isSilent = channel == .remote && answer == nil
        comes = random.unit() >= world.noShow[channel] && !isSilent
        walk = random.unit()
        stay = world.stay(&random)
        isScanned = random.unit() >= world.missedExit
        booking = random.unit()
    }

    /// When a visitor with this slot is at the door.
    func arrival(at slot: Moment) -> Moment { slot + .milliseconds(Int64(walk * 480_000)) }

    /// A program that takes places elsewhere.
    static let robot = SimulatedCustomer()

    private init() {
        (channel, comes, answer) = (.remote, false, nil)
        (walk, stay, isScanned, booking) = (0, 0, false, 1)
    }
}

extension Shop {
    /// A shop whose hours are handed over with each command.
    static func simulated(_ policy: ShopPolicy) -> Shop {
        Shop(
            id: ShopID("bench"), tag: ShopTag(rawValue: "BNCH")!, name: "Bench", timeZone: "UTC",
            hours: OpeningHours(weekly: [:]), policy: policy, languages: ["en"])
    }

    func context(
        at now: Moment, in openings: [OpenInterval], _ forecast: WaitForecast?,
        offsetMinutes: Int = 0
    ) -> QueueContext {
        QueueContext(
            shop: self, now: now, openings: openings, forecast: forecast,
            local: { LocalMoment($0, offsetMinutes: offsetMinutes) })
    }

    /// A number with the codes of a ticket, which are made of another number.
    func confirmation(_ number: Int, code: Int, issued: LocalMoment) -> Confirmation? {
        var bytes = [UInt8](repeating: 0, count: 16)
        for byte in 0..<4 { bytes[byte] = UInt8(code >> (8 * byte) & 0xFF) }
        guard let number = QueueNumber(rawValue: number),
            let typed = TypedCode(rawValue: code.padded(10))
        else { return nil }
        return Confirmation(
            number: number, code: EntryCode(tag: tag, random: bytes), typedCode: typed,
            issued: issued)
    }
}
