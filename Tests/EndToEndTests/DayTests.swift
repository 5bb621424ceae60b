import Foundation
import Glibc
import TestSupport
import Testing

/// The events of a day at the machine, again and again, while its memory, descriptors and files are counted.
@Suite("A day at the machine")
struct DayTests {
    private struct Sample: CustomStringConvertible {
        /// Resident memory, in KiB.
        var memory: Int
        var descriptors: Int
        var threads: Int
        var files: Int
        /// The size of all files of the state directory but its log and its databases' logs, in bytes.
        var state: Int
        /// The size of the longest of the databases' logs, in bytes.
        var writeAhead: Int

        var description: String {
            "\(memory) KiB, \(descriptors) descriptors, \(threads) threads, \(files) files, "
                + "\(state) bytes, \(writeAhead) in a database's log"
        }

        init(_ pid: pid_t, state directory: String) throws {
            let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            func value(_ name: String) -> Int {
                status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
                    .flatMap { Int($0.filter(\.isNumber)) } ?? 0
            }
            memory = value("VmRSS")
            threads = value("Threads")
            descriptors = try FileManager.default.contentsOfDirectory(
                atPath: "/proc/\(pid)/fd"
            ).count
            let names = try FileManager.default.subpathsOfDirectory(atPath: directory)
            files = names.count
            func size(_ name: String) -> Int {
                let found = try? FileManager.default.attributesOfItem(
                    atPath: "\(directory)/\(name)")
                return found?[.size] as? Int ?? 0
            }
            state = names.filter { !$0.hasSuffix(".log") && !$0.hasSuffix("-wal") }
                .map(size).reduce(0, +)
            writeAhead = names.filter { $0.hasSuffix("-wal") }.map(size).max() ?? 0
        }
    }

    /// Rounds of customers in an hour of the shop's clock; each is a ticket that is given back, an offer that is left,
    /// and a staff member who only looks.
    private static let rounds = 3

    @Test(
        "A day of 156 customers, staff, a printer and a backend that fail: nothing grows",
        .enabled(if: TestLength.isLong), .timeLimit(.minutes(30)))
    func nothingGrows() async throws {
        let folder = try TemporaryFolder()
        let clock = folder.file("clock")
        try await Product.withKiosk("--clock", clock) { product, screen in
            try await screen.shows(Words.home)
            let pid = try await screen.process()
            var kiosk: [Sample] = []
            var backend: [Sample] = []
            for hour in 0..<24 {
                try setClock(clock, hour: hour)
                try await outage(hour, product, screen)
                for _ in 0..<Self.rounds {
                    try await customers(product, screen)
                    kiosk.append(try Sample(pid, state: product.services.state))
                    backend.append(
                        try Sample(
                            try await product.backendProcess(), state: product.services.state))
                }
            }
            #expect(try await screen.process() == pid)
            expectNoGrowth(of: kiosk, memory: 2_048)
            expectNoGrowth(of: backend, memory: 4_096)
            let numbers = try await product.rows(
                "SELECT count(*), count(DISTINCT day) FROM reservation WHERE number IS NOT NULL"
            )
            // The hours with a jam, every fourth one, have further customers.
            #expect(numbers == ["\(24 * Self.rounds + 6)|2"])
            print("the machine:", kiosk[kiosk.count / 3], "then", kiosk[kiosk.count - 1])
            print("the backend:", backend[kiosk.count / 3], "then", backend[kiosk.count - 1])
        }
    }

    /// The first third of the day fills caches, heaps and the journal's pages.
    private func expectNoGrowth(
        of samples: [Sample], memory: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let third = samples.count / 3
        func grown(_ value: (Sample) -> Int) -> Int {
            (samples.suffix(third).map(value).max() ?? 0)
                - (samples[third..<2 * third].map(value).max() ?? 0)
        }
        let quoted: Comment = "\(samples.map(\.description).joined(separator: "\n"))"
        #expect(grown(\.memory) <= memory, quoted, sourceLocation: sourceLocation)
        #expect(grown(\.descriptors) <= 2, quoted, sourceLocation: sourceLocation)
        #expect(grown(\.threads) <= 2, quoted, sourceLocation: sourceLocation)
        #expect(grown(\.files) <= 1, quoted, sourceLocation: sourceLocation)
        #expect(grown(\.state) <= 128 << 10, quoted, sourceLocation: sourceLocation)
        // The log is written again from its beginning after 1000 pages of 4 KiB (sqlite3_wal_autocheckpoint).
        #expect(
            samples.allSatisfy { $0.writeAhead <= 1_100 * 4_120 }, quoted,
            sourceLocation: sourceLocation)
    }

    /// Sets ten past each hour, so that the shop's day never ends before a ticket's customer has come in.
    private func setClock(_ path: String, hour: Int) throws {
        let now = Int(Date.now.timeIntervalSince1970) / 3_600 * 3_600 + 600
        let moment = Date(timeIntervalSince1970: TimeInterval(now + hour * 3_600))
        try ClockControl(path).carryOut("set \(moment.ISO8601Format())")
    }

    private func customers(_ product: Product, _ screen: TmuxTerminal) async throws {
        // The ticket is given back by its code, in the form that readers send.
        let code = try await product.ticket(on: screen)
        try await screen.types(code, shows: "disdire", Words.giveUp)
        try await screen.press("Tab", "Enter")
        #expect(try await eventually { try await product.codes().isEmpty })
        try await screen.press("Enter", shows: Words.home)
        // A customer leaves an offer.
        try await screen.press("Enter", shows: Words.confirm)
        try await screen.press("Escape", shows: Words.home)
        // A staff member opens the PIN entry and leaves it.
        try await screen.press("F10", shows: "PIN")
        try await screen.press("Escape", shows: Words.home)
    }

    /// Causes the failures of some of the hours.
    private func outage(_ hour: Int, _ product: Product, _ screen: TmuxTerminal) async throws {
        let log = "\(product.services.state)/kiosk.log"
        func notices(_ words: String, after count: Int) async throws {
            let isNoticed = try await eventually {
                try String(contentsOfFile: log, encoding: .utf8).dropFirst(count).contains(words)
            }
            #expect(isNoticed, "\(words)")
        }
        let before = try String(contentsOfFile: log, encoding: .utf8).count
        switch hour % 4 {
        case 1:
            // The backend's memory is measured from the second third of the day on: from then it is only stopped, not
            // killed.
            let backend = try await product.backendProcess()
            kill(backend, hour < 8 ? SIGKILL : SIGSTOP)
            try await screen.shows("N1")
            if hour < 8 {
                try await product.restartBackend()
            } else {
                kill(backend, SIGCONT)
            }
            try await screen.shows(Words.home)
        case 3:
            try await product.printer(.jam)
            try await notices("printer: jam", after: before)
            try await customers(product, screen)
            try await product.printer(.ok)
            try await notices("printer: ready", after: before)
        default: break
        }
    }
}
