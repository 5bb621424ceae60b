internal import ReservationStore
internal import RowColumns
internal import Testing

@Suite("Several uses of a query as one statement of PostgreSQL", .stopsStores)
struct CombinedStatementTests {
    private static let insert = Query(
        "INSERT INTO shelf (shop_id, item, price) VALUES ($shop, $item, coalesce((SELECT max(price) "
            + "FROM shelf WHERE price > 1000), $price)) ON CONFLICT (shop_id, item) DO NOTHING",
        isCombinable: true)
    private static let select = Query(
        "SELECT item, price FROM shelf WHERE shop_id = $shop AND item = $item", isCombinable: true)
    private static let update = Query(
        "UPDATE shelf SET price = $price WHERE shop_id = $shop AND item = $item",
        isCombinable: true)

    private func shelf() throws -> sending any Database {
        let database = try Site(.postgresql).open(for: .administer)
        try database.run(
            script: """
                CREATE TABLE shelf (shop_id TEXT NOT NULL, item TEXT NOT NULL, price BIGINT,
                    PRIMARY KEY (shop_id, item))
                """)
        return database
    }

    private func values(_ item: String, _ price: Int64?) -> [DatabaseValue] {
        [.text("s1"), .text(item), price.map { .integer($0) } ?? .null]
    }

    private func prices(_ items: [String], in database: any Database) throws -> [Int: Int64] {
        var prices: [Int: Int64] = [:]
        try database.queries(items.map { (Self.select, [.text("s1"), .text($0)]) }) { place, row in
            #expect(row.text(0) == items[place])
            prices[place] = row.integer(1)
        }
        return prices
    }

    @Test("Each row of a look-up has the position of its use; one without a row has none")
    func lookups() throws {
        let database = try shelf()
        try database.beginWrite()
        for number in 0..<37 {
            try database.post(Self.insert, values("i\(number)", Int64(number)), changing: 1)
        }
        try database.commit()
        for count in [1, 2, 3, 16, 17, 40] {
            let found = try prices((0..<count).map { "i\($0)" }, in: database)
            #expect(
                found
                    == Dictionary(
                        uniqueKeysWithValues: (0..<min(count, 37)).map { ($0, Int64($0)) }))
        }
    }

    @Test("If one of many rows is there already, none of them is inserted")
    func conflicts() throws {
        let database = try shelf()
        try database.execute(Self.insert, values("c", 7))
        func insert(_ items: [String]) throws {
            try database.beginWrite()
            for item in items { try database.post(Self.insert, values(item, 1), changing: 1) }
            try database.commit()
        }
        for items in [["a", "b", "c", "d"], ["a", "b", "b", "d"]] {
            let error = #expect(throws: StoreError.self) { try insert(items) }
            #expect(error?.code == .constraint)
            database.rollback()
            #expect(try prices(items, in: database).values.allSatisfy { $0 == 7 })
        }
        try insert(["a", "b", "d"])
        #expect(try prices(["a", "b", "c", "d"], in: database) == [0: 1, 1: 1, 2: 7, 3: 1])
    }

    @Test("If one of many changes finds no row, none of them is kept")
    func missing() throws {
        let database = try shelf()
        let items = ["a", "b", "c"]
        for item in items { try database.execute(Self.insert, values(item, 1)) }
        func change(_ items: [String], to price: Int64) throws {
            try database.beginWrite()
            for item in items {
                try database.post(
                    Self.update, [.integer(price), .text("s1"), .text(item)], changing: 1)
            }
            try database.commit()
        }
        try change(items, to: 2)
        #expect(try prices(items, in: database) == [0: 2, 1: 2, 2: 2])
        let error = #expect(throws: StoreError.self) { try change(["a", "x", "b"], to: 3) }
        #expect(error?.code == .constraint)
        database.rollback()
        #expect(try prices(items, in: database) == [0: 2, 1: 2, 2: 2])
    }
}
