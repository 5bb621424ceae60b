/// How many places stay free for visits that are nearly due.
///
/// The calling rule, as sentences (rules 5, 6; the tests quote them):
///
/// 1. Nobody is called while called and active people fill the capacity.
/// 2. A visit is never called before its slot.
/// 3. Visits whose slot has come are called first: the earliest slot, then the lower number.
/// 4. Tickets are called in the order of their numbers.
/// 5. A ticket waits where a visit due within the next ten minutes would else stand outside.
/// 6. Who is called has ten minutes to enter.
enum CallingRule {
    /// How far sentence 5 looks ahead, in minutes.
    static let lookAhead = 10.0

    /// Places that no ticket may take now, for `visits` due in `minutes`.
    ///
    /// Of the places that are taken, so many as are sure by 80 % to be free by then need not be kept: with
    /// many customers inside departures are nearly a Poisson process (Palm-Khintchine theorem).
    static func kept(
        visits: Int, dueIn minutes: Double, taken: Int, meanStay: Double
    ) -> Int {
        guard visits > 0 else { return 0 }
        let expected = Double(taken) * max(0, minutes) / max(1, meanStay)
        let sure = expected - 0.8416 * expected.squareRoot()
        return max(0, visits - max(0, Int(sure)))
    }
}
