import Foundation
import Glibc
import TestSupport
import Testing

/// What a day at the machine brings, again and again, while its memory, descriptors and files are counted.
@Suite("A day at the machine")
struct DayTests {
    private struct Sample: CustomStringConvertible {
        /// Resident, in KiB.
        var memory: Int
        var descriptors: Int
        var threads: Int
        var files: Int
        /// Of all files of the state directory but its log, in bytes.
        var state: Int

        var description: String {
            "\(memory) KiB, \(descriptors) descriptors, \(threads) threads, \(files) files, "
                + "\(state) bytes"
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
            state = names.filter { !$0.hasSuffix(".log") }.reduce(0) { all, name in
                let found = try? FileManager.default.attributesOfItem(
                    atPath: "\(directory)/\(name)")
                return all + (found?[.size] as? Int ?? 0)
            }
        }
    }

    @Test(
        "Tickets, deletions, languages, staff, a printer and a backend that fail: nothing grows",
        .enabled(if: TestLength.isLong))
    func nothingGrows() async throws {
        try await Product.with { product in
            try await TmuxTerminal.with(columns: 80, rows: 24, command: product.kiosk()) { screen in
                try await screen.shows(Words.home, within: .seconds(30))
                let pid = try await screen.process()
                var samples: [Sample] = []
                let rounds = TestLength.choose(4, long: 300)
                for round in 0..<rounds {
                    try await hour(round, product, screen)
                    samples.append(try Sample(pid, state: product.services.state))
                }
                // The first third fills what is kept: caches, heaps, the journal's pages.
                let middle = samples[rounds / 3..<rounds * 2 / 3]
                let last = samples[(rounds * 2 / 3)...]
                func grown(_ value: (Sample) -> Int) -> Int {
                    (last.map(value).max() ?? 0) - (middle.map(value).max() ?? 0)
                }
                let told: Comment = "\(samples.map(\.description).joined(separator: "\n"))"
                #expect(grown(\.memory) <= 2_048, told)
                #expect(grown(\.descriptors) <= 2, told)
                #expect(grown(\.threads) <= 2, told)
                #expect(grown(\.files) <= 1, told)
                #expect(grown(\.state) <= 128 << 10, told)
                #expect(try await screen.process() == pid)
            }
        }
    }

    /// What an hour may bring, from Home to Home.
    private func hour(_ round: Int, _ product: Product, _ screen: TmuxTerminal) async throws {
        // A ticket that is given back as readers read it.
        let code = try await product.ticket(on: screen)
        try await screen.types(code)
        try await screen.shows("eliminare", Words.confirm, within: .seconds(30))
        try await screen.press("Tab", "Enter")
        let isDeleted = try await eventually(within: .seconds(30)) {
            try await product.codes().isEmpty
        }
        #expect(isDeleted)
        try await screen.press("Enter")
        try await screen.shows(Words.home, within: .seconds(30))
        // An offer that somebody leaves.
        try await screen.press("Enter")
        try await screen.shows(Words.confirm, within: .seconds(30))
        try await screen.press("Escape")
        try await screen.shows(Words.home, within: .seconds(30))
        // Staff who go again.
        try await screen.press("F10")
        try await screen.shows("PIN", within: .seconds(30))
        try await screen.press("Escape")
        try await screen.shows(Words.home, within: .seconds(30))
        switch round % 4 {
        case 0:
            try await product.killBackend()
            try await screen.press("Enter")
            try await screen.shows("N", within: .seconds(30))
            try await product.restartBackend()
            // A screen that says so leads back by itself or by a key.
            let isBack = try await eventually(within: .seconds(60)) {
                try await screen.press("Escape")
                return try await screen.text().contains(Words.home)
            }
            #expect(isBack)
        case 2:
            try await product.printer(.jam)
            try await product.printer(.ok)
        default: break
        }
    }
}
