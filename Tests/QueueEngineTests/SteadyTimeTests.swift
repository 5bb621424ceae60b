import QueueEngine
import Reservations
import Testing

@Suite("Time that never jumps [fault 36]")
struct SteadyTimeTests {
    private static let start = Moment(milliseconds: 1_795_000_000_000)

    /// Reads the clocks every 7 ms for a duration, while the wall clock is ahead by `ahead`.
    private func pass(
        _ time: inout SteadyTime, from uptime: inout Duration, _ duration: Duration,
        ahead: Duration
    ) -> [Duration] {
        let end = uptime + duration
        var reported: [Duration] = []
        while uptime < end {
            uptime = min(end, uptime + .milliseconds(7))
            let before = time.now
            if let jump = time.clocksRead(wall: Self.start + uptime + ahead, uptime: uptime) {
                reported.append(jump)
            }
            #expect(before <= time.now, "never back")
        }
        return reported
    }

    @Test(
        "A clock that is set moves the time by a tenth of the time that passes, and is reported once",
        arguments: [Duration.seconds(3_600), .seconds(-3_600)])
    func set(by jump: Duration) {
        var time = SteadyTime(wall: Self.start, uptime: .zero)
        var uptime = Duration.zero
        #expect(pass(&time, from: &uptime, .seconds(60), ahead: .zero).isEmpty)
        #expect(time.now == Self.start + uptime)
        let reported = pass(&time, from: &uptime, .seconds(600), ahead: jump)
        #expect(reported == [jump])
        let off = time.now - (Self.start + uptime)
        #expect(off == (jump > .zero ? .seconds(60) : .seconds(-60)))
        // After the clock is corrected, the time returns as slowly.
        _ = pass(&time, from: &uptime, .seconds(700), ahead: .zero)
        #expect(time.now == Self.start + uptime)
    }

    @Test("A wall clock of 1970 is ignored")
    func never() {
        var time = SteadyTime(wall: Self.start, uptime: .zero)
        _ = time.clocksRead(wall: Moment(milliseconds: 5), uptime: .seconds(100))
        #expect(time.now == Self.start + .seconds(100))
    }

    @Test("A time that began in 1970 follows the wall clock once it is set")
    func begun() {
        var time = SteadyTime(wall: Moment(milliseconds: 0), uptime: .zero)
        _ = time.clocksRead(wall: Self.start, uptime: .seconds(1))
        #expect(time.now == Self.start)
    }

    @Test("Small corrections are followed and not reported")
    func small() {
        var time = SteadyTime(wall: Self.start, uptime: .zero)
        var uptime = Duration.zero
        #expect(pass(&time, from: &uptime, .seconds(30), ahead: .milliseconds(1_500)).isEmpty)
        #expect(time.now == Self.start + uptime + .milliseconds(1_500))
    }
}
