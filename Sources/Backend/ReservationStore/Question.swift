internal import RowColumns

/// The number of values that are read together: few round trips, and few rows in memory at a time even if the queues of
/// these shops are long.
private let valuesPerRound = 32

/// A query and what its rows mean for a value, so that the queries of many values are run together.
struct Question<Value> {
    let query: BoundQuery
    let learn: (any Columns, inout Value) throws(StoreError) -> Void

    init(
        _ query: BoundQuery,
        learn: @escaping (any Columns, inout Value) throws(StoreError) -> Void
    ) {
        self.query = query
        self.learn = learn
    }
}

extension Database {
    /// Asks the questions of each value, in order; those of many values share a round trip if the engine can.
    func ask<Value>(
        _ questions: [[Question<Value>]], about values: inout [Value]
    ) throws(StoreError) {
        for begin in stride(from: 0, to: values.count, by: valuesPerRound) {
            let round = begin..<min(begin + valuesPerRound, values.count)
            let asked = round.flatMap { place in questions[place].map { (place, $0) } }
            try queries(asked.map(\.1.query)) { number, row throws(StoreError) in
                let (place, question) = asked[number]
                try question.learn(row, &values[place])
            }
        }
    }

    /// Asks questions about one value, in one round trip if the engine can.
    func ask<Value>(_ questions: [Question<Value>], about value: inout Value) throws(StoreError) {
        try queries(questions.map(\.query)) { number, row throws(StoreError) in
            try questions[number].learn(row, &value)
        }
    }
}
