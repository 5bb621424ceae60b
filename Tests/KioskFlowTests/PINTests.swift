import Testing

@testable import KioskFlow

@Suite("PINs")
struct PINTests {
    @Test("A PIN has 6 to 8 digits and is none of the common ones")
    func rules() throws {
        for good in ["739146", "8204917", "50713926"] { try PINRules.check(good) }
        let bad: [(String, PINRules.Refusal)] = [
            ("", .wrongLength), ("73914", .wrongLength), ("507139264", .wrongLength),
            ("73914a", .notDigits), ("٧٣٩١٤٦", .notDigits), ("111111", .common),
            ("123456", .common), ("12345678", .common), ("987654", .common), ("890123", .common),
            ("246802", .common), ("121212", .common), ("123123", .common), ("12341234", .common),
            ("112233", .common), ("123321", .common), ("159753", .common), ("000001", .common),
        ]
        for (pin, reason) in bad {
            #expect(throws: reason, "\(pin)") { try PINRules.check(pin) }
        }
    }

    @Test("Three tries are free, then 30 s, 1, 2, 4 ... min, and ten wrong ones in a row lock it")
    func waits() {
        var tries = PINGuard.untouched
        var now: Duration = .seconds(1_000)
        var waits: [Int] = []
        for _ in 0..<10 {
            #expect(tries.begin(now: now) == .open)
            if case .wait(let wait) = tries.availability(now: now) {
                waits.append(Int(wait.components.seconds))
                // An earlier attempt is refused, and does not count.
                let early = now + wait - .milliseconds(1)
                #expect(tries.begin(now: early) == .wait(.milliseconds(1)))
                now += wait
            } else {
                waits.append(0)
            }
        }
        #expect(waits == [0, 0, 30, 60, 120, 240, 480, 960, 1_920, 0])
        #expect(tries.begin(now: now + .seconds(1_000_000)) == .locked)
        #expect(PINGuard.wait(after: 60) == .seconds(3_600))
    }

    @Test("A right PIN makes the next three attempts free again")
    func success() {
        var tries = PINGuard.untouched
        for _ in 0..<2 { _ = tries.begin(now: .seconds(1)) }
        tries.succeeded()
        for _ in 0..<3 { #expect(tries.begin(now: .seconds(1)) == .open) }
        #expect(tries.begin(now: .seconds(1)) == .wait(.seconds(30)))
    }

    @Test("After a power cycle the whole wait begins again; a changed file makes it no longer")
    func restart() {
        let again = PINGuard(
            failures: 4, opens: .seconds(9_999), isSameBoot: false, now: .seconds(5))
        #expect(again.availability(now: .seconds(5)) == .wait(.seconds(60)))
        let same = PINGuard(failures: 4, opens: .seconds(20), isSameBoot: true, now: .seconds(5))
        #expect(same.availability(now: .seconds(5)) == .wait(.seconds(15)))
        let far = PINGuard(
            failures: 3, opens: .seconds(1_000_000), isSameBoot: true, now: .seconds(5))
        #expect(far.availability(now: .seconds(5)) == .wait(.seconds(30)))
        let locked = PINGuard(failures: 10, opens: .zero, isSameBoot: false, now: .seconds(5))
        #expect(locked.availability(now: .seconds(9_000_000)) == .locked)
    }
}
