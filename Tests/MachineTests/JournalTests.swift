import Foundation
import KioskFlow
import KioskJournal
import Reservations
import SQLite
import TestSupport
import Testing

@Suite("The journal over a restart (rules: unanswered-confirmation, start-up)")
struct JournalTests {
    private let directory: TemporaryFolder
    private let key = Self.key
    private let hold = ReservationID("hold-1")
    private let reservation = BackendFacts.reservation
    /// The clock of the journal, which stands still unless a test moves it.
    private let clock = Locked(BackendFacts.now.moment.milliseconds)
    private static let day: Int64 = 86_400_001

    init() throws { directory = try TemporaryFolder() }

    private var path: String { "\(directory.path)/journal.sqlite" }

    private func journal() throws -> KioskJournal {
        try KioskJournal(path: path, clock: { [clock] in clock.value })
    }

    private func openAfterRestart(_ records: [JournalRecord]) throws -> [OpenRequest] {
        do {
            let journal = try self.journal()
            try journal.write(records)
        }
        return try journal().open()
    }

    /// The records of a place that was confirmed.
    private func issued(_ key: AttemptKey = AttemptKey("start-1")) -> [JournalRecord] {
        [.intended(key, .place(hold)), .issued(key, .reservation(reservation))]
    }

    /// How many of the stored requests fulfil a condition.
    private func count(_ condition: String) throws -> Int64 {
        try Connection(path: path).rows(
            "SELECT count(*) FROM confirmation WHERE \(condition)"
        ) { $0.integer(0) }[0]
    }

    private let ever = Moment(milliseconds: 0)

    private static let key = AttemptKey("start-1")
    private static let requests: [Requested] = [
        .place(ReservationID("hold-1")),
        .arrival(OrderID("order-1"), .typed(BackendFacts.pickup.typedCode)),
        .arrival(OrderID("order-1"), .entry(BackendFacts.pickup.code)),
    ]
    private let order = OrderID("order-1")
    private let pickup = BackendFacts.pickup

    @Test(
        "A place or an order without an answer, also one that was given up, is open until resolved",
        arguments: requests, [false, true])
    func intended(what: Requested, isGivenUp: Bool) throws {
        let records: [JournalRecord] =
            [.intended(key, what)] + (isGivenUp ? [.deleteWhenKnown(key)] : [])
        #expect(
            try openAfterRestart(records) == [
                OpenRequest(key: key, what: what, deleteWhenKnown: isGivenUp)
            ])
        #expect(try openAfterRestart([.resolved(key)]).isEmpty)
    }

    @Test("An open request has its age, by the machine's own clock")
    func age() throws {
        let journal = try self.journal()
        try journal.write([.intended(key, .arrival(order, .entry(pickup.code)))])
        clock.change { $0 += 90_500 }
        #expect(try journal.open().map(\.age) == [.milliseconds(90_500)])
        clock.change { $0 -= 100_000 }
        #expect(try journal.open().map(\.age) == [.milliseconds(-9_500)])
    }

    @Test("The ticket of an order can be printed again until its codes are erased after a day")
    func papersOfOrders() throws {
        let journal = try self.journal()
        let arrival = Requested.arrival(order, .typed(pickup.typedCode))
        let arrived = try #require(ArrivedOrder(BackendFacts.order(.arrived, ticket: pickup)))
        try journal.write([
            .intended(key, arrival), .issued(key, .order(arrived)), .language(key, "it"),
            .shown(key), .printing(key), .printed(key),
        ])
        // Another one whose customer got no answer.
        try journal.write([.intended(AttemptKey("start-2"), arrival)])
        let paper = try #require(try journal.papers(since: ever).first)
        #expect(paper.number.text == "C-017" && paper.outcome == .printed)
        #expect(paper.code == .order(pickup.code) && paper.typedCode == pickup.typedCode)
        #expect(try journal.outcomes(from: nil).map(\.printed) == [1])
        clock.change { $0 += Self.day }
        try journal.prune()
        let old = try #require(try journal.papers(since: ever).first)
        #expect(old.number == paper.number && old.code == nil && old.typedCode == nil)
        // Without its code it cannot be asked for, and it is no confirmation of a place.
        #expect(try journal.open().isEmpty)
        #expect(try count("presented IS NOT NULL OR code IS NOT NULL") == 0)
    }

    @Test(
        "A reserved place is open until it is shown or sent to the printer; it is the customer's then",
        arguments: [nil, .shown(key), .printing(key)] as [JournalRecord?])
    func shown(record: JournalRecord?) throws {
        let open = try openAfterRestart(issued() + [record].compactMap(\.self))
        #expect(open.count == (record == nil ? 1 : 0))
    }

    @Test("The receipts of each day are counted by outcome, with copies, without those in progress")
    func outcomes() throws {
        let journal = try self.journal()
        func issue(_ name: String, _ records: (AttemptKey) -> [JournalRecord]) throws {
            let key = AttemptKey(name)
            try journal.write(issued(key) + records(key))
        }
        try issue("a") { [.printing($0), .printed($0)] }
        try issue("b") { [.printing($0), .notPrinted($0, .jam)] }
        try issue("c") { [.notPrinted($0, .noPaper)] }
        try issue("d") { [.printing($0), .notPrinted($0, .silent), .printed($0)] }
        try issue("e") { [.printing($0)] }
        let day = reservation.issued.day
        #expect(try journal.outcomes(from: nil).map(\.unknown) == [0])
        #expect(try journal.unknownPapers() == 0)
        try journal.copied(key, on: day)
        try journal.copied(key, on: day)
        try journal.copied(key, on: day.advanced(by: 1))
        #expect(
            try journal.outcomes(from: nil) == [
                PrintTally(day: day, printed: 2, failed: 2, copies: 2),
                PrintTally(day: day.advanced(by: 1), printed: 0, failed: 0, copies: 1),
            ])
        #expect(try journal.outcomes(from: day.advanced(by: 1)).map(\.copies) == [1])
        // The program was killed while the fifth receipt was printed.
        let next = try self.journal()
        #expect(try next.outcomes(from: day).map(\.unknown) == [1, 0])
    }

    @Test("A receipt in progress at a power cut may be missing until the staff has checked it")
    func unknown() throws {
        let names = ["found", "copied", "given-back", "over", "left"]
        do {
            let journal = try self.journal()
            for name in names {
                let key = AttemptKey(name)
                try journal.write(issued(key) + [.shown(key), .printing(key)])
            }
            // This one was asked for and not shown: the next start continues it.
            try journal.write(issued())
            #expect(try journal.unknownPapers() == 0)
            #expect(try journal.papers(since: ever).allSatisfy { $0.outcome == .underWay })
        }
        let journal = try self.journal()
        func unknown() throws -> [String] {
            // Midnight has passed since, and they are reported nevertheless.
            try journal.papers(since: Moment(milliseconds: clock.value + 1)).map {
                #expect($0.outcome == .unknown && $0.code == .reservation(reservation.code))
                return $0.key.rawValue
            }.sorted()
        }
        #expect(try unknown() == names.sorted())
        #expect(try journal.unknownPapers() == 5)
        try journal.write([.printed(AttemptKey("found"))])
        try journal.copied(AttemptKey("copied"), on: reservation.issued.day)
        try journal.write([
            .deleteWhenKnown(AttemptKey("given-back")), .resolved(AttemptKey("given-back")),
        ])
        try journal.write([.resolved(AttemptKey("over"))])
        #expect(try unknown() == ["left"])
        #expect(try journal.unknownPapers() == 1)
        #expect(try journal.outcomes(from: nil).map(\.unknown) == [1])
        // This start resumes it, so it is tracked again.
        try journal.write([.shown(key), .printing(key)])
        #expect(try journal.unknownPapers() == 1)
        #expect(
            Set(try journal.papers(since: ever).map(\.outcome)) == [
                .printed, .reprinted, .givenUp, .over, .unknown, .underWay,
            ])
        // It cannot be printed again once its code is erased, but the day's count keeps it.
        clock.change { $0 += Self.day }
        try journal.prune()
        #expect(try journal.unknownPapers() == 0)
        #expect(try unknown().isEmpty)
        #expect(try journal.outcomes(from: nil).map(\.unknown) == [1])
    }

    @Test("A journal of the previous version continues where it was")
    func migration() throws {
        do {
            let journal = try self.journal()
            try journal.write(issued())
            let old = try Connection(path: path)
            try old.execute(
                """
                DROP INDEX confirmation_by_day; ALTER TABLE confirmation DROP COLUMN day;
                DROP TABLE copy; ALTER TABLE confirmation DROP COLUMN reprinted_ms; ALTER TABLE confirmation DROP COLUMN language; ALTER TABLE confirmation DROP COLUMN is_order; ALTER TABLE confirmation DROP COLUMN presented; ALTER TABLE confirmation DROP COLUMN symbol; UPDATE meta SET value = 1 WHERE name = 'schema';
                """)
        }
        let journal = try self.journal()
        #expect(try journal.open().map(\.what) == [.place(hold)])
        #expect(try journal.papers(since: ever).map(\.code) == [.reservation(reservation.code)])
        #expect(try journal.outcomes(from: nil).isEmpty)
        try journal.copied(key, on: reservation.issued.day)
        #expect(try self.journal().outcomes(from: nil).map(\.copies) == [1])
    }

    @Test("Receipts of the day have their outcome and, newest first, the data for a reprint")
    func papers() throws {
        let journal = try self.journal()
        let begin = BackendFacts.now.moment
        let outcomes: [(String, [JournalRecord], IssuedPaper.Outcome)] = [
            ("a", [.printed(AttemptKey("a"))], .printed),
            ("b", [.notPrinted(AttemptKey("b"), .jam)], .notPrinted(.jam)),
            ("c", [.printing(AttemptKey("c"))], .underWay),
            ("d", [.deleteWhenKnown(AttemptKey("d"))], .givenUp),
            ("e", [.notPrinted(AttemptKey("e"), .noPaper)], .reprinted),
            ("f", [.printed(AttemptKey("f"))], .reprinted),
        ]
        for (name, records, _) in outcomes {
            clock.change { $0 += 1_000 }
            let key = AttemptKey(name)
            try journal.write(issued(key) + records)
        }
        // A place that was never confirmed has no receipt.
        try journal.write([.intended(AttemptKey("z"), .place(hold))])
        for name in ["e", "f"] {
            try journal.copied(AttemptKey(name), on: reservation.issued.day)
        }
        let all = try journal.papers(since: ever)
        #expect(all.map(\.outcome) == outcomes.map(\.2).reversed())
        #expect(all.first?.code == .reservation(reservation.code))
        #expect(all.first?.typedCode == reservation.typedCode)
        #expect(try journal.papers(since: begin + .seconds(3)).count == 4)
    }

    @Test("One call writes all of its records or none")
    func atomic() throws {
        let journal = try self.journal()
        try journal.write([.intended(key, .place(hold))])
        #expect(throws: JournalError.self) {
            try journal.write([.shown(key), .intended(key, .place(hold))])
        }
        #expect(try journal.open().count == 1)
    }

    @Test("Codes are erased after a day, rows after a month", arguments: [false, true])
    func erased(isRunning: Bool) throws {
        let journal = try self.journal()
        try journal.write(issued() + [.shown(key)])
        #expect(try count("code IS NOT NULL") == 1)
        clock.change { $0 += Self.day }
        let next = JournalRecord.intended(AttemptKey("start-2"), .place(hold))
        if isRunning { try journal.write([next]) } else { try journal.prune() }
        #expect(try count("code IS NOT NULL OR typed_code IS NOT NULL") == 0)
        #expect(try count("number = 42") == 1)
        clock.change { $0 += 31 * 86_400_000 }
        try journal.prune()
        // The next request is a day younger.
        #expect(try count("1 = 1") == (isRunning ? 1 : 0))
    }

    @Test("A file that is no journal, or a newer one, is refused with its name")
    func refused() throws {
        try Data("this is no database, but long enough to look at".utf8)
            .write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: JournalError.self) { try journal() }
        #expect(error?.description.contains(path) == true)
        let newer = "\(directory.path)/newer.sqlite"
        do { _ = try KioskJournal(path: newer) }
        let connection = try Connection(path: newer)
        try connection.run("UPDATE meta SET value = 99 WHERE name = 'schema'")
        let second = #expect(throws: JournalError.self) { try KioskJournal(path: newer) }
        #expect(second?.description.contains("newer") == true)
    }
}
