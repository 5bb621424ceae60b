/// The numbers of one country: which of them are of mobile phones, and the digits that are left out abroad.
struct NumberingPlan {
    /// What people put before a number at home, one of these, as 0 in "(0)79"; none where it is a part of the number.
    private let trunks: [Substring]
    /// The beginnings of mobile numbers, without the country's code, by the length of the number.
    private var mobile: [Int: Set<Substring>] = [:]
    private var maxBeginning = 0

    /// The digits without those that are left out abroad, if they were typed.
    private func withoutTrunk(_ digits: Substring) -> Substring {
        guard !isMobile(digits), let trunk = trunks.first(where: digits.hasPrefix) else {
            return digits
        }
        return digits.dropFirst(trunk.utf8.count)
    }

    /// The mobile number that is meant by digits behind the country's code: without what is left out abroad, and without the
    /// code if that seems to be there once more.
    func mobile(_ digits: Substring, code: Substring?) -> Substring {
        let number = withoutTrunk(digits)
        guard let code, !isMobile(number) else { return number }
        let repeated = ["00\(code)", "\(code)"].first(where: digits.hasPrefix)
        let rest = repeated.map { withoutTrunk(digits.dropFirst($0.utf8.count)) }
        return rest.flatMap { isMobile($0) ? $0 : nil } ?? number
    }

    /// Whether the digits behind the country's code are a mobile number.
    func isMobile(_ digits: Substring) -> Bool {
        guard let beginnings = mobile[digits.utf8.count] else { return false }
        return (1...maxBeginning).contains { beginnings.contains(digits.prefix($0)) }
    }

    // MARK: - The countries

    /// The digits of the longest code of a country.
    private static let maxCode = 3
    private static let countries: [Substring: NumberingPlan] = {
        let lines = MobileNumberTable.text.split(separator: "\n")
        return Dictionary(
            uniqueKeysWithValues: lines.compactMap { line in
                let words = line.split(separator: " ", maxSplits: 2)
                return words.count == 3 ? (words[0], NumberingPlan(words[1], words[2])) : nil
            })
    }()

    /// The plan of the country to which digits belong, and the digits behind its code; nil for every other country, and for
    /// numbers of no country, as those of satellites. No code begins with another one (ITU-T E.164).
    static func of(_ digits: Substring) -> (plan: NumberingPlan, number: Substring)? {
        for length in 1...maxCode {
            if let plan = countries[digits.prefix(length)] {
                return (plan, digits.dropFirst(length))
            }
        }
        return nil
    }

    /// Whether a country has numbers that begin so: its code, or a part of it, or more digits.
    static func hasCountry(of digits: Substring) -> Bool {
        of(digits) != nil || countries.keys.contains { $0.hasPrefix(digits) }
    }

    /// - Parameters: As `MobileNumberTable` has them behind a country's code.
    private init(_ trunks: Substring, _ groups: Substring) {
        self.trunks = trunks == "-" ? [] : trunks.split(separator: ",")
        for group in groups.split(separator: ";") {
            let parts = group.split(separator: ":")
            guard parts.count == 2 else { continue }
            let beginnings = Set(parts[1].split(separator: " ").flatMap(Self.beginnings))
            maxBeginning = max(maxBeginning, beginnings.map(\.utf8.count).max() ?? 0)
            for length in parts[0].split(separator: ",") {
                mobile[Int(length.drop { $0 == " " }) ?? 0] = beginnings
            }
        }
    }

    /// The beginnings that a word stands for: `7[1-3]` for 71, 72 and 73.
    private static func beginnings(_ word: Substring) -> [Substring] {
        let parts = word.split { "[-]".contains($0) }
        guard word.hasSuffix("]"), let low = Int(parts.suffix(2)[parts.endIndex - 2]),
            let high = Int(parts[parts.endIndex - 1])
        else { return [word] }
        let stem = parts.count == 3 ? parts[0] : ""
        return (low...high).map { stem + "\($0)" }
    }
}
