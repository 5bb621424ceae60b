import Reservations

/// Which stratum each random variable takes on each path: a permutation of all strata per variable.
///
/// Latin hypercube sampling (McKay, Beckman, Conover 1979): over all paths every variable takes each of its
/// `count` equally likely values once, so that means need far fewer paths than independent draws. The
/// permutations never change, so that the same snapshot always gives the same answer.
struct Strata: Sendable {
    /// The number of equally likely values of a variable, and of paths in one round.
    static let count = 256
    /// The number of variables with a permutation of their own; further variables reuse these, rotated.
    private static let variables = 1_024

    static let shared = Strata()

    /// The strata of all variables, one path after the other.
    private let table: [UInt8]

    private init() {
        var random = SplitMix(seed: 0x0C1A_55ED)
        var table = [UInt8](repeating: 0, count: Self.count * Self.variables)
        var permutation = (0..<Self.count).map { UInt8($0) }
        for variable in 0..<Self.variables {
            permutation.shuffle(using: &random)
            for path in 0..<Self.count {
                table[path * Self.variables + variable] = permutation[path]
            }
        }
        self.table = table
    }

    /// The strata of one path; variables are counted from 0 on.
    struct Path {
        let table: UnsafeBufferPointer<UInt8>
        let row: Int
        var variable: Int

        /// The stratum of the next variable.
        @inline(__always) mutating func next() -> Int {
            let column = variable & (Strata.variables - 1)
            let turn = (variable >> 10) &* 97
            variable &+= 1
            return (Int(table[row &+ column]) &+ turn) & (Strata.count - 1)
        }
    }

    /// Calls `body` for each of the first `count` paths of each round.
    func paths(rounds: Int, of count: Int, _ body: (Int, inout Path) -> Void) {
        table.withUnsafeBufferPointer { table in
            for round in 0..<rounds {
                for row in 0..<count {
                    var path = Path(table: table, row: row * Self.variables, variable: round * 389)
                    body(round * count + row, &path)
                }
            }
        }
    }
}
