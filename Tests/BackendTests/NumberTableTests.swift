import Foundation
import Reservations
import TestSupport
import Testing

/// The table of mobile numbers against the package that it is made from.
@Suite("Mobile numbers are those of Debian's python3-phonenumbers")
struct NumberTableTests {
    private static let script = Tool.repository.appending(path: "Kiosk/make-number-table").path
    private static let table = Tool.repository
        .appending(path: "Sources/Shared/Reservations/MobileNumberTable.swift").path

    @Test("The table is what the script makes from the package")
    func table() async throws {
        let folder = try TemporaryFolder()
        let made = folder.file("table.swift")
        try await Tool.succeed(Self.script, [made])
        #expect(
            try String(contentsOfFile: made, encoding: .utf8)
                == String(contentsOfFile: Self.table, encoding: .utf8),
            "run Kiosk/make-number-table")
    }

    /// The countries of the languages of the pages, and all that the table has.
    private static let countries: [[String]] = [
        ["39", "49", "33", "34", "44"],
        try! String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
            .compactMap { $0.firstMatch(of: #/^        (\d+) [-0] /#).map { String($0.1) } },
    ]

    @Test(
        "Of ten thousand numbers of every kind, mobile ones get a code, and no others",
        arguments: zip(countries, [10_000, 5_000]))
    func kinds(countries: [String], count: Int) async throws {
        let seed = UInt32.random(in: .min ... .max)
        print("numbers: seed \(seed)")
        let script = Tool.repository.appending(path: "Tests/TestSupport/read-numbers.py").path
        let printed = try await Tool.succeed(
            "/usr/bin/python3", [script, "\(seed)", "\(count)"] + countries)
        let lines = printed.split(separator: "\n")
        #expect(lines.count == count)
        var mobile = 0
        var wrong: [String] = []
        for line in lines {
            let words = line.split(separator: " ").map { String($0) }
            try #require(words.count == 3)
            // In Denmark every number may be that of a mobile phone.
            let isMobile = ["MOBILE", "FIXED_LINE_OR_MOBILE"].contains(words[1])
            mobile += isMobile ? 1 : 0
            let number = try? PhoneNumber(typed: words[0], prefixes: countries.map { "+\($0)" })
            if number?.rawValue != (isMobile ? words[2] : nil) { wrong.append(line.description) }
        }
        #expect(wrong.isEmpty, "seed \(seed): \(wrong.prefix(20))")
        #expect(mobile > count / 50)
    }
}
