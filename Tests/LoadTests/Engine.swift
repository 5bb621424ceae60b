import Foundation
import Reservations
import TestSupport

/// The databases with which every run is made.
enum Engine: String, CaseIterable, Sendable {
    case sqlite, postgresql

    /// The servers of a run: a file has one at a time.
    var servers: Int { self == .sqlite ? 1 : 2 }
}

/// The random choices of a run; the seed is printed, so that the run can be repeated: `CLUP_SEED=...`.
struct Dice: Sendable {
    let seed: UInt64
    private var state: SplitMix

    init(_ name: String) {
        let given = ProcessInfo.processInfo.environment["CLUP_SEED"].flatMap(UInt64.init)
        seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
        // Runs with one seed must not repeat each other's choices.
        state = SplitMix(seed: name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
    }

    /// From 0 to `count` - 1.
    mutating func index(_ count: Int) -> Int { Int(state.next() % UInt64(count)) }

    /// Another generator, which depends only on this one's seed and the name.
    func other(_ name: String) -> Dice {
        var dice = self
        dice.state = SplitMix(seed: name.utf8.reduce(seed &+ 1) { $0 &* 31 &+ UInt64($1) })
        return dice
    }
}
