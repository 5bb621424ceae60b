import Foundation
import Glibc
import TestSupport
import Testing

/// The events of a day at the machine, again and again, while its memory, descriptors and files are counted.
@Suite("A day at the machine")
struct DayTests {
    private static let log = "bytes of a database's log"

    /// What is counted of a process and its state directory: the bytes are those of all files but the log and the
    /// databases' logs, and of the longest of the databases' logs.
    private func count(_ pid: pid_t, state directory: String) throws -> [String: Int] {
        let files = FileManager.default
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        func value(_ name: String) -> Int {
            status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
                .flatMap { Int($0.filter(\.isNumber)) } ?? 0
        }
        let names = try files.subpathsOfDirectory(atPath: directory)
        func size(_ name: String) -> Int {
            let found = try? files.attributesOfItem(atPath: "\(directory)/\(name)")
            return found?[.size] as? Int ?? 0
        }
        let logs = names.filter { $0.hasSuffix("-wal") }
        return [
            "KiB of memory": value("VmRSS"), "threads": value("Threads"),
            "descriptors": try files.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count,
            "files": names.count, Self.log: logs.map(size).max() ?? 0,
            "bytes": names.filter { !$0.hasSuffix(".log") && !logs.contains($0) }
                .map(size).reduce(0, +),
        ]
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
            var kiosk: [[String: Int]] = []
            var backend: [[String: Int]] = []
            for hour in 0..<24 {
                try Product.set(clock, minutes: 60 * hour)
                try await outage(hour, product, screen)
                for _ in 0..<Self.rounds {
                    try await customers(product, screen)
                    let state = product.services.state
                    kiosk.append(try count(pid, state: state))
                    backend.append(try count(try await product.backendProcess(), state: state))
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
        of samples: [[String: Int]], memory: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let third = samples.count / 3
        for (name, most) in [
            "KiB of memory": memory, "descriptors": 2, "threads": 2, "files": 1, "bytes": 128 << 10,
        ] {
            let values = samples.map { $0[name] ?? 0 }
            let grown =
                (values.suffix(third).max() ?? 0) - (values[third..<2 * third].max() ?? 0)
            #expect(grown <= most, "\(name): \(values)", sourceLocation: sourceLocation)
        }
        // The log is written again from its beginning after 1000 pages of 4 KiB (sqlite3_wal_autocheckpoint).
        let logs = samples.map { $0[Self.log] ?? 0 }
        #expect(
            logs.allSatisfy { $0 <= 1_100 * 4_120 }, "\(logs)", sourceLocation: sourceLocation)
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
